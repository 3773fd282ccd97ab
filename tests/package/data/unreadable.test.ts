import { gzipSync } from 'node:zlib';
import { Float64, Table, tableFromArrays, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import {
  assemble,
  createLedger,
  defineStudy,
  inspect,
  memoryStorage,
  privatize,
  project,
  synthesize,
} from 'private-moments';
import { describe, expect, it, test } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, people } from '../support.js';

type Input = Parameters<typeof privatize>[1];

const study = defineStudy(definition());
const NAMES = ['age', 'sleep', 'work', 'mood'];
/** Neither a number nor a level. */
const ROWS = Array.from({ length: 50 }, () => ({ age: 'x', sleep: 'y', work: 'z', mood: 'w' }));
const CSV = ['age,sleep,work,mood', ...ROWS.map((row) => Object.values(row).join(','))].join('\n');
const TEXTS = ROWS.map(() => 'x');

const FORMS: [string, () => Input][] = [
  ['CSV text', () => CSV],
  ['a CSV file', () => new Blob([CSV])],
  ['a stream', () => new Blob([CSV]).stream()],
  ['row objects', () => ROWS],
  ['a table of numbers', () => ({ columns: NAMES, values: new Float64Array(80).fill(NaN) })],
  [
    'a Parquet file',
    () => {
      const columnData = NAMES.map((name) => ({ name, data: TEXTS, type: 'STRING' as const }));
      return new Blob([parquetWriteBuffer({ columnData })]);
    },
  ],
  ['an Arrow table', arrowTable],
  ['an Arrow file', () => new Blob([Uint8Array.from(tableToIPC(arrowTable(), 'file'))])],
];

function arrowTable(): Table {
  const text = vectorFromArray(TEXTS, new Utf8());
  const none = vectorFromArray(
    ROWS.map(() => null),
    new Float64(),
  );
  return new Table({ age: none, sleep: text, work: text, mood: none });
}

describe('data without a readable cell', () => {
  test.each(FORMS)('make no release, as %s', async (_, make) => {
    await failure(() => privatize(study, make()), {
      code: 'no-readable-cells',
      message: /50 rows|20 rows/,
    });
  });

  test.each(['centre', 'drop', 'error'] as const)(
    'make no release under the missing rule %s',
    async (missing) => {
      const strict = defineStudy({ ...definition(), missing, neighbours: 'add-remove' });
      await failure(() => privatize(strict, CSV), {
        code: missing === 'error' ? 'missing-cell' : 'no-readable-cells',
      });
    },
  );

  it('make no release with several workers', async () => {
    const long = ['age,sleep,work,mood', ...Array.from({ length: 20_000 }, () => 'x,y,z,w')];
    await failure(() => privatize(study, long.join('\n'), { workers: 3 }), {
      code: 'no-readable-cells',
      message: /20000 rows/,
    });
    const values = new Float64Array(400_000).fill(NaN);
    await failure(() => privatize(study, { columns: NAMES, values }, { workers: 2 }), {
      code: 'no-readable-cells',
    });
  });

  it('spend nothing in a ledger', async () => {
    const ledger = createLedger(memoryStorage());
    await failure(() => privatize(study, CSV, { ledger }), { code: 'no-readable-cells' });
    expect(await ledger.entries()).toEqual([]);
  });

  it('give no synthetic rows, no exact moments and no scores', async () => {
    const code = 'no-readable-cells' as const;
    await failure(() => synthesize(study, CSV, { rows: 5 }), { code });
    await failure(() => exactMoments(study, CSV), { code });
    const moments = await assemble(study, [await privatize(study, people(500, 1, 1))]);
    await failure(() => project(study, CSV, moments.pca()), { code });
  });

  it('are counted by inspect, with a hint what to check', async () => {
    const { columns, warnings } = await inspect(study, CSV);
    expect(columns.map(({ missing }) => missing)).toEqual([50, 50, 50, 50]);
    expect(warnings).toHaveLength(4);
  });
});

describe('a column without a readable cell', () => {
  it('causes a warning beside the release, and only there', async () => {
    const rows = people(40, 1, 1).map((row) => ({ ...row, sleep: `${row.sleep} hours` }));
    const release = await privatize(study, rows);
    expect(release.local?.warnings).toEqual([
      {
        code: 'unreadable-column',
        column: 'sleep',
        message: expect.stringMatching(
          /^no cell of the column "sleep" could be read as sleep: check/,
        ) as string,
      },
    ]);
    expect(JSON.stringify(release)).not.toMatch(/warnings|could be read/);
  });

  it('causes another warning if one of its cells is readable', async () => {
    const rows = people(40, 1, 1).map((row, i) => ({ ...row, sleep: i === 39 ? 7 : 'x' }));
    const [warning] = (await privatize(study, rows)).local?.warnings ?? [];
    expect(warning).toMatchObject({ code: 'unreadable-cells', column: 'sleep' });
    expect(warning?.message).toContain('39 cells that are not numbers (rows 1, 2, 3 and others)');
  });
});

