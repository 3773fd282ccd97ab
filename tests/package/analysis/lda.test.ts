import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, people } from '../support.js';

const study = defineStudy(definition());
/** Those who work at night sleep two hours less. */
const rows = people(900, 0.5, 0.5).map((row) => ({
  ...row,
  sleep: row.sleep - (row.work === 'night' ? 2 : 0),
}));
const exact = await exactMoments(study, rows);

describe('lda', () => {
  it('has the share and the mean of each level, in original units', () => {
    const { classes, means } = exact.lda({ target: 'work' });
    expect(classes.map(({ level }) => level)).toEqual(['day', 'night', 'none']);
    expect(means.rows).toEqual(['day', 'night', 'none']);
    expect(means.columns).toEqual(['age', 'sleep', 'mood']);
    for (const [c, { level, share, belowNoiseFloor }] of classes.entries()) {
      const own = rows.filter(({ work }) => work === level);
      const mean = own.reduce((sum, { sleep }) => sum + sleep, 0) / own.length;
      expect(share).toBeCloseTo(own.length / rows.length, 6);
      expect(means.values[3 * c + 1]).toBeCloseTo(mean, 4);
      expect(belowNoiseFloor).toBe(false);
    }
  });

  it('tells apart those whose sleep differs, with scores of variance 1 within levels', () => {
    const { correlations, loadings, weights, centre, centroids } = exact.lda({ target: 'work' });
    expect(correlations[0]?.belowNoiseFloor).toBe(false);
    expect(correlations[1]?.belowNoiseFloor).toBe(true);
    expect(loadings.columns).toEqual(['LD1', 'LD2']);
    const score = (row: (typeof rows)[number]): number =>
      [row.age, row.sleep, row.mood].reduce(
        (sum, value, i) => sum + (weights.values[2 * i] ?? 0) * (value - (centre.values[i] ?? 0)),
        0,
      );
    let within = 0;
    for (const [c, level] of ['day', 'night', 'none'].entries()) {
      const scores = rows.filter(({ work }) => work === level).map(score);
      const mean = scores.reduce((sum, value) => sum + value, 0) / scores.length;
      expect(mean).toBeCloseTo(centroids.values[2 * c] ?? NaN, 3);
      within += scores.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    }
    expect(within / (rows.length - 3)).toBeCloseTo(1, 3);
  });

  it('has intervals around correlations and loadings, the same in workers', async () => {
    const options = { target: 'work', features: ['sleep', 'mood'], level: 0.9, draws: 60 };
    const result = exact.lda(options);
    const [first] = result.correlations;
    expect(first?.low).toBeLessThan(first?.value ?? NaN);
    expect(first?.high).toBeGreaterThan(first?.value ?? NaN);
    expect(result.loadings.low).toHaveLength(4);
    expect(result.options).toEqual({ ...options, components: 2, seed: 1 });
    expect(await exact.inWorker({ workers: 2 }).lda(options)).toEqual(result);
  });

  it('flags levels with a single row, which have the means of all rows', async () => {
    const one = rows.findIndex(({ work }) => work === 'none');
    const few = rows.filter(({ work }, i) => work !== 'none' || i === one);
    const { classes, means, centre } = (await exactMoments(study, few)).lda({ target: 'work' });
    expect(classes.map(({ belowNoiseFloor }) => belowNoiseFloor)).toEqual([false, false, true]);
    expect(means.values.slice(6)).toEqual(centre.values);
    expect(means.values.slice(0, 3)).not.toEqual(centre.values);
  });

  it('refuses a number as the target, and a target among the features', async () => {
    const target = { code: 'invalid-view', field: 'target' };
    await failure(() => exact.lda({ target: 'age' }), target);
    await failure(() => exact.lda({ target: 'wrok' }), { ...target, message: new RegExp('work') });
    await failure(() => exact.lda({ target: 'work', features: ['work', 'age'] }), {
      code: 'invalid-view',
      field: 'features',
      column: 'work',
    });
    const many = { code: 'invalid-components', field: 'components' };
    await failure(() => exact.lda({ target: 'work', components: 3 }), many);
    const level = { code: 'invalid-interval', field: 'level' };
    await failure(() => exact.lda({ target: 'work', level: 2 }), level);
  });
});
