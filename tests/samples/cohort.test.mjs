import { describe, expect, test } from 'vitest';
import { cohort, SLEEP_VIEWS, toCsv } from '../../samples/cohort.mjs';
import { plainCca } from './plain-cca.mjs';

/** Four standard errors of a sample canonical correlation: (1 - r^2) / sqrt(n). */
const band = (r, n) => (4 * (1 - r * r)) / Math.sqrt(n);

const bare = (name) => ({ name, mean: 0, sd: 1, min: -4, max: 4, decimals: 6 });

describe('simulated cohort', () => {
  test('plain CCA finds the planted correlations within sampling error', () => {
    const rows = 20000;
    const { values, columns, correlations } = cohort({ rows, seed: 7 });
    const found = plainCca(values, columns.length, 3);
    correlations.forEach((r, i) => {
      expect(Math.abs(found[i] - r), `pair ${i + 1}`).toBeLessThan(band(r, rows));
    });
  });

  test('views may differ in size, and pairs that are not planted are near zero', () => {
    const rows = 20000;
    const views = { a: ['a1', 'a2'].map(bare), b: ['b1', 'b2', 'b3', 'b4'].map(bare) };
    const { values, study } = cohort({ rows, correlations: [0.8], seed: 3, views });
    const found = plainCca(values, 6, 2);
    expect(Math.abs(found[0] - 0.8)).toBeLessThan(band(0.8, rows));
    expect(found[1]).toBeLessThan(0.04);
    expect(study.views).toEqual({ a: ['a1', 'a2'], b: ['b1', 'b2', 'b3', 'b4'] });
  });

  test('no single column carries a whole canonical variate', () => {
    const { values } = cohort({ rows: 5000, correlations: [0.9], seed: 5 });
    const pairs = [0, 1, 2].flatMap((i) => [3, 4, 5].map((j) => [i, j]));
    for (const [i, j] of pairs) {
      const two = [];
      for (let at = 0; at < values.length; at += 6) two.push(values[at + i], values[at + j]);
      expect(plainCca(two, 2, 1)[0]).toBeLessThan(0.85);
    }
  });

  test('columns have the requested means and deviations, in their own units', () => {
    const rows = 20000;
    const { values, columns } = cohort({ rows, seed: 2 });
    const wanted = Object.values(SLEEP_VIEWS).flat();
    wanted.forEach(({ name, mean, sd }, i) => {
      expect(columns[i]).toBe(name);
      const column = Array.from({ length: rows }, (_, row) => values[row * columns.length + i]);
      const average = column.reduce((sum, v) => sum + v / rows, 0);
      const spread = Math.sqrt(column.reduce((sum, v) => sum + (v - average) ** 2 / rows, 0));
      expect(Math.abs(average - mean)).toBeLessThan((4 * sd) / Math.sqrt(rows));
      expect(Math.abs(spread / sd - 1)).toBeLessThan(0.02);
    });
  });

  test('fewer than one value in 500 lies outside its public bounds', () => {
    const { values, study } = cohort({ rows: 20000, seed: 4 });
    const outside = values.filter((v, at) => {
      const { min, max } = study.columns[at % study.columns.length];
      return v < min || v > max;
    });
    expect(outside.length / values.length).toBeLessThan(1 / 500);
  });

  test('the same seed gives the same cohort, another seed a different one', () => {
    const first = cohort({ rows: 50, seed: 11 });
    expect(cohort({ rows: 50, seed: 11 }).values).toEqual(first.values);
    expect(cohort({ rows: 50, seed: 12 }).values).not.toEqual(first.values);
  });

  test('correlations come back largest first, whatever their order', () => {
    expect(cohort({ rows: 1, correlations: [0.1, 0.5] }).correlations).toEqual([0.5, 0.1]);
  });

  test.each([
    ['rows', { rows: 0 }],
    ['rows', { rows: 1.5 }],
    ['correlations', { correlations: [1] }],
    ['correlations', { correlations: [-0.2] }],
    ['correlations', { correlations: [Number.NaN] }],
    ['correlations', { correlations: [0.4, 0.3, 0.2, 0.1] }],
    ['views', { views: { only: [bare('x')] } }],
  ])('a bad option is refused by its name: %s', (name, options) => {
    expect(() => cohort(options)).toThrow(name);
  });

  test('CSV text has a header and one line per row', () => {
    const { columns, values } = cohort({ rows: 2 });
    const lines = toCsv({ columns, values }).split('\n');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe('duration_h,efficiency_pct,awakenings,glucose_mmol,bmi,triglycerides');
    expect(lines[2].split(',').map(Number)).toEqual([...values.subarray(6, 12)]);
    expect(lines[3]).toBe('');
  });
});
