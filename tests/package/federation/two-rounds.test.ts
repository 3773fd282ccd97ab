// Studies that state where their rows lie, and those that follow from a first round.
import {
  assemble,
  compose,
  createLedger,
  defineStudy,
  forecast,
  memoryStorage,
  parseStudy,
  privatize,
  type Moments,
  type StudyDefinition,
} from 'private-moments';
import { sumOf } from 'private-moments/federation';
import { describe, expect, it, test } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { failure, forged, seeded } from '../support.js';
import { collectedFrom } from './session-support.js';

const SPLIT = { mode: 'split', sites: 4, honest: 3 };
const NAMES = ['a', 'b', 'c', 'd'];
const PRIVACY = { epsilon: 3, delta: 1e-6 };

function definition(change: object = {}): StudyDefinition {
  return {
    title: 'Far from the middle',
    columns: NAMES.map((name) => ({ name, type: 'number', min: 0, max: 10 })),
    views: { x: ['a', 'b'], y: ['c', 'd'] },
    privacy: PRIVACY,
    federation: SPLIT,
    ...change,
  };
}

/** About the true means, 2 to 8, and spreads, .5. */
const STATED = NAMES.map((name, j) => ({
  ...{ name, type: 'number' as const, min: 0, max: 10 },
  ...{ centre: 2 + 2 * j, spread: 0.5 },
}));
/** Independent releases about the stated centres, with hardly any noise. */
const ALMOST_EXACT = {
  columns: STATED,
  federation: undefined,
  privacy: { epsilon: 1e7, delta: 1e-3 },
};

function normal(next: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
}

/** c follows a, and d follows b less closely. */
function rowsOf(site: number, count = 500): Record<string, number>[] {
  const next = seeded(7 + site);
  return Array.from({ length: count }, () => {
    const [a, b] = [normal(next), normal(next)];
    const c = 0.8 * a + 0.6 * normal(next);
    const d = 0.5 * b + Math.sqrt(0.75) * normal(next);
    return { a: 2 + a / 2, b: 4 + b / 2, c: 6 + c / 2, d: 8 + d / 2 };
  });
}

const SITES = [0, 1, 2, 3].map((site) => rowsOf(site));

async function summed(study: ReturnType<typeof defineStudy>): Promise<Moments> {
  const sum = await sumOf(study, await collectedFrom(study, SITES));
  return assemble(study, [sum.toBlob()]);
}

/** The Frobenius norm of the error of the covariance, over that of the covariance. */
function errorOf(moments: Moments, exact: Moments): number {
  const [found, truth] = [moments.covariance.values, exact.covariance.values];
  return Math.hypot(...found.map((x, i) => x - (truth[i] ?? 0))) / Math.hypot(...truth);
}

const exactOf = (): Promise<Moments> => exactMoments(defineStudy(definition()), SITES.flat());

