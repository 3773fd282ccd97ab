// Studies in which rows with gaps count with the cells that they have.
import {
  assemble,
  assembleComponents,
  createSummands,
  defineStudy,
  forecast,
  parseStudy,
  privatize,
  synthesize,
  type Moments,
  type StudyDefinition,
} from 'private-moments';
import { sumOf } from 'private-moments/federation';
import { describe, expect, it, test } from 'vitest';
import { collectedFrom } from '../federation/session-support.js';
import { failure, seeded } from '../support.js';

type Row = Record<'a' | 'b' | 'c', number> & { kind: string };

/** Hardly any noise. */
const LOUD = { epsilon: 1e7, delta: 1e-3 };

function definition(change: object = {}): StudyDefinition {
  return {
    title: 'Gaps',
    columns: [
      ...['a', 'b', 'c'].map((name) => ({ name, type: 'number' as const, min: 0, max: 10 })),
      { name: 'kind', type: 'category', levels: ['x', 'y'] },
    ],
    views: { x: ['a', 'kind'], y: ['b', 'c'] },
    privacy: LOUD,
    missing: 'pairwise',
    clipping: 'fixed',
    ...change,
  };
}

/** b follows a, far from the middle of the bounds; each cell but those of a is missing with the chance `gaps`. */
function rowsOf(count: number, gaps: number, seed = 3): Row[] {
  const next = seeded(seed);
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const cell = <T>(value: T, missing: T): T => (next() < gaps ? missing : value);
  return Array.from({ length: count }, () => {
    const [a, c] = [normal(), normal()];
    const b = 0.8 * a + 0.6 * normal();
    const kind = next() < 0.5 ? 'x' : 'y';
    return {
      a: 7 + a / 2,
      b: cell(7 + b / 2, NaN),
      c: cell(6 + c / 2, NaN),
      kind: cell(kind, ''),
    };
  });
}

async function momentsOf(change: object, rows: Row[]): Promise<Moments> {
  const study = defineStudy(definition(change));
  return assemble(study, [await privatize(study, rows)]);
}

/** The covariance of the rows that have both columns. */
function pairwise(rows: Row[], x: 'a' | 'b' | 'c', y: 'a' | 'b' | 'c'): number {
  const both = rows.filter((row) => !Number.isNaN(row[x]) && !Number.isNaN(row[y]));
  const mean = (of: (row: Row) => number): number =>
    both.reduce((sum, row) => sum + of(row), 0) / both.length;
  return mean((row) => row[x] * row[y]) - mean((row) => row[x]) * mean((row) => row[y]);
}

function at({ covariance }: Moments, x: string, y: string): number {
  const { rows, columns, values } = covariance;
  return values[rows.indexOf(x) * columns.length + columns.indexOf(y)] ?? NaN;
}

