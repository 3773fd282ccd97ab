import { describe, expect, it } from 'vitest';
import { xxh64 } from '../../../web/package/src/data/xxh64.js';

describe('XXH64 with seed 0', () => {
  it.each([
    ['', 0xef46db3751d8e999n],
    ['a', 0xd24ec4f1a98c6e5bn],
    ['abc', 0x44bc2cf5ad770999n],
    ['xxhash', 0x32dd38952c4bc720n],
  ])('of "%s" is the published one', (text, hash) => {
    expect(xxh64(new TextEncoder().encode(text))).toBe(hash);
  });

  // The last four bytes of frames that `zstd --check` 1.5 made of these bytes.
  it.each([
    [1, 0xdb052768],
    [3, 0x9bbb766a],
    [4, 0xc2e41fb6],
    [7, 0x5e257899],
    [8, 0xbf07ada0],
    [15, 0x29cc523b],
    [31, 0xe33c39a3],
    [32, 0xde2dd891],
    [33, 0x56716fa7],
    [63, 0x01079376],
    [64, 0x82e4ab5c],
    [100, 0x5ab1f0b9],
    [1000, 0x5df7deb4],
    [70000, 0xae71605f],
  ])('of %i bytes, at any place of a buffer, ends as in frames of zstd', (length, ending) => {
    for (const offset of [0, 1, 7]) {
      const bytes = new Uint8Array(new ArrayBuffer(length + 20), offset, length);
      bytes.forEach((_, i) => {
        bytes[i] = (i * i * 31 + i * 7) >>> 3;
      });
      expect(Number(BigInt.asUintN(32, xxh64(bytes)))).toBe(ending);
    }
  });
});
