import { runInNewContext } from 'node:vm';
import { defineStudy, type Study, type StudyDefinition } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { consentText } from '../../../web/elements/src/design/consent.js';
import { csvRecords } from 'private-moments/internal';
import {
  check,
  clippingsOf,
  definitionOf,
  draftOf,
  emptyColumn,
  emptyDraft,
  placed,
  type Draft,
} from '../../../web/elements/src/design/draft.js';
import { propose } from '../../../web/elements/src/design/example-file.js';
import {
  EPSILONS,
  ForecastSurface,
  neighboursOf,
  pointAt,
  readOff,
  rowsAround,
  sitesAround,
  withPoint,
} from '../../../web/elements/src/figures/forecast-surface.js';
import { cautionsOf } from '../../../web/elements/src/design/columns-editor.js';
import { atShare, fineStep, logShare, nextStep } from '../../../web/elements/src/base/log-steps.js';
import { codeForStudy, withoutDefaults } from '../../../web/elements/src/design/study-code.js';

const definition: StudyDefinition = {
  title: 'It’s "sleep"',
  columns: [
    { name: 'hours', type: 'number', min: 3, max: 11 },
    { name: 'colour', type: 'category', levels: ['red', 'blue'] },
    { name: 'bmi', type: 'number', min: 12, max: 48 },
  ],
  views: { '1st': ['hours', 'colour'], body: ['bmi'] },
  privacy: { epsilon: 0.5, delta: 1e-6 },
};

function study(changes: Partial<StudyDefinition> = {}): Study {
  return defineStudy({ ...definition, ...changes });
}

