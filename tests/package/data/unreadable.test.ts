import { Float64, Table, tableToIPC, Utf8, vectorFromArray } from 'apache-arrow';
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
      expect.stringMatching(/^no cell of the column "sleep" could be read as sleep: check/),
    ]);
    expect(JSON.stringify(release)).not.toMatch(/warnings|could be read/);
  });

  it('causes no warning if one of its cells is readable', async () => {
    const rows = people(40, 1, 1).map((row, i) => ({ ...row, sleep: i === 39 ? 7 : 'x' }));
    expect((await privatize(study, rows)).local?.warnings).toEqual([]);
  });
});
