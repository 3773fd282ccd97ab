import { gzipSync } from 'node:zlib';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import {
  assemble,
  assembleComponents,
  createLedger,
  defineStudy,
  inspect,
  memoryStorage,
  parseRelease,
  privatize,
  type Data,
  type Study,
  type StudyDefinition,
} from 'private-moments';
import { maskData } from 'private-moments/federation';
import { describe, expect, it, test } from 'vitest';
import { definition, failure, people } from '../support.js';

// Under add-remove the neighbour of a file may be an empty one, so an empty file makes a release too.
// Otherwise a release would reveal that there were rows.

const NAMES = ['age', 'sleep', 'work', 'mood'];
const HEADER = `${NAMES.join(',')}\n`;

function studyOf(change: Partial<StudyDefinition> = {}): Study {
  return defineStudy({ ...definition(), neighbours: 'add-remove', ...change });
}

const numbers = (names: readonly string[]) =>
  names.map((name) => ({ name, data: [], type: 'DOUBLE' as const }));
const parquet = () =>
  new Blob([
    parquetWriteBuffer({
      columnData: [
        ...numbers(['age', 'sleep', 'mood']),
        { name: 'work', data: [], type: 'STRING' as const },
      ],
    }),
  ]);
const arrow = () =>
  tableFromArrays({
    age: Float64Array.of(1),
    sleep: Float64Array.of(1),
    work: ['day'],
    mood: Float64Array.of(1),
  }).slice(0, 0);
const ipc = (format: 'file' | 'stream') =>
  new Blob([tableToIPC(arrow(), format) as Uint8Array<ArrayBuffer>]);

const FORMS: [string, () => Data][] = [
  ['CSV text of a header alone', () => HEADER],
  ['a CSV file of a header alone', () => new Blob([HEADER])],
  ['a header without an end of line', () => new Blob([HEADER.trimEnd()])],
  ['a stream of CSV', () => new Blob([HEADER]).stream()],
  ['a compressed file', () => new Blob([gzipSync(HEADER)])],
  ['no row objects', () => []],
  ['a table of numbers', () => ({ columns: NAMES, values: new Float64Array() })],
  ['a Parquet file', parquet],
  ['an Arrow table', () => arrow()],
  ['an Arrow file', () => ipc('file')],
  ['an Arrow stream', () => ipc('stream').stream()],
];

const MECHANISMS: [string, Partial<StudyDefinition>][] = [
  ['gaussian with private centring', { clipping: 'centred' }],
  ['gaussian with adaptive clipping', { clipping: 'adaptive' }],
  ['gaussian with a fixed radius', { clipping: 'fixed' }],
  ['gaussian of whole participants', { unit: 'participant' }],
  ['laplace', { mechanism: { name: 'laplace' } }],
  ['laplace of whole participants', { mechanism: { name: 'laplace' }, unit: 'participant' }],
  ['two-sided-wishart', { mechanism: { name: 'two-sided-wishart' } }],
  [
    'two-sided-wishart of whole participants',
    { mechanism: { name: 'two-sided-wishart' }, unit: 'participant' },
  ],
  ['frobenius', { mechanism: { name: 'frobenius' } }],
  ['frobenius of whole participants', { mechanism: { name: 'frobenius' }, unit: 'participant' }],
  ['wishart', { mechanism: { name: 'wishart' } }],
  ['eigenvector-sampling', { mechanism: { name: 'eigenvector-sampling', components: 2 } }],
  [
    'eigenvector-sampling of whole participants',
    { mechanism: { name: 'eigenvector-sampling', components: 2 }, unit: 'participant' },
  ],
  ['ppca', { mechanism: { name: 'ppca', components: 2 } }],
  [
    'ppca of whole participants',
    { mechanism: { name: 'ppca', components: 2 }, unit: 'participant' },
  ],
  ['power-method', { mechanism: { name: 'power-method', components: 2 } }],
  [
    'power-method of whole participants',
    { mechanism: { name: 'power-method', components: 2 }, unit: 'participant' },
  ],
];

