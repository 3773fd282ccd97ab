import { describe, expect, it, vi } from 'vitest';
import { PmCorrelationFigure } from '../../../web/elements/src/figures/correlation-figure.js';
import { PmScreeFigure } from '../../../web/elements/src/figures/scree-figure.js';
import { PmWeightBars } from '../../../web/elements/src/figures/weight-bars.js';
import { said } from '../said.js';

// Outside a page nothing is measured.
vi.stubGlobal('ResizeObserver', vi.fn());

/** The markup of a figure outside a page. */
function drawn(figure: PmCorrelationFigure | PmScreeFigure | PmWeightBars): string {
  return said((figure as unknown as { render(): unknown }).render());
}

/** How often a figure draws something of this class. */
function times(text: string, name: string): number {
  return text.split(`class="${name}"`).length - 1;
}

const above = { value: 0.6, low: 0.5, high: 0.7, noiseFloor: 0.1, belowNoiseFloor: false };
const below = { value: 0.05, low: 0, high: 0.2, noiseFloor: 0.1, belowNoiseFloor: true };

describe('an interval below the noise floor is dashed and said to be below', () => {
  it('in the bars of correlations', () => {
    const figure = Object.assign(new PmCorrelationFigure(), { pairs: [above, below] });
    const text = drawn(figure);
    expect(times(text, 'whisker faint')).toBe(1);
    expect(text).toContain('>below the noise floor</text>');
    expect(text).toContain('2nd .05, interval .00 to .20, below the noise floor');
    expect(times(drawn(Object.assign(figure, { pairs: [above] })), 'whisker faint')).toBe(0);
  });

  it('in the bars of a regression, cut where the scale ends', () => {
    const weight = { name: 'age', original: 2, comparable: 0.5 };
    const weights = [
      { ...weight, interval: { original: [1, 3], comparable: [0.25, 0.75] } as const },
      {
        ...{ name: 'hours', original: 1, comparable: 0.1, belowNoiseFloor: true },
        interval: { original: [-40, 60], comparable: [-4, 6] } as const,
      },
    ];
    const text = drawn(Object.assign(new PmWeightBars(), { weights, limit: 1, longest: 5 }));
    expect(times(text, 'whisker faint')).toBe(1);
    expect(text).toContain('hours +1.0 per unit, −40 to +60, below the noise floor');
    const [, from, to] = /class="whisker faint" x1=([\d.]+) x2=([\d.]+)/.exec(text) ?? [];
    expect(Number(from)).toBeGreaterThanOrEqual(0);
    expect(Number(to)).toBeLessThanOrEqual(524);
  });

  it('in the shares of components', () => {
    const share = { share: 0.6, shareLow: 0.5, shareHigh: 0.7 };
    const components = [
      { ...above, ...share },
      { ...below, share: 0.05, shareLow: 0, shareHigh: 0.1 },
    ];
    const text = drawn(Object.assign(new PmScreeFigure(), { components, noiseFloor: 0.08 }));
    expect(times(text, 'whisker faint')).toBe(1);
    expect(text).toContain('2: 5%, interval 0% to 10%, below the noise floor');
  });
});
