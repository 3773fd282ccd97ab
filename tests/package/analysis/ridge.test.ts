import { assemble, defineStudy, privatize, type RidgeResult } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, people } from '../support.js';

const study = defineStudy(definition());
/** Their mood is 2 + 0.5 (sleep - 7) - 1 at night + noise. */
const rows = people(900, 0.5, 0.5).map((row) => ({
  ...row,
  mood: 2 + row.mood - (row.work === 'night' ? 1 : 0),
}));
const exact = await exactMoments(study, rows);
const of = ({ coefficients }: RidgeResult, column: string) => {
  const found = coefficients.find((coefficient) => coefficient.column === column);
  if (found === undefined) throw new Error(`no coefficient of ${column}`);
  return found;
};

describe('ridge', () => {
  it('gives coefficients in original units, by default of all other columns and without a penalty', () => {
    const result = exact.ridge({ target: 'mood' });
    expect(result.coefficients.map(({ column }) => column)).toEqual([
      'age',
      'sleep',
      'work=day',
      'work=night',
      'work=none',
    ]);
    expect(result.penalty).toBe(0);
    expect(result.target).toBe('mood');
    // 900 rows of noise with sd 0.29 and sleep with sd 1.7: a standard error of 0.006.
    expect(of(result, 'sleep').value).toBeCloseTo(0.5, 1);
    expect(of(result, 'work=night').value - of(result, 'work=day').value).toBeCloseTo(-1, 1);
    expect(result.residualSd).toBeCloseTo(1 / Math.sqrt(12), 1);
    expect(result.rows).toBe(900);
    expect(result.guarantee).toBeNull();
  });

  it('predicts the rows it was fitted to as well as stated', () => {
    const { coefficients, intercept, r2, residualSd } = exact.ridge({
      target: 'mood',
      features: ['sleep', 'age'],
    });
    const [sleep, age] = coefficients.map(({ value }) => value);
    const errors = rows.map((row) => {
      return row.mood - intercept - (sleep ?? NaN) * row.sleep - (age ?? NaN) * row.age;
    });
    const mean = (values: number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
    const square = mean(errors.map((error) => error ** 2));
    const centre = mean(rows.map(({ mood }) => mood));
    const variance = mean(rows.map(({ mood }) => (mood - centre) ** 2));
    // The grid of the encoding keeps about six digits.
    expect(mean(errors)).toBeCloseTo(0, 5);
    expect(Math.sqrt(square)).toBeCloseTo(residualSd, 5);
    expect(1 - square / variance).toBeCloseTo(r2.value, 5);
  });

  it('takes predictors as a view or as columns, and a level as target', () => {
    const byView = exact.ridge({ target: 'mood', features: 'life' });
    const byColumns = exact.ridge({ target: 'mood', features: ['age', 'sleep', 'work'] });
    expect(byView.coefficients).toEqual(byColumns.coefficients);
    expect(byView.options).toEqual({
      target: 'mood',
      features: ['age', 'sleep', 'work'],
      penalty: 0,
    });
    const night = exact.ridge({ target: 'work=night' });
    expect(night.coefficients.map(({ column }) => column)).toEqual(['age', 'sleep', 'mood']);
    expect(of(night, 'mood').value).toBeLessThan(0);
  });

  it('gives weights with sum 0 to a full set of indicators', () => {
    const { coefficients } = exact.ridge({ target: 'mood' });
    const sum = coefficients
      .filter(({ column }) => column.startsWith('work='))
      .reduce((total, { value }) => total + value, 0);
    expect(sum).toBeCloseTo(0, 9);
  });

  it('shrinks with the penalty, which is in scaled units', () => {
    const plain = exact.ridge({ target: 'mood', features: ['sleep'] });
    const ridged = exact.ridge({ target: 'mood', features: ['sleep'], penalty: 0.1 });
    const variance =
      (exact.covariance.values[exact.columns.length + 1] ?? NaN) / 6 ** 2; /* 6 hours a unit */
    expect(of(ridged, 'sleep').value / of(plain, 'sleep').value).toBeCloseTo(
      variance / (variance + 0.2),
      9,
    );
    expect(ridged.options.penalty).toBe(0.1);
  });

  it('has intervals if a level is set, which are wider at a higher level', () => {
    const without = exact.ridge({ target: 'mood' });
    expect(without.r2).not.toHaveProperty('low');
    expect(without.options).not.toHaveProperty('level');
    const narrow = exact.ridge({ target: 'mood', level: 0.5 });
    const wide = exact.ridge({ target: 'mood', level: 0.99 });
    for (const [inner, outer] of [
      [narrow.r2, wide.r2],
      [of(narrow, 'sleep'), of(wide, 'sleep')],
    ] as const) {
      expect(outer.low).toBeLessThan(inner.low ?? NaN);
      expect(inner.low).toBeLessThanOrEqual(inner.value);
      expect(inner.value).toBeLessThanOrEqual(inner.high ?? NaN);
      expect(inner.high).toBeLessThan(outer.high ?? NaN);
    }
    expect(of(wide, 'sleep').low).toBeLessThan(0.5);
    expect(of(wide, 'sleep').high).toBeGreaterThan(0.5);
    expect(wide.options.level).toBe(0.99);
  });

  it('finds what is above the noise in a release, and flags the rest', async () => {
    const loud = defineStudy({ ...definition(), privacy: { epsilon: 200, delta: 1e-3 } });
    const clear = (await assemble(loud, [await privatize(loud, rows)])).ridge({
      target: 'mood',
      level: 0.999999,
    });
    expect(of(clear, 'sleep').belowNoiseFloor).toBe(false);
    expect(of(clear, 'sleep').low).toBeLessThan(0.5);
    expect(of(clear, 'sleep').high).toBeGreaterThan(0.5);
    expect(clear.r2.belowNoiseFloor).toBe(false);
    expect(clear.noiseFloor).toBe(clear.r2.noiseFloor);
    expect(clear.guarantee?.epsilon).toBe(200);

    const drowned = (await assemble(study, [await privatize(study, rows.slice(0, 5))])).ridge({
      target: 'mood',
      level: 0.95,
    });
    for (const figure of [drowned.r2, ...drowned.coefficients]) {
      expect(figure.belowNoiseFloor).toBe(Math.abs(figure.value) <= figure.noiseFloor);
      expect(figure.noiseFloor).toBeGreaterThan(0);
    }
    // The noise of five rows is thousands of times their variance, so no realistic slope of sleep
    // is above its floor.
    expect(of(drowned, 'sleep').noiseFloor).toBeGreaterThan(0.5);
    expect(drowned.r2.value).toBe(0);
    expect(drowned.coefficients.every(({ value }) => value === 0)).toBe(true);
    const moments = await assemble(study, [await privatize(study, rows.slice(0, 5))]);
    expect(moments.ridge({ target: 'mood' }).intercept).toBe(moments.mean.values.at(-1));
  });

  it('is plain data with a name, in CSV and in JSON', () => {
    const result = exact.ridge({ target: 'mood', features: ['sleep'], level: 0.95 });
    expect(structuredClone({ ...result })).toEqual({ ...result });
    const { coefficients } = JSON.parse(JSON.stringify(result)) as RidgeResult;
    expect(coefficients).toEqual(result.coefficients);
    const lines = result.toCSV().split('\r\n');
    expect(lines.some((line) => line.startsWith('ridge,coefficients,,sleep,,'))).toBe(true);
    expect(lines.some((line) => line.startsWith('ridge,r2'))).toBe(true);
  });

  it('refuses impossible regressions and names the invalid option', async () => {
    const refused = (options: object, code: string, field: string) =>
      failure(() => exact.ridge({ target: 'mood', ...options }), { code, field });
    await refused({ target: 'height' }, 'invalid-view', 'target');
    await refused({ target: 'work' }, 'invalid-view', 'target');
    await refused({ target: undefined }, 'invalid-view', 'target');
    await refused({ features: ['mood', 'age'] }, 'invalid-view', 'features');
    await refused({ features: ['age', 'height'] }, 'invalid-view', 'features');
    await refused({ features: [] }, 'invalid-view', 'features');
    await refused({ features: 'nothing' }, 'invalid-view', 'features');
    await refused({ target: 'work=day', features: ['work'] }, 'invalid-view', 'features');
    for (const penalty of [-1, NaN, Infinity, '1']) {
      await refused({ penalty }, 'invalid-alpha', 'penalty');
    }
    for (const level of [0, 1, -1, NaN]) await refused({ level }, 'invalid-interval', 'level');
    const one = await exactMoments(study, rows.slice(0, 1));
    await failure(() => one.ridge({ target: 'mood' }), { code: 'too-few-rows' });
    const lonely = defineStudy({
      title: 'One column',
      columns: [{ name: 'age', type: 'number', min: 0, max: 99 }],
      privacy: { epsilon: 1, delta: 1e-6 },
    });
    const alone = await exactMoments(lonely, rows);
    await failure(() => alone.ridge({ target: 'age' }), {
      code: 'invalid-view',
      field: 'features',
    });
  });
});
