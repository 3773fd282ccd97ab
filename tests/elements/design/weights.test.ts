import { defineStudy, forecast, studyFromLink, weightedColumns } from 'private-moments';
import type { Column } from 'private-moments';
import { describe, expect, it } from 'vitest';
import {
  check,
  clippingsOf,
  draftOf,
  presentClipping,
  type Draft,
} from '../../../web/elements/src/design/draft.js';
import { isWeighted, weightObstacle } from '../../../web/elements/src/design/weights.js';

const columns: Column[] = ['a', 'b', 'c', 'd'].map((name, i) => ({
  name,
  type: 'number',
  min: i,
  max: 3 * i + 1,
}));
const definition = {
  title: 'Weights',
  columns,
  views: { x: ['a', 'b'], y: ['c', 'd'] },
  privacy: { epsilon: 1, delta: 1e-6 },
  federation: { mode: 'independent' as const, sites: 3 },
};
const category: Column = { name: 'e', type: 'category', levels: ['no', 'yes'] };
const fixed = defineStudy({ ...definition, clipping: 'fixed' });

/** A draft whose columns have these weights, as typed. */
function draft(weights: readonly string[], study = fixed): Draft {
  const own = draftOf(study);
  return {
    ...own,
    columns: own.columns.map((column, i) => ({ ...column, weight: weights[i] ?? '' })),
  };
}

describe('weights in the form', () => {
  it('make the study of weightedColumns', () => {
    const { study, problems } = check(draft(['2', '', '1.5']));
    expect(problems).toEqual([]);
    const expected = defineStudy({ ...definition, ...weightedColumns(columns, { a: 2, c: 1.5 }) });
    expect(study?.id).toBe(expected.id);
  });

  it('that are all alike, or empty, make a study without them', () => {
    for (const same of [['', '', '', ''], ['1'], ['2', '2', '2', '2']]) {
      expect(check(draft(same)).study?.id).toBe(fixed.id);
    }
  });

  it('survive a link and a form that opens it', () => {
    const { study } = check(draft(['2', '', '3', '']));
    const link = (study ?? fixed).toLink('https://example.org/take-part.html');
    const opened = draftOf(studyFromLink(link));
    expect(opened.columns.map(({ weight }) => weight)).toEqual(['2', '', '3', '']);
    expect(opened.columns.some(({ stated }) => stated !== undefined)).toBe(false);
    expect(opened.rowNorm).toBe('');
    expect(check(opened).study?.id).toBe(study?.id);
  });

  it('keep a row norm of their own', () => {
    const weighted = check({ ...draft(['2']), rowNorm: '1.25' }).study;
    expect(weighted?.rowNorm).toBe(1.25);
    expect(check(draftOf(weighted ?? fixed)).study?.id).toBe(weighted?.id);
  });

  it('leave centres and spreads that are not weights as the study states them', () => {
    const study = defineStudy({
      ...definition,
      columns: columns.map((column, i) =>
        column.type === 'number' ? { ...column, centre: i + 0.25, spread: 0.5 } : column,
      ),
    });
    const opened = draftOf(study);
    expect(isWeighted(opened)).toBe(false);
    expect(check(opened).study?.id).toBe(study.id);
    expect(weightObstacle(opened, 'fixed')).toContain('states a centre');
  });

  it('change the forecast', async () => {
    const of = async (weights: string[]) => {
      const { study = fixed } = check(draft(weights));
      return (await forecast(study, { rows: 5000, sites: 1 })).covariance.columnSd.values[0] ?? NaN;
    };
    const plain = await of([]);
    expect(await of(['3'])).toBeLessThan(0.8 * plain);
    expect(await of(['', '3'])).toBeGreaterThan(1.5 * plain);
  });

  it('are refused at their field, in words', () => {
    const messageOf = (weights: string[], study = fixed) => {
      const [problem] = check(draft(weights, study)).problems;
      return `${problem?.field ?? ''}: ${problem?.message ?? ''}`;
    };
    expect(messageOf(['x'])).toBe(
      'columns.1.weight: The weight of “a” must be a number above 0, or empty.',
    );
    expect(messageOf(['0'])).toContain('must be a number above 0');
    expect(messageOf(['2000'])).toContain('more than 1000 times that of another column');
    const mixed = defineStudy({
      ...definition,
      columns: [...columns, category],
      clipping: 'fixed',
    });
    expect(messageOf(['0.5'], mixed)).toContain('Beside categories');
    expect(check(draft(['2'], mixed)).problems).toEqual([]);
  });

  it('need the same limit for every row, and a mechanism and unit that have coordinates', () => {
    const centred = draftOf(defineStudy(definition));
    expect(presentClipping(centred)).toBe('centred');
    expect(weightObstacle(centred, 'centred')).toContain('private centring');
    expect(weightObstacle(centred, 'adaptive')).toContain('Adaptive clipping');
    expect(weightObstacle(centred, 'fixed')).toBeUndefined();
    expect(weightObstacle({ ...centred, mechanism: 'laplace' }, 'fixed')).toContain('Gaussian');
    expect(weightObstacle({ ...centred, unit: 'participant' }, 'fixed')).toContain('one row');
    const typed = { ...draft(['2']), mechanism: 'laplace' };
    expect(check(typed).problems.map(({ field }) => field)).toContain('columns.1.weight');
    // Other limits stay on offer: choosing one removes the weights.
    expect(clippingsOf(draft(['2']))).toContain('centred');
  });
});
