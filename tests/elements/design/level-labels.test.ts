import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { check, draftOf, labelsIn } from '../../../web/elements/src/design/draft.js';

describe('names of levels in the form', () => {
  it('are read as level = name, where commas may be part of a name', () => {
    expect(labelsIn('1 = female, 2=male', ['1', '2'])).toEqual({ 1: 'female', 2: 'male' });
    expect(labelsIn('a.b = young, or so; a = old', ['a', 'a.b'])).toEqual({
      'a.b': 'young, or so',
      a: 'old',
    });
    expect(labelsIn('1 = , 2 = male', ['1', '2'])).toEqual({ 2: 'male' });
    expect(labelsIn(' ', ['1'])).toEqual({});
    expect(labelsIn('female, male', ['1', '2'])).toBeUndefined();
    expect(labelsIn('1 = female', [])).toBeUndefined();
  });

  it('survive a study that is opened', () => {
    const study = defineStudy({
      title: 'Levels',
      columns: [
        {
          name: 'sex',
          type: 'category',
          levels: ['1', '2'],
          levelLabels: { 2: 'male', 1: 'female' },
        },
      ],
      privacy: { epsilon: 1, delta: 1e-6 },
    });
    const { study: again } = check(draftOf(study));
    expect(again?.columns).toEqual(study.columns);
  });

  it('are reported at their field where they cannot be read', () => {
    const study = defineStudy({
      title: 'Levels',
      columns: [{ name: 'sex', type: 'category', levels: ['1', '2'] }],
      privacy: { epsilon: 1, delta: 1e-6 },
    });
    const draft = draftOf(study);
    const columns = draft.columns.map((column) => ({ ...column, levelLabels: 'female' }));
    expect(check({ ...draft, columns }).problems.map(({ field }) => field)).toEqual([
      'columns.1.levelLabels',
    ]);
  });
});
