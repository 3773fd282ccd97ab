import { createLedger, defineStudy, load, memoryStorage, privatize } from 'private-moments';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { failure } from '../support.js';

const bundles = new URL('../../../build/source/', import.meta.url);
const names = Array.from({ length: 900 }, (_, i) => `c${i}`);
const studyOf = (columns: string[]) =>
  defineStudy({
    title: 'Wide',
    columns: columns.map((name) => ({ name, type: 'number' as const, min: 0, max: 1 })),
    privacy: { epsilon: 1, delta: 1e-6 },
    clipping: 'fixed',
  });
/** Its matrix needs more than the memory that the core starts with. */
const wide = studyOf(names);
const narrow = studyOf(names.slice(0, 2));
const row = Object.fromEntries(names.map((name, i) => [name, i / names.length]));
const rows = Array.from({ length: 5 }, () => row);

/** The engine refuses all further memory to WebAssembly. */
function refuseMemory(): void {
  vi.spyOn(WebAssembly.Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('WebAssembly.Memory.grow(): Maximum memory size exceeded');
  });
}

beforeEach(() => load({ worker: false }));
afterEach(async () => {
  vi.restoreAllMocks();
  await load({ worker: new URL('worker.js', bundles) });
});

it('a release for which there is no memory says so and costs nothing', async () => {
  const ledger = createLedger(memoryStorage());
  await ledger.budget({ epsilon: 1, delta: 1e-6 });
  refuseMemory();
  const error = await failure(() => privatize(wide, rows, { ledger }), { code: 'out-of-memory' });
  expect(error.message).toMatch(/not enough memory.*close other tabs/);
  expect(await ledger.entries()).toEqual([]);
  vi.restoreAllMocks();
  expect((await privatize(wide, rows, { ledger })).rows).toBe(5);
});

it('after a core has run out of memory, the next call has a new one', async () => {
  refuseMemory();
  await failure(() => privatize(wide, rows), { code: 'out-of-memory' });
  const started = vi.spyOn(WebAssembly, 'instantiate');
  expect((await privatize(narrow, rows)).rows).toBe(5);
  expect(started).toHaveBeenCalledTimes(1);
});
