import { assemble, defineStudy, privatize, type Moments } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, people, seeded } from '../support.js';

const study = defineStudy({ ...definition(), privacy: { epsilon: 3, delta: 1e-6 } });
/** Made-up rows in which mood roughly follows sleep. */
const rows = people(3000, 0.8, 2);
let made: Promise<Moments> | undefined;
const moments = () => (made ??= (async () => assemble(study, [await privatize(study, rows)]))());
const few = { level: 0.95, draws: 100 };

describe('intervals', () => {
  it('appear if a level is set, and change nothing else', async () => {
    const plain = (await moments()).cca().correlations[0];
    const { correlations, options, resolved } = (await moments()).cca(few);
    const [first] = correlations;
    expect(plain).not.toHaveProperty('low');
    expect(first?.value).toBe(plain?.value);
    expect(first?.low).toBeLessThan(first?.value ?? 0);
    expect(first?.high).toBeGreaterThan(first?.value ?? 1);
    expect(first?.belowNoiseFloor).toBe(false);
    expect(options).toMatchObject({ level: 0.95, draws: 100, seed: 1 });
    expect(typeof resolved).toBe('boolean');
  });

  it('reach 1 if noise hides a direction of a view, and the result names the view', async () => {
    // Two scales that agree to a gram.
    const twice = defineStudy({
      title: 'Two scales',
      columns: ['a', 'b', 'c'].map((name) => ({ name, type: 'number', min: 0, max: 10 })),
      views: { scales: ['a', 'b'], other: ['c'] },
      privacy: { epsilon: 5, delta: 1e-6 },
    });
    const random = seeded(11);
    const weighed = Array.from({ length: 3000 }, () => {
      const [weight, gram] = [10 * random(), random() / 1000];
      return { a: weight, b: weight + gram, c: 3 + weight / 3 + 3 * random() + 1000 * gram };
    });
    // One release in 60 does not show that a direction is hidden; five in a row happen with a probability below 1e-8.
    let assembled = await assemble(twice, [await privatize(twice, weighed)]);
    let result = assembled.cca({ x: 'scales', y: 'other', ...few });
    for (let more = 0; more < 4 && result.resolved; more++) {
      assembled = await assemble(twice, [await privatize(twice, weighed)]);
      result = assembled.cca({ x: 'scales', y: 'other', ...few });
    }
    expect(result.resolved).toBe(false);
    expect(result.hidden).toEqual({ scales: 1 });
    expect(result.correlations[0]?.belowNoiseFloor).toBe(false);
    expect(result.correlations[0]?.high).toBe(1);
    expect(result.toCSV()).toContain('cca,hidden.scales,,,,1,');
    expect(assembled.cca({ x: 'scales', y: 'other' }).hidden).toEqual({ scales: 1 });
    expect(assembled.gcca({ views: ['scales', 'other'], ...few }).shared[0]?.high).toBe(1);
  });

  it('have floors that include the effect of few rows, with and without a level', async () => {
    const level = (await moments()).cca(few);
    const plain = (await moments()).cca();
    expect(plain.correlations[0]?.noiseFloor).toBe(level.correlations[0]?.noiseFloor);
    // Five varying directions and one, with 3000 rows.
    expect(plain.noiseFloor).toBeGreaterThan((Math.sqrt(4) + 1.5) / Math.sqrt(3000));
  });

  it('contain the results of the same rows without privacy', async () => {
    const exact = await exactMoments(study, rows);
    const truth = exact.cca().correlations[0]?.value ?? NaN;
    // This fails by chance, at five standard deviations or more, less than once in a million.
    const found = (await moments()).cca({ ...few, level: 1 - 5e-7 }).correlations[0];
    expect(found?.low).toBeLessThan(truth);
    expect(found?.high).toBeGreaterThan(truth);
  });

  it('of weights and loadings contain their estimates', async () => {
    const plain = (await moments()).cca().views;
    const { views } = (await moments()).cca(few);
    for (const [name, { weights, loadings }] of Object.entries(views)) {
      expect(plain[name]?.weights).not.toHaveProperty('low');
      expect(plain[name]?.weights.values).toEqual(weights.values);
      for (const { values, low, high } of [weights, loadings]) {
        expect(low).toHaveLength(values.length);
        expect(values.every((value, i) => (low?.[i] ?? NaN) <= value)).toBe(true);
        expect(values.every((value, i) => value <= (high?.[i] ?? NaN))).toBe(true);
      }
      expect(Math.max(...(loadings.high ?? []))).toBeLessThanOrEqual(1);
    }
    const { weights } = views.life ?? {};
    const sleep = weights?.rows.indexOf('sleep') ?? NaN;
    expect(weights?.low?.[sleep]).toBeGreaterThan(0);
    expect(views.life).not.toHaveProperty('crossLoadings.low');
  });

  it('of weights contain those of the same rows without privacy', async () => {
    const truth = (await exactMoments(study, rows)).cca().views;
    const found = (await moments()).cca({ ...few, level: 1 - 5e-7 }).views;
    for (const [name, { weights }] of Object.entries(found)) {
      truth[name]?.weights.values.forEach((value, i) => {
        expect(weights.low?.[i]).toBeLessThan(value);
        expect(weights.high?.[i]).toBeGreaterThan(value);
      });
    }
  });

  it('of a principal component analysis cover variances and their shares', async () => {
    for (const { value, low, high, share, shareLow, shareHigh } of (await moments()).pca(few)
      .explained) {
      expect(low).toBeLessThanOrEqual(high ?? NaN);
      expect(shareLow).toBeGreaterThanOrEqual(0);
      expect(shareHigh).toBeLessThanOrEqual(1);
      expect(value).toBeGreaterThanOrEqual(0);
      expect(share).toBeGreaterThanOrEqual(0);
    }
  });

  it('of principal components contain their weights, loadings and correlations', async () => {
    const plain = (await moments()).pca();
    const sure = (await moments()).pca(few);
    for (const quantity of ['weights', 'loadings', 'correlations'] as const) {
      const { values, low = values, high = values } = sure[quantity];
      expect(plain[quantity]).not.toHaveProperty('low');
      expect(plain[quantity].values).toEqual(values);
      expect([low.length, high.length]).toEqual([values.length, values.length]);
      values.forEach((value, i) => {
        expect(low[i]).toBeLessThanOrEqual(value);
        expect(high[i]).toBeGreaterThanOrEqual(value);
        expect(high[i]).toBeGreaterThan(low[i] ?? NaN);
      });
    }
    expect(Math.max(...(sure.loadings.high ?? []))).toBeLessThanOrEqual(1);
    expect(Math.min(...(sure.correlations.low ?? []))).toBeGreaterThanOrEqual(-1);
  });

  it('of principal components below the floor are as wide as possible', async () => {
    const quiet = defineStudy({ ...definition(), privacy: { epsilon: 0.01, delta: 1e-6 } });
    const some = await assemble(quiet, [await privatize(quiet, rows.slice(0, 50))]);
    const { explained, weights, loadings, correlations } = some.pca({ ...few, components: 6 });
    const last = explained.length - 1;
    expect(explained[last]?.belowNoiseFloor).toBe(true);
    weights.rows.forEach((_, i) => {
      const at = i * explained.length + last;
      expect([loadings.low?.[at], loadings.high?.[at]]).toEqual([-1, 1]);
      expect([correlations.low?.[at], correlations.high?.[at]]).toEqual([-1, 1]);
      // A weight is a loading divided by half of the width between the bounds.
      const half = (loadings.values[at] ?? NaN) / (weights.values[at] ?? NaN);
      expect(weights.low?.[at]).toBeCloseTo(-1 / half, 9);
      expect(weights.high?.[at]).toBeCloseTo(1 / half, 9);
    });
  });

  it('of two views are nearly the same in the generalised analysis', async () => {
    const two = (await moments()).cca(few).correlations[0];
    const many = (await moments()).gcca(few).shared[0];
    expect(many?.low).toBeCloseTo(two?.low ?? NaN, 1);
    expect(many?.high).toBeCloseTo(two?.high ?? NaN, 1);
    const { weights } = (await moments()).cca(few).views.mind ?? {};
    const other = (await moments()).gcca(few).views.mind?.weights;
    expect(other?.low?.[0]).toBeCloseTo(weights?.low?.[0] ?? NaN, 2);
    expect(other?.high?.[0]).toBeCloseTo(weights?.high?.[0] ?? NaN, 2);
  });

  it('are narrower without noise and wider at a higher level', async () => {
    const width = ({ low = NaN, high = NaN }: { low?: number; high?: number } = {}) => high - low;
    const noisy = (await moments()).cca(few).correlations[0];
    const exact = (await exactMoments(study, rows)).cca(few).correlations[0];
    const sure = (await moments()).cca({ ...few, level: 0.999 }).correlations[0];
    expect(width(exact)).toBeLessThan(width(noisy));
    expect(width(sure)).toBeGreaterThan(width(noisy));
    expect(width(exact)).toBeGreaterThan(0);
  });

  it('are the same for the same seed', async () => {
    const of = async (seed: number) => (await moments()).cca({ ...few, seed }).correlations;
    expect(await of(7)).toEqual(await of(7));
    expect(await of(7)).not.toEqual(await of(8));
  });

  it('start at 0 if the signal is lost in the noise', async () => {
    const quiet = defineStudy({ ...definition(), privacy: { epsilon: 0.05, delta: 1e-6 } });
    let drowned = 0;
    for (let k = 0; k < 20; k++) {
      const some = await assemble(quiet, [await privatize(quiet, rows.slice(0, 50))]);
      const [first] = some.cca(few).correlations;
      if (!first?.belowNoiseFloor) continue;
      drowned += 1;
      expect(first.low).toBe(0);
    }
    // One in twenty may exceed the floor; eleven do not.
    expect(drowned).toBeGreaterThan(9);
  });

  it('refuse impossible levels, draws and seeds', async () => {
    const some = await moments();
    for (const level of [0, 1, -1, NaN, '0.95' as never]) {
      await failure(() => some.cca({ level }), { code: 'invalid-interval', field: 'level' });
      await failure(() => some.pca({ level }), { code: 'invalid-interval', field: 'level' });
      await failure(() => some.gcca({ level }), { code: 'invalid-interval', field: 'level' });
      await failure(() => some.uncertainty({ level }), {
        code: 'invalid-interval',
        field: 'level',
      });
    }
    for (const draws of [0, 49, 100001, 60.5, NaN]) {
      const options = { level: 0.95, draws };
      await failure(() => some.cca(options), { code: 'invalid-interval', field: 'draws' });
      await failure(() => some.uncertainty(options), { code: 'invalid-interval', field: 'draws' });
    }
    for (const seed of [-1, 0.5, 2 ** 53]) {
      const options = { level: 0.95, seed };
      await failure(() => some.pca(options), { code: 'invalid-interval', field: 'seed' });
    }
  });
});

