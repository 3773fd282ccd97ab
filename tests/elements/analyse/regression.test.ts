import { defineStudy, type Moments, type RidgeResult } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { regressionSection } from '../../../web/elements/src/analyse/regression.js';
import { said } from '../said.js';

/** A fit with this number of predictors; the later ones have the longer bars. */
function fitted(predictors: number): { moments: Moments; fit: RidgeResult } {
  const names = Array.from({ length: predictors }, (_, i) => `x${i + 1}`);
  const study = defineStudy({
    title: 'Many predictors',
    columns: ['y', ...names].map((name) => ({ name, type: 'number', min: 0, max: 9 })),
    privacy: { epsilon: 1, delta: 1e-6 },
  });
  const columns = study.columns.map(({ name }) => name);
  const matrix = (values: number[]) => ({ rows: [''], columns, values: Float64Array.from(values) });
  const moments = {
    ...{ study, columns, sources: columns },
    ...{ mean: matrix(columns.map(() => 1)), covariance: matrix(columns.map(() => 0)) },
  } as unknown as Moments;
  const fit = {
    ...{ target: 'y', penalty: 0, intercept: 1, residualSd: 1, options: { features: names } },
    r2: { value: 0.5, noiseFloor: 0.1, belowNoiseFloor: false },
    coefficients: names.map((column, i) => ({ column, value: i + 1, belowNoiseFloor: false })),
    deviation: matrix(names.map(() => 1)),
  } as unknown as RidgeResult;
  return { moments, fit };
}

function rowsOf(predictors: number, all: boolean): { text: string; names: string[] } {
  const { moments, fit } = fitted(predictors);
  const steps = { all, onAll: () => undefined };
  const section = regressionSection(
    moments,
    undefined,
    { fit, problem: '', steps },
    () => undefined,
  );
  const text = said(section);
  return {
    text,
    names: [...text.matchAll(/<th scope="row">(.*?)<\/th>/g)].map(([, name]) => name ?? ''),
  };
}

describe('the units of a regression with many predictors', () => {
  it('are folded after the ten with the longest bars', () => {
    const { text, names } = rowsOf(60, false);
    expect(names).toEqual(Array.from({ length: 10 }, (_, i) => `X${60 - i}`));
    expect(text).toContain('Show all 60 units');
  });

  it('are shown whole when the reader asks for them, and on paper', () => {
    const { text, names } = rowsOf(60, true);
    expect(names).toHaveLength(60);
    expect(text).toContain('Show the 10 with the longest bars');
  });

  it('have no button where they are few', () => {
    const { text, names } = rowsOf(4, false);
    expect(names).toEqual(['X4', 'X3', 'X2', 'X1']);
    expect(text).not.toContain('Show all');
  });
});
