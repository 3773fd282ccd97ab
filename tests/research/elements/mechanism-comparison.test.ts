import { compareMechanisms, openAudit } from 'private-moments-research';
import { describe, expect, it } from 'vitest';
import { auditedBy, backingOf } from '../../../web/research/elements/audit/audit-words.js';
import { DATA } from '../../../web/research/elements/comparison/compared-data.js';
import {
  CONTENDERS,
  holdingOf,
  lessInWords,
  noteOf,
  type Contender,
} from '../../../web/research/elements/comparison/compared-mechanisms.js';
import { FIRST_LINES, LineColours } from '../../../web/elements/src/figures/line-colours.js';
import type { Known } from '../../../web/research/elements/comparison/comparer.js';
import { sorted, type Row } from '../../../web/research/elements/comparison/comparison-table.js';
import {
  figureInWords,
  finding,
} from '../../../web/research/elements/comparison/comparison-words.js';
import { parted, smooth } from '../../../web/elements/src/figures/smooth.js';

const PROMISE = { epsilon: 1, delta: 1e-6 };

const known = (more: Partial<Known>): Known => ({
  ...{ asked: PROMISE, runs: 10, error: 0.5, share: 0.9, shareWithin: 0.01 },
  ...{ seconds: 0.001, holds: PROMISE, problem: '', ...more },
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

/** A result of the worker: one run in three dimensions. */
async function ranAt(name: string, epsilon: number, delta = 1e-6): Promise<Known> {
  const { mechanisms } = await compareMechanisms({
    mean: { dimension: 3, values: Float64Array.of(0.4, 0, 0, 0, 0.3, 0, 0, 0, 0.3) },
    ...{ rows: 100, epsilon, delta, components: 2, runs: 1, seed: 1 },
    mechanisms: [{ name }],
  });
  return known({ asked: { epsilon, delta }, holds: mechanisms[0]?.guarantee ?? null });
}

describe('the compared mechanisms', () => {
  it('are all that a study can name and all published ones but the exact matrix, with the defaults tagged', () => {
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
    expect(holdingOf(contender('symmetric-noise'), known({ holds: null }))).toBe('none');
    const overN = contender('analyze-gauss-one-over-n');
    const more = known({ holds: { epsilon: 1.14, delta: 1e-6 } });
    expect(holdingOf(overN, more)).toBe('less');
    expect(noteOf(overN, more, 2)).toBe('flawed: claims ε = 1, 1.14 holds');
    const laplace2d = contender('laplace-2d');
    const less = known({ holds: { epsilon: 0.559, delta: 0 } });
    expect(holdingOf(laplace2d, less)).toBe('yes');
    expect(noteOf(laplace2d, less, 2)).toBe('more noise than needed: ε = 0.559 holds');
    expect(noteOf(contender('symmetric-noise'), undefined, 2)).toBe(
      'flawed: claims ε; its support reveals a row',
    );
  });

  it('keep less if only a larger δ is proved at the same ε, as in the audit', async () => {
    const sheffet = contender('sheffet-wishart');
    const [four, ten] = [await ranAt('sheffet-wishart', 4), await ranAt('sheffet-wishart', 10)];
    expect(holdingOf(sheffet, four)).toBe('yes');
    expect(noteOf(sheffet, four, 2)).toBe('holds as claimed');
    expect(holdingOf(sheffet, ten)).toBe('less');
    expect(noteOf(sheffet, ten, 2)).toBe('claims δ = 10⁻⁶, δ = 0.038 is proved');
    expect(lessInWords(ten)).toEqual({ of: 'delta', proved: 'δ = 0.038', claimed: '10⁻⁶' });
  });

  it.each([0.1, 1, 4, 10])('hold at epsilon %d where an audit knows a proof', async (epsilon) => {
    for (const one of CONTENDERS.filter(({ isPublished }) => isPublished)) {
      const { promised, guarantee, reads } = await openAudit({ mechanism: one.id, epsilon });
      const backing = backingOf({ promised, guarantee, reads }, auditedBy(one.id));
      expect(holdingOf(one, await ranAt(one.id, epsilon)) === 'yes', one.id).toBe(
        backing === 'proved',
      );
    }
  });

  it('are judged by the promise they were run for, not by a newer one', async () => {
    const classical = contender('analyze-gauss-classical');
    expect(holdingOf(classical, await ranAt('analyze-gauss-classical', 1, 1e-3))).toBe('yes');
    expect(holdingOf(classical, await ranAt('analyze-gauss-classical', 10))).toBe('less');
  });

  it('say what they need and where they stop', () => {
    expect(noteOf(contender('laplace'), undefined, 2)).toBe('no δ needed');
    expect(noteOf(contender('ppca'), undefined, 2)).toBe(
      'no δ needed; 2 directions without values, no matrix',
    );
    const problem = 'delta must lie strictly between 0 and 1';
    expect(noteOf(contender('wishart'), known({ runs: 0, problem }), 2)).toContain(
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
  it('sorts by numbers or words, in both directions, with unknown values last', () => {
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

describe('the finding', () => {
  const about = { epsilon: 1, delta: 1e-6, size: 178, zero: 0.442 };

  it('names the most accurate mechanism with δ and without, and the error of answering 0', () => {
    const rows = [
      row('gaussian', { error: 0.38 }),
      row('wishart', { error: 0.76 }),
      row('two-sided-wishart', { error: 0.41 }),
      row('symmetric-noise', { error: 0.2 }),
    ];
    expect(finding(rows, about)).toBe(
      'At ε = 1 and δ = 10⁻⁶, with 178 rows, Gaussian is off by 0.380 per row; without δ, Two-sided Wishart is the most accurate, off by 0.410. Answering 0 everywhere is off by 0.442.',
    );
  });

  it('says if none is better than answering 0, or if there are no results', () => {
    expect(finding([row('gaussian', { error: 0.5 })], about)).toContain(
      'no mechanism a study can name beats answering 0 everywhere',
    );
    expect(finding([row('gaussian', undefined)], about)).toContain('being run');
  });

  it('describes a figure by its numbers at both ends and at the present choice', () => {
    const holds = [true, true, true];
    const line = { title: 'Gaussian', slot: 0, values: [2, 0.4, NaN], holds };
    const zero = { value: 0.442, label: 'answering 0' };
    expect(figureInWords('Error', 'epsilon', [0.1, 1, 10], [line], zero, 1)).toBe(
      'Error against epsilon, log scale. Gaussian: 2.000 at 0.1, 0.400 at 1, no result yet at 10. Answering 0: 0.442.',
    );
  });

  it('says where a line has no such guarantee and is dashed', () => {
    const zero = { value: 0.442, label: 'answering 0' };
    const words = (...holds: boolean[]): string => {
      const line = { title: 'classical', slot: 0, values: [2, 0.4, 0.1], holds };
      return figureInWords('Error', 'epsilon', [0.1, 1, 10], [line], zero, 1);
    };
    expect(words(true, true, true)).toContain(' classical: 2.000 at 0.1');
    expect(words(true, false, false)).toContain(
      ' classical, without such a guarantee at 1 and 10: 2.000 at 0.1',
    );
    expect(words(false, false, false)).toContain(' classical, without such a guarantee: 2.000');
  });
});

describe('a line', () => {
  const points = [[0, 0] as const, [3, 3] as const, [6, 6] as const, [9, 9] as const];

  it('is dashed from and to each point without a guarantee, and solid elsewhere', () => {
    expect(parted(points, [true, true, true, true])).toEqual([smooth(points), '']);
    expect(parted(points, [false, false, false, false])).toEqual(['', smooth(points)]);
    expect(parted(points, [true, true, true, false])).toEqual([
      'M0 0C1 1 2 2 3 3C4 4 5 5 6 6',
      'M6 6C7 7 8 8 9 9',
    ]);
    expect(parted(points, [true, true, false, true])).toEqual([
      'M0 0C1 1 2 2 3 3',
      'M3 3C4 4 5 5 6 6C7 7 8 8 9 9',
    ]);
  });
});

describe('the colour of a mechanism', () => {
  it('stays when others are switched on and off, also while it is not drawn itself', () => {
    const colours = new LineColours();
    const laplace = colours.slotOf('laplace', FIRST_LINES);
    const without = FIRST_LINES.filter((name) => name !== 'laplace');
    const wishart = colours.slotOf('wishart', [...without, 'wishart']);
    expect(FIRST_LINES.map((name) => colours.slotOf(name, FIRST_LINES))).not.toContain(wishart);
    expect(colours.slotOf('laplace', ['laplace', 'wishart'])).toBe(laplace);
    expect(colours.slotOf('wishart', ['laplace', 'wishart'])).toBe(wishart);
  });

  it('differs from those of all that are drawn with it, however many were drawn before', () => {
    const colours = new LineColours();
    const names = CONTENDERS.map(({ id }) => id);
    for (let first = 0; first + 5 <= names.length; first++) {
      const drawn = names.slice(first, first + 5);
      const slots = drawn.map((name) => colours.slotOf(name, drawn));
      expect(new Set(slots).size).toBe(5);
      expect(drawn.map((name) => colours.slotOf(name, drawn))).toEqual(slots);
    }
  });
});
