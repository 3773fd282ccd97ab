import { afterEach, describe, expect, it, vi } from 'vitest';
import { randomSeed } from '../../../web/package/src/base/random.js';
import { toHex } from '../../../web/package/src/base/binary.js';
import { failure } from '../support.js';

/** Replaces the system's generator by one that always gives the same bytes. */
function repeat(byteAt: (at: number) => number): void {
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    const bytes = array as unknown as Uint8Array;
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = byteAt(at);
    return array;
  });
}

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe('a random seed', () => {
  it('differs where the system repeats its bytes and the clocks stand still', () => {
    repeat((at) => 3 * at + 1);
    vi.spyOn(Date, 'now').mockReturnValue(0);
    vi.spyOn(performance, 'now').mockReturnValue(0);
    const seeds = Array.from({ length: 100 }, () => toHex(randomSeed()));
    expect(seeds[0]).toHaveLength(64);
    expect(new Set(seeds).size).toBe(100);
  });

  it('depends on what the system gives', () => {
    const seeds = [1, 2].map((step) => {
      repeat((at) => step * at + 1);
      return toHex(randomSeed());
    });
    expect(seeds[0]).not.toBe(seeds[1]);
  });

  it.each([
    ['zeros', () => 0],
    ['one byte', () => 7],
    ['equal halves', (at: number) => at % 32],
  ])('is not made where the generator gives %s', async (_, byteAt) => {
    repeat(byteAt);
    await failure(() => randomSeed(), { code: 'no-entropy', field: 'unhealthy' });
  });

  it('is refused when the generator fails or is missing', async () => {
    vi.spyOn(crypto, 'getRandomValues').mockImplementation(() => {
      throw new Error('no');
    });
    await failure(() => randomSeed(), { code: 'no-entropy', field: 'failed' });
    vi.stubGlobal('crypto', {});
    await failure(() => randomSeed(), { code: 'no-entropy', field: 'no-source' });
  });
});
