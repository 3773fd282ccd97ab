/**
 * Sums of vectors of 64-bit words modulo 2^64, as packed little-endian bytes. Callers with a faster
 * implementation can pass it in; its methods may return promises.
 */
export interface MaskArithmetic {
  /** Starts a sum of `length` words at zero. */
  sum(length: number): MaskSum;
}

export interface MaskSum {
  /** Adds or subtracts a vector, 8 bytes a word. */
  add(bytes: Uint8Array, sign: 1 | -1): void | Promise<void>;
  bytes(): Uint8Array | Promise<Uint8Array>;
}

/** Sums in JavaScript: 0.2 ms to add the 5151 words of 100 features. */
export const plainArithmetic: MaskArithmetic = {
  sum(length) {
    // Typed arrays have the byte order of the machine, which is little-endian wherever WebAssembly is fast.
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
 * Whether every word, read as a signed number, is within +-2^62. The sums of a study always are. A word
 * outside means that masks were not removed or that numbers were made up.
 */
export function isWithinRange(bytes: Uint8Array): boolean {
  for (let at = 7; at < bytes.length; at += 8) {
    const top = (bytes[at] ?? 0) >> 6;
    if (top !== 0 && top !== 3) return false;
  }
  return true;
}
