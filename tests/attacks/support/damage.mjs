// Every one-bit flip and every truncation of a JSON document, bytes that were removed or exchanged, digits that
// were changed, and keys that occur twice.

/** Damaged copies of a JSON document, as functions that give their bytes. */
export function* damages(bytes) {
  for (let at = 0; at < bytes.length; at++) {
    for (let bit = 0; bit < 8; bit++) {
      yield () => {
        const copy = bytes.slice();
        copy[at] ^= 1 << bit;
        return copy;
      };
    }
    yield () => bytes.slice(0, at);
    yield () => Uint8Array.from([...bytes.subarray(0, at), ...bytes.subarray(at + 1)]);
    yield () => {
      const copy = bytes.slice();
      [copy[at], copy[at + 1]] = [copy[at + 1] ?? 0, copy[at]];
      return copy;
    };
    const isDigit = bytes[at] >= 0x30 && bytes[at] <= 0x39;
    if (isDigit) {
      for (let digit = 0x30; digit <= 0x39; digit++) {
        if (digit === bytes[at]) continue;
        yield () => {
          const copy = bytes.slice();
          copy[at] = digit;
          return copy;
        };
      }
    }
  }
  const text = new TextDecoder().decode(bytes);
  for (const [key, value] of Object.entries(JSON.parse(text))) {
    for (const other of [null, 0, -1, 1e300, '', [], {}, true, value]) {
      const again = `${JSON.stringify(key)}:${JSON.stringify(other)}`;
      yield () => new TextEncoder().encode(`${text.slice(0, -1)},${again}}`);
      yield () => new TextEncoder().encode(`{${again},${text.slice(1)}`);
    }
  }
}
