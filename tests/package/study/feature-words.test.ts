import { assemble, defineStudy, parseStudy, privatize, type Column } from 'private-moments';
import { report } from 'private-moments/report';
import { featureNames, featureWords, sentenceOfComponent } from 'private-moments/words';
import { beforeAll, describe, expect, it } from 'vitest';
import { seeded } from '../support.js';

const number = (name: string, words: object = {}): Column => ({
  ...{ name, type: 'number', min: 0, max: 10 },
  ...words,
});
const category = (name: string, words: object = {}): Column => ({
  ...{ name, type: 'category', levels: ['1', '2'] },
  ...words,
});
const namesOf = (...columns: Column[]): string[] => [...featureNames({ columns }).values()];

describe('names of levels in a study', () => {
  const study = (levelLabels?: unknown) =>
    defineStudy({
      title: 'Levels',
      columns: [category('sex', { levelLabels })],
      privacy: { epsilon: 1, delta: 1e-6 },
    });

  it('are part of the study, in any order, and survive JSON', () => {
    const one = study({ 2: 'male', 1: 'female' });
    expect(one.id).toBe(study({ 1: 'female', 2: 'male' }).id);
    expect(parseStudy(JSON.stringify(one)).id).toBe(one.id);
    expect(one.columns[0]).toMatchObject({ levelLabels: { 1: 'female', 2: 'male' } });
  });

  it('leave the id of studies without them as it was', () => {
    expect(study({}).id).toBe(study().id);
    expect(study().id).toBe('eb8367bb0e3a75aed3d65ac8a1e29108d75f88be7cf3122ff3c05148b92058e1');
  });

  it('are refused for levels that do not exist, and where they are not texts', () => {
    const message = (labels: unknown): string => {
      try {
        study(labels);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    expect(message({ 3: 'other' })).toContain('unknown key: 3');
    expect(message({ 1: '' })).toBe('columns[0].levelLabels.1 must be a non-empty string');
    expect(message({ 1: 'x'.repeat(201) })).toContain('longer than 200 characters');
    expect(message(['female', 'male'])).toContain('must be an object');
  });
});

describe('what people call features', () => {
  it('is the label of the column and of the level; without words names stay', () => {
    expect(
      namesOf(
        number('age', { label: 'Age', unit: 'years' }),
        category('sex', { label: 'Sex', levelLabels: { 1: 'female' } }),
        category('site'),
      ),
    ).toEqual(['Age', 'Sex: female', 'Sex: 2']);
  });

  it('is unique: columns, levels and features with equal words get their names', () => {
    expect(
      namesOf(
        number('a', { label: 'Age' }),
        number('b', { label: 'age' }),
        number('c', { label: 'Age (a)' }),
        number('age', { unit: 'years' }),
      ),
    ).toEqual(['a', 'age (b)', 'Age (a) (c)', 'age']);
    expect(namesOf(category('sex', { levelLabels: { 1: 'other', 2: 'other' } }))).toEqual([
      'sex: other (1)',
      'sex: other (2)',
    ]);
    expect(
      namesOf(number('x', { label: 'sex: 1' }), category('sex', { levelLabels: { 2: 'two' } })),
    ).toEqual(['sex: 1 (x)', 'sex: 1 (sex=1)', 'sex: two']);
  });

  it('has single spaces, and no words longer than 60 characters', () => {
    expect(namesOf(number('a', { label: ' Age  in years' }))).toEqual(['Age in years']);
    expect(namesOf(number('a', { label: 'x'.repeat(61) }))).toEqual(['a']);
    expect(namesOf(category('a', { label: 'A', levelLabels: { 1: 'y'.repeat(61) } }))).toEqual([
      'A: 1',
      'A: 2',
    ]);
  });

  it('does not confuse names of objects with levels and columns', () => {
    const columns = [
      { name: '__proto__', type: 'category', levels: ['constructor', 'x'] } as const,
    ];
    expect(featureWords(columns)).toEqual({});
    expect(
      namesOf({ ...columns[0], levelLabels: { constructor: 'built' } } as unknown as Column),
    ).toEqual(['__proto__: built', '__proto__: x']);
  });
});

describe('a report of a study with words', () => {
  const study = defineStudy({
    title: 'Words',
    columns: [
      number('age_yrs', { label: '<script>alert(1)</script>', unit: 'years' }),
      number('glu', { label: 'Glucose', unit: 'mmol/L' }),
      category('sx', { label: 'Sex', levelLabels: { 1: 'female', 2: '"><b>male' } }),
    ],
    views: { people: ['age_yrs', 'sx'], blood: ['glu'] },
    privacy: { epsilon: 4, delta: 1e-6 },
  });
  const random = seeded(3);
  const rows = Array.from({ length: 20000 }, () => {
    const age = 10 * random();
    return {
      age_yrs: age,
      glu: Math.min(10, age * (0.7 + 0.3 * random())),
      sx: age > 5 ? '1' : '2',
    };
  });
  let html = '';
  let sentence = '';
  beforeAll(async () => {
    const moments = await assemble(study, [await privatize(study, rows)]);
    const pca = moments.pca({ components: 2 });
    sentence = sentenceOfComponent(pca, 0);
    html = report([
      moments,
      moments.cca(),
      pca,
      moments.ridge({ target: 'glu' }),
      moments.uncertainty(),
    ]);
  });

  it('calls columns, levels and the target by their labels, with units, and escapes them', () => {
    const body = html.slice(0, html.indexOf('The same results in code'));
    expect(body).toContain('Sex: <wbr>female');
    expect(body).toContain('Glucose (mmol/L)');
    expect(body).toContain('Regression of Glucose');
    expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt; (years)');
    expect(body).not.toContain('<script>');
    expect(body).not.toContain('<b>male');
    expect(body).not.toMatch(/age_yrs|\bglu\b|sx=/);
  });

  it('has the sentence of each pair and component, in the words of the package', () => {
    // It names two of three features, whose loadings are close.
    expect(sentence).toMatch(/igher glucose|ower glucose|sex female/);
    expect(html).toContain(
      sentence.replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    );
    expect(html).toMatch(/Higher glucose goes? with (?:sex female|higher &lt;script&gt;)/);
  });

  it('keeps the names of the study in code', () => {
    expect(html.slice(html.indexOf('The same results in code'))).toContain('glu');
  });
});
