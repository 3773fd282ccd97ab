import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import {
  check,
  draftOf,
  emptyDraft,
  type Draft,
  type DraftColumn,
} from '../../../web/elements/src/design/draft.js';
import {
  designOf,
  type Question,
} from '../../../web/elements/src/design/forecast/forecast-question.js';

const number = (name: string) => ({ name, type: 'number', min: 0, max: 1 }) as const;

const study = defineStudy({
  title: 'T',
  columns: [
    ...['a', 'b', 'c', 'd', 'e'].map(number),
    { name: 'f', type: 'category', levels: ['x', 'y', 'z'] },
  ],
  views: { first: ['a', 'b', 'c'], second: ['d'], third: ['e', 'f'] },
  privacy: { epsilon: 1, delta: 1e-6 },
});

const assumptions = { withinViews: 0.5, offCentre: 0.1, spread: 0.25 };

function asked(patch: Partial<Draft> = {}, between: Question['between'] = []) {
  const draft = { ...emptyDraft(), sites: '4', rows: 300, ...patch };
  return designOf(study, { draft, truths: [0.5, 0.3, 0.1], assumptions, between, along: 'rows' });
}

describe('the question to a forecast', () => {
  it('is undefined without a study, or without participants', () => {
    const draft = emptyDraft();
    expect(
      designOf(undefined, { draft, truths: [], assumptions, between: [], along: 'rows' }),
    ).toBeUndefined();
    expect(asked({ unit: 'participant', sites: '' })).toBeUndefined();
    expect(asked({ rows: 0.5 })).toBeUndefined();
  });

  it('assumes as many correlations as the smaller of two views has room for', () => {
    expect(asked()?.assumed).toEqual({
      ...assumptions,
      x: 'first',
      y: 'second',
      correlations: [0.5],
    });
    const others = asked({}, ['third', 'first'])?.assumed;
    expect(others).toEqual({
      ...assumptions,
      x: 'third',
      y: 'first',
      correlations: [0.5, 0.3, 0.1],
    });
    expect(asked({}, ['third', 'gone'])?.assumed).toMatchObject({ x: 'first', y: 'second' });
  });

  it('has the usual spread of a column as a share of its range, so that limits matter', () => {
    const columns = draftOf(study).columns.map((column) =>
      column.name === 'a' ? { ...column, min: '10', max: '40', deviation: '2' } : column,
    );
    const others = { b: 0.25, c: 0.25, d: 0.25, e: 0.25 };
    expect(asked({ columns })?.assumed.spread).toEqual({ a: 0.0667, ...others });
    const wider = columns.map((column) => ({ ...column, max: column.max === '40' ? '50' : '1' }));
    expect(asked({ columns: wider })?.assumed.spread).toEqual({ a: 0.05, ...others });
  });

  it('refuses a usual spread that values within the limits cannot have', () => {
    const problems = (patch: Partial<DraftColumn>) =>
      check({
        ...draftOf(study),
        columns: draftOf(study).columns.map((column) =>
          column.name === 'a' ? { ...column, ...patch } : column,
        ),
      }).problems.map(({ field, message }) => `${field}: ${message}`);
    expect(problems({ deviation: '0.5' })).toEqual([]);
    for (const deviation of ['0', '-1', 'much']) {
      expect(problems({ deviation })).toEqual([
        'columns.1.deviation: The usual spread of “a” must be a number above 0, or empty.',
      ]);
    }
    expect(problems({ deviation: '0.6' })).toEqual([
      'columns.1.deviation: The usual spread of “a” (0.6) is more than half its range: widen the limits, or correct it.',
    ]);
    // The limits have an error of their own, and a category has no spread.
    expect(problems({ deviation: '0.6', max: '-1' })).toHaveLength(1);
    expect(problems({ deviation: '0.6', type: 'category', levels: 'x, y' })).toEqual([]);
  });

  it('is about rows of each site, or about one participant per site', () => {
    expect(asked()).toMatchObject({ rows: 300, sites: 4 });
    expect(asked({ unit: 'participant' })).toMatchObject({ rows: 4, sites: 1 });
  });

  it('compares the ways to share noise between two or more sites, some of them honest', () => {
    const federations = asked()?.modes.map(({ federation }) => federation);
    expect(federations).toEqual([
      { mode: 'independent', sites: 4 },
      { mode: 'split', sites: 4, honest: 3, dropouts: 0 },
      { mode: 'ring', sites: 4, honest: 3, dropouts: 0 },
      { mode: 'correlated', sites: 4, honest: 3 },
    ]);
    expect(asked({ sites: '1' })?.modes).toEqual([]);
    expect(asked({ honest: '5' })?.modes).toEqual([]);
    expect(asked({ dropouts: '3' })?.modes).toEqual([]);
  });
});
