import { assemble, defineStudy, forecast, privatize, weightedColumns } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { seeded } from '../support.js';

const columns = ['a', 'b', 'c', 'd'].map(
  (name) => ({ name, type: 'number', min: -2, max: 4 }) as const,
);
const views = { x: ['a', 'b'], y: ['c', 'd'] };
const privacy = { epsilon: 1, delta: 1e-6 };
const plain = defineStudy({ title: 'Plain', ...weightedColumns(columns, {}), views, privacy });
const weighted = defineStudy({
  title: 'Weighted',
  ...weightedColumns(columns, { a: 3, b: 3 }),
  views,
  privacy,
});
const random = seeded(11);
const rows = Array.from({ length: 400 }, () => {
  const shared = random();
  return { a: 4 * shared - 1, b: 2 * random(), c: shared + random(), d: 6 * random() - 2 };
});

describe('weightedColumns', () => {
  it('has the length of the longest possible row', () => {
    expect(plain.rowNorm).toBe(2);
    expect(weighted.rowNorm ** 2).toBeCloseTo(9 + 9 + 1 + 1, 12);
    const [a] = weighted.columns;
    expect(a).toMatchObject({ centre: 1, spread: 1 });
  });

  it('depends on ratios only', () => {
    expect(weightedColumns(columns, { c: 0.5, d: 0.5 })).toEqual(
      weightedColumns(columns, { a: 2, b: 2 }),
    );
  });

  it('leaves results without noise as they are', async () => {
    const [one, other] = [await exactMoments(plain, rows), await exactMoments(weighted, rows)];
    const values = (moments: typeof one): number[] => [
      ...moments.pca().explained.map(({ value }) => value),
      ...moments.cca().correlations.map(({ value }) => value),
      ...moments.ridge({ target: 'd', penalty: 5 }).coefficients.map(({ value }) => value),
    ];
    const expected = values(one);
    expect(
      values(other)
        .map((value, i) => value - (expected[i] ?? 0))
        .every((gap) => Math.abs(gap) < 1e-6),
    ).toBe(true);
  });

  it('makes noise of an entry R²/(w w) times as large', async () => {
    const noiseOf = async (study: typeof plain): Promise<Float64Array> =>
      (await assemble(study, [await privatize(study, rows)])).noise.covarianceSd.values;
    const [one, other] = [await noiseOf(plain), await noiseOf(weighted)];
    const ratio = (i: number, j: number): number => (other[4 * i + j] ?? 0) / (one[4 * i + j] ?? 0);
    // R² is 20 in place of 4. The sums of columns have other noise than products, so ratios are near, not equal.
    expect(ratio(0, 1)).toBeCloseTo(5 / 9, 1);
    expect(ratio(0, 2)).toBeCloseTo(5 / 3, 0);
    expect(Math.abs(ratio(2, 3) - 5)).toBeLessThan(0.5);
  });

  it('is what the forecast reckons with', async () => {
    const { covariance } = await forecast(weighted, { rows: rows.length, offCentre: 0 });
    const { noise } = await assemble(weighted, [await privatize(weighted, rows)]);
    // The forecast assumes other means and variances, which matter little to the noise.
    for (const [i, sd] of covariance.columnSd.values.entries()) {
      expect(Math.abs(sd / (noise.covarianceSd.values[5 * i] ?? 0) - 1)).toBeLessThan(0.25);
    }
    expect(covariance.clipping).toBe(0);
  });

  it('refuses what cannot be a weight', () => {
    const category = { name: 'k', type: 'category', levels: ['u', 'v'] } as const;
    expect(() => weightedColumns(columns, { e: 2 })).toThrow(/unknown key: e/);
    expect(() => weightedColumns(columns, { a: 0 })).toThrow('a weight must be above 0');
    expect(() => weightedColumns(columns, { a: NaN })).toThrow('must be a finite number');
    expect(() => weightedColumns(columns, { a: 2000 })).toThrow('more than 1000 times');
    expect(() => weightedColumns([...columns, category], { a: 0.5 })).toThrow('at least 1');
    expect(weightedColumns([...columns, category], { a: 2 }).rowNorm ** 2).toBeCloseTo(8, 12);
  });
});
