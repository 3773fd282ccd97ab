import { readFileSync } from 'node:fs';
import { consortium, type Consortium, type ConsortiumData } from 'private-moments-research';
import { describe, expect, it } from 'vitest';
import { dataOf, SETS } from '../../web/research/elements/consortium/consortium-sets.js';
import { failure } from '../package/support.js';

/** Two columns against two, correlations .6 and .3; variance .1 each. */
function pairs(): ConsortiumData {
  const values = new Float64Array(16);
  for (let i = 0; i < 4; i++) values[5 * i] = 0.1;
  for (const [i, j, correlation] of [
    [0, 2, 0.6],
    [1, 3, 0.3],
  ] as const) {
    values[4 * i + j] = 0.1 * correlation;
    values[4 * j + i] = 0.1 * correlation;
  }
  return { covariance: { dimension: 4, values }, first: 2 };
}

async function after(runs: number): Promise<Consortium> {
  const simulated = await consortium(pairs());
  simulated.run(runs);
  return simulated;
}

const setting = { epsilon: 0.2, delta: 1e-6, sites: 10, honest: 8, rows: 400 };

describe('consortium', () => {
  it('loses more with each way that shares less', async () => {
    const simulated = await after(60);
    const [all = []] = simulated.at([setting]);
    expect(all.map(({ way }) => way)).toEqual([
      ...['non-private', 'pooled', 'split', 'cape', 'conventional', 'local'],
      'cape-published',
    ]);
    for (const quantity of ['first', 'all'] as const) {
      const kept = all.slice(0, -1).map((outcome) => outcome[quantity]);
      expect(kept[0]).toBeCloseTo(1, 9);
      expect(kept).toEqual([...kept].sort((a, b) => b - a));
      expect(kept[1]).toBeGreaterThan((kept[5] ?? 1) + 0.3);
    }
    const errors = all.slice(0, -1).map(({ error }) => error);
    expect(errors[0]).toBeCloseTo(0, 9);
    expect(errors).toEqual([...errors].sort((a, b) => a - b));
  });

  it('states the noise of each way, and its promise', async () => {
    const simulated = await after(1);
    const [all = []] = simulated.at([setting]);
    const of = (way: string) => all.find((outcome) => outcome.way === way);
    const variance = (way: string) =>
      ((of(way)?.deviation ?? NaN) / (of('pooled')?.deviation ?? NaN)) ** 2;
    expect(variance('non-private')).toBe(0);
    expect(variance('split')).toBeCloseTo(10 / 8, 9);
    expect(variance('conventional')).toBeCloseTo(10, 9);
    expect(variance('local')).toBeCloseTo(100, 9);
    expect(of('non-private')?.epsilon).toBe(Infinity);
    expect(of('cape')?.epsilon).toBe(0.2);
    expect(of('cape-published')?.epsilon).toBeGreaterThan(0.25);
    expect(variance('cape-published')).toBeLessThan(1.2);
  });

  it('has the same numbers for the same runs, in one call or in several', async () => {
    const [once, bits] = [await after(6), await after(1)];
    bits.run(2);
    bits.run(3);
    expect(bits.runs).toBe(6);
    expect(bits.at([setting])).toEqual(once.at([setting]));
  });

  it('assumes that all sites are honest by default', async () => {
    const simulated = await after(2);
    const { epsilon, delta, sites, rows } = setting;
    const open = { epsilon, delta, sites, rows };
    const [own, all] = simulated.at([open, { ...open, honest: 10 }]);
    expect(own).toEqual(all);
  });

  it('refuses invalid data and settings', async () => {
    const { covariance, first } = pairs();
    await failure(() => consortium({ covariance, first: 4 }), { code: 'invalid-view' });
    const longer = { ...covariance, values: covariance.values.map((value) => 4 * value) };
    await failure(() => consortium({ covariance: longer, first }), { code: 'invalid-row-norm' });
    const simulated = await consortium({ covariance, first });
    const at = (change: object) => async () =>
      Promise.resolve(simulated.at([{ ...setting, ...change }]));
    await failure(at({}), { code: 'unsupported-option', field: 'runs' });
    simulated.run();
    await failure(at({ epsilon: 0 }), { code: 'invalid-epsilon' });
    await failure(at({ delta: 1 }), { code: 'invalid-delta' });
    await failure(at({ honest: 11 }), { code: 'invalid-federation', field: 'honest' });
    await failure(at({ rows: 0 }), { code: 'unsupported-option', field: 'rows' });
    for (const wrong of [10.9, NaN, 2 ** 40]) {
      await failure(at({ sites: wrong }), { code: 'unsupported-option', field: 'sites' });
    }
    await failure(at({ honest: 8.9 }), { code: 'unsupported-option', field: 'honest' });
  });
});

describe('the data sets of Explore', () => {
  /** As others have found them: docs/sample-study.md, the cohort's planted ones, and scikit-learn's copies. */
  const known: Record<string, number[]> = {
    sleep: [0.62, 0.31, 0.06],
    census: [0.618, 0.477, 0.171, 0.043],
    diabetes: [0.638, 0.386, 0.116, 0.082],
  };

  it('have the known canonical correlations', async () => {
    for (const [id, correlations] of Object.entries(known)) {
      const set = SETS.find((each) => each.id === id);
      if (set === undefined) throw new Error(id);
      const found = (await consortium(dataOf(set))).correlations;
      correlations.forEach((value, i) => {
        expect(found[i], id).toBeCloseTo(value, 3);
      });
    }
  });

  it('can all be simulated, and state their sources', async () => {
    for (const set of SETS) {
      const { correlations } = await consortium(dataOf(set));
      expect(correlations.length, set.id).toBe(
        Math.min(...set.views.map(({ columns }) => columns)),
      );
      expect(set.source).not.toBe('');
      expect(set.licence).not.toBe('');
    }
  });

  it('hold sums of rows, and no row', () => {
    const text = readFileSync(
      new URL('../../web/research/elements/consortium/consortium-data.json', import.meta.url),
      'utf8',
    );
    const numbers = JSON.parse(text) as { views: { columns: number }[]; covariance: number[] }[];
    for (const { views, covariance } of numbers) {
      const d = views.reduce((sum, { columns }) => sum + columns, 0);
      expect(covariance).toHaveLength((d * (d + 1)) / 2);
    }
  });
});
