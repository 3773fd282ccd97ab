import { gzipSync } from 'node:zlib';
import {
  Bool,
  DateDay,
  Dictionary,
  Float16,
  Float64,
  Int32,
  Int64,
  makeData,
  Decimal,
  RecordBatchStreamWriter,
  Table,
  tableFromArrays,
  tableToIPC,
  Utf8,
  Vector,
  vectorFromArray,
} from 'apache-arrow';
import { parquetWriteBuffer, schemaFromColumnData } from 'hyparquet-writer';
import { defineStudy, inspect, privatize } from 'private-moments';
import { describe, expect, it, test } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, seeded } from '../support.js';

const study = defineStudy(definition());
const { title, privacy } = definition();
const random = seeded(11);
type Input = Parameters<typeof privatize>[1];

/** Cells of a CSV file as text; null is an empty cell. */
const ROWS = Array.from({ length: 9000 }, () => ({
  id: Math.floor(1e6 * random()),
  age: random() < 0.05 ? null : Math.floor(15 + 80 * random()),
  sleep: Number((12 * random()).toFixed(2)),
  work:
    random() < 0.05 ? null : (['day', 'night', 'none', 'never'][Math.floor(4 * random())] ?? ''),
  mood: 10 * random() - 5,
}));
const CSV = [
  'id,age,sleep,work,mood',
  ...ROWS.map(({ id, age, sleep, work, mood }) =>
    [id, age ?? '', sleep, work ?? '', mood].join(','),
  ),
].join('\n');

function column<K extends keyof (typeof ROWS)[number]>(name: K) {
  return ROWS.map((row) => row[name]);
}

/** Asserts that the sums of the data equal those of the CSV file to the last bit. */
async function expectSame(data: Input, csv: string = CSV): Promise<void> {
  const [expected, found] = [await exactMoments(study, csv), await exactMoments(study, data)];
  expect(found.rows).toBe(expected.rows);
  expect(found.secondMoments).toEqual(expected.secondMoments);
}

describe('a file whose schema lacks a column of the study', () => {
  const named = defineStudy({
    ...{ title, privacy },
    columns: [
      { name: 'age', type: 'number', min: 0, max: 100 },
      { name: 'sleep', type: 'number', min: 0, max: 24 },
    ],
  });
  const ages = [34, 51];
  const files: [string, () => Input, readonly string[] | undefined][] = [
    [
      'Parquet',
      () =>
        new Blob([
          parquetWriteBuffer({
            columnData: ['Alter', 'Schlaf', 'wake'].map((name) => ({ name, data: ages })),
          }),
        ]),
      ['Alter', 'Schlaf', 'wake'],
    ],
    [
      'Arrow',
      () => {
        const table = tableFromArrays({ Alter: ages, Schlaf: ages, wake: ages });
        return new Blob([tableToIPC(table, 'file') as Uint8Array<ArrayBuffer>]);
      },
      ['Alter', 'Schlaf', 'wake'],
    ],
    ['CSV, whose first line may be a row', () => 'Alter,Schlaf\n34,7\n', undefined],
  ];
  it.each(files)('names the columns that it has: %s', async (_, file, available) => {
    const error = await failure(() => privatize(named, file()), { code: 'missing-column' });
    expect((error as Error & { available?: readonly string[] }).available).toEqual(available);
  });
});

