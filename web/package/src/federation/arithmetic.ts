/**
 * Sums of vectors of 64-bit words modulo 2^64, as packed little-endian bytes. Whoever has a faster
 * one may hand it in; the answers may be promises.
 */
export interface MaskArithmetic {
  /** A sum of `length` words that begins at zero. */
  sum(length: number): MaskSum;
}

export interface MaskSum {
  /** Adds or takes off 8 bytes a word. */
  add(bytes: Uint8Array, sign: 1 | -1): void | Promise<void>;
  bytes(): Uint8Array | Promise<Uint8Array>;
}

/** In JavaScript: 0.2 ms to add the 5151 words of 100 features. */
export const plainArithmetic: MaskArithmetic = {
  sum(length) {
    // Typed arrays have the order of the machine, little-endian wherever WebAssembly is quick.
    const total = new BigUint64Array(length);
    return {
      add(bytes, sign) {
        const words = new BigUint64Array(bytes.slice().buffer, 0, length);
        for (let at = 0; at < length; at++) {
          const [sum, word] = [total[at] ?? 0n, words[at] ?? 0n];
          total[at] = sign === 1 ? sum + word : sum - word;
        }
      },
      bytes: () => new Uint8Array(total.buffer.slice(0)),
    };
  },
};

/**
 * Whether every word, read as a signed number, lies within +-2^62. Sums of a study's numbers do, so
 * what does not is masks that were not taken off, or numbers that were made up.
 */
export function isWithinRange(bytes: Uint8Array): boolean {
  for (let at = 7; at < bytes.length; at += 8) {
    const top = (bytes[at] ?? 0) >> 6;
    if (top !== 0 && top !== 3) return false;
  }
  return true;
}
