import { expect, test } from '@playwright/test';
import { withPackage } from './support.js';

interface Outcome {
  rows: (number | null)[];
  same: boolean;
  furthest: number;
  moved: boolean;
  cancelled: string;
  milliseconds: number;
  after: number | null;
}

test('two workers read a file to the sums of one, and cancelling ends them within a moment', async ({
  page,
}) => {
  const outcome = await withPackage(page, (built) =>
    built.evaluate(async ({ main: { defineStudy, privatize } }): Promise<Outcome> => {
      const study = defineStudy({
        title: 'Workers',
        columns: ['a', 'b', 'c'].map((name) => ({ name, type: 'number', min: 0, max: 100 })),
        // So little noise that a row more or less would be far outside it.
        privacy: { epsilon: 1e12, delta: 1e-6 },
        clipping: 'fixed',
      });
      const block = Array.from(
        { length: 20_000 },
        (_, i) => `${(i * 7919) % 100},"${(i * 104_729) % 97}",${i % 89}\r\n`,
      ).join('');
      const file = new File(['a,b,c\r\n', ...Array<string>(60).fill(block)], 'rows.csv');
      const seen: number[] = [];
      const one = await privatize(study, file, { workers: 1 });
      const two = await privatize(study, file, {
        workers: 2,
        onProgress: ({ rows }) => seen.push(rows),
      });
      const abort = new AbortController();
      let aborted = 0;
      const running = privatize(study, file, {
        workers: 2,
        signal: abort.signal,
        onProgress: () => {
          aborted = performance.now();
          abort.abort();
        },
      });
      const cancelled = await running.then(
        () => 'released',
        (error: unknown) => (error as { code: string }).code,
      );
      const milliseconds = performance.now() - aborted;
      const after = await privatize(study, file, { workers: 2 });
      const difference = (value: number, i: number) => Math.abs(value - (one.values[i] ?? NaN));
      return {
        rows: [one.rows, two.rows],
        same: JSON.stringify(one.local) === JSON.stringify(two.local),
        furthest: Math.max(...Array.from(two.values, difference)),
        moved: seen.length > 1,
        cancelled,
        milliseconds,
        after: after.rows,
      };
    }),
  );
  expect(outcome).toMatchObject({
    rows: [1_200_000, 1_200_000],
    same: true,
    moved: true,
    cancelled: 'cancelled',
    after: 1_200_000,
  });
  // The noise has a standard deviation below 1e5 here; a row is worth more than 1e8.
  expect(outcome.furthest).toBeLessThan(1e7);
  console.log(`cancelled within ${outcome.milliseconds.toFixed(1)} ms`);
});

test('files are read to their end while the engine collects garbage', async ({ page }) => {
  const rows = await withPackage(page, async (built) => {
    const state = { done: false };
    // Reads many at once, so that one of them is waiting for bytes whenever garbage is collected.
    const reading = built.evaluate(async ({ main, research }): Promise<number[]> => {
      const study = main.defineStudy({
        title: 'Collected',
        columns: ['a', 'b', 'c'].map((name) => ({ name, type: 'number', min: 0, max: 100 })),
        privacy: { epsilon: 1, delta: 1e-6 },
      });
      const block = Array.from({ length: 20_000 }, (_, i) => `${i % 100},${i % 97},${i % 89}\n`);
      const file = new File(['a,b,c\n', ...Array<string>(50).fill(block.join(''))], 'rows.csv');
      const all = Array.from({ length: 20 }, () => research.exactMoments(study, file));
      return (await Promise.all(all)).map(({ rows }) => rows);
    });
    const collecting = (async () => {
      while (!state.done) await page.requestGC();
    })();
    const read = await reading.finally(() => {
      state.done = true;
    });
    await collecting;
    return read;
  });
  expect(rows).toEqual(Array<number>(20).fill(1_000_000));
});