describe('a draft', () => {
  it('made from a study gives the same study again', () => {
    const all: Partial<StudyDefinition>[] = [
      { federation: { mode: 'independent', sites: 4 } },
      {
        organizer: 'The clinic',
        contact: 'Room 4',
        federation: { mode: 'independent', sites: 4 },
      },
      { description: 'Why.', rowNorm: 1.5, federation: { mode: 'split', sites: 9, honest: 4 } },
      { federation: { mode: 'ring', sites: 9, honest: 6, dropouts: 2 } },
      {
        unit: 'participant',
        neighbours: 'add-remove',
        privacy: { epsilon: 2, delta: 0 },
        federation: { mode: 'independent', sites: 50 },
      },
      {
        mechanism: { name: 'ppca', components: 2 },
        federation: { mode: 'independent', sites: 1 },
      },
    ];
    for (const clipping of ['fixed', 'adaptive', 'centred'] as const) {
      all.push({ clipping, federation: { mode: 'independent', sites: 4 } });
    }
    const stated = definition.columns.map((column) =>
      column.type === 'number' ? { ...column, centre: column.min + 2, spread: 1.5 } : column,
    );
    for (const mode of ['independent', 'split'] as const) {
      all.push({
        columns: stated,
        federation: { mode, sites: 9, ...(mode === 'split' && { honest: 4 }) },
      });
    }
    const words = { label: 'Mean', unit: 'h', description: 'of the last week' };
    all.push({
      columns: definition.columns.map((column) => ({ ...column, ...words })),
      missingValues: ['-999', 'NA'],
      federation: { mode: 'independent', sites: 4 },
    });
    for (const changes of all) {
      const own = study(changes);
      expect(defineStudy(definitionOf(draftOf(own, 100))).id).toBe(own.id);
    }
  });

  it('leaves out a limit for long rows that its mode or mechanism does not have', () => {
    const draft: Draft = { ...draftOf(study(), 100), clipping: 'centred' };
    expect(clippingsOf(draft)).toEqual(['centred', 'adaptive', 'fixed']);
    expect(check(draft).study?.clipping).toBe('centred');
    const split: Draft = { ...draft, mode: 'split', sites: '9' };
    expect(clippingsOf(split)).toEqual(['fixed']);
    expect(check(split).study?.clipping).toBe('fixed');
    const laplace: Draft = { ...draft, mechanism: 'laplace' };
    expect(check(laplace).study?.clipping).toBe('fixed');
    const people: Draft = { ...draft, unit: 'participant' };
    expect(check(people).study?.clipping).toBe('fixed');
  });

  it('says at the row norm that private centring has none', () => {
    const draft: Draft = { ...draftOf(study(), 100), clipping: 'centred', rowNorm: '1' };
    expect(check(draft).problems.map(({ field }) => field)).toEqual(['rowNorm']);
  });

  it('that is empty lacks a title and a name, with no other error', () => {
    expect(check(emptyDraft()).problems).toEqual([
      { field: 'title', message: 'The study needs a title.' },
      { field: 'columns.1.name', message: 'This column needs a name.' },
    ]);
  });

  it('reports every mistake at its own field', () => {
    const draft: Draft = { ...draftOf(study(), 100), epsilon: -1, sites: '3', honest: '4' };
    const [first, second, third] = draft.columns;
    if (first === undefined || second === undefined || third === undefined) throw new Error();
    const columns = [
      { ...first, max: 'x' },
      { ...second, levels: '' },
      { ...third, name: 'hours' },
    ];
    const views = draft.views.map((view) => ({ ...view, name: 'same' }));
    const fields = (changed: Draft) => check(changed).problems.map(({ field }) => field);
    expect(fields({ ...draft, columns, views, mode: 'split' })).toEqual([
      'columns.1.max',
      'columns.2.levels',
      'columns.3.name',
      'privacy.epsilon',
      'federation.honest',
    ]);
    expect(fields({ ...draft, epsilon: 1, views })).toEqual(['views.2']);
    const missing = { ...draft, epsilon: 1, sites: '10', honest: '5', dropouts: '5' };
    expect(fields({ ...missing, mode: 'split' })).toEqual(['federation.dropouts']);
    expect(fields({ ...missing, dropouts: '3', mode: 'ring' })).toEqual(['federation.dropouts']);
    expect(fields({ ...missing, dropouts: '4', mode: 'split' })).toEqual([]);
    expect(fields({ ...missing, mode: 'correlated' })).toEqual([]);
    const { problems } = check({ ...missing, mode: 'split' });
    expect(problems[0]?.message).toContain(
      'set the number of sites that may fail to send to 4 or less, or raise the number of honest sites.',
    );
  });
});

describe('fields that contradict each other', () => {
  const at = (draft: Draft, ...edited: string[]): string[] =>
    placed(check(draft).problems, edited).map(({ field }) => field);
  const draft = draftOf(study(), 100);
  const withColumns = (patch: object): Draft => ({
    ...draft,
    columns: draft.columns.map((column, i) => (i === 0 ? { ...column, ...patch } : column)),
  });

  it('show their error at the one edited last', () => {
    const bounds = withColumns({ min: '12' });
    expect(at(bounds, 'columns.1.max', 'title', 'columns.1.min')).toEqual(['columns.1.min']);
    expect(at(bounds, 'columns.1.min', 'columns.1.max')).toEqual(['columns.1.max']);
    const names = withColumns({ name: 'bmi' });
    expect(at(names, 'columns.1.name')).toEqual(['columns.1.name']);
    const views = { ...draft, views: draft.views.map((view) => ({ ...view, name: 'one' })) };
    expect(at(views)).toEqual(['views.2']);
    expect(at(views, 'views.1')).toEqual(['views.1']);
    const sites: Draft = { ...draft, mode: 'split', sites: '4', honest: '8' };
    expect(at(sites, 'federation.honest', 'federation.sites')).toEqual(['federation.sites']);
  });

  it('do not include one that is wrong by itself', () => {
    const bounds = withColumns({ max: 'x' });
    expect(at(bounds, 'columns.1.min')).toEqual(['columns.1.max']);
    const sites: Draft = { ...draft, mode: 'split', sites: '4', honest: 'x' };
    expect(at(sites, 'federation.sites')).toEqual(['federation.honest']);
  });
});

