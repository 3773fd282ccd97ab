import {
  assemble,
  createLedger,
  defineStudy,
  inspect,
  load,
  memoryStorage,
  privatize,
  synthesize,
} from 'private-moments';
import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { threadHere } from '../../../web/package/src/threads/here.js';
import { definition, failure, people } from '../support.js';

const bundles = new URL('../../../build/source/', import.meta.url);
// Some tests read much.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const study = defineStudy(definition());
const rows = people(400, 1, 1);
const csv = (count: number): Blob => {
  const lines = people(count, 1, 1).map(
    ({ age, sleep, work, mood }) => `${age},${sleep},${work},${mood}\n`,
  );
  return new Blob(['age,sleep,work,mood\n', ...lines]);
};

/** What Node offers, but for one thing; returns how often that was asked for. */
function without(missing: string): () => number {
  const original = process.getBuiltinModule.bind(process) as (name: string) => unknown;
  const spy = vi
    .spyOn(process, 'getBuiltinModule')
    .mockImplementation(((name: string) =>
      name === missing ? undefined : original(name)) as never);
  return () => spy.mock.calls.filter(([name]) => name === missing).length;
}

const withWorkers = () => load({ worker: new URL('worker.js', bundles) });

afterEach(async () => {
  vi.restoreAllMocks();
  await withWorkers();
});

describe('without workers', () => {
  let counted: Awaited<ReturnType<typeof inspect>>;
  let analysed: unknown;

  beforeAll(async () => {
    counted = await inspect(study, csv(2000));
  });

  it('data are read with the same counts, and releases are made', async () => {
    await load({ worker: false });
    const asked = without('node:worker_threads');
    const progress: number[] = [];
    const onProgress = ({ rows: read }: { rows: number }): void => void progress.push(read);
    expect(await inspect(study, csv(2000), { onProgress })).toEqual(counted);
    expect(progress.at(-1)).toBe(2000);
    expect((await privatize(study, rows)).rows).toBe(400);
    expect((await privatize(study, csv(300).stream())).rows).toBe(300);
    expect(asked()).toBe(0);
  });

  it('a ledger recognises the same file', async () => {
    const ledger = createLedger(memoryStorage());
    await ledger.budget({ epsilon: 1, delta: 1e-6 });
    const file = csv(50);
    await privatize(study, file, { ledger });
    await load({ worker: false });
    await failure(() => privatize(study, file, { ledger }), { code: 'over-budget' });
  });

  it('analyses have the same results, to the last bit', async () => {
    const moments = await assemble(study, [await privatize(study, rows)]);
    const options = { level: 0.9, draws: 200 };
    analysed = await moments.inWorker({ workers: 2 }).cca(options);
    await load({ worker: false });
    without('node:worker_threads');
    expect(await moments.inWorker().cca(options)).toEqual(analysed);
  });

  it('synthetic rows are made', async () => {
    await load({ worker: false });
    const synthetic = await synthesize(study, rows, { rows: 20 });
    expect(synthetic.rows).toBe(20);
  });

  it('reading lets other tasks run, and a cancelled reading ends', async () => {
    await load({ worker: false });
    const controller = new AbortController();
    // A hundred megabytes, which no machine reads before its first pause.
    const piece = new Blob(['50,7,day,1\n'.repeat(90_000)]);
    const long = new Blob(['age,sleep,work,mood\n', ...Array<Blob>(100).fill(piece)]);
    const reading = inspect(study, long, {
      signal: controller.signal,
      // In a task of its own, which has to get its turn while rows are read.
      onProgress: () => {
        setTimeout(() => {
          controller.abort();
        }, 0);
      },
    });
    await failure(() => reading, { code: 'cancelled' });
    expect(await inspect(study, csv(2000))).toEqual(counted);
  });

  it('several workers are refused, and so are addresses of some workers', async () => {
    await load({ worker: false });
    await failure(() => inspect(study, rows, { workers: 2 }), {
      code: 'unsupported-option',
      message: /load\(\{ worker: false \}\)/,
    });
    expect((await inspect(study, rows, { workers: 1 })).rows).toBe(400);
    await failure(() => load({ worker: false, analysisWorker: 'x.js' }), {
      code: 'unsupported-option',
      field: 'worker',
    });
  });

  it('an error of the data is the same', async () => {
    const strict = defineStudy({ ...definition(), missing: 'error' });
    const bad = new Blob(['age,sleep,work,mood\n20,7,day,1\n20,,day,1\n']);
    const expected = { code: 'missing-cell', row: 2, column: 'sleep' };
    await failure(() => privatize(strict, bad), expected);
    await load({ worker: false });
    await failure(() => privatize(strict, bad), expected);
  });
});

it('what cannot be loaded is an error that says what to do', async () => {
  const thread = threadHere<object, object>(() =>
    Promise.reject(new TypeError('import() is disallowed')),
  );
  const error = await new Promise((resolve) => {
    thread.listen(() => undefined, resolve);
  });
  thread.end();
  expect(error).toMatchObject({
    code: 'worker-failed',
    message: expect.stringContaining('bundle the package into one file') as string,
  });
});

describe('where there are no workers', () => {
  it('says which option does their work on the calling thread', async () => {
    await load({ wasm: readFileSync(new URL('private-moments.wasm', bundles)) });
    const asked = without('node:worker_threads');
    await failure(() => inspect(study, rows), {
      code: 'worker-failed',
      message: /load\(\{ worker: false \}\)/,
    });
    expect(asked()).toBe(1);
    await load({ worker: false });
    expect((await inspect(study, rows)).rows).toBe(400);
  });
});