describe('a study with stated centres', () => {
  it('has both numbers in each number column, a longer row norm and fixed clipping', () => {
    const [first, ...others] = definition().columns;
    const columns = [
      { ...first, centre: 2 },
      ...others,
      { name: 'e', type: 'category', levels: ['x', 'y'] },
    ] as never;
    const study = defineStudy(definition({ columns, federation: undefined }));
    expect(study.columns[0]).toMatchObject({ centre: 2, spread: 5 });
    expect(study.columns[1]).toMatchObject({ centre: 5, spread: 5 });
    expect(study.columns[4]).toEqual({ name: 'e', type: 'category', levels: ['x', 'y'] });
    expect(study.rowNorm).toBe(2 * Math.sqrt(5));
    expect(study.clipping).toBe('fixed');
    expect(parseStudy(JSON.stringify(study)).id).toBe(study.id);
    expect(defineStudy(definition({ columns: study.columns, federation: undefined })).id).toBe(
      study.id,
    );
    expect(defineStudy(definition()).columns[0]).not.toHaveProperty('centre');
  });

  test.each([
    ['invalid-bounds', 'columns[0].centre', { centre: 11 }, {}],
    ['invalid-bounds', 'columns[0].centre', { centre: NaN }, {}],
    ['invalid-bounds', 'columns[0].centre', { centre: '3' }, {}],
    ['invalid-bounds', 'columns[0].spread', { spread: 0 }, {}],
    ['invalid-bounds', 'columns[0].spread', { spread: 5.1 }, {}],
    ['invalid-bounds', 'columns[0].spread', { spread: 1e-9 }, {}],
    ['invalid-unit', 'unit', { centre: 3 }, { unit: 'participant' }],
    [
      'invalid-mechanism',
      'mechanism.name',
      { centre: 3 },
      { mechanism: 'laplace', federation: undefined },
    ],
    [
      'invalid-clipping',
      'clipping',
      { centre: 3 },
      { clipping: 'adaptive', federation: undefined },
    ],
    ['invalid-clipping', 'clipping', { centre: 3 }, { clipping: 'centred', federation: undefined }],
  ])('is refused with %s in %s for %j and %j', async (code, field, stated, change) => {
    const [first, ...others] = definition().columns;
    const columns = [{ ...first, ...stated }, ...others];
    await failure(() => defineStudy(definition({ ...change, columns })), { code, field });
  });

  it('refuses a centre of a category', async () => {
    const columns = [{ name: 'e', type: 'category', levels: ['x', 'y'], centre: 0 }];
    await failure(() => defineStudy(definition({ columns, views: undefined })), {
      code: 'invalid-column',
    });
  });

  test.each([
    ['split', SPLIT, PRIVACY],
    ['split, pure', SPLIT, { epsilon: 3, delta: 0 }],
    ['a ring', { mode: 'ring', sites: 4, honest: 3 }, PRIVACY],
    ['correlated noise', { mode: 'correlated', sites: 4, honest: 3 }, PRIVACY],
  ])('sums the rows about them behind masks: %s', async (_, federation, privacy) => {
    const about = await summed(defineStudy(definition({ columns: STATED, federation, privacy })));
    const plain = await summed(defineStudy(definition({ federation, privacy })));
    const exact = await exactOf();
    // Means within 16 standard deviations: a false alarm in 1e-6 even with tails of e^-x.
    const sd = about.noise.sdLinear / about.rows;
    about.mean.values.forEach((mean, j) => {
      expect(Math.abs(mean - (exact.mean.values[j] ?? NaN))).toBeLessThan(5 * 16 * sd + 0.05);
    });
    // Rows are clipped to a fifth of the usual length, and noise grows with its square.
    expect(about.noise.covarianceSd.values[1]).toBeLessThan(
      (plain.noise.covarianceSd.values[1] ?? NaN) / 10,
    );
    expect(errorOf(about, exact)).toBeLessThan(0.5);
    const [pair] = about.cca({ components: 1 }).correlations;
    expect(Math.abs((pair?.value ?? NaN) - 0.8)).toBeLessThan(0.25);
  });

  it('assembles single releases with the statistics that exact sums have', async () => {
    const study = defineStudy(definition(ALMOST_EXACT));
    const releases = await Promise.all(SITES.map((rows) => privatize(study, rows)));
    const moments = await assemble(study, releases);
    const own = await exactMoments(study, SITES.flat());
    const exact = await exactOf();
    expect(errorOf(moments, own)).toBeLessThan(1e-3);
    // Half a percent of normal rows are longer than four standard deviations of four columns.
    expect(errorOf(moments, exact)).toBeLessThan(0.05);
    expect(moments.traceBound).toBeLessThanOrEqual(4);
    const [found, truth] = [moments.pca().explained, exact.pca().explained];
    found.forEach(({ value }, i) => {
      expect(value / (truth[i]?.value ?? NaN)).toBeCloseTo(1, 1);
    });
    // The second moments are in scaled units, whatever the coordinates.
    const ratio = (moments.secondMoments.values[6] ?? NaN) / (exact.secondMoments.values[6] ?? NaN);
    expect(ratio).toBeCloseTo(1, 2);
  });

  it('refuses releases of values that no rows about its centres can have', async () => {
    const study = defineStudy(definition({ columns: STATED, federation: undefined }));
    const release = await privatize(study, rowsOf(0));
    const { noise } = release;
    const altered = forged(release.toJSON(), (content) => {
      // Squares of 500 rows at the far bound, a hundred times beyond the clip radius.
      (content.values as number[])[5] = Math.round((500 * 16 ** 2) / noise.unit);
    });
    await failure(() => assemble(study, [altered]), { code: 'release-implausible' });
  });

  it('counts a row with a gap at the stated centre', async () => {
    const study = defineStudy(definition(ALMOST_EXACT));
    const rows = Array.from({ length: 200 }, () => ({ a: '', b: 1, c: 1, d: 1 }));
    const { mean } = await assemble(study, [
      await privatize(study, [...rows, { a: 2, b: 4, c: 6, d: 8 }]),
    ]);
    STATED.forEach(({ centre }, j) => {
      expect(mean.values[j]).toBeCloseTo(centre, 2);
    });
  });

  it('is forecast about the middle of its bounds, which the forecast says', async () => {
    const study = defineStudy(definition({ columns: STATED }));
    const result = await forecast(study, { rows: 2000, sites: 4 });
    const plain = await forecast(defineStudy(definition()), { rows: 2000, sites: 4 });
    expect(result.covariance.error).toBe(plain.covariance.error);
    expect(result.assumes.at(-1)).toMatch(/about the middle of the bounds/);
    expect(result.guarantee.assumes[0]).toMatch(/at least 3 of the 4 sites/);
  });
});