describe('columns proposed from an example', () => {
  const lines = (...rows: unknown[][]): string => rows.map((row) => row.join(',')).join('\n');
  const proposed = (name: string, ...cells: unknown[]) => {
    const { columns, leftOut } = propose(
      lines(['other', name], ...cells.map((cell) => ['x', cell])),
    );
    return columns[1] ?? leftOut[0]?.why;
  };

  it('have bounds moved outward to round numbers', () => {
    const { columns, rows } = propose('age,dose\n17,0.034\n68,0.91\n41,0.5\n');
    expect(rows).toBe(3);
    expect(columns).toEqual([
      { name: 'age', type: 'number', min: 10, max: 70, from: 'rounded outward' },
      { name: 'dose', type: 'number', min: 0, max: 1, from: 'rounded outward' },
    ]);
  });

  it('count from 0 where whole numbers come near it', () => {
    expect(proposed('visits', 3, 17, 5)).toMatchObject({ min: 0, max: 18, from: 'counts from 0' });
    expect(proposed('smokes', 1, 0, 1)).toMatchObject({ min: 0, max: 1, from: 'yes or no' });
    expect(proposed('change', -3, 17, 5)).toMatchObject({ min: -4, max: 18 });
    expect(proposed('weight', 60, 71)).toMatchObject({ min: 60, max: 72 });
  });

  it('go from 0 to 100 for a percentage and from 0 to 1 for a share', () => {
    for (const name of ['efficiency_pct', 'percent', 'sleep %', 'Body.fat.percentage']) {
      expect(proposed(name, 41.5, 98), name).toMatchObject({ min: 0, max: 100 });
    }
    expect(proposed('efficiency_pct', 0.415, 0.98)).toMatchObject({ min: 0, max: 1 });
    expect(proposed('share_of_time', 0.2, 0.4)).toMatchObject({ min: 0, max: 1 });
    // A name can be wrong.
    expect(proposed('gain_pct', -20, 140)).toMatchObject({ min: -20, max: 140 });
    expect(proposed('spectrum', 41.5, 98)).not.toMatchObject({ max: 100, min: 0 });
  });

  it('leave out what identifies rows', () => {
    for (const name of ['id', 'id_patient', 'patient_id', 'Patient ID', 'mrn', 'e-mail.uuid']) {
      expect(proposed(name, 5, 3, 9), name).toBe('identifies rows');
    }
    const twelve = Array.from({ length: 12 }, (_, i) => i + 100);
    expect(proposed('number', ...twelve)).toBe('identifies rows');
    expect(proposed('number', '007', '012')).toBe('identifies rows');
    expect(proposed('number', ...[...twelve].reverse())).toMatchObject({ type: 'number' });
    expect(proposed('acid', 5, 3, 9)).toMatchObject({ type: 'number' });
  });

  it('leave out dates, free text and empty columns', () => {
    expect(proposed('visit', '2020-01-31', '2021-02-28')).toBe('dates');
    expect(proposed('note', ...Array.from({ length: 30 }, (_, i) => `word ${i}`))).toBe(
      'free text',
    );
    expect(proposed('gap', 'NA', '')).toBe('empty');
  });

  it('read quoted cells, decimal commas, missing cells and single values', () => {
    const { columns, leftOut } = propose('\uFEFF"a;b";c;d\r\n"1,5";NA;7\r\n"2,5";x;7\r\n');
    expect(columns).toEqual([
      { name: 'a;b', type: 'number', min: 1.5, max: 2.5, from: 'rounded outward' },
      { name: 'c', type: 'category', levels: ['x'], from: 'levels found' },
      { name: 'd', type: 'number', min: 7, max: 8, from: 'rounded outward' },
    ]);
    expect(leftOut).toEqual([]);
  });

  it('need at least one row', () => {
    expect(() => propose('a,b\n')).toThrow('no rows');
    expect(() => propose('')).toThrow('no header');
  });

  it('come from records split as spreadsheets do', () => {
    expect([...csvRecords('a,"b ""c"", d"\n\n1,"x\ny"', ',')]).toEqual([
      ['a', 'b "c", d'],
      [''],
      ['1', 'x\ny'],
    ]);
  });
});

