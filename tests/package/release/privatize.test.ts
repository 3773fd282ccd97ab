import { createReadStream, mkdtempSync, openAsBlob, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  defineStudy,
  inspect,
  parseRelease,
  privatize,
  type StudyDefinition,
} from 'private-moments';
import { describe, expect, it, test } from 'vitest';
import { definition, failure } from '../support.js';

/** With clipping to a fixed length, the number of shortened rows does not depend on noise. */
const study = defineStudy({ ...definition(), clipping: 'fixed' });
const CSV = [
  'id,age,sleep,work,mood',
  '1,34,7.5,day,2',
  '2,51,6,night,-1',
  '3,99,8,none,0',
  '4,,8,day,1',
  '5,40,eight,day,1',
  '6,40,8,never,1',
  '7,17,13,day,-6',
  '',
].join('\n');
/** Every cell that is not empty can be read. */
const READ = { unreadable: 0, unreadableRows: [] as number[], codes: [] as number[] };
const COUNTS = {
  rows: 7,
  used: 4,
  centred: 3,
  dropped: 0,
  shortened: 0,
  columns: [
    { name: 'age', from: 'age', missing: 1, outside: 2, ...READ },
    {
      name: 'sleep',
      from: 'sleep',
      missing: 1,
      outside: 1,
      ...READ,
      unreadable: 1,
      unreadableRows: [5],
    },
    {
      name: 'work',
      from: 'work',
      missing: 1,
      outside: 0,
      ...READ,
      unreadable: 1,
      unreadableRows: [6],
    },
    { name: 'mood', from: 'mood', missing: 0, outside: 1, ...READ },
  ],
  ignored: ['id'],
  warnings: [
    {
      code: 'unreadable-cells',
      column: 'sleep',
      message:
        'the column "sleep" has 1 cell that is not a number (row 5), and 0 empty ones; they count as missing: correct the file, or name in missingValues what stands for a missing value',
    },
    {
      code: 'unreadable-cells',
      column: 'work',
      message: expect.stringContaining('has 1 cell that is not a level (row 6)') as string,
    },
  ],
};
const ROW = { age: 34, sleep: 7.5, work: 'day', mood: 2 };
/** Data from callers can be anything. */
const anything = (data: unknown) => data as string;