describe('under add-remove', () => {
  test.each(MECHANISMS)('data without rows make a release from %s', async (_, change) => {
    const study = studyOf(change);
    const release = await privatize(study, []);
    const full = await privatize(study, people(50, 1, 1));
    // They differ only in the noisy numbers.
    expect(release.rows).toBeNull();
    expect(release.values).toHaveLength(full.values.length);
    expect(release.guarantee).toEqual(full.guarantee);
    expect(Object.keys(release.toJSON())).toEqual(Object.keys(full.toJSON()));
    // With private centring the noisy survey says how many.
    const counts = (of: typeof full) => (of.centring?.levels ?? 0) - 1;
    const expected = study.clipping === 'centred' ? counts(release) : full.clipping?.counts.length;
    expect(release.clipping?.counts.length).toBe(expected);
    expect(new Set(release.values).size).toBeGreaterThan(1);
    expect(parseRelease(JSON.stringify(release)).id).toBe(release.id);
    const combine = release.content === 'moments' ? assemble : assembleComponents;
    await expect(combine(study, [release])).resolves.toHaveProperty('guarantee');
  });

  test.each(FORMS)('%s makes a release', async (_, data) => {
    const study = studyOf();
    const release = await privatize(study, data());
    expect(release.rows).toBeNull();
    expect(release.local).toMatchObject({ rows: 0, used: 0, dropped: 0, centred: 0 });
    expect(release.local?.columns.map(({ missing }) => missing)).toEqual([0, 0, 0, 0]);
  });

  it('a release without rows is only noise: every number is within sixteen standard deviations', async () => {
    const study = studyOf({ clipping: 'fixed' });
    const { values, noise } = await privatize(study, HEADER);
    const most = (16 * noise.sdDiagonal) / noise.unit;
    expect(values.every((value) => Math.abs(value) < most)).toBe(true);
  });

  it('data whose rows are all left out also make a release', async () => {
    const release = await privatize(studyOf(), `${HEADER}34,7,day,\n51,,night,2\n`);
    expect(release.local).toMatchObject({ rows: 2, used: 0, dropped: 2 });
  });

  it('data without rows can be inspected, and a ledger records them', async () => {
    const study = studyOf();
    expect(await inspect(study, HEADER)).toMatchObject({ rows: 0, used: 0 });
    const ledger = createLedger(memoryStorage());
    await privatize(study, HEADER, { ledger });
    expect(await ledger.entries()).toHaveLength(1);
  });

  test.each([
    ['split', { mode: 'split', sites: 4, honest: 3 }],
    ['a ring', { mode: 'ring', sites: 4, honest: 4, threshold: 4 }],
    ['correlated noise', { mode: 'correlated', sites: 4, honest: 3 }],
  ])('data without rows are masked like any others: %s', async (_, federation) => {
    for (const unit of ['row', 'participant'] as const) {
      const study = studyOf({ federation, unit });
      const seeds = [1, 2, 3].map((fill) => ({
        key: new Uint8Array(32).fill(fill),
        sign: 1 as const,
      }));
      const empty = await maskData(study, HEADER).mask(seeds);
      const full = await maskData(study, people(40, 1, 1)).mask(seeds);
      expect(empty.rows).toBeNull();
      expect(empty.payload).toHaveLength(full.payload.length);
    }
  });

  it('sites are summed even if some are empty, with a noisy count of all rows', async () => {
    const study = studyOf({ clipping: 'fixed', privacy: { epsilon: 3, delta: 1e-6 } });
    const sites = [people(600, 1, 1), [], people(900, 1, 1), [], people(700, 1, 1)];
    const moments = await assemble(
      study,
      await Promise.all(sites.map((rows) => privatize(study, rows))),
    );
    expect(moments.noise.releases).toBe(5);
    // The count is entry (0, 0) over the squared constant coordinate, half of the squared row norm.
    const sd = moments.noise.sdDiagonal / (0.5 * study.rowNorm ** 2);
    expect(Math.abs(moments.rows - 2200)).toBeLessThan(8 * sd);
  });

  it('empty sites together count as at least one row', async () => {
    for (const unit of ['row', 'participant'] as const) {
      const study = studyOf({ unit, clipping: 'fixed' });
      const releases = [await privatize(study, []), await privatize(study, HEADER)];
      expect((await assemble(study, releases)).rows).toBeGreaterThanOrEqual(1);
    }
  });
});

describe('under replace-one, with a public number of rows', () => {
  test.each(FORMS)('%s is refused', async (_, data) => {
    for (const unit of ['row', 'participant'] as const) {
      const study = defineStudy({ ...definition(), unit });
      await failure(() => privatize(study, data()), { code: 'no-rows' });
    }
  });
});

describe('under either relation', () => {
  it('a file without a header, or without the study’s columns, is refused', async () => {
    await failure(() => privatize(studyOf(), ''), { code: 'empty-file' });
    await failure(() => privatize(studyOf(), 'age,sleep,work\n'), { code: 'missing-column' });
  });
});
