import { adjustmentFinding, methodsInWords, testFinding } from 'private-moments/words';
import { describe, expect, it } from 'vitest';

const study = {
  id: 'a'.repeat(64),
  title: 'Sleep',
  unit: 'row' as const,
  neighbours: 'replace-one' as const,
  words: {
    age: { name: 'Age', column: 'Age' },
    'sex=1': { name: 'Sex: female', column: 'Sex' },
  },
};
const origin = { library: 'private-moments/0.2.0', study, releases: 3, noise: 'gaussian' };
const adjusted = { columns: ['age', 'sex'], hidden: 0 };

describe('what was taken out of the columns, in words', () => {
  it('names covariates by their labels, inside the sentence', () => {
    expect(adjustmentFinding({ origin, adjusted })).toBe(
      'Without what depends linearly on age and sex.',
    );
  });

  it('says that part is left where noise hides a direction of the covariates', () => {
    expect(adjustmentFinding({ origin, adjusted: { ...adjusted, hidden: 2 } })).toBe(
      'Without what depends linearly on age and sex. The noise hides directions of age and sex, so part of that is left.',
    );
  });

  it('names the sites, and is empty where nothing was taken out', () => {
    expect(adjustmentFinding({ origin: { ...origin, sites: 'within' } })).toBe(
      'Without differences between the means of sites.',
    );
    expect(adjustmentFinding({ origin })).toBe('');
  });

  it('is in the paragraph on methods', () => {
    const guarantee = {
      epsilon: 1,
      delta: 0,
      neighbours: 'replace-one',
      unit: 'row',
      numerics: 'exact',
      assumes: [],
    } as never;
    const said = methodsInWords([{ analysis: 'cca', origin, guarantee, adjusted }]);
    expect(said).toContain('Columns were adjusted for age and sex');
  });
});

describe('what a test counts, in words', () => {
  it('has the level, the number of pairs and each p-value', () => {
    expect(testFinding({ alpha: 0.05, pairs: 1, p: { values: [0.0033, 0.41] } })).toBe(
      'A test at a significance level of 5% counts one pair (p 0.0033 and 0.41), privacy noise and sampling together.',
    );
    expect(testFinding({ alpha: 0.05, pairs: 0, p: { values: [0.3] } })).toContain(
      'counts no pair',
    );
    expect(testFinding(undefined)).toBe('');
  });
});
