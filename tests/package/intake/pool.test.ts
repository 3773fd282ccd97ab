import { mkdtempSync, openAsBlob, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineStudy, inspect, privatize } from 'private-moments';
import { describe, expect, it, test } from 'vitest';
import { definition, failure, seeded } from '../support.js';

const study = defineStudy({ ...definition(), clipping: 'fixed' });
const header = 'age,sleep,work,mood,note';
const good = '34,7.5,day,2,x';
const random = seeded(5);
const WORK = ['day', 'night', 'none', 'never'];

/** Lines of a file with a column of free text that the study does not use. */
function lines(count: number, note: string): string[] {
  return Array.from({ length: count }, () => {
    const age = (15 + 80 * random()).toFixed(3);
    const sleep = (12 * random()).toFixed(2);
    const mood = (10 * random() - 5).toFixed(4);
    return [age, sleep, WORK[Math.floor(4 * random())], mood, note].join(',');
  });
}

const PLAIN = [header, ...lines(4000, 'x')].join('\n');
const QUOTED = [header, ...lines(300, `"${'\r\n50,6,day,1,"" '.repeat(30)}"`)].join('\r\n');

const NUMBERS = Float64Array.from({ length: 80_000 }, (_, index) =>
  index % 4 === 2 ? Math.floor(4 * random()) : 5 * random(),
);

function objectsOf(text: string): Record<string, unknown>[] {
  const [, ...records] = text.split('\n');
  return records.map((record) => {
    const [age, sleep, work, mood] = record.split(',');
    return { age: Number(age), sleep: Number(sleep), work, mood: Number(mood) };
  });
}

/** With so little noise, one row more or less is clearly visible: see the test of this. */
const clear = defineStudy({
  ...definition(),
  clipping: 'fixed',
  privacy: { epsilon: 1e12, delta: 1e-6 },
});
const FAR = 1e6;

async function distance(a: Parameters<typeof privatize>[1], b: typeof a, workers: number) {
  const one = await privatize(clear, a, { workers: 1 });
  const many = await privatize(clear, b, { workers });
  expect(many.values).toHaveLength(one.values.length);
  const differences = Array.from(many.values, (value, i) =>
    Math.abs(value - Number(one.values[i])),
  );
  return { furthest: Math.max(...differences), one, many };
}

describe('several workers together', () => {
  test.each<[string, () => Parameters<typeof privatize>[1] | Promise<Blob>, number]>([
    ['a file', () => new Blob([PLAIN]), 2],
    ['text', () => PLAIN, 3],
    ['a file with line breaks within quotes', () => new Blob([QUOTED]), 4],
    ['a file on disk', () => openAsBlob(onDisk(QUOTED)), 3],
    ['a file of fewer rows than workers', () => `${header}\n${good}\n${good}`, 8],
    ['row objects', () => objectsOf(PLAIN), 3],
    ['a table', () => ({ columns: ['mood', 'age', 'work', 'sleep'], values: NUMBERS }), 2],
  ])('release the same sums as one, up to noise: %s', async (_, make, workers) => {
    const { furthest, one, many } = await distance(await make(), await make(), workers);
    // The noise has a standard deviation below 1e4 here, so FAR is a hundred of them away.
    expect(furthest).toBeLessThan(FAR);
    expect(many.local).toEqual(one.local);
    expect(many.rows).toBe(one.rows);
  });

  it('would show if one row replaced another', async () => {
    const [first, ...rest] = PLAIN.split('\n');
    const without = [first, ...rest.slice(0, 2000), ...rest.slice(2001)];
    const twice = [...without.slice(0, 5), without[4], ...without.slice(5)];
    expect((await distance(PLAIN, twice.join('\n'), 2)).furthest).toBeGreaterThan(10 * FAR);
  });

  it('draw fresh noise every time', async () => {
    const [a, b] = [
      await privatize(study, PLAIN, { workers: 2 }),
      await privatize(study, PLAIN, { workers: 2 }),
    ];
    expect(a.values).not.toEqual(b.values);
  });

  it('count like a single worker', async () => {
    const [one, many] = [
      await inspect(study, QUOTED, { workers: 1 }),
      await inspect(study, QUOTED, { workers: 5 }),
    ];
    expect(one.rows).toBe(300);
    expect(many).toEqual(one);
  });

  it('are started for large files by default', async () => {
    // Large enough for two workers wherever there are two cores.
    const text = [header, ...Array.from({ length: 1_200_000 }, () => good)].join('\n');
    expect(text.length).toBeGreaterThan(1 << 24);
    expect((await privatize(study, text)).rows).toBe(1_200_000);
  });

  it('report progress that never goes back and ends at 1', async () => {
    const seen: { rows: number; fraction: number | null }[] = [];
    const text = [header, ...Array.from({ length: 600_000 }, () => good)].join('\n');
    await privatize(study, text, {
      workers: 2,
      onProgress: (progress) => seen.push(progress),
    });
    expect(seen.length).toBeGreaterThan(1);
    expect(seen.at(-1)).toEqual({ rows: 600_000, fraction: 1 });
    for (const [index, { rows, fraction }] of seen.entries()) {
      const before = seen[index - 1] ?? { rows: 0, fraction: 0 };
      expect(rows).toBeGreaterThanOrEqual(before.rows);
      expect(Number(fraction)).toBeGreaterThanOrEqual(Number(before.fraction));
    }
  });

  it('are limited in number', async () => {
    for (const workers of [0, -1, 1.5, 65, NaN, '2']) {
      const options = { workers: workers as number };
      await failure(() => privatize(study, PLAIN, options), { code: 'unsupported-option' });
    }
  });

  it('leave gzip files and streams to one of them', async () => {
    const zipped = new Blob([PLAIN]).stream().pipeThrough(new CompressionStream('gzip'));
    const file = await new Response(zipped).blob();
    expect((await privatize(study, file, { workers: 3 })).rows).toBe(4000);
    const stream = new Blob([PLAIN]).stream();
    expect((await privatize(study, stream, { workers: 3 })).rows).toBe(4000);
  });
});

