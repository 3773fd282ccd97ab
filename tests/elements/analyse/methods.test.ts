import { defineStudy } from 'private-moments';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MethodChoice, MomentsResult } from '../../../web/elements/src/contract/elements.js';
import { analyseBy, isComplete, methodSection } from '../../../web/elements/src/analyse/methods.js';
import { exactMoments } from '../../package/exact-moments.js';
import { definition, people } from '../../package/support.js';
import { said } from '../said.js';

let result: MomentsResult;
beforeAll(async () => {
  const moments = await exactMoments(defineStudy(definition()), people(2000, 0.5, 0.5));
  const pca = moments.pca();
  result = { moments, views: ['life', 'mind'], cca: undefined, gcca: undefined, pca };
});

async function shown(choice: MethodChoice | undefined): Promise<string> {
  const found =
    choice !== undefined && isComplete(choice) ? await analyseBy(result, choice) : undefined;
  const section = methodSection(result, choice, { found, problem: '' }, () => undefined);
  return said(section).replaceAll(/\s+/g, ' ');
}

describe('the section on other methods', () => {
  it('computes nothing until a method is chosen', async () => {
    const text = await shown(undefined);
    expect(text).toContain('Choose a method');
    for (const label of ['Sparse components', 'Partial least squares', 'Discriminants', 'Factor']) {
      expect(text).toContain(label);
    }
    expect(text).not.toContain('pm-weight-bars');
  });

  it('leaves out what a study has not got', () => {
    const { pca } = result;
    const columns = [
      { name: 'a', type: 'number' as const, min: 0, max: 1 },
      { name: 'b', type: 'number' as const, min: 0, max: 1 },
    ];
    const study = defineStudy({ title: 'Two', columns, privacy: { epsilon: 1, delta: 1e-6 } });
    const few = { moments: { study, columns: ['a', 'b'] }, views: undefined, pca };
    const nothing = { found: undefined, problem: '' };
    const section = methodSection(few as never, undefined, nothing, () => undefined);
    const text = said(section);
    expect(text).toContain('Sparse components');
    for (const label of ['Sparse pairs', 'of the two views', 'Discriminants', 'Factor analysis']) {
      expect(text).not.toContain(label);
    }
  });

  it('asks for a target where a method needs one', async () => {
    expect(isComplete({ name: 'lda' })).toBe(false);
    expect(await shown({ name: 'lda' })).toContain('Choose a column');
    const text = await shown({ name: 'plsRegression', target: 'mood' });
    expect(text).toContain('above the noise floor: together');
    expect(text).toContain('Correlation of each column with the score, 1st PLS component.');
  });

  it('draws no loadings below the noise floor', async () => {
    const text = await shown({ name: 'lda', target: 'work' });
    expect(text).toContain('No discriminant stands out from the noise.');
    expect(text).toContain('is below the noise floor: do not interpret it.');
    expect(text).not.toContain('pm-weight-bars');
  });

  it.each(['sparsePca', 'sparseCca', 'plsCorrelation', 'factorAnalysis'] as const)(
    'shows the loadings of %s',
    async (name) => {
      expect(await shown({ name })).toContain('pm-weight-bars');
    },
  );
});
