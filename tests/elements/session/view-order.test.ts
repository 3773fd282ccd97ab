import { defineStudy, parseStudy } from 'private-moments';
import type { CcaResult } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { PmScoreWeights } from '../../../web/elements/src/analyse/score-weights.js';
import { draftOf } from '../../../web/elements/src/design/draft.js';
import { viewMark } from '../../../web/elements/src/design/views-editor.js';
import { viewNames, viewSeries } from '../../../web/elements/src/session/view-order.js';
import { said } from '../said.js';

const study = parseStudy(
  JSON.stringify(
    defineStudy({
      title: 'T',
      columns: ['hours', 'bmi', 'wakes', 'age'].map(
        (name) => ({ name, type: 'number', min: 0, max: 1 }) as const,
      ),
      views: { sleep: ['wakes', 'hours'], body: ['bmi'], people: ['age'] },
      privacy: { epsilon: 1, delta: 1e-6 },
    }),
  ),
);

class Weights extends PmScoreWeights {
  drawn(): string {
    return said(this.render());
  }
}

describe('the views of a study', () => {
  it('keep the order of their columns in a file, although the study sorts them by name', () => {
    expect(Object.keys(study.views ?? {})).toEqual(['body', 'people', 'sleep']);
    expect(viewNames(study)).toEqual(['sleep', 'body', 'people']);
    expect(draftOf(study).views.map(({ name }) => name)).toEqual(['sleep', 'body', 'people']);
    expect(viewNames({ columns: study.columns })).toEqual([]);
  });

  it('have the same colours in Design and Analyse, whatever pair is analysed', () => {
    const draft = draftOf(study);
    const series = draft.views.map(({ key }) => /series-\d/.exec(said(viewMark(draft, key)))?.[0]);
    expect(series).toEqual(['series-1', 'series-2', 'series-3']);
    expect(said(viewMark(draft, 0))).toContain('none');
    expect(viewSeries(study, 'body')).toBe(2);
    expect(viewSeries(study, 'x')).toBeUndefined();

    const matrix = { rows: ['a'], columns: ['CC1'], values: Float64Array.of(0.5) };
    const view = { columns: ['a'], weights: matrix, loadings: matrix, deviation: matrix };
    const pair = { value: 0.6, low: 0.4, high: 0.7, noiseFloor: 0.1, belowNoiseFloor: false };
    const weights = new Weights();
    weights.study = study;
    weights.result = {
      analysis: 'cca',
      options: {},
      views: { people: view, sleep: view },
      correlations: [pair],
    } as unknown as CcaResult;
    const drawn = [...weights.drawn().matchAll(/\.series=(\d)/g)].map(([, own]) => own);
    expect(drawn).toEqual(['3', '1']);
  });

  it('keep their order while columns have no view yet', () => {
    const draft = draftOf(study);
    const none = { ...draft, columns: draft.columns.map((column) => ({ ...column, view: 0 })) };
    const marks = none.views.map(({ key }) => said(viewMark(none, key)));
    expect(marks.map((mark) => /series-\d/.exec(mark)?.[0])).toEqual([
      'series-1',
      'series-2',
      'series-3',
    ]);
  });
});
