import { createHash } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { canonicalJson } from '../../../web/package/src/base/canonical.js';
import { defineStudy, parseStudy } from '../../../web/package/src/study/study.js';
import type { StudyDefinition } from '../../../web/package/src/study/types.js';
import { definition, failure } from '../support.js';

/** Definitions from callers can be anything, so tests change them without types. */
const define = (bent: object) => defineStudy(bent as StudyDefinition);

describe('a study', () => {
  it('has all defaults filled in', () => {
    expect(defineStudy(definition()).toJSON()).toEqual({
      ...definition(),
      format: 'private-moments/study@1',
      unit: 'row',
      neighbours: 'replace-one',
      missing: 'centre',
      rowNorm: 2,
      clipping: 'centred',
      mechanism: { name: 'gaussian', shape: 'rotation-invariant' },
      federation: { mode: 'independent' },
    });
  });

  it('keeps what it tells participants about columns, as a part of its id', () => {
    const words = { label: 'Sleep per night', unit: 'hours', description: 'mean of a week' };
    const [age, sleep, work, mood] = definition().columns;
    const columns = [age, { ...sleep, ...words }, { ...work, label: 'Shift' }, mood];
    const named = define({ ...definition(), columns });
    expect(named.columns).toEqual(columns);
    expect(parseStudy(JSON.stringify(named)).id).toBe(named.id);
    expect(named.id).not.toBe(defineStudy(definition()).id);
  });

  it('lists what stands for missing in one order, so that equal studies have equal ids', () => {
    const study = define({ ...definition(), missingValues: ['NA', '-999 ', 'NA'] });
    expect(study.missingValues).toEqual(['-999', 'NA']);
    expect(define({ ...definition(), missingValues: ['-999', 'NA'] }).id).toBe(study.id);
    expect(parseStudy(JSON.stringify(study)).id).toBe(study.id);
    expect('missingValues' in defineStudy(definition()).toJSON()).toBe(false);
  });

  it('accepts the name of a mechanism for the mechanism with its defaults', () => {
    for (const name of ['gaussian', 'laplace', 'eigenvector-sampling']) {
      const short = define({ ...definition(), mechanism: name });
      const long = define({ ...definition(), mechanism: { name } });
      expect(short.id, name).toBe(long.id);
      expect(short.toJSON(), name).toEqual(long.toJSON());
      expect(short.mechanism.name).toBe(name);
    }
  });

  it.each([
    [{ mode: 'split', sites: 9, honest: 6 }, { dropouts: 0 }],
    [
      { mode: 'ring', sites: 9, honest: 6 },
      { dropouts: 0, threshold: 9 },
    ],
    // Either of a ring's terms for dropouts follows from the other.
    [{ mode: 'ring', sites: 9, honest: 6, dropouts: 1 }, { threshold: 8 }],
    [{ mode: 'ring', sites: 9, honest: 6, threshold: 7 }, { dropouts: 2 }],
    [{ mode: 'ring', sites: 9, honest: 6, dropouts: 0, threshold: 7 }, {}],
    [
      { mode: 'ring', sites: 256, honest: 200 },
      { dropouts: 0, threshold: 256 },
    ],
    [
      { mode: 'correlated', sites: 9, honest: 6 },
      { ratio: 1, calibration: 'joint' },
    ],
  ])('has all defaults of the federation %j filled in', (federation, defaults) => {
    const study = define({ ...definition(), federation });
    expect(study.federation).toEqual({ ...federation, ...defaults });
    // Everything that leaves a site is masked.
    expect(study.clipping).toBe('fixed');
    expect(parseStudy(JSON.stringify(study)).id).toBe(study.id);
  });

  it('says what to change if a guarantee about sums cannot be kept', () => {
    const message = (federation: object): string => {
      try {
        define({ ...definition(), federation });
      } catch (error) {
        return String(error);
      }
      return '';
    };
    expect(message({ mode: 'split', sites: 10, honest: 3, dropouts: 4 })).toContain(
      'set federation.dropouts to 2 or less, or raise federation.honest',
    );
    expect(message({ mode: 'ring', sites: 10, honest: 7, dropouts: 4 })).toContain(
      'a ring of 10 sites of which 7 are honest cannot do without more than 3: set federation.dropouts to 3 or less',
    );
    expect(message({ mode: 'ring', sites: 10, honest: 1, dropouts: 1 })).toContain(
      'cannot do without any site: set federation.dropouts to 0',
    );
    expect(message({ mode: 'ring', sites: 10, honest: 7, threshold: 5 })).toContain(
      'set federation.threshold to 7 or more, or raise federation.honest',
    );
  });

  it('drops rows with missing cells by default if their number is private', () => {
    expect(defineStudy({ ...definition(), neighbours: 'add-remove' }).missing).toBe('drop');
  });

  it('is identified by the SHA-256 of its canonical JSON', () => {
    const study = defineStudy(definition());
    const expected = createHash('sha256').update(canonicalJson(study.toJSON())).digest('hex');
    expect(study.id).toBe(expected);
  });

  it('has the same id with or without explicit defaults and in any order of keys', () => {
    const { title, columns, views, privacy } = definition();
    const reordered = define({
      privacy: { delta: privacy.delta, epsilon: privacy.epsilon },
      missing: 'centre',
      views: { mind: views.mind, life: views.life },
      unit: 'row',
      columns,
      title,
    });
    expect(reordered.id).toBe(defineStudy(definition()).id);
  });

  it.each([
    ['title', { title: 'Another' }],
    ['a bound', { columns: [{ name: 'mood', type: 'number', min: -5, max: 6 }], views: undefined }],
    ['epsilon', { privacy: { epsilon: 2, delta: 1e-6 } }],
    ['who asks', { organizer: 'The clinic' }],
    ['where releases go', { contact: 'Room 4' }],
    ['the order of columns', { columns: [...definition().columns].reverse() }],
  ])('has another id after a change of %s', (_, change) => {
    expect(define({ ...definition(), ...change }).id).not.toBe(defineStudy(definition()).id);
  });

  it('can be read from its own JSON text', () => {
    const words = {
      description: 'What we ask and why.',
      organizer: 'The clinic',
      contact: 'Room 4',
    };
    const study = defineStudy({ ...definition(), ...words });
    expect(study).toMatchObject(words);
    const again = parseStudy(JSON.stringify(study));
    expect(again.toJSON()).toEqual(study.toJSON());
    expect(again.id).toBe(study.id);
  });

  it('cannot be changed', () => {
    const study = defineStudy(definition());
    expect(() => (study.privacy.epsilon = 100)).toThrow(TypeError);
    expect(() => study.columns.pop()).toThrow(TypeError);
    study.toJSON().privacy.epsilon = 100;
    expect(study.privacy.epsilon).toBe(1);
  });

  it('does not change if the definition changes afterwards', () => {
    const mine = definition();
    const study = defineStudy(mine);
    mine.views.mind.push('age');
    expect(study.views?.mind).toEqual(['mood']);
  });

  it('turns each level of a category into a feature', () => {
    expect(defineStudy(definition()).features.map(({ name }) => name)).toEqual([
      'age',
      'sleep',
      'work=day',
      'work=night',
      'work=none',
      'mood',
    ]);
  });
});

