import { assemble, defineStudy, privatize, project, type Matrix } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, people } from '../support.js';

const study = defineStudy(definition());
const rows = people(4000, 0.5, 0.5);
const exact = await exactMoments(study, rows);
const clear = defineStudy({ ...definition(), privacy: { epsilon: 100, delta: 1e-6 } });
const released = await assemble(clear, [await privatize(clear, rows)]);

const at = ({ columns, values }: Matrix, i: number, k: number): number =>
  values[i * columns.length + k] ?? NaN;

const variance = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
};

describe('plsRegression', () => {
  it('is least squares with as many components as directions, for exact moments', () => {
    const { coefficients, targets, used, components } = exact.plsRegression({
      target: 'mood',
      components: 4,
    });
    const plain = exact.ridge({ target: 'mood' });
    expect(used).toBe(4);
    expect(coefficients.rows).toEqual(plain.coefficients.map(({ column }) => column));
    plain.coefficients.forEach(({ value }, i) => {
      expect(at(coefficients, i, 0)).toBeCloseTo(value, 6);
    });
    expect(targets[0]?.r2).toBeCloseTo(plain.r2.value, 9);
    expect(targets[0]?.intercept).toBeCloseTo(plain.intercept, 6);
    expect(targets[0]?.residualSd).toBeCloseTo(plain.residualSd, 9);
    expect(components.every(({ noiseFloor }) => noiseFloor === 0)).toBe(true);
  });

  it('predicts in noise, in the coordinates of private centring, from the components above their floors', () => {
    const { coefficients, components, targets, used, noiseFloor } = released.plsRegression({
      target: 'mood',
    });
    expect(used).toBeGreaterThan(0);
    expect(components[0]?.value).toBeGreaterThan(noiseFloor);
    expect(at(coefficients, coefficients.rows.indexOf('sleep'), 0)).toBeCloseTo(0.5, 1);
    expect(targets[0]?.r2).toBeCloseTo(
      exact.plsRegression({ target: 'mood' }).targets[0]?.r2 ?? NaN,
      1,
    );
  });

  it('predicts the mean where noise hides everything', async () => {
    const hidden = defineStudy({ ...definition(), privacy: { epsilon: 0.001, delta: 1e-6 } });
    const drowned = await assemble(hidden, [await privatize(hidden, rows.slice(0, 40))]);
    const { coefficients, targets, used } = drowned.plsRegression({ target: ['mood', 'age'] });
    expect(used).toBe(0);
    expect(coefficients.values.every((value) => value === 0)).toBe(true);
    expect(targets.map(({ target, r2 }) => [target, r2])).toEqual([
      ['mood', 0],
      ['age', 0],
    ]);
  });

  it('takes a category, a level and several columns as targets', () => {
    const names = (target: string | string[]): string[] =>
      exact.plsRegression({ target, components: 1 }).targets.map((each) => each.target);
    expect(names('work')).toEqual(['work=day', 'work=night', 'work=none']);
    expect(names(['work=night', 'age'])).toEqual(['work=night', 'age']);
    const { options, columns } = exact.plsRegression({ target: 'work=night', components: 1 });
    expect(options).toEqual({
      target: ['work=night'],
      features: ['age', 'sleep', 'mood'],
      components: 1,
    });
    expect(columns).toEqual(['age', 'sleep', 'mood']);
  });

  it('scores rows with variance 1', async () => {
    const result = exact.plsRegression({ target: 'mood', components: 2 });
    const { columns, values } = await project(study, rows, result.toJSON());
    expect(columns).toEqual(['PLS1', 'PLS2']);
    for (const k of [0, 1]) {
      expect(variance(Array.from(values).filter((_, i) => i % 2 === k))).toBeCloseTo(1, 6);
    }
  });

  it('refuses intervals, unknown targets and targets among the predictors', async () => {
    const refused = { code: 'unsupported-option', field: 'level' };
    await failure(() => exact.plsRegression({ target: 'mood', level: 0.95 } as never), refused);
    const unknown = { code: 'invalid-view', field: 'target', message: /did you mean mood/ };
    await failure(() => exact.plsRegression({ target: 'moot' }), unknown);
    const none = { code: 'invalid-view', field: 'target' };
    await failure(() => exact.plsRegression({ target: [] }), none);
    await failure(() => exact.plsRegression({ target: ['mood', 'mood'] }), none);
    const both = { code: 'invalid-view', field: 'features', column: 'mood' };
    await failure(() => exact.plsRegression({ target: 'mood', features: ['mood'] }), both);
    const many = { code: 'invalid-components', field: 'components' };
    await failure(() => exact.plsRegression({ target: 'mood', components: 9 }), many);
  });
});

describe('plsCorrelation', () => {
  it('has the covariance of the two scores as its singular value', async () => {
    const result = exact.plsCorrelation();
    const [pair] = result.pairs;
    const { values } = await project(study, rows, result);
    const x = Array.from(values).filter((_, i) => i % 2 === 0);
    const y = Array.from(values).filter((_, i) => i % 2 === 1);
    const both = variance(x.map((value, i) => value + (y[i] ?? NaN)));
    const covariance = (both - variance(x) - variance(y)) / 2;
    expect(pair?.value).toBeCloseTo(covariance, 6);
    expect(pair?.correlation).toBeCloseTo(covariance / Math.sqrt(variance(x) * variance(y)), 6);
    expect(pair?.share).toBeCloseTo(1, 9);
    expect(result.resolved).toBe(true);
    for (const { saliences } of Object.values(result.views)) {
      expect(Math.hypot(...saliences.values)).toBeCloseTo(1, 9);
    }
  });

  it('finds the pair in noise', () => {
    const { pairs, views } = released.plsCorrelation({ x: 'life', y: 'mind' });
    expect(pairs[0]?.belowNoiseFloor).toBe(false);
    expect(pairs[0]?.value).toBeCloseTo(exact.plsCorrelation().pairs[0]?.value ?? NaN, 1);
    const { saliences } = views.life ?? {};
    expect(saliences?.values[saliences.rows.indexOf('sleep')]).toBeGreaterThan(0.9);
  });

  it('is the same in a worker, and has its numbers in CSV', async () => {
    expect(await exact.inWorker().plsCorrelation()).toEqual(exact.plsCorrelation());
    const options = { target: 'mood' };
    const there = await exact.inWorker().plsRegression(options);
    expect(there).toEqual(exact.plsRegression(options));
    expect(there.toCSV()).toContain('plsRegression,coefficients,,sleep,mood,');
    expect(exact.plsCorrelation().toCSV()).toContain('plsCorrelation,saliences,life,sleep,PLS1,');
  });

  it('refuses what cca refuses, and intervals', async () => {
    const refused = { code: 'unsupported-option', field: 'level' };
    await failure(() => exact.plsCorrelation({ level: 0.95 } as never), refused);
    await failure(() => exact.plsCorrelation({ x: 'nothing' }), { code: 'invalid-view' });
    const many = { code: 'invalid-components', field: 'components' };
    await failure(() => exact.plsCorrelation({ components: 2 }), many);
  });
});