describe('pairwise sums', () => {
  const rows = rowsOf(4000, 0.3);

  it.each([
    ['of a release', {}],
    ['of a release that chose its radius', { clipping: 'adaptive' }],
    ['of two-sided Wishart noise', { privacy: { epsilon: 1e7, delta: 0 } }],
    ['of Laplace noise', { mechanism: 'laplace', privacy: { epsilon: 1e7, delta: 0 } }],
    ['with a private number of rows', { neighbours: 'add-remove' }],
  ])('are those of the rows that have both columns: %s', async (_, change) => {
    const moments = await momentsOf(change, rows);
    for (const x of ['a', 'b', 'c'] as const) {
      for (const y of ['a', 'b', 'c'] as const) {
        expect(at(moments, x, y)).toBeCloseTo(pairwise(rows, x, y), 2);
      }
    }
    expect(moments.rows).toBeCloseTo(4000, -1);
    // Indicators of a category sum to one where it is present.
    expect(at(moments, 'a', 'kind=x')).toBeCloseTo(-at(moments, 'a', 'kind=y'), 3);
  });

  it('behind masks are those of all sites', async () => {
    const study = defineStudy(definition({ federation: { mode: 'split', sites: 2, honest: 2 } }));
    const sites = [rows.slice(0, 2500), rows.slice(2500)];
    const moments = await assemble(study, [await sumOf(study, await collectedFrom(study, sites))]);
    expect(at(moments, 'a', 'b')).toBeCloseTo(pairwise(rows, 'a', 'b'), 2);
    expect(moments.rows).toBe(4000);
  });

  it('may be about stated centres', async () => {
    const columns = definition().columns.map((column) =>
      column.type === 'number' ? { ...column, centre: 6.5, spread: 1 } : column,
    );
    const moments = await momentsOf({ columns }, rows);
    expect(at(moments, 'a', 'b')).toBeCloseTo(pairwise(rows, 'a', 'b'), 2);
    expect(moments.mean.values[0]).toBeCloseTo(7, 1);
  });

  it('say what was missing, with its noise', async () => {
    const { missing } = await momentsOf({ privacy: { epsilon: 3, delta: 1e-6 } }, rows);
    if (missing === null) throw new Error('nothing is said');
    expect(missing.columns.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'kind']);
    const empty = rows.filter(({ b }) => Number.isNaN(b)).length;
    const { rows: found = NaN, share, sd = NaN } = missing.columns[1] ?? {};
    expect(Math.abs(found - empty) / sd).toBeLessThan(6);
    expect(sd).toBeGreaterThan(0);
    expect(share).toBe(found / 4000);
    expect(missing.fewest.columns).not.toContain('a');
    expect(missing.completeRows).toBeGreaterThan(missing.fewest.rows);
    expect(missing.completeRows).toBeLessThan(4000);
    expect((await momentsOf({ missing: 'centre' }, rows)).missing).toBeNull();
  });

  it('serve every analysis, with intervals', async () => {
    const moments = await momentsOf({}, rows);
    const { correlations } = moments.cca({ level: 0.95, draws: 100 });
    expect(correlations[0]?.low).toBeLessThan(0.8);
    expect(correlations[0]?.high).toBeGreaterThan(0.8);
    const { explained } = moments.pca({ level: 0.95, draws: 100 });
    expect(explained[0]?.low).toBeLessThan(explained[0]?.value ?? NaN);
    const { coefficients, rows: used } = moments.ridge({
      target: 'b',
      features: ['a'],
      level: 0.95,
    });
    expect(used).toBe(4000);
    expect(coefficients[0]?.low).toBeLessThan(0.8);
    expect(coefficients[0]?.high).toBeGreaterThan(0.8);
    const { covariance } = moments.uncertainty();
    expect(covariance.standardError.values.every((sd) => sd > 0)).toBe(true);
    const inWorker = await moments.inWorker().cca({ level: 0.95, draws: 100 });
    expect(inWorker.correlations).toEqual(correlations);
    expect(moments.synthesize({ rows: 50, seed: 1 }).rows).toBe(50);
    expect(moments.denoise().missing).toEqual(moments.missing);
  });

  it('have wider intervals than complete rows have', async () => {
    const width = async (gaps: number): Promise<number> => {
      const moments = await momentsOf({}, rowsOf(4000, gaps));
      const { low = NaN, high = NaN } =
        moments.cca({ level: 0.95, draws: 100 }).correlations[0] ?? {};
      return high - low;
    };
    expect(await width(0.3)).toBeGreaterThan(1.5 * (await width(0)));
  });
});

describe('a study with pairwise sums', () => {
  it('keeps its rule, and others their ids', () => {
    const study = defineStudy(definition());
    expect(parseStudy(JSON.stringify(study)).id).toBe(study.id);
    expect(study.missing).toBe('pairwise');
    expect(defineStudy(definition({ missing: undefined })).missing).toBe('centre');
  });

  it('has adaptive clipping in place of private centring, or a fixed radius', () => {
    const clippingOf = (change: object): string =>
      defineStudy(definition({ clipping: undefined, ...change })).clipping;
    expect(clippingOf({})).toBe('adaptive');
    expect(clippingOf({ privacy: { epsilon: 1, delta: 0 } })).toBe('fixed');
    expect(clippingOf({ rowNorm: 1 })).toBe('fixed');
    expect(clippingOf({ missing: 'centre' })).toBe('centred');
  });

  test.each([
    ['private centring', { clipping: 'centred' }, 'invalid-clipping', 'clipping'],
    [
      'directions',
      { mechanism: { name: 'power-method', components: 1 } },
      'invalid-missing-rule',
      'missing',
    ],
    [
      'more columns than there can be marks',
      {
        views: undefined,
        columns: Array.from({ length: 501 }, (_, i) => ({
          ...{ name: `c${i}`, type: 'number', min: 0, max: 1 },
        })),
      },
      'invalid-dimension',
      'columns',
    ],
  ])('is refused with %s', async (_, change, code, field) => {
    await failure(() => defineStudy(definition(change)), { code, field });
  });

  it('is refused by what takes rows without marks', async () => {
    const study = defineStudy(definition());
    await failure(() => synthesize(study, rowsOf(100, 0.1)), {
      ...{ code: 'invalid-missing-rule', field: 'missing' },
    });
    await failure(() => assembleComponents(study, []), { code: 'not-components' });
  });
});