describe('Parquet', () => {
  type Options = Parameters<typeof parquetWriteBuffer>[0];
  const columnData = [
    { name: 'id', data: column('id') },
    { name: 'work', data: column('work'), type: 'STRING' as const },
    { name: 'mood', data: column('mood'), type: 'DOUBLE' as const },
    { name: 'age', data: column('age'), type: 'INT32' as const },
    { name: 'sleep', data: column('sleep'), type: 'DOUBLE' as const },
  ];
  const write = (options: Partial<Options> = {}): Blob =>
    new Blob([parquetWriteBuffer({ columnData, ...options })]);

  test.each<[string, Partial<Options>]>([
    ['compressed with Snappy', {}],
    ['not compressed', { codec: 'UNCOMPRESSED' }],
    ['compressed with gzip', { codec: 'GZIP', compressors: { GZIP: (input) => gzipSync(input) } }],
    ['in many row groups', { rowGroupSize: 700 }],
    ['in one row group of many pages', { rowGroupSize: 1e6, pageSize: 2000 }],
    [
      'without an index of its pages',
      { columnData: columnData.map((one) => ({ ...one, offsetIndex: false })), rowGroupSize: 2000 },
    ],
  ])('%s gives the sums of the same rows as CSV', async (_, options) => {
    await expectSame(write(options));
  });

  it('is read by a worker whatever the name of the file', async () => {
    const file = new File([write()], 'rows.csv');
    expect(await inspect(study, file)).toEqual(await inspect(study, CSV));
    const release = await privatize(study, file, { workers: 2 });
    expect(release.rows).toBe(ROWS.length);
    expect(release.local?.ignored).toEqual(['id']);
  });

  it('reports progress', async () => {
    const fractions: (number | null)[] = [];
    await privatize(study, write({ rowGroupSize: 500 }), {
      onProgress: ({ fraction }) => fractions.push(fraction),
    });
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => Number(a) - Number(b)));
  });

  it('has decimals as the numbers that their digits are', async () => {
    const cents = Array.from({ length: 1200 }, (_, i) => i);
    const other = {
      age: cents.map(() => 34),
      work: cents.map(() => 'day'),
      mood: cents.map(() => 1),
    };
    const data = [
      ...Object.entries(other).map(([name, data]) => ({ name, data })),
      { name: 'sleep', data: cents.map((cent) => BigInt(cent)) },
    ];
    const decimal = { type: 'INT64', converted_type: 'DECIMAL', scale: 2, precision: 9 } as const;
    const schema = schemaFromColumnData({
      columnData: data,
      schemaOverrides: { sleep: { name: 'sleep', repetition_type: 'REQUIRED', ...decimal } },
    });
    const csv = ['age,work,mood,sleep', ...cents.map((c) => `34,day,1,${(c / 100).toFixed(2)}`)];
    await expectSame(new Blob([parquetWriteBuffer({ columnData: data, schema })]), csv.join('\n'));
  });

  it('can have whole numbers of any size, and levels that are numbers or booleans', async () => {
    const labels = defineStudy({
      title,
      privacy,
      columns: [
        { name: 'age', type: 'number', min: 0, max: 9 },
        { name: 'smoker', type: 'category', levels: ['false', 'true'] },
        { name: 'site', type: 'category', levels: ['1', '2'] },
      ],
    });
    const columnData = [
      { name: 'age', data: [1n, 2n, 3n], type: 'INT64' as const },
      { name: 'smoker', data: [true, false, null], type: 'BOOLEAN' as const },
      { name: 'site', data: [1n, 2n, 3n], type: 'INT64' as const },
    ];
    const { columns, used } = await inspect(labels, new Blob([parquetWriteBuffer({ columnData })]));
    expect(columns.map(({ missing }) => missing)).toEqual([0, 1, 1]);
    expect(used).toBe(2);
  });

  it('with an invalid cell is refused with its place', async () => {
    const strict = defineStudy({ ...definition(), missing: 'error' });
    const ages = column('age').map((age, i) => (i === 7777 ? null : (age ?? 50)));
    const data = [
      { name: 'age', data: ages, type: 'INT32' as const },
      { name: 'sleep', data: column('sleep') },
      { name: 'work', data: ROWS.map(() => 'day') },
      { name: 'mood', data: column('mood') },
    ];
    await failure(() => privatize(strict, new Blob([parquetWriteBuffer({ columnData: data })])), {
      code: 'missing-cell',
      row: 7778,
      column: 'age',
    });
  });

  it('with a decimal comma in a text is refused with its place', async () => {
    const moods = column('mood').map((mood, i) => (i === 7776 ? '1,5' : String(mood)));
    const texts = { name: 'mood', data: moods, type: 'STRING' as const };
    const data = [...columnData.filter(({ name }) => name !== 'mood'), texts];
    const file = new Blob([parquetWriteBuffer({ columnData: data, rowGroupSize: 1000 })]);
    await failure(() => privatize(study, file), {
      ...{ code: 'decimal-mark', row: 7777, column: 'mood', message: /^row 7777, column "mood"/ },
    });
  });

  test.each<[string, () => Input, Parameters<typeof failure>[1]]>([
    [
      'with dates where numbers should be',
      () => write({ columnData: [...columnData.slice(0, 4), dates('sleep')] }),
      { code: 'unsupported-data', column: 'sleep', message: /has dates; the study needs numbers/ },
    ],
    [
      'with numbers that are not levels',
      () =>
        write({ columnData: [...columnData.filter(({ name }) => name !== 'work'), dates('work')] }),
      { code: 'unsupported-data', column: 'work' },
    ],
    [
      'without a column',
      () => write({ columnData: columnData.slice(0, 3) }),
      { code: 'missing-column', column: 'age' },
    ],
    [
      'compressed with Brotli',
      () => write({ codec: 'BROTLI', compressors: { BROTLI: (input) => input } }),
      { code: 'unsupported-data', message: /BROTLI/ },
    ],
    [
      'without rows',
      () => write({ columnData: columnData.map((one) => ({ ...one, type: 'DOUBLE', data: [] })) }),
      { code: 'no-rows' },
    ],
    ['cut off', () => write().slice(0, 5000), { code: 'read-failed' }],
    [
      'with a hole',
      () => new Blob([write().slice(0, 80_000), new Uint8Array(4000), write().slice(84_000)]),
      { code: 'read-failed' },
    ],
    ['as a stream', () => write().stream(), { code: 'unsupported-data', message: /Blob/ }],
    [
      'encrypted',
      () => new Blob(['PARE', '....']),
      { code: 'unsupported-data', message: /encrypted/ },
    ],
  ])('%s is refused', async (_, make, expected) => {
    await failure(() => privatize(study, make()), expected);
    expect((await privatize(study, write())).rows).toBe(ROWS.length);
  });

  function dates(name: string) {
    return { name, data: ROWS.map(({ id }) => new Date(1e6 * id)) };
  }
});

