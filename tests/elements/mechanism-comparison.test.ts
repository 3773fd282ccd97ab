import { describe, expect, it } from 'vitest';
import { DATA } from '../../web/elements/src/compared-data.js';
import {
  CONTENDERS,
  FIRST_LINES,
  holdingOf,
  noteOf,
  type Contender,
} from '../../web/elements/src/compared-mechanisms.js';
import type { Known } from '../../web/elements/src/comparer.js';
import { sorted, type Row } from '../../web/elements/src/comparison-table.js';
import { figureInWords, finding } from '../../web/elements/src/comparison-words.js';

const known = (more: Partial<Known>): Known => ({
  ...{ runs: 10, error: 0.5, share: 0.9, shareWithin: 0.01 },
  ...{ seconds: 0.001, holds: 1, problem: '', ...more },
});

function contender(id: string): Contender {
  const found = CONTENDERS.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no ${id}`);
  return found;
}

const row = (id: string, more: Partial<Known> | undefined): Row => ({
  contender: contender(id),
  at: more && known(more),
  slot: undefined,
});

const present = { epsilon: 1, components: 2 };

describe('the mechanisms that are compared', () => {
  it('are all a study can name and all that was published but the exact matrix, the defaults tagged', () => {
    expect(CONTENDERS.filter(({ isPublished }) => isPublished)).toHaveLength(11);
    expect(CONTENDERS.filter(({ isPublished }) => !isPublished)).toHaveLength(9);
    const tagged = CONTENDERS.filter(({ note }) => note.startsWith('default'));
    expect(tagged.map(({ id, note }) => [id, note])).toEqual([
      ['gaussian', 'default'],
      ['two-sided-wishart', 'default without δ'],
    ]);
    expect(FIRST_LINES.every((id) => CONTENDERS.some((one) => one.id === id))).toBe(true);
  });

  it('know what each gives: a matrix, directions without values, or weights', () => {
    const giving = (kind: string): string[] =>
      CONTENDERS.filter(({ gives }) => gives === kind).map(({ id }) => id);
    expect(giving('directions')).toEqual(['ppca', 'ppca-gibbs', 'hardt-price']);
    expect(giving('weights')).toEqual(['output-perturbation']);
  });

  it('keep what they claim, keep less, or keep nothing', () => {
    expect(holdingOf(contender('symmetric-noise'), known({ holds: null }), 1)).toBe('none');
    const overN = contender('analyze-gauss-one-over-n');
    expect(holdingOf(overN, known({ holds: 1.14 }), 1)).toBe('less');
    expect(noteOf(overN, known({ holds: 1.14 }), present)).toBe('flawed: claims ε = 1, 1.14 holds');
    const laplace2d = contender('laplace-2d');
    expect(holdingOf(laplace2d, known({ holds: 0.559 }), 1)).toBe('yes');
    expect(noteOf(laplace2d, known({ holds: 0.559 }), present)).toBe(
      'more noise than it takes: ε = 0.559 holds',
    );
    expect(noteOf(contender('symmetric-noise'), undefined, present)).toBe(
      'flawed: claims ε; its support gives a row away',
    );
  });

  it('say what they need and where they stop', () => {
    expect(noteOf(contender('laplace'), undefined, present)).toBe('no δ needed');
    expect(noteOf(contender('ppca'), undefined, present)).toBe(
      'no δ needed; 2 directions without values, no matrix; safe in real arithmetic only',
    );
    const problem = 'delta must lie strictly between 0 and 1';
    expect(noteOf(contender('wishart'), known({ runs: 0, problem }), present)).toContain(
      `not here: ${problem}`,
    );
  });
});

describe('the data', () => {
  it('are second moments of rows of length 1, with source and licence', () => {
    expect(DATA.map(({ id }) => id)).toEqual([
      'wine',
      'breast-cancer',
      'diabetes',
      'census',
      'sleep',
    ]);
    for (const { id, dimension: d, mean, source, licence } of DATA) {
      let trace = 0;
      for (let i = 0; i < d; i++) {
        trace += mean[i * d + i] ?? NaN;
        for (let j = 0; j < d; j++) expect(mean[i * d + j]).toBe(mean[j * d + i]);
      }
      // Six decimals of each entry.
      expect(Math.abs(trace - 1), id).toBeLessThan(d * 1e-6);
      expect(`${source}${licence}`).not.toBe('');
    }
  });
});

describe('the table', () => {
  it('sorts by numbers or words, in both directions, what is not known last', () => {
    const rows = [
      row('gaussian', { error: 0.3 }),
      row('ppca', { error: NaN }),
      row('laplace', { error: 0.1 }),
      row('wishart', undefined),
    ];
    const ids = (order: Parameters<typeof sorted>[1]): string[] =>
      sorted(rows, order).map(({ contender: { id } }) => id);
    expect(ids({ by: 'error', isDescending: false }).slice(0, 2)).toEqual(['laplace', 'gaussian']);
    expect(ids({ by: 'error', isDescending: true }).slice(0, 2)).toEqual(['gaussian', 'laplace']);
    expect(ids({ by: 'mechanism', isDescending: false })).toEqual([
      ...['gaussian', 'laplace', 'ppca', 'wishart'],
    ]);
  });
});

describe('what is found', () => {
  const about = { epsilon: 1, delta: 1e-6, size: 178, zero: 0.442 };

  it('names the nearest mechanism with δ and without, beside answering zero', () => {
    const rows = [
      row('gaussian', { error: 0.38 }),
      row('wishart', { error: 0.76 }),
      row('two-sided-wishart', { error: 0.41 }),
      row('symmetric-noise', { error: 0.2 }),
    ];
    expect(finding(rows, about)).toBe(
      'At ε = 1 and δ = 10⁻⁶, with 178 rows, Gaussian is off by 0.380 a row; of those without δ, Two-sided Wishart is nearest, off by 0.410. Answering zero is off by 0.442.',
    );
  });

  it('says where none is better than answering zero, or nothing is known', () => {
    expect(finding([row('gaussian', { error: 0.5 })], about)).toContain(
      'no mechanism a study can name does better than answering zero',
    );
    expect(finding([row('gaussian', undefined)], about)).toContain('being run');
  });

  it('describes a figure with the numbers at its ends and at the present choice', () => {
    const line = { title: 'Gaussian', slot: 0, isDashed: false, values: [2, 0.4, NaN] };
    const zero = { value: 0.442, label: 'answering zero' };
    expect(figureInWords('Error', 'epsilon', [0.1, 1, 10], [line], zero, 1)).toBe(
      'Error against epsilon, log scale. Gaussian: 2.000 at 0.1, 0.400 at 1, not known yet at 10. Answering zero: 0.442.',
    );
  });
});