describe('uncertainty', () => {
  it('gives standard errors and intervals of means and covariances in original units', async () => {
    const some = await moments();
    const { mean, covariance, rowsStandardError, options } = some.uncertainty();
    expect(options.level).toBe(0.95);
    expect(rowsStandardError).toBe(0);
    expect(mean.rows).toEqual(['value', 'standardError', 'low', 'high']);
    const d = some.columns.length;
    for (let i = 0; i < d; i++) {
      const [value = NaN, error = NaN, low = NaN, high = NaN] = [0, 1, 2, 3].map(
        (row) => mean.values[row * d + i],
      );
      expect(value).toBe(some.mean.values[i]);
      expect(error).toBeGreaterThan(0);
      expect(low).toBeCloseTo(value - 1.959964 * error, 6);
      expect(high).toBeCloseTo(value + 1.959964 * error, 6);
    }
    for (const [i, value] of some.covariance.values.entries()) {
      expect(covariance.low.values[i]).toBeLessThan(value);
      expect(covariance.high.values[i]).toBeGreaterThan(value);
      // The error includes privacy noise.
      const noise = some.noise.covarianceSd.values[i] ?? NaN;
      expect(covariance.standardError.values[i]).toBeGreaterThan(0.8 * noise);
    }
  });

  it('of exact moments is that of sampling: sd divided by the square root of the rows', async () => {
    const exact = await exactMoments(study, rows);
    const { mean } = exact.uncertainty();
    const d = exact.columns.length;
    for (let i = 0; i < d; i++) {
      const sd = Math.sqrt(exact.covariance.values[i * (d + 1)] ?? NaN);
      expect(mean.values[d + i]).toBeCloseTo(sd / Math.sqrt(rows.length), 9);
    }
  });

  it('includes the noise of a private number of rows', async () => {
    const open = defineStudy({ ...definition(), neighbours: 'add-remove' });
    const assembled = await assemble(open, [await privatize(open, rows)]);
    expect(assembled.uncertainty().rowsStandardError).toBeGreaterThan(0);
  });

  it('has its own level, draws and seed', async () => {
    const some = await moments();
    const sure = some.uncertainty({ level: 0.9, draws: 60, seed: 3 });
    expect(sure.cca()).toEqual(some.cca({ level: 0.9, draws: 60, seed: 3 }));
    expect(sure.pca({ components: 1 })).toEqual(
      some.pca({ level: 0.9, draws: 60, seed: 3, components: 1 }),
    );
    expect(sure.ridge({ target: 'mood' }).options.level).toBe(0.9);
  });

  it('can be posted and stored', async () => {
    const result = (await moments()).uncertainty();
    expect(structuredClone(result).mean).toEqual(result.mean);
    expect(JSON.parse(JSON.stringify(result))).toMatchObject({ analysis: 'uncertainty' });
    expect(result.toCSV()).toContain('uncertainty,mean');
  });
});