describe('privatize', () => {
  it('reads rows as they come, for pieces of the header of any size', async () => {
    const start = 'age,sleep,work,mood\n20,8,day,1\n20,8\n';
    const row = '20,8,day,1\n';
    let at = 0;
    const endless = new ReadableStream<string>({
      pull(stream) {
        stream.enqueue(start[at] ?? row);
        at += 1;
      },
    });
    await failure(() => privatize(study, endless), { code: 'ragged-row', row: 2 });
  });

  it('releases noisy whole numbers for the upper triangle and the public number of rows', async () => {
    const release = await privatize(study, CSV);
    const features = study.features.length;
    expect(release.values).toHaveLength(((features + 1) * (features + 2)) / 2);
    expect(release.values.every(Number.isSafeInteger)).toBe(true);
    expect(release.rows).toBe(7);
    expect(release.study).toBe(study.id);
    expect(release.guarantee).toMatchObject({
      epsilon: 1,
      delta: 1e-6,
      neighbours: 'replace-one',
      unit: 'row',
      numerics: 'exact',
    });
  });

  it('keeps the number of rows private under add-remove', async () => {
    const open = defineStudy({ ...definition(), neighbours: 'add-remove' });
    const release = await privatize(open, CSV);
    expect(release.rows).toBeNull();
    expect(release.local).toMatchObject({ rows: 7, used: 4, centred: 0, dropped: 3 });
  });

  it('counts a participant as one if the unit is participant', async () => {
    const whole = defineStudy({ ...definition(), unit: 'participant' });
    expect((await privatize(whole, CSV)).rows).toBe(1);
  });

  it('draws fresh noise every time', async () => {
    const [a, b] = await Promise.all([privatize(study, CSV), privatize(study, CSV)]);
    expect(a.id).not.toBe(b.id);
    expect(a.values).not.toEqual(b.values);
  });

  it('returns counts for the participant that are not in the release', async () => {
    const release = await privatize(study, CSV);
    expect(release.local).toEqual(COUNTS);
    expect(Object.keys(release)).not.toContain('local');
    expect(JSON.stringify(release)).not.toContain('local');
    expect(await release.toBlob().text()).not.toMatch(/centred|outside/);
    expect(parseRelease(JSON.stringify(release)).local).toBeUndefined();
    expect(structuredClone(release)).not.toHaveProperty('local');
  });

  test.each<[string, () => unknown]>([
    ['text', () => CSV],
    ['a blob', () => new Blob([CSV])],
    ['a file', () => new File([CSV], 'rows.csv', { type: 'text/csv' })],
    ['a file with a byte order mark', () => new File(['\ufeff', CSV], 'rows.csv')],
    ['a stream of bytes', () => new Blob([CSV]).stream()],
    ['a stream of text', () => new Blob([CSV]).stream().pipeThrough(new TextDecoderStream())],
    ['a file on disk', () => openAsBlob(onDisk(CSV))],
    ['a Node stream, as a web stream', () => Readable.toWeb(createReadStream(onDisk(CSV)))],
  ])('reads CSV from %s', async (_, make) => {
    expect((await privatize(study, anything(await make()))).local).toEqual(COUNTS);
  });

  it('reads row objects', async () => {
    const rows = [
      { id: 1, ...ROW },
      { ...ROW, age: '51', work: ' night ' },
      { ...ROW, age: 99, sleep: 13, mood: -6 },
      { ...ROW, age: null },
      { ...ROW, sleep: 'eight' },
      { ...ROW, work: 'never' },
      { ...ROW, age: Infinity },
    ];
    expect((await privatize(study, rows)).local).toMatchObject({
      rows: 7,
      used: 3,
      centred: 4,
      ignored: ['id'],
    });
  });

  it('reads a table of numbers with categories as indices of levels', async () => {
    const columns = ['mood', 'work', 'extra', 'sleep', 'age'];
    const values = Float64Array.of(2, 0, 1, 7.5, 34, 2, 3, 1, 7.5, 34, 9, 2, 1, NaN, 34);
    const { local } = await privatize(study, { columns, values });
    expect(local).toMatchObject({ rows: 3, used: 1, centred: 2, ignored: ['extra'] });
    expect(local?.columns.map(({ missing }) => missing)).toEqual([0, 1, 1, 0]);
    expect(values[0]).toBe(2);
  });

  it('maps columns with other names', async () => {
    const text = CSV.replace('age', 'AGE_YEARS');
    const { local } = await privatize(study, text, { columns: { age: 'AGE_YEARS' } });
    expect(local?.columns[0]).toEqual({
      ...{ name: 'age', from: 'AGE_YEARS', missing: 1, outside: 2 },
      ...READ,
    });
  });

  it('accepts a single row', async () => {
    expect((await privatize(study, [ROW])).rows).toBe(1);
  });

  it('reads more rows than one batch, in order', async () => {
    const lines = Array.from({ length: 10_000 }, (_, i) => `${20 + (i % 60)},7,day,${i % 5}`);
    const text = ['age,sleep,work,mood', ...lines].join('\n');
    expect((await privatize(study, text)).local).toMatchObject({ rows: 10_000, used: 10_000 });
  });

  it('reports progress that increases and ends at 1', async () => {
    const rows = Array.from({ length: 50_000 }, () => ROW);
    const seen: { rows: number; fraction: number | null }[] = [];
    await privatize(study, rows, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ rows: 50_000, fraction: 1 });
    expect(seen.length).toBeGreaterThan(1);
    const counts = seen.map((progress) => progress.rows);
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });

  it('ends its progress with the number of rows in the file', async () => {
    const seen: unknown[] = [];
    await privatize(study, CSV, { onProgress: (progress) => seen.push(progress) });
    expect(seen.at(-1)).toEqual({ rows: 7, fraction: 1 });
  });

  it('reports no fraction for a stream', async () => {
    const fractions: unknown[] = [];
    await privatize(study, new Blob([CSV]).stream(), {
      onProgress: ({ fraction }) => fractions.push(fraction),
    });
    expect(new Set(fractions)).toEqual(new Set([null]));
  });
});