describe('Arrow', () => {
  const vectors = {
    id: vectorFromArray(column('id'), new Int32()),
    age: vectorFromArray(column('age'), new Int32()),
    sleep: vectorFromArray(column('sleep'), new Float64()),
    work: vectorFromArray(column('work'), new Dictionary(new Utf8(), new Int32())),
    mood: vectorFromArray(column('mood'), new Float64()),
  };
  const table = new Table(vectors);
  const batches = [0, 4000, 4001, 8999].map((start, i, all) => table.slice(start, all[i + 1]));
  const inBatches = batches.slice(1).reduce((all, part) => all.concat(part), batches[0] ?? table);

  test.each<[string, () => Input | Promise<Input>]>([
    ['a table', () => table],
    ['a table of several batches', () => inBatches],
    ['a part of a table', () => table.slice(0, ROWS.length)],
    ['a file', () => ipc('file')],
    ['a file in the stream format', () => ipc('stream')],
    ['a stream', () => ipc('stream').stream()],
    ['text instead of a dictionary', () => new Table({ ...vectors, work: texts() })],
    ['64-bit integers', () => new Table({ ...vectors, age: longs() })],
  ])('%s gives the sums of the same rows as CSV', async (_, make) => {
    await expectSame(await make());
    expect(await inspect(study, await make())).toEqual(await inspect(study, CSV));
  });

  it('tables give the same counts with several workers', async () => {
    const { local } = await privatize(study, inBatches, { workers: 3 });
    expect(local).toEqual((await privatize(study, CSV)).local);
  });

  it('with a decimal comma in a text is refused with its place in any batch', async () => {
    const withTexts = (moods: readonly string[]) =>
      new Table({ ...vectors, mood: vectorFromArray(moods, new Utf8()) });
    const good = column('mood').map(String);
    const bad = good.map((mood, i) => (i === 6 ? '1,5' : mood));
    const both = withTexts(good).concat(withTexts(bad));
    const at = { code: 'decimal-mark', row: ROWS.length + 7, column: 'mood' } as const;
    await failure(() => privatize(study, both), at);
    await failure(() => privatize(study, ipc('file', both)), at);
  });

  it('slices of tables have the rows of the slice', async () => {
    const lines = CSV.split('\n');
    const csv = [lines[0], ...lines.slice(1001, 2001)].join('\n');
    await expectSame(table.slice(1000, 2000), csv);
    await expectSame(new Table({ ...vectors, work: texts() }).slice(1000, 2000), csv);
  });

  it('has decimals as the numbers that their digits are', async () => {
    const cents = Array.from({ length: 1200 }, (_, i) => 37 * i - 20_000);
    const words = new Uint32Array(4 * cents.length);
    for (const [i, cent] of cents.entries()) {
      words.fill(cent < 0 ? 0xffffffff : 0, 4 * i, 4 * i + 4);
      words[4 * i] = cent;
    }
    const type = new Decimal(2, 9);
    const sleep = new Vector([makeData({ type, length: cents.length, data: words })]);
    const constant = tableFromArrays({
      age: cents.map(() => 34),
      work: cents.map(() => 'day'),
      mood: cents.map(() => 1),
    });
    const csv = cents.map((cent) => `34,day,1,${(cent / 100).toFixed(2)}`);
    const whole = new Table({
      age: constant.getChild('age') as Vector,
      work: constant.getChild('work') as Vector,
      mood: constant.getChild('mood') as Vector,
      sleep,
    });
    await expectSame(whole, ['age,work,mood,sleep', ...csv].join('\n'));
  });

  it('can have half-precision numbers and booleans', async () => {
    const small = defineStudy({
      title,
      privacy,
      columns: [
        { name: 'half', type: 'number', min: 0, max: 9 },
        { name: 'smoker', type: 'category', levels: ['false', 'true'] },
      ],
    });
    const data = new Table({
      half: vectorFromArray([0.5, 10.25, null, 1], new Float16()),
      smoker: vectorFromArray([true, null, false, true], new Bool()),
    });
    const counts = await inspect(small, data);
    expect(counts.columns).toMatchObject([
      { missing: 1, outside: 1 },
      { missing: 1, outside: 0 },
    ]);
    const found = await exactMoments(small, data);
    const expected = await exactMoments(small, 'half,smoker\n0.5,true\n10.25,\n,false\n1,true');
    expect(found.secondMoments).toEqual(expected.secondMoments);
  });

  test.each<[string, () => Input, Parameters<typeof failure>[1]]>([
    [
      'with dates where numbers should be',
      () =>
        new Table({
          ...vectors,
          mood: vectorFromArray(
            ROWS.map(() => new Date()),
            new DateDay(),
          ),
        }),
      { code: 'unsupported-data', column: 'mood', message: /has dates/ },
    ],
    [
      'with booleans where numbers should be',
      () =>
        new Table({
          ...vectors,
          mood: vectorFromArray(
            ROWS.map(() => true),
            new Bool(),
          ),
        }),
      { code: 'unsupported-data', column: 'mood' },
    ],
    ['without a column', () => table.select(['age', 'work']), { code: 'missing-column' }],
    ['without rows', () => table.slice(0, 0), { code: 'no-rows' }],
    ['cut off', () => ipc('file').slice(0, 9000), { code: 'read-failed' }],
    ['a stream of the file format', () => ipc('file').stream(), { code: 'unsupported-data' }],
  ])('%s is refused', async (_, make, expected) => {
    await failure(() => privatize(study, make()), expected);
    expect((await privatize(study, table)).rows).toBe(ROWS.length);
  });

  it('of other programs is read batch by batch, with growing dictionaries', async () => {
    const writer = new RecordBatchStreamWriter();
    for (const batch of inBatches.batches) writer.write(batch);
    await expectSame(new Blob([writer.finish().toUint8Array(true) as Uint8Array<ArrayBuffer>]));
  });

  function ipc(format: 'file' | 'stream', of: Table = inBatches) {
    return new Blob([tableToIPC(of, format) as Uint8Array<ArrayBuffer>]);
  }
  function texts() {
    return vectorFromArray(column('work'), new Utf8());
  }
  function longs() {
    return vectorFromArray(
      column('age').map((age) => (age === null ? null : BigInt(age))),
      new Int64(),
    );
  }
});

describe('gzip', () => {
  const zipped = new Blob([gzipSync(CSV)]);

  it('gives the sums of the compressed text', async () => {
    await expectSame(zipped);
    await expectSame(zipped.stream());
    const seen: unknown[] = [];
    const release = await privatize(study, zipped, { onProgress: (p) => seen.push(p) });
    expect(release.rows).toBe(ROWS.length);
    expect(seen.at(-1)).toEqual({ rows: ROWS.length, fraction: 1 });
  });

  it('that is cut off is refused', async () => {
    await failure(() => privatize(study, zipped.slice(0, 5000)), { code: 'read-failed' });
    expect((await privatize(study, zipped)).rows).toBe(ROWS.length);
  });
});
