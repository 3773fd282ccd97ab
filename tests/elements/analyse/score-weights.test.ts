import type { GccaResult, Matrix } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { PmScoreWeights } from '../../../web/elements/src/analyse/score-weights.js';
import { said } from '../said.js';

/** Three components of three views with one column each. */
function matrix(...values: number[]): Matrix {
  const columns = values.map((_, k) => `GC${k + 1}`);
  return { rows: ['a'], columns, values: Float64Array.from(values) };
}

const view = {
  columns: ['a'],
  weights: matrix(1, 2, 3),
  loadings: matrix(0.1, 0.2, 0.3),
  deviation: matrix(1),
};

const result = {
  analysis: 'gcca',
  options: { level: 0.95 },
  views: { body: view, mind: view, work: view },
  shared: [
    { value: 0.6, low: 0.4, high: 0.7, noiseFloor: 0.1, belowNoiseFloor: false },
    { value: 0.2, low: 0, high: 0.4, noiseFloor: 0.1, belowNoiseFloor: false },
    { value: 0.1, low: 0, high: 0.3, noiseFloor: 0.2, belowNoiseFloor: true },
  ],
} as unknown as GccaResult;

/** The rendering of the element outside a page, with one component chosen. */
class Weights extends PmScoreWeights {
  drawn(chosen: number): string {
    this.result = result;
    this.chosen = chosen;
    return said(this.render()).replaceAll(/\s+/g, ' ');
  }
}

describe('the weights of what three views share', () => {
  it('are a group of bars for each view, on the right side of both rules', () => {
    const text = new Weights().drawn(0);
    expect(text.match(/<pm-weight-bars/g)).toHaveLength(3);
    expect(text).toContain('First shared component');
    expect(text).toContain('Thin lines: 95% intervals.');
    expect(text).not.toContain(' goes with ');
    expect(text).not.toContain('may mean nothing');
  });

  it('come with a caution if the interval starts at 0', () => {
    const text = new Weights().drawn(1);
    expect(text.match(/<pm-weight-bars/g)).toHaveLength(3);
    expect(text).toContain('its weights may mean nothing');
  });

  it('are not drawn below the noise floor', () => {
    const text = new Weights().drawn(2);
    expect(text).toContain('This component is below the noise floor: do not interpret it.');
    expect(text).not.toContain('<pm-weight-bars');
  });
});
