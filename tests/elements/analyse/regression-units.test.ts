import { defineStudy, type RidgeResult } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { stepsOf, targetOf, withUnit } from '../../../web/elements/src/analyse/regression-units.js';

const number = { type: 'number' as const, min: 0 };
const study = defineStudy({
  title: 'Sleep and mood',
  columns: [
    { ...number, name: 'age', max: 90, label: 'Age at entry', unit: 'years' },
    { ...number, name: 'dose', max: 9, unit: 'mg' },
    { ...number, name: 'score', max: 9 },
    { ...number, name: 'female', max: 1, label: 'Woman' },
    { name: 'work', type: 'category' as const, levels: ['day', 'night'], label: 'Shift' },
  ],
  privacy: { epsilon: 1, delta: 1e-6 },
});
const columns = study.features.map(({ name }) => name);
const matrix = (values: number[]) => ({ rows: [''], columns, values: Float64Array.from(values) });
const covariance = columns.flatMap((_, i) => columns.map((_, j) => (i === j ? 0.24 : 0)));
const moments = {
  ...{ study, columns, sources: study.features.map(({ column }) => column) },
  ...{ mean: matrix([50, 4, 3, 0.4, 0.5, 0.5]), covariance: matrix(covariance) },
};

describe('the units of a regression', () => {
  it('are those of the target, or a share', () => {
    expect(targetOf(moments, 'age')).toEqual({ words: 'age at entry, in years', unit: 'years' });
    expect(targetOf(moments, 'score')).toEqual({ words: 'score', unit: '' });
    expect(targetOf(moments, 'female').words).toBe('the share of rows with woman, from 0 to 1');
    expect(targetOf(moments, 'work=night').words).toBe(
      'the share of rows with shift night, from 0 to 1',
    );
  });

  it('are, for each predictor, those of its column', () => {
    const fit = {
      coefficients: columns.map((column) => ({ column, value: 1 })),
      deviation: matrix([12.25, 0.5, 0, 0.49, 0.5, 0.5]),
    } as unknown as RidgeResult;
    const level = 'this level';
    expect(stepsOf(moments, fit)).toEqual([
      { name: 'Age at entry', unit: '1 year', deviation: '12 years' },
      { name: 'Dose', unit: '1 mg', deviation: '0.50 mg' },
      { name: 'Score', unit: '1', deviation: 'lost in the noise' },
      { name: 'Woman', unit: 'yes instead of no', deviation: '0.49' },
      { name: 'Shift: day', unit: level, deviation: '0.50' },
      { name: 'Shift: night', unit: level, deviation: '0.50' },
    ]);
    expect(withUnit(12.25, 'years', 3)).toBe('12.3 years');
  });
});