describe('cells that are not empty and cannot be read', () => {
  const numbers = defineStudy({
    ...definition(),
    columns: [
      { name: 'dose', type: 'number', min: 0, max: 100 },
      { name: 'arm', type: 'category', levels: ['a', 'b'] },
    ],
    views: { life: ['dose'], mind: ['arm'] },
  });
  const DOSES = ['1', '', 'low', '12 mg', 'NA', 'NaN', '1e999', '3', 'high'];
  const ARMS = ['a', '', 'b', 'c', 'NA', 'a', 'b', 'b', 'A'];
  const rows = DOSES.map((dose, i) => ({ dose, arm: ARMS[i] ?? '' }));
  const csv = ['dose,arm', ...rows.map(({ dose, arm }) => `${dose},${arm}`)].join('\n');
  const forms: [string, () => Input][] = [
    ['CSV text', () => csv],
    ['a gzip file', () => new Blob([gzipSync(csv)])],
    ['row objects', () => rows],
    [
      'a Parquet file',
      () =>
        new Blob([
          parquetWriteBuffer({
            columnData: [
              { name: 'dose', data: DOSES, type: 'STRING' },
              { name: 'arm', data: ARMS, type: 'STRING' },
            ],
          }),
        ]),
    ],
    [
      'an Arrow file',
      () =>
        new Blob([
          Uint8Array.from(tableToIPC(tableFromArrays({ dose: DOSES, arm: ARMS }), 'file')),
        ]),
    ],
  ];

  it.each(forms)(
    'are counted apart from empty ones, with the first rows, in %s',
    async (_, make) => {
      const { columns } = await inspect(numbers, make());
      expect(columns).toEqual([
        {
          name: 'dose',
          from: 'dose',
          missing: 7,
          outside: 0,
          unreadable: 6,
          unreadableRows: [3, 4, 5],
          codes: [],
        },
        {
          name: 'arm',
          from: 'arm',
          missing: 4,
          outside: 0,
          unreadable: 3,
          unreadableRows: [4, 5, 9],
          codes: [],
        },
      ]);
    },
  );

  it.each(forms)('are not counted if they stand for a missing value, in %s', async (_, make) => {
    const missingValues = ['NA', 'NaN ', 'low', '12 mg', 'high', '1e999', 'c'];
    const { columns, warnings } = await inspect(numbers, make(), { missingValues });
    expect(columns.map(({ unreadable }) => unreadable)).toEqual([0, 1]);
    expect(warnings.map(({ column }) => column)).toEqual(['arm']);
  });

  it('are those of a table that are infinite or no level', async () => {
    const values = Float64Array.of(1, 0, NaN, 1, Infinity, 2, -Infinity, NaN, 5, 0.5);
    const { columns } = await inspect(numbers, { columns: ['dose', 'arm'], values });
    expect(columns.map(({ unreadableRows }) => unreadableRows)).toEqual([
      [3, 4],
      [3, 5],
    ]);
  });

  it.each(['csv', 'objects'] as const)(
    'have the same rows with several workers, as %s',
    async (form) => {
      const many = Array.from({ length: 30_000 }, (_, i) => ({
        dose: i % 7000 === 6999 ? 'x' : String(i % 100),
        arm: 'a',
      }));
      const text = `dose,arm\n${many.map(({ dose, arm }) => `${dose},${arm}\n`).join('')}`;
      const { columns, warnings } = await inspect(numbers, form === 'csv' ? text : many, {
        workers: 3,
      });
      expect(columns[0]).toMatchObject({ unreadable: 4, unreadableRows: [7000, 14_000, 21_000] });
      expect(warnings[0]?.message).toContain('(rows 7000, 14000, 21000 and others)');
      expect(JSON.stringify(warnings)).not.toContain('"x"');
    },
  );

  it('are kept apart from common codes for a missing value', async () => {
    const codes = DOSES.map((_, i) => ({ dose: [-9, 999, 99, 101][i] ?? 5, arm: 'a' }));
    const text = `dose,arm\n${codes.map(({ dose }) => `${dose},a\n`).join('')}`;
    const columnData = [
      { name: 'dose', data: codes.map(({ dose }) => dose), type: 'DOUBLE' as const },
      { name: 'arm', data: codes.map(() => 'a'), type: 'STRING' as const },
    ];
    const values = Float64Array.from(codes.flatMap(({ dose }) => [dose, 0]));
    const table = { columns: ['dose', 'arm'], values };
    const parquet = new Blob([parquetWriteBuffer({ columnData })]);
    for (const data of [
      text,
      codes,
      table,
      parquet,
      tableFromArrays({ dose: codes.map(({ dose }) => dose), arm: codes.map(() => 'a') }),
    ]) {
      const { columns, warnings } = await inspect(numbers, data);
      expect(columns[0]).toMatchObject({ outside: 3, codes: [-9, 999], unreadable: 0 });
      expect(warnings).toEqual([
        {
          code: 'possible-codes',
          column: 'dose',
          message:
            'the column "dose" has -9, 999 among the numbers far outside its bounds, which often stands for a missing value: if so, name it in missingValues; otherwise it counts as the nearest bound',
        },
      ]);
      const named = await inspect(numbers, data, { missingValues: ['-9', '999'] });
      expect(named.columns[0]).toMatchObject({ missing: 2, codes: [] });
    }
    const most = await inspect(numbers, 'dose,arm\n999,a\n-9,a\n5,a\n');
    expect(most.columns[0]?.codes).toEqual([]);
  });

  it('leave scores empty', async () => {
    const moments = await assemble(study, [await privatize(study, people(500, 1, 1))]);
    const values = Float64Array.of(Infinity, 7, 0, 0);
    const scores = await project(study, { columns: NAMES, values }, moments.pca());
    expect(scores.missing).toBe(1);
    expect(scores.cells[0]).toMatchObject({ missing: 1, unreadable: 1, unreadableRows: [1] });
  });
});
