import { describe, expect, it, vi } from 'vitest';
import type { Bar } from '../../../web/elements/src/figures/figure-data.js';
import { PmWeightBars } from '../../../web/elements/src/figures/weight-bars.js';
import { figureLabels, labelled } from '../../../web/elements/src/session/figure-labels.js';
import { said } from '../said.js';

// Outside a page nothing is measured.
vi.stubGlobal('ResizeObserver', vi.fn());

const bars = (count: number): Bar[] =>
  Array.from({ length: count }, (_, i) => ({
    ...{ name: `column${i + 1}`, original: i + 1, comparable: (i + 1) / count },
  }));

function drawn(weights: readonly Bar[], over: Partial<PmWeightBars> = {}): string {
  const figure = Object.assign(new PmWeightBars(), { weights, limit: 1, longest: 9, ...over });
  return said((figure as unknown as { render(): unknown }).render());
}

const namesIn = (text: string): string[] =>
  [...text.matchAll(/<title>(.*?)<\/title>/g)].map(([, name]) => name ?? '');

describe('many bars', () => {
  it('are folded after the ten longest, and say so in the figure', () => {
    const text = drawn(bars(60));
    expect(namesIn(text)).toEqual(Array.from({ length: 10 }, (_, i) => `column${60 - i}`));
    expect(text).toContain('>The 10 longest bars of 60.</text>');
    expect(text).toContain('Show all 60');
  });

  it('are all drawn once the reader asks for them, and folded again', () => {
    const text = drawn(bars(60), { all: true });
    expect(namesIn(text)).toHaveLength(60);
    expect(text).not.toContain('The 10 longest bars');
    expect(text).toContain('Show the 10 longest');
  });

  it('are not folded up to fifteen', () => {
    const text = drawn(bars(15));
    expect(namesIn(text)).toHaveLength(15);
    expect(text).not.toContain('Show all');
  });

  it('are all in the file of numbers', () => {
    const figure = Object.assign(new PmWeightBars(), { weights: bars(60) });
    expect(figure.numbers().lines).toHaveLength(60);
  });
});

describe('labels of columns', () => {
  const labels = figureLabels({
    columns: [
      { name: 'over_50k', type: 'number', min: 0, max: 1, label: 'Over $50,000 a year' },
      { name: 'job', type: 'category', levels: ['office', 'other'], label: 'Kind of work' },
      { name: 'age', type: 'number', min: 0, max: 99 },
      { name: 'bmi', type: 'number', min: 0, max: 99, label: 'x'.repeat(61) },
    ],
  });
  const named = ['over_50k', 'job=office', 'age', 'bmi'].map((name) => ({
    ...{ name, original: 1, comparable: 1 },
  }));

  it('are drawn and read out in place of names; without a short one the name stays', () => {
    const text = drawn(labelled(named, labels), { longest: 20 });
    expect(namesIn(text)).toEqual(['Over $50,000 a year', 'Kind of work: office', 'age', 'bmi']);
    expect(text).toContain('Weights: Over $50,000 a year +1.0 per unit;');
  });

  it('leave the names in the file of numbers', () => {
    const figure = Object.assign(new PmWeightBars(), { weights: labelled(named, labels) });
    expect(figure.numbers().lines.map(([name]) => name)).toEqual(named.map(({ name }) => name));
  });
});
