import { simulateCape } from 'private-moments-research';
import { describe, expect, it } from 'vitest';
import { failure } from '../package/support.js';

/** Deviations of the noise in a run that are far beyond chance: below 1e-12. */
const BEYOND = 7.5;

describe('capeCCA as published', () => {
  const site = (rows: number) => ({ rows, mean: new Float64Array([0.5, 0.1, 0.1, 0.25]) });
  const options = { dimension: 2, epsilon: 1, delta: 1e-5 };

  it('has the noise of pooled rows, and reveals to the aggregator nearly twice what it counts', async () => {
    const run = await simulateCape({
      ...options,
      sites: Array.from({ length: 10 }, () => site(100)),
    });
    expect(run.sd).toBeCloseTo(run.pooledSd, 12);
    expect(run.conventionalSd / run.sd).toBeCloseTo(Math.sqrt(10), 9);
    expect(run.kappa).toBeCloseTo(20 / 11, 9);
    expect(Math.abs((run.values[0] ?? NaN) - 0.5)).toBeLessThan(BEYOND * run.sd);
    expect(run.values[1]).toBe(run.values[2]);
  });

  it('approaches the conventional noise when sites drop out', async () => {
    const sites = Array.from({ length: 10 }, () => site(100));
    const run = await simulateCape({ ...options, sites, dropped: [0, 7] });
    expect((run.sd / run.conventionalSd) ** 2).toBeCloseTo(0.3, 9);
  });

  it('refuses masks that cannot cancel, and can weight sites by their rows', async () => {
    const sites = [site(10), site(1000), site(1000)];
    await failure(() => simulateCape({ ...options, sites }), {
      code: 'invalid-federation',
      field: 'rows',
    });
    const run = await simulateCape({ ...options, sites, weights: 'rows' });
    expect(run.sd).toBeCloseTo(run.pooledSd, 12);
  });

  it('takes an epsilon of each site, and exposes the strictest most', async () => {
    const sites = Array.from({ length: 4 }, () => site(100));
    const run = await simulateCape({ ...options, sites, epsilon: [0.5, 1, 1, 1] });
    const equal = await simulateCape({ ...options, sites, epsilon: 0.5 });
    // Noise of the mean variance of the sites, (4 + 1 + 1 + 1) / 4 of that at epsilon 1.
    expect((run.sd / equal.sd) ** 2).toBeCloseTo(7 / 16, 9);
    expect(run.pooledSd).toBeCloseTo(equal.pooledSd, 12);
    expect(run.kappas).toHaveLength(4);
    expect(run.kappas[0]).toBe(run.kappa);
    expect(run.kappa).toBeGreaterThan(16 / 7);
    expect(equal.kappa).toBeCloseTo(8 / 5, 9);
    await failure(() => simulateCape({ ...options, sites, epsilon: [1, 1] }), {
      code: 'unsupported-data',
      field: 'epsilon',
    });
    await failure(() => simulateCape({ ...options, sites, epsilon: [1, 1, 1, 0] }), {
      code: 'invalid-epsilon',
      field: 'epsilon',
    });
  });
});