describe('the study of a second round', () => {
  test.each([
    ['with a delta', { epsilon: 10, delta: 1e-6 }, { epsilon: 11, delta: 1e-6 }],
    ['pure', { epsilon: 10, delta: 0 }, { epsilon: 11, delta: 0 }],
  ])('finds the rows that the first one saw: %s', async (_, privacy, rest) => {
    const first = await summed(defineStudy(definition({ privacy })));
    const study = first.centredStudy({ privacy: rest });
    expect(study.privacy).toEqual(rest);
    expect(study.federation).toEqual(first.study.federation);
    study.columns.forEach((column, j) => {
      const { centre = NaN, spread = NaN } = column as { centre?: number; spread?: number };
      expect(Math.abs(centre - (2 + 2 * j))).toBeLessThan(1.5);
      expect(spread).toBeGreaterThan(0);
      expect(spread).toBeLessThan(4);
    });
    const second = await summed(study);
    const exact = await exactOf();
    // About a tenth in most runs.
    expect(errorOf(second, exact)).toBeLessThan(errorOf(first, exact));
    const guarantees = [first, second].map(({ guarantee }) => guarantee ?? never());
    const both = await compose(guarantees, { delta: 2e-6 });
    expect(both.epsilon).toBeLessThanOrEqual(privacy.epsilon + rest.epsilon);
    expect(both.epsilon).toBeGreaterThan(rest.epsilon);
  });

  it('is the same for the same moments, and has a title of its own if it is to', async () => {
    const first = await summed(defineStudy(definition()));
    const study = first.centredStudy({ privacy: PRIVACY });
    expect(first.centredStudy({ privacy: PRIVACY }).id).toBe(study.id);
    expect(first.centredStudy({ privacy: PRIVACY, title: 'Second' }).title).toBe('Second');
    expect(parseStudy(JSON.stringify(study)).id).toBe(study.id);
  });

  it('stays near the middle of the bounds where the first round is noise', async () => {
    const faint = defineStudy(
      definition({ federation: undefined, privacy: { epsilon: 0.01, delta: 1e-9 } }),
    );
    const first = await assemble(faint, [await privatize(faint, rowsOf(0, 20))]);
    const study = first.centredStudy({ privacy: PRIVACY });
    for (const column of study.columns) {
      // The noise of a spread is far beyond the bounds.
      expect(column).toMatchObject({ spread: 5 });
    }
    expect(study.rowNorm).toBeLessThan(8);
  });

  it('is refused for exact moments, without number columns and for unknown options', async () => {
    const exact = await exactOf();
    await failure(() => exact.centredStudy({ privacy: PRIVACY }), { code: 'unsupported-data' });
    const labels = defineStudy({
      title: 'Labels',
      columns: [{ name: 'e', type: 'category', levels: ['x', 'y'] }],
      privacy: PRIVACY,
    });
    const moments = await assemble(labels, [await privatize(labels, [{ e: 'x' }, { e: 'y' }])]);
    await failure(() => moments.centredStudy({ privacy: PRIVACY }), { code: 'unsupported-data' });
    const first = await summed(defineStudy(definition()));
    await failure(() => first.centredStudy({ privacy: PRIVACY, share: 0.1 } as never), {
      code: 'unsupported-option',
    });
    await failure(() => first.centredStudy({} as never), { code: 'invalid-study' });
  });

  it('adds to the cost of the first in a ledger that knows the data by name', async () => {
    const ledger = createLedger(memoryStorage());
    const study = defineStudy(definition({ federation: undefined }));
    const release = await privatize(study, rowsOf(0), { ledger, dataSet: 'site' });
    const first = await assemble(study, [release]);
    const second = first.centredStudy({ privacy: PRIVACY });
    await privatize(second, rowsOf(0), { ledger, dataSet: 'site' });
    const [data, ...others] = await ledger.dataSets();
    expect(others).toEqual([]);
    expect(data?.entries).toHaveLength(2);
  });
});

function never(): never {
  throw new Error('assembled moments have a guarantee');
}