describe('inspect', () => {
  it('counts without making a release', async () => {
    expect(await inspect(study, CSV)).toEqual(COUNTS);
  });

  it('counts missing cells even if privatize would refuse them', async () => {
    const strict = defineStudy({ ...definition(), missing: 'error' });
    expect(await inspect(strict, CSV)).toMatchObject({ rows: 7, used: 4, centred: 3 });
  });
});

describe('CSV with decimal commas', () => {
  const text = 'age;sleep;work;mood\n34,5;7,25;day;2\n20;;none;-1,5\n';

  it('is read by the option, in privatize and inspect', async () => {
    const csv = { decimal: ',', delimiter: ';' } as const;
    const local = await inspect(study, text, { csv });
    expect(local.columns.map(({ missing }) => missing)).toEqual([0, 1, 0, 0]);
    expect((await privatize(study, text, { csv })).local).toEqual(local);
  });

  it('is refused without the option, with row and column, in every form of data', async () => {
    const at = { code: 'decimal-mark', row: 1, column: 'age' };
    for (const make of [inspect, privatize]) await failure(() => make(study, text), at);
    const rows = [{ age: 1, sleep: 7, work: 'day', mood: 2 }];
    await failure(() => inspect(study, [...rows, { ...rows[0], mood: '1,5' }]), {
      ...{ code: 'decimal-mark', row: 2, column: 'mood' },
    });
  });
});

describe('bad data', () => {
  const strict = defineStudy({ ...definition(), missing: 'error' });
  const header = 'age,sleep,work,mood';
  const good = '34,7.5,day,2';
  const secret = '777.123';

  test.each<[string, unknown, Parameters<typeof failure>[1]]>([
    [
      'a cell that is not a number',
      [header, good, `34,x${secret},day,2`].join('\n'),
      { code: 'missing-cell', row: 2, column: 'sleep' },
    ],
    [
      'an empty cell',
      [header, `,${secret},day,2`].join('\n'),
      { code: 'missing-cell', row: 1, column: 'age' },
    ],
    [
      'an unknown level',
      [header, good, good, `34,7,${secret},2`].join('\n'),
      { code: 'missing-cell', row: 3, column: 'work' },
    ],
    [
      'a NaN',
      [ROW, { ...ROW, mood: NaN, age: 777.123 }],
      { code: 'missing-cell', row: 2, column: 'mood' },
    ],
    ['an infinity', [{ ...ROW, age: -Infinity }], { code: 'missing-cell', row: 1, column: 'age' }],
    [
      'a missing cell far down the file',
      [header, ...Array.from({ length: 9000 }, () => good), `34,7,day,x${secret}`].join('\n'),
      { code: 'missing-cell', row: 9001, column: 'mood' },
    ],
    [
      'a missing column',
      `age,sleep,work\n34,${secret},day\n`,
      { code: 'missing-column', column: 'mood', message: /"mood"/ },
    ],
    [
      'row objects without a column',
      [{ age: 777.123 }],
      { code: 'missing-column', column: 'sleep' },
    ],
    [
      'a table without a column',
      { columns: ['age'], values: Float64Array.of(777.123) },
      { code: 'missing-column', column: 'sleep' },
    ],
    [
      'a table with a column twice',
      { columns: ['age', 'sleep', 'work', 'mood', 'age'], values: new Float64Array(5) },
      { code: 'duplicate-header', column: 'age' },
    ],
    [
      'a table that is not a rectangle',
      { columns: ['age', 'sleep'], values: Float64Array.of(1, 2, 777.123) },
      { code: 'unsupported-data' },
    ],
    [
      'a ragged row',
      [header, good, `${good},${secret}`].join('\n'),
      { code: 'ragged-row', row: 2 },
    ],
    ['an empty file', '', { code: 'empty-file' }],
    ['a header without rows', `${header}\n`, { code: 'no-rows' }],
    ['no row objects', [], { code: 'no-rows' }],
    [
      'an empty table',
      { columns: ['age', 'sleep', 'work', 'mood'], values: new Float64Array() },
      { code: 'no-rows' },
    ],
    ['a row that is not an object', [ROW, 777.123], { code: 'invalid-row', row: 2 }],
    [
      'a file in Latin-1',
      new Blob([Uint8Array.of(0x61, 0xe9, 0x0a, 0x31)]),
      { code: 'csv-encoding' },
    ],
    [
      'a header cut within a character',
      new Blob([header, Uint8Array.of(0xc3)]),
      { code: 'csv-encoding' },
    ],
    [
      'a level cut within a character',
      new Blob([`${header}\n${good}\n30,8,`, Uint8Array.of(0xc3), ',1\n']),
      { code: 'csv-encoding', row: 2, column: 'work' },
    ],
    [
      'an invalid Parquet file',
      new Blob(['PAR1', '\0\0\0']),
      { code: 'read-failed', message: /Parquet/ },
    ],
    ['an invalid Arrow file', new Blob(['ARROW1']), { code: 'read-failed', message: /Arrow/ }],
    ['an Excel file', new Blob(['PK\x03\x04...']), { code: 'unsupported-data', message: /Excel/ }],
    ['a number', 42, { code: 'unsupported-data' }],
    ['nothing', undefined, { code: 'unsupported-data' }],
    ['an Arrow-like table', { numRows: 3, getChild: () => null }, { code: 'unsupported-data' }],
    [
      'a stream of objects',
      new ReadableStream({
        start(controller) {
          controller.enqueue({ age: 1 });
        },
      }),
      { code: 'unsupported-data' },
    ],
    [
      'a stream that breaks',
      new ReadableStream({
        pull() {
          throw new RangeError(secret);
        },
      }),
      { code: 'read-failed', message: /RangeError/ },
    ],
  ])('(%s) are refused without quoting a value', async (_, data, expected) => {
    const error = await failure(() => privatize(strict, anything(data)), expected);
    expect(`${error.message} ${String(error.stack)}`).not.toContain(secret);
    // The next call works normally.
    expect((await privatize(strict, [ROW])).rows).toBe(1);
  });

  it('are refused row by row only if the study says so', async () => {
    const { local } = await privatize(study, [header, good, `34,x${secret},day,2`].join('\n'));
    expect(local).toMatchObject({ rows: 2, used: 1, centred: 1 });
  });

  it('in a stream stop the stream', async () => {
    let cancelledStream = false;
    const stream = new ReadableStream<string>({
      start(controller) {
        controller.enqueue('not,the,header\n1,2,3\n');
      },
      cancel() {
        cancelledStream = true;
      },
    });
    await failure(() => privatize(study, stream), { code: 'missing-column' });
    expect(cancelledStream).toBe(true);
  });
});