describe('a study is refused if', () => {
  const number = (change: object) => ({
    columns: [{ name: 'a', type: 'number', min: 0, max: 1, ...change }],
    views: undefined,
  });
  const levels = (list: unknown) => ({
    columns: [{ name: 'a', type: 'category', levels: list }],
    views: undefined,
  });
  const many = (count: number) => ({
    columns: Array.from({ length: count }, (_, i) => ({
      name: `c${i}`,
      type: 'number',
      min: 0,
      max: 1,
    })),
    views: undefined,
  });

  test.each<[string, object, string, string]>([
    ['the title is missing', { title: undefined }, 'invalid-study', 'study.title'],
    ['the title is blank', { title: '  ' }, 'invalid-study', 'title'],
    ['the title is not Unicode', { title: 'a\ud800' }, 'invalid-study', 'title'],
    ['a key is unknown', { epsilon: 1 }, 'invalid-study', 'study.epsilon'],
    ['the format is another', { format: 'x@1' }, 'invalid-study', 'format'],
    ['columns are not a list', { columns: {} }, 'invalid-study', 'columns'],
    ['there is no column', { columns: [] }, 'invalid-dimension', 'columns'],
    ['there are 1001 columns', many(1001), 'invalid-dimension', 'columns'],
    ['a column has no name', number({ name: '' }), 'invalid-column', 'columns[0].name'],
    ['a name ends in a space', number({ name: 'a ' }), 'invalid-column', 'columns[0].name'],
    ['a type is unknown', number({ type: 'date' }), 'invalid-column', 'columns[0].type'],
    ['a column has an unknown key', number({ step: 1 }), 'invalid-column', 'columns[0].step'],
    ['a label is empty', number({ label: ' ' }), 'invalid-column', 'columns[0].label'],
    ['a unit is long', number({ unit: 'x'.repeat(41) }), 'invalid-column', 'columns[0].unit'],
    ['a number has levels', number({ levels: ['x'] }), 'invalid-column', 'columns[0].levels'],
    ['min is missing', number({ min: undefined }), 'invalid-bounds', 'columns[0].min'],
    ['min equals max', number({ min: 1 }), 'invalid-bounds', 'columns[0].min'],
    ['min exceeds max', number({ min: 2 }), 'invalid-bounds', 'columns[0].min'],
    ['max is infinite', number({ max: Infinity }), 'invalid-bounds', 'columns[0].max'],
    ['the range vanishes', number({ max: 5e-324 }), 'invalid-bounds', 'columns[0].min'],
    ['levels are missing', levels(undefined), 'invalid-levels', 'columns[0].levels'],
    ['levels are empty', levels([]), 'invalid-levels', 'columns[0].levels'],
    ['levels repeat', levels(['x', 'x']), 'invalid-levels', 'columns[0].levels[1]'],
    ['a level is not a text', levels(['x', 1]), 'invalid-levels', 'columns[0].levels[1]'],
    [
      'levels and columns make more than 1000 features',
      { columns: [...many(999).columns, { name: 'k', type: 'category', levels: ['x', 'y'] }] },
      'invalid-dimension',
      'columns',
    ],
    [
      'two columns share a name',
      { columns: [...number({}).columns, ...number({}).columns] },
      'duplicate-column',
      'columns[1].name',
    ],
    [
      'a column has the name of a level',
      { columns: [...levels(['x']).columns, ...number({ name: 'a=x' }).columns] },
      'duplicate-column',
      'columns',
    ],
    ['there is one view', { views: { life: ['age'] } }, 'invalid-view', 'views'],
    ['a view is empty', { views: { a: [], b: ['age'] } }, 'invalid-view', 'views.a'],
    ['a view is unknown', { views: { a: ['x'], b: ['age'] } }, 'invalid-view', 'views.a'],
    ['views overlap', { views: { a: ['age'], b: ['age'] } }, 'invalid-view', 'views.b'],
    ['a view repeats', { views: { a: ['age', 'age'], b: ['mood'] } }, 'invalid-view', 'views.a'],
    ['the unit is unknown', { unit: 'person' }, 'invalid-unit', 'unit'],
    ['neighbours are unknown', { neighbours: 'both' }, 'invalid-neighbours', 'neighbours'],
    ['the missing rule is unknown', { missing: 'median' }, 'invalid-missing-rule', 'missing'],
    ['nothing stands for missing', { missingValues: [] }, 'invalid-missing-rule', 'missingValues'],
    [
      'too much stands for missing',
      { missingValues: Array.from({ length: 21 }, (_, i) => String(i)) },
      'invalid-missing-rule',
      'missingValues',
    ],
    [
      'what stands for missing is too long',
      { missingValues: ['x'.repeat(41)] },
      'invalid-missing-rule',
      'missingValues[0]',
    ],
    ['rows are dropped though counted', { missing: 'drop' }, 'invalid-missing-rule', 'missing'],
    ['rowNorm is zero', { rowNorm: 0 }, 'invalid-row-norm', 'rowNorm'],
    ['rowNorm is infinite', { rowNorm: Infinity }, 'invalid-row-norm', 'rowNorm'],
    ['clipping is unknown', { clipping: 'private' }, 'invalid-clipping', 'clipping'],
    [
      'clipping cannot adapt to a participant',
      { unit: 'participant', clipping: 'adaptive' },
      'invalid-clipping',
      'clipping',
    ],
    [
      'clipping cannot adapt under this mechanism',
      { mechanism: { name: 'laplace' }, clipping: 'adaptive' },
      'invalid-clipping',
      'clipping',
    ],
    ['privacy is missing', { privacy: undefined }, 'invalid-study', 'study.privacy'],
    ['epsilon is missing', { privacy: { delta: 0.1 } }, 'invalid-epsilon', 'privacy.epsilon'],
    ['epsilon is 0', { privacy: { epsilon: 0, delta: 0.1 } }, 'invalid-epsilon', 'privacy.epsilon'],
    ['epsilon < 0', { privacy: { epsilon: -1, delta: 0.1 } }, 'invalid-epsilon', 'privacy.epsilon'],
    [
      'epsilon is text',
      { privacy: { epsilon: '1', delta: 1 } },
      'invalid-epsilon',
      'privacy.epsilon',
    ],
    [
      'epsilon is NaN',
      { privacy: { epsilon: NaN, delta: 0.1 } },
      'invalid-epsilon',
      'privacy.epsilon',
    ],
    ['delta < 0', { privacy: { epsilon: 1, delta: -1e-9 } }, 'invalid-delta', 'privacy.delta'],
    ['delta is missing', { privacy: { epsilon: 1 } }, 'invalid-delta', 'privacy.delta'],
    ['delta is 1', { privacy: { epsilon: 1, delta: 1 } }, 'invalid-delta', 'privacy.delta'],
    ['a mechanism is flawed', { mechanism: { name: 'sn' } }, 'invalid-mechanism', 'mechanism.name'],
    ['a mechanism has no name', { mechanism: null }, 'invalid-mechanism', 'mechanism.name'],
    [
      'a mechanism is an unknown name',
      { mechanism: 'gauss' },
      'invalid-mechanism',
      'mechanism.name',
    ],
    [
      'a mechanism is a name but needs components',
      { mechanism: 'ppca' },
      'invalid-components',
      'mechanism.components',
    ],
    [
      'a shape is unknown',
      { mechanism: { name: 'gaussian', shape: 'round' } },
      'invalid-mechanism',
      'mechanism.shape',
    ],
    [
      'a shape is null',
      { mechanism: { name: 'gaussian', shape: null } },
      'invalid-mechanism',
      'mechanism.shape',
    ],
    [
      'components are null',
      { mechanism: { name: 'gaussian', components: null } },
      'invalid-components',
      'mechanism.components',
    ],
    [
      'a mechanism has an unknown key',
      { mechanism: { name: 'gaussian', sigma: 1 } },
      'invalid-mechanism',
      'mechanism.sigma',
    ],
    [
      'a federation is unknown',
      { federation: { mode: 'x' } },
      'invalid-federation',
      'federation.mode',
    ],
    [
      'more sites are honest than exist',
      { federation: { mode: 'independent', sites: 2, honest: 3 } },
      'invalid-federation',
      'federation.honest',
    ],
    ...(
      [
        ['sites are unknown although masks are shared', { mode: 'split', honest: 1 }, 'sites'],
        ['there is only one site to share masks', { mode: 'split', sites: 1, honest: 1 }, 'sites'],
        ['no site is honest', { mode: 'split', sites: 3, honest: 0 }, 'honest'],
        ['more sites are honest than share masks', { mode: 'ring', sites: 3, honest: 4 }, 'honest'],
        [
          'a split has a threshold',
          { mode: 'split', sites: 3, honest: 2, threshold: 2 },
          'threshold',
        ],
        [
          'dishonest sites could remove masks',
          { mode: 'ring', sites: 9, honest: 3, threshold: 6 },
          'threshold',
        ],
        [
          'two groups without a common honest site could remove masks',
          { mode: 'ring', sites: 10, honest: 7, threshold: 6 },
          'threshold',
        ],
        [
          'half of the honest sites of a ring may be missing',
          { mode: 'ring', sites: 10, honest: 6, dropouts: 3 },
          'dropouts',
        ],
        [
          'the threshold exceeds the sites that are sure to remain',
          { mode: 'ring', sites: 10, honest: 9, dropouts: 2, threshold: 9 },
          'threshold',
        ],
        [
          'all honest sites may be missing',
          { mode: 'split', sites: 10, honest: 3, dropouts: 3 },
          'dropouts',
        ],
        [
          'a sum may have a single release',
          { mode: 'split', sites: 3, honest: 3, dropouts: 2 },
          'dropouts',
        ],
        [
          'the number of dropouts is not a whole number',
          { mode: 'split', sites: 3, honest: 3, dropouts: 0.5 },
          'dropouts',
        ],
        [
          'a sum under Gaussian masks has dropouts',
          { mode: 'correlated', sites: 3, honest: 3, dropouts: 0 },
          'dropouts',
        ],
        [
          'recovery needs more shares than there can be',
          { mode: 'ring', sites: 256, honest: 200, threshold: 200 },
          'threshold',
        ],
        [
          'the threshold exceeds the sites',
          { mode: 'ring', sites: 3, honest: 3, threshold: 4 },
          'threshold',
        ],
        ['masks have no variance', { mode: 'correlated', sites: 3, honest: 3, ratio: 0 }, 'ratio'],
        [
          'a calibration is unknown',
          { mode: 'correlated', sites: 3, honest: 3, calibration: 'x' },
          'calibration',
        ],
      ] as const
    ).map(([what, federation, field]): [string, object, string, string] => [
      what,
      { federation },
      'invalid-federation',
      `federation.${field}`,
    ]),
    [
      'noise cannot be shared',
      {
        mechanism: { name: 'laplace' },
        privacy: { epsilon: 1, delta: 0 },
        federation: { mode: 'split', sites: 3, honest: 2 },
      },
      'invalid-mechanism',
      'mechanism.name',
    ],
    [
      'pure noise cannot be correlated',
      {
        privacy: { epsilon: 1, delta: 0 },
        federation: { mode: 'correlated', sites: 3, honest: 2 },
      },
      'invalid-mechanism',
      'mechanism.name',
    ],
    [
      'noisy counts would leave with masked sums',
      { clipping: 'adaptive', federation: { mode: 'split', sites: 3, honest: 2 } },
      'invalid-clipping',
      'clipping',
    ],
    [
      'sites are not a whole number',
      { federation: { mode: 'independent', sites: 1.5 } },
      'invalid-federation',
      'federation.sites',
    ],
  ])('%s', async (_, change, code, field) => {
    await failure(() => define({ ...definition(), ...change }), { code, field });
  });

  it('the text is not JSON, not a study, or far too long', async () => {
    await failure(() => parseStudy('{"title":'), { code: 'invalid-study' });
    await failure(() => parseStudy('null'), { code: 'invalid-study', field: 'format' });
    await failure(() => parseStudy('{"format":"private-moments/study@2"}'), {
      code: 'study-version',
      field: 'format',
    });
    await failure(() => parseStudy(' '.repeat(2 ** 20 + 1)), { code: 'invalid-study' });
  });

  it('and the error names the invalid column', async () => {
    const bent = { ...definition(), columns: [{ name: 'mood', type: 'number', min: 1, max: 1 }] };
    await failure(() => define(bent), { code: 'invalid-bounds', column: 'mood' });
  });
});