describe('the surface of a forecast', () => {
  const point = (value: number) => ({
    ratio: value,
    floor: 2 * value,
    pairs: [{ error: value, margin: 2 * value, risk: 0, power: value }],
  });

  it('is interpolated on a log scale, so that a power law comes out exactly', () => {
    const surface = new ForecastSurface();
    const grid = rowsAround(3000);
    for (const epsilon of EPSILONS) {
      for (const rows of grid) surface.set(epsilon, rows, point(1 / (epsilon * rows)));
    }
    const along = surface.alongEpsilon(3000, grid);
    const at = EPSILONS.indexOf(1);
    expect(along[at]?.ratio).toBeCloseTo(1 / 3000, 9);
    expect(surface.alongSize(0.7, grid)[0]?.floor).toBeCloseTo(2 / (0.7 * 100), 9);
    const ratios = along.map((each) => each?.ratio);
    expect(readOff(EPSILONS, ratios, 0.7)).toBeCloseTo(1 / 2100, 9);
  });

  it('takes in the exact forecast of the present choice', () => {
    const curve = withPoint([1, 2, 5], [point(1), point(2), undefined], 3, point(7));
    expect(curve.grid).toEqual([1, 2, 3, 5]);
    expect(pointAt(curve.grid, curve.points, 3)?.ratio).toBe(7);
    expect(withPoint([1, 2], [point(1), point(2)], 2, point(7)).points[1]?.ratio).toBe(7);
    expect(pointAt([1, 4], [point(1), point(4)], 2)?.ratio).toBeCloseTo(2, 12);
    // Shares of studies are not on a log scale.
    expect(pointAt([1, 4], [point(0.1), point(0.5)], 2)?.pairs[0]?.power).toBeCloseTo(0.3, 12);
    expect(pointAt([1, 4], [point(1), undefined], 2)).toBeUndefined();
  });

  it('has a grid of sites up to 100, or around many', () => {
    expect(sitesAround(12).at(0)).toBe(2);
    expect(sitesAround(1).at(0)).toBe(1);
    expect(sitesAround(12).at(-1)).toBe(100);
    expect(sitesAround(500).at(-1)).toBe(10_000);
  });

  it('has no value where one of its points is missing', () => {
    const surface = new ForecastSurface();
    surface.set(1, 1000, point(1));
    expect(surface.alongEpsilon(1100, rowsAround(1100))[EPSILONS.indexOf(1)]).toBeUndefined();
    expect(surface.alongEpsilon(1000, rowsAround(1000))[EPSILONS.indexOf(1)]?.ratio).toBe(1);
    expect(neighboursOf(EPSILONS, 1)).toEqual([1]);
    expect(neighboursOf(EPSILONS, 20)).toEqual([10]);
  });
});