describe('bad data read by several workers', () => {
  const strict = defineStudy({ ...definition(), missing: 'error' });
  const secret = '777.123';
  const rows = (count: number) => Array.from({ length: count }, () => good);
  const file = (...parts: string[][]) => [header, ...parts.flat()].join('\n');

  test.each<[string, unknown, Parameters<typeof failure>[1]]>([
    [
      'a cell that is not a number',
      file(rows(5000), [`34,x${secret},day,2,x`], rows(3000)),
      { code: 'missing-cell', row: 5001, column: 'sleep' },
    ],
    [
      'the first of two bad rows',
      file(rows(10), [`x${secret},7,day,2,x`], rows(7000), [`34,x${secret},day,2,x`]),
      { code: 'missing-cell', row: 11, column: 'age' },
    ],
    [
      'a ragged row',
      file(rows(6000), [`${good},${secret}`], rows(100)),
      { code: 'ragged-row', row: 6001 },
    ],
    [
      'a quote that is never closed',
      file(rows(6000), [`34,7,day,2,"${secret}`], rows(100)),
      { code: 'csv-malformed', row: 6001 },
    ],
    ['a header alone', `${header}\n`, { code: 'no-rows' }],
    ['an empty file', '', { code: 'empty-file' }],
    ['a missing column', `age,sleep,work\n34,${secret},day\n`, { code: 'missing-column' }],
    [
      'a cell of a row object',
      [...objectsOf(PLAIN), { age: 34, sleep: 777.123, work: 'day', mood: 'x' }],
      { code: 'missing-cell' },
    ],
    [
      'a bad row before one that is not an object',
      [...clean(40_000), { ...clean(1)[0], age: NaN }, ...clean(40_000), 777.123, ...clean(40_000)],
      { code: 'missing-cell', row: 40_001, column: 'age' },
    ],
    [
      'a row that is not an object before a bad one',
      [...clean(40_000), 777.123, ...clean(40_000), { ...clean(1)[0], age: NaN }],
      { code: 'invalid-row', row: 40_001 },
    ],
  ])('gives the same error as with one worker: %s', async (_, data, expected) => {
    const text = data as string;
    const one = await failure(() => privatize(strict, text, { workers: 1 }), expected);
    for (const workers of [2, 5]) {
      const many = await failure(() => privatize(strict, text, { workers }), expected);
      expect(many.message).toBe(one.message);
      expect(Object.entries(many)).toEqual(Object.entries(one));
      expect(`${many.message} ${String(many.stack)}`).not.toContain(secret);
      // The next job works normally.
      expect((await privatize(strict, clean(1))).rows).toBe(1);
    }
  });

  it('reports no error of a section that began within quotes', async () => {
    const note = `"${'\nthis,is,no,row,at,all,"" '.repeat(40)}"`;
    const text = file(Array.from({ length: 300 }, () => `34,7.5,day,2,${note}`));
    expect((await privatize(strict, text, { workers: 6 })).rows).toBe(300);
  });

  it('rejects with the exception thrown by the caller’s rows', async () => {
    const mine = new Error('mine');
    const trap = Object.defineProperty({ ...clean(1)[0] }, 'mood', {
      enumerable: true,
      get() {
        throw mine;
      },
    });
    const data = [...clean(40_000), trap] as Record<string, unknown>[];
    await expect(privatize(strict, data, { workers: 2 })).rejects.toBe(mine);
    expect((await privatize(strict, clean(1))).rows).toBe(1);
  });
});

function clean(count: number): Record<string, unknown>[] {
  return Array.from({ length: count }, () => ({ age: 34, sleep: 7.5, work: 'day', mood: 2 }));
}

function onDisk(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'rows.csv');
  writeFileSync(path, text);
  return path;
}
