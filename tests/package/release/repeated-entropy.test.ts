import { createLedger, defineStudy, load, memoryStorage, privatize } from 'private-moments';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { definition, people } from '../support.js';

const bundles = new URL('../../../build/source/', import.meta.url);
const study = defineStudy(definition());
const rows = people(50, 1, 1);

/** How many integers are equal in two releases. The first one, the number of rows, is public. */
function equal(one: readonly number[], other: readonly number[]): number {
  return one.filter((value, at) => at > 0 && value === other[at]).length;
}

/** Which bytes of the operating system, and which moments, the next releases see. */
beforeEach(async () => {
  // Releases are made in this thread, whose generator a test can replace.
  await load({ worker: false });
  vi.spyOn(crypto, 'getRandomValues').mockImplementation((array) => {
    const bytes = new Uint8Array(
      (array as unknown as Uint8Array).buffer,
      (array as unknown as Uint8Array).byteOffset,
      (array as unknown as Uint8Array).byteLength,
    );
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = 3 * at + 1;
    return array;
  });
  vi.spyOn(Date, 'now').mockReturnValue(1);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await load({ worker: new URL('worker.js', bundles) });
});

describe('where the operating system gives the same random bytes again', () => {
  // Noise of this width makes two integers equal by chance less often than once in ten thousand.
  it('the noise of a second release of the same data is another', async () => {
    const first = await privatize(study, rows);
    const second = await privatize(study, rows);
    expect(equal(first.values, second.values)).toBeLessThan(2);
  });

  it('the difference of two releases does not show what differs in the data', async () => {
    const first = await privatize(study, rows);
    const changed = rows.map((row, at) => (at === 0 ? { ...row, mood: 0 } : row));
    const second = await privatize(study, changed);
    // With the same noise all products without the changed column would be equal.
    expect(equal(first.values, second.values)).toBeLessThan(2);
  });

  it('a release carries nothing of it', async () => {
    const ledger = createLedger(memoryStorage());
    const release = await privatize(study, rows, { ledger });
    const [entry] = await ledger.entries();
    expect(JSON.stringify(release)).not.toContain(entry?.id);
    expect(Object.keys(release)).toEqual(Object.keys(await privatize(study, rows)));
  });
});