describe('bad arguments', () => {
  test.each<[string, object, string]>([
    ['an unknown option', { epsilon: 3 }, 'unsupported-option'],
    ['an object that is not a ledger', { ledger: {} }, 'unsupported-option'],
    ['a data set without a ledger', { dataSet: 'cohort' }, 'unsupported-option'],
    ['no workers at all', { workers: 0 }, 'unsupported-option'],
    ['onProgress that is not a function', { onProgress: true }, 'unsupported-option'],
    ['an unsupported delimiter', { csv: { delimiter: 'x' } }, 'unsupported-option'],
    ['an unsupported decimal mark', { csv: { decimal: ';' } }, 'unsupported-option'],
    ['an unknown CSV option', { csv: { quote: "'" } }, 'unsupported-option'],
    ['a csv option that is not an object', { csv: ',' }, 'unsupported-option'],
    ['an invalid signal', { signal: {} }, 'unsupported-option'],
    ['a mapping of an unknown column', { columns: { height: 'h' } }, 'invalid-mapping'],
    ['an empty mapping', { columns: { age: '' } }, 'invalid-mapping'],
  ])('%s is refused', async (_, options, code) => {
    await failure(() => privatize(study, CSV, options), { code });
  });

  it('a study that was not checked is refused', async () => {
    await failure(() => privatize(anything(definition()) as never, CSV), { code: 'invalid-study' });
  });

  it('noise that does not fit on any grid is refused', async () => {
    const tiny: StudyDefinition = { ...definition(), privacy: { epsilon: 1e-12, delta: 1e-12 } };
    await failure(() => privatize(defineStudy(tiny), CSV), { code: 'noise-too-large' });
  });
});

function onDisk(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'rows.csv');
  writeFileSync(path, text);
  return path;
}
