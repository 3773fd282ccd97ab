import {
  assemble,
  createLedger,
  defineStudy,
  load,
  memoryStorage,
  privatize,
} from 'private-moments';
import { coreArithmetic } from 'private-moments/federation';
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

it('an analysis for which there is no memory says so, and its moments must be assembled again', async () => {
  const releases = [await privatize(narrow, rows)];
  const moments = await assemble(narrow, releases);
  refuseMemory();
  const much = { rows: 4_000_000, seed: 1 };
  await failure(() => moments.synthesize(much), {
    code: 'out-of-memory',
    message: /close other tabs/,
  });
  vi.restoreAllMocks();
  await failure(() => moments.pca(), { code: 'out-of-memory', message: /assemble/ });
  expect((await assemble(narrow, releases)).pca().columns).toEqual(['c0', 'c1']);
});

it('after a sum of masks has run out of memory, the next has a new core', async () => {
  const arithmetic = await coreArithmetic();
  const words = 1e6;
  const ones = new Uint8Array(8 * words).fill(1);
  const summed = async () => {
    const sum = arithmetic.sum(words);
    await sum.add(ones, 1);
    return sum;
  };
  refuseMemory();
  await failure(() => Promise.all([summed(), summed(), summed()]), { code: 'out-of-memory' });
  vi.restoreAllMocks();
  expect((await (await summed()).bytes()).every((byte) => byte === 1)).toBe(true);
});

it('sums of masks ask for no memory before their first use, which can fail', async () => {
  const arithmetic = await coreArithmetic();
  refuseMemory();
  const sums = Array.from({ length: 30 }, () => arithmetic.sum(1e6));
  // Nobody awaits them yet: a rejection now would end a program of Node.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await failure(() => Promise.all(sums.map(async (sum) => sum.bytes())), { code: 'out-of-memory' });
});