describe('private means', () => {
  const change = { missing: 'mean', clipping: undefined };
  const rows = rowsOf(8000, 0.3);
  const whole = rowsOf(8000, 0);

  it.each([
    ['of a release', {}],
    ['of two-sided Wishart noise', { privacy: { epsilon: 1e7, delta: 0 } }],
    ['with a private number of rows', { neighbours: 'add-remove' }],
  ])('leave the covariance of complete rows where gaps are chance: %s', async (_, more) => {
    const moments = await momentsOf({ ...change, ...more }, rows);
    expect(moments.study.clipping).toBe('centred');
    // Within five standard errors of rows of which .49 have both columns.
    const exact = { aa: 0.25, ab: 0.2, bb: 0.25, cc: 0.25 };
    for (const [pair, value] of Object.entries(exact)) {
      expect(Math.abs(at(moments, pair.charAt(0), pair.charAt(1)) - value)).toBeLessThan(0.05);
    }
    expect(moments.mean.values[0]).toBeCloseTo(7, 1);
    expect(moments.mean.values[1]).toBeCloseTo(7, 1);
    expect(moments.rows).toBeCloseTo(8000, -1);
    expect(at(moments, 'a', 'kind=x')).toBeCloseTo(-at(moments, 'a', 'kind=y'), 2);
  });

  it('of several sites are those of all rows', async () => {
    const study = defineStudy(definition(change));
    const parts = [rows.slice(0, 3000), rows.slice(3000)];
    const releases = await Promise.all(parts.map((part) => privatize(study, part)));
    const moments = await assemble(study, releases);
    expect(Math.abs(at(moments, 'a', 'b') - 0.2)).toBeLessThan(0.04);
    const empty = rows.filter(({ b }) => Number.isNaN(b)).length;
    const { rows: found = NaN, sd = NaN } = moments.missing?.columns[1] ?? {};
    expect(Math.abs(found - empty)).toBeLessThan(6 * sd + 1);
  });

  it('say what was missing, with its noise', async () => {
    const { missing } = await momentsOf({ ...change, privacy: { epsilon: 3, delta: 1e-6 } }, rows);
    if (missing === null) throw new Error('nothing is said');
    const empty = rows.filter(({ b }) => Number.isNaN(b)).length;
    const { rows: found = NaN, share, sd = NaN } = missing.columns[1] ?? {};
    expect(sd).toBeGreaterThan(5);
    expect(Math.abs(found - empty) / sd).toBeLessThan(6);
    expect(share).toBe(found / 8000);
    expect(missing.fewest.columns).not.toContain('a');
    expect(missing.fewest.sd).toBeGreaterThan(0);
    expect(missing.completeRows).toBeGreaterThan(missing.fewest.rows);
    expect(missing.completeRows).toBeLessThan(8000);
  });

  it('serve every analysis, with wider intervals than complete rows', async () => {
    const moments = await momentsOf(change, rows);
    const [first] = moments.cca({ level: 0.95, draws: 100 }).correlations;
    const [complete] = (await momentsOf(change, whole)).cca({
      ...{ level: 0.95, draws: 100 },
    }).correlations;
    const width = (interval?: { low?: number; high?: number }): number =>
      (interval?.high ?? NaN) - (interval?.low ?? NaN);
    expect(width(first)).toBeGreaterThan(1.2 * width(complete));
    expect(first?.value).toBeCloseTo(0.8, 1);
    const { coefficients, rows: used } = moments.ridge({
      ...{ target: 'b', features: ['a'], level: 0.95 },
    });
    expect(used).toBe(8000);
    expect(coefficients[0]?.value).toBeCloseTo(0.8, 1);
    expect(moments.denoise().missing).toEqual(moments.missing);
    expect(moments.synthesize({ rows: 50, seed: 1 }).rows).toBe(50);
  });

  it('keep the release in its format', async () => {
    const study = defineStudy(definition(change));
    expect(parseStudy(JSON.stringify(study)).id).toBe(study.id);
    const release = await privatize(study, rows);
    // The count, five features, four columns, three squares.
    expect(release.centring?.survey).toHaveLength(1 + 5 + 4 + 3);
    await failure(() => createSummands(study), { code: 'unsupported-data', field: 'missing' });
  });

  it.each([
    ['a fixed radius', { clipping: 'fixed' }],
    ['adaptive clipping', { clipping: 'adaptive' }],
    ['Laplace noise', { mechanism: 'laplace' }],
    ['unit participant', { unit: 'participant' }],
    ['masks', { federation: { mode: 'split', sites: 2, honest: 2 } }],
    ['a row norm', { rowNorm: 1 }],
  ])('are refused with %s', async (_, more) => {
    await failure(() => defineStudy(definition({ ...change, ...more })), {
      ...{ code: 'invalid-missing-rule', field: 'missing' },
    });
  });

  it('are refused together with adjusting, and with sites taken apart', async () => {
    const study = defineStudy(definition(change));
    const releases = [await privatize(study, rows)];
    const moments = await assemble(study, releases);
    await failure(() => moments.cca({ x: ['a'], y: ['b'], adjust: ['c'] }), {
      ...{ code: 'unsupported-option', field: 'adjust' },
    });
    await failure(() => assemble(study, releases, { sites: 'within' }), {
      ...{ code: 'unsupported-option', field: 'sites' },
    });
  });

  it('are refused where a site hardly has a column', async () => {
    const study = defineStudy(definition(change));
    const none = rows.map((row) => ({ ...row, c: NaN }));
    const releases = [await privatize(study, rows), await privatize(study, none)];
    const error = await failure(() => assemble(study, releases), {
      ...{ code: 'too-few-rows', field: 'missing' },
    });
    expect(error.message).toMatch(/release 2.*"c"/);
  });
});