describe('steps of a slider', () => {
  it('go 1, 2, 5, 10 in both directions', () => {
    const up = [0.1, 0.2, 0.5, 1, 2, 5];
    expect(up.map((value) => nextStep(value, true))).toEqual([0.2, 0.5, 1, 2, 5, 10]);
    expect([10, 5, 2, 1, 0.3].map((value) => nextStep(value, false))).toEqual([5, 2, 1, 0.5, 0.2]);
    expect(nextStep(0.1 + 0.2, true)).toBe(0.5);
  });

  it('are fine between them, so that a value typed can be reached again', () => {
    const way = (from: number, up: boolean, isWhole = false): number[] => {
      const first = fineStep(from, up, isWhole);
      return [first, fineStep(first, up, isWhole), fineStep(first, !up, isWhole)];
    };
    expect(way(600, true, true)).toEqual([610, 620, 600]);
    expect(way(1000, false, true)).toEqual([990, 980, 1000]);
    expect(way(10, true, true)).toEqual([11, 12, 10]);
    expect(way(1, true)).toEqual([1.1, 1.2, 1]);
    expect(way(1, false)).toEqual([0.99, 0.98, 1]);
  });

  it('and positions on the scale are inverse to each other', () => {
    for (const value of [0.1, 0.37, 1, 4.2, 10]) {
      expect(atShare(logShare(value, 0.1, 10), 0.1, 10)).toBe(value);
    }
    expect(logShare(NaN, 0.1, 10)).toBe(0);
  });
});

describe('the code of a study', () => {
  it('defines the same study without defaults', () => {
    const own = study({ federation: { mode: 'split', sites: 5, honest: 3 } });
    const code = codeForStudy(own);
    const literal = /defineStudy\((\{.*?\n\})\);/s.exec(code)?.[1] ?? '';
    const read = runInNewContext(`(${literal})`) as StudyDefinition;
    expect(defineStudy(read).id).toBe(own.id);
    expect(code).not.toMatch(/unit|neighbours|missing|rowNorm|clipping|mechanism/);
    expect(Object.keys(withoutDefaults(study()))).toEqual(['title', 'columns', 'views', 'privacy']);
  });
});

describe('the consent text', () => {
  it('names every column, what leaves and how strongly it is protected', () => {
    const own = study();
    const text = consentText(own);
    expect(text).toContain('- hours: a number from 3 to 11');
    expect(text).toContain('- colour: one of red, blue');
    expect(text).toContain('ε = 0.5, δ = 10⁻⁶');
    expect(text).toContain(
      'the probability of any result may exceed what ε allows by up to 1 in 1,000,000',
    );
    expect(text).toContain('How many records there are is not hidden.');
    expect(text).toContain(own.id);
  });

  it('says who asks if the study does, and has brackets if it does not', () => {
    expect(consentText(study())).toContain('[Who asks, at which institution');
    const named = consentText(study({ organizer: 'The clinic' }));
    expect(named).toContain('Who asks\nThe clinic\nQuestions: [how to reach them]');
    const whole = consentText(study({ organizer: 'The clinic', contact: 'Room 4' }));
    // Where releases go need not be where questions go.
    expect(whole).toContain('Questions: [how to reach them]');
    expect(whole).toContain('Where they go: Room 4');
  });

  it('says only what the study promises', () => {
    const pure = consentText(
      study({ privacy: { epsilon: 1, delta: 0 }, neighbours: 'add-remove' }),
    );
    expect(pure).not.toMatch(/remainder|How many records/);
    expect(pure).toContain('whether your record was there at all');
    const shared = consentText(study({ federation: { mode: 'ring', sites: 7, honest: 5 } }));
    expect(shared).toContain('at least 5 of the 7 sites');
    expect(consentText(study({ unit: 'participant' }))).toContain(
      'Your file stays on your computer.',
    );
  });
});

describe('cautions about a column', () => {
  const view = { key: 1, name: 'v' };

  it('name a category with two levels, and a column that no pair uses', () => {
    const category = { ...emptyColumn(1), type: 'category', levels: 'yes, no', view: 1 } as const;
    const draft = { ...emptyDraft(), views: [view] };
    expect(cautionsOf(category, draft).join()).toMatch(/Only two levels/);
    expect(cautionsOf({ ...category, levels: 'a, b, c' }, draft)).toEqual([]);
    expect(cautionsOf({ ...category, levels: 'a, b, c', view: 0 }, draft).join()).toMatch(
      /no view/,
    );
    expect(cautionsOf(emptyColumn(1), emptyDraft())).toEqual([]);
  });
});
