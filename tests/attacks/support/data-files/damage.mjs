// Damage to bytes, the same for the same seed.

/** mulberry32: a function that returns a random integer from 0 to below its argument. */
export function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A copy with one to three kinds of damage, half of it in the metadata at the file's ends. */
export function damaged(whole, random) {
  let bytes = Uint8Array.from(whole);
  for (let left = 1 + random(3); left > 0; left--) {
    const place = () => {
      const near = Math.min(bytes.length, 700);
      if (random(2) === 0) return random(bytes.length);
      return random(3) === 0 ? random(near) : bytes.length - 1 - random(near);
    };
    const at = place();
    const view = new DataView(bytes.buffer);
    switch (random(8)) {
      case 0:
        bytes[at] ^= 1 << random(8);
        break;
      case 1:
        for (let i = random(8); i >= 0; i--) bytes[place()] ^= 1 << random(8);
        break;
      case 2:
        bytes[at] = [0, 1, 0x7f, 0x80, 0xff, 0x0c, 0x19, 0xf9][random(8)];
        break;
      case 3: {
        // Variable-length numbers of the largest possible size, in a row.
        const length = 1 + random(10);
        bytes.fill(0xff, at, at + length);
        if (at + length < bytes.length) bytes[at + length] = random(2) === 0 ? 0x7f : 0x0f;
        break;
      }
      case 4: {
        const most = [0x7fffffff, 0xffffffff, 0x80000000, 1 << 20, 1 << 28, 0xfffffff0, 0, 3];
        const start = random(2) === 0 ? at & ~3 : at;
        if (start + 4 <= bytes.length) view.setUint32(start, most[random(8)], true);
        break;
      }
      case 5: {
        const start = at & ~7;
        const most = [2n ** 31n, 2n ** 53n, 2n ** 62n, -1n, -8n, 2n ** 40n, 2n ** 24n, 2n ** 32n];
        if (start + 8 <= bytes.length) view.setBigInt64(start, most[random(8)], true);
        break;
      }
      case 6: {
        const length = 1 + random(64);
        const from = random(bytes.length);
        bytes.copyWithin(at, from, from + length);
        break;
      }
      default: {
        // The last bytes often stay, as readers begin there.
        const length = 1 + random(Math.min(200, bytes.length - 1));
        const start = random(bytes.length - length);
        if (random(4) === 0) bytes = bytes.slice(0, bytes.length - length);
        else if (random(2) === 0) bytes.fill(0, start, start + length);
        else {
          const rest = bytes.subarray(start + length);
          bytes = Uint8Array.from([...bytes.subarray(0, start), ...rest]);
        }
      }
    }
  }
  return bytes;
}