describe('a forecast', () => {
  const study = (missing: string) =>
    defineStudy(definition({ missing, privacy: { epsilon: 1, delta: 1e-6 } }));

  it('says what missing cells leave under each rule', async () => {
    const question = { rows: 20_000, missing: 0.2 };
    const pairs = await forecast(study('pairwise'), question);
    expect(pairs.missing).toEqual({ share: 0.2, rows: 12_800, shrinkage: 0 });
    expect(pairs.assumes.join()).toMatch(/20 % of the cells.*64 % of the rows have both columns/);
    const centre = await forecast(study('centre'), question);
    expect(centre.missing?.rows).toBe(Math.round(20_000 * 0.8 ** 4));
    expect(centre.missing?.shrinkage).toBeCloseTo(1 - 0.8 ** 4, 12);
    expect(centre.covariance.total).toBeGreaterThan(0.59 * centre.covariance.answeringZero);
    expect(centre.rowsNeeded.rows).toBeNull();
    expect(pairs.rowsNeeded.rows).toBeGreaterThan(0);
  });

  it('is that of fewer rows with as much noise', async () => {
    const gaps = await forecast(study('pairwise'), { rows: 20_000, missing: 0.2 });
    const fewer = await forecast(study('pairwise'), { rows: 12_800 });
    expect(gaps.covariance.sampling).toBeCloseTo(fewer.covariance.sampling, 12);
    expect(gaps.covariance.noise).toBeCloseTo(fewer.covariance.noise, 12);
    expect(fewer.missing).toBeNull();
    expect(fewer.assumes.join()).toMatch(/no cell is missing/);
  });

  it('counts the rows that have a pair also with private means', async () => {
    const means = defineStudy(
      definition({ missing: 'mean', clipping: undefined, privacy: { epsilon: 1, delta: 1e-6 } }),
    );
    const gaps = await forecast(means, { rows: 20_000, missing: 0.2 });
    expect(gaps.missing).toEqual({ share: 0.2, rows: 12_800, shrinkage: 0 });
    expect(gaps.assumes.join()).toMatch(/gaps do not depend on each other/);
    const none = await forecast(means, { rows: 20_000 });
    expect(gaps.covariance.noise).toBeGreaterThan(1.5 * none.covariance.noise);
    expect(none.assumes.join()).toMatch(/no cell is missing/);
  });

  it('takes a share of the cells', async () => {
    for (const missing of [-0.1, 1, NaN]) {
      await failure(() => forecast(study('pairwise'), { rows: 100, missing }), {
        code: 'unsupported-option',
        field: 'missing',
      });
    }
  });
});
