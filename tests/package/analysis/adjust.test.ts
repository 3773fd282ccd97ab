import {
  assemble,
  defineStudy,
  privatize,
  project,
  type Matrix,
  type StudyDefinition,
} from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { failure, seeded } from '../support.js';

const number = (name: string) => ({ name, type: 'number' as const, min: -8, max: 8 });
const definition: StudyDefinition = {
  title: 'Confounded',
  columns: [
    ...['a', 'b', 'c', 'd', 'age'].map(number),
    { name: 'scanner', type: 'category', levels: ['one', 'two', 'three'] },
  ],
  views: { first: ['a', 'b'], second: ['c', 'd'], who: ['age', 'scanner'] },
  privacy: { epsilon: 1e6, delta: 1e-3 },
};
const study = defineStudy(definition);
const shift: Record<string, number> = { one: -1, two: 0, three: 1.5 };

/** `a` and `c` have a part in common; all of them follow age and the scanner. */
const rows = (() => {
  const random = seeded(31);
  const noise = () => random() + random() + random() - 1.5;
  return Array.from({ length: 3000 }, () => {
    const age = 2 * noise();
    const scanner = ['one', 'two', 'three'][Math.floor(3 * random())] ?? 'one';
    const common = noise();
    const by = 0.5 * age + (shift[scanner] ?? 0);
    return {
      a: by + common + noise(),
      b: noise() - 0.5 * by,
      c: common + noise() + 0.8 * by,
      d: noise() + by,
      age,
      scanner,
    };
  });
})();

/** Residuals of the regression on age and indicators, by Gram-Schmidt. */
function residuals(name: 'a' | 'b' | 'c' | 'd'): number[] {
  const centred = (values: number[]): number[] => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const dot = (x: number[], y: number[]): number =>
    x.reduce((sum, v, i) => sum + v * (y[i] ?? 0), 0);
  const without = (x: number[], basis: number[][]): number[] =>
    basis.reduce((left, axis) => {
      const share = dot(left, axis) / dot(axis, axis);
      return left.map((value, i) => value - share * (axis[i] ?? 0));
    }, x);
  const covariates = [
    rows.map(({ age }) => age),
    ...['one', 'two'].map((level) => rows.map(({ scanner }) => (scanner === level ? 1 : 0))),
  ];
  const basis: number[][] = [];
  for (const covariate of covariates) basis.push(without(centred(covariate), basis));
  return without(centred(rows.map((row) => row[name])), basis);
}

const correlation = (x: number[], y: number[]): number => {
  const sum = (u: number[], v: number[]): number =>
    u.reduce((all, value, i) => all + value * (v[i] ?? 0), 0);
  return sum(x, y) / Math.sqrt(sum(x, x) * sum(y, y));
};

const at = ({ rows: names, columns, values }: Matrix, row: string, column: string): number =>
  values[names.indexOf(row) * columns.length + columns.indexOf(column)] ?? NaN;

describe('cca adjusted for covariates', () => {
  it('finds the partial correlation of two columns', async () => {
    const moments = await exactMoments(study, rows);
    const expected = correlation(residuals('a'), residuals('c'));
    const plain = moments.cca({ x: ['a'], y: ['c'] });
    const result = moments.cca({ x: ['a'], y: ['c'], adjust: ['age', 'scanner'] });
    expect(result.correlations[0]?.value).toBeCloseTo(expected, 5);
    expect(plain.correlations[0]?.value).toBeGreaterThan(expected + 0.2);
    expect(result.options).toMatchObject({ x: ['a'], y: ['c'], adjust: ['age', 'scanner'] });
    expect(result.adjusted).toMatchObject({ columns: ['age', 'scanner'], hidden: 0 });
    const { coefficients } = result.adjusted ?? {};
    expect(coefficients?.rows).toEqual(['a', 'c']);
    expect(coefficients?.columns).toEqual(['age', 'scanner=one', 'scanner=two', 'scanner=three']);
    expect(coefficients && at(coefficients, 'a', 'age')).toBeCloseTo(0.5, 1);
  });

  it('takes a view as covariates, and gives intervals, noise floors and scores of residuals', async () => {
    const moments = await assemble(study, [await privatize(study, rows)]);
    const result = moments.cca({ x: 'first', y: 'second', adjust: 'who', level: 0.95 });
    const [pair, next] = result.correlations;
    expect(pair?.low).toBeLessThan(pair?.value ?? NaN);
    expect(pair?.noiseFloor).toBeGreaterThan(0);
    expect(next?.belowNoiseFloor).toBe(true);
    // Scores of residuals do not correlate with the covariates.
    const scores = await project(study, rows, result);
    expect(scores.columns).toEqual(['first CC1', 'first CC2', 'second CC1', 'second CC2']);
    const score = (place: number) => Array.from(scores.values.filter((_, i) => i % 4 === place));
    const ages = rows.map(({ age }) => age);
    expect(Math.abs(correlation(score(0), ages))).toBeLessThan(0.01);
    expect(correlation(score(0), score(2))).toBeCloseTo(pair?.value ?? NaN, 1);
  });

  it('draws the same intervals in workers', async () => {
    const moments = await assemble(study, [await privatize(study, rows)]);
    const options = { x: 'first', y: 'second', adjust: ['age'], level: 0.9, draws: 60 };
    const here = moments.cca(options);
    const there = await moments.inWorker({ workers: 2 }).cca(options);
    expect(there.correlations).toEqual(here.correlations);
    expect(there.adjusted).toEqual(here.adjusted);
  });

  it('adjusts three views, and one shared component is left', async () => {
    const moments = await exactMoments(study, rows);
    const views = [['a'], ['c'], ['b', 'd']] as const;
    const result = moments.gcca({ views, adjust: ['age', 'scanner'] });
    expect(result.shared[0]?.value).toBeLessThan(moments.gcca({ views }).shared[0]?.value ?? 0);
    expect(result.adjusted?.columns).toEqual(['age', 'scanner']);
  });
});

describe('pca adjusted for covariates', () => {
  it('has the components of the residuals of all other columns', async () => {
    const moments = await exactMoments(study, rows);
    const result = moments.pca({ adjust: ['age', 'scanner'] });
    expect(result.columns).toEqual(['a', 'b', 'c', 'd']);
    const total = result.explained.reduce((sum, { value }) => sum + value, 0);
    const variances = (['a', 'b', 'c', 'd'] as const).map(
      (name) => residuals(name).reduce((sum, value) => sum + value ** 2, 0) / rows.length / 64,
    );
    expect(total).toBeCloseTo(
      variances.reduce((sum, value) => sum + value, 0),
      5,
    );
    expect(result.deviation.values[0]).toBeCloseTo(8 * Math.sqrt(variances[0] ?? NaN), 4);
    expect(JSON.parse(JSON.stringify(result))).toHaveProperty('adjusted.hidden', 0);
    expect(result.toCSV()).toContain('pca,adjusted.coefficients,,a,age,');
  });
});

it('takes covariates out of the views of the study', async () => {
  const moments = await exactMoments(study, rows);
  const named = moments.cca({ x: 'first', y: 'who', adjust: ['age'] });
  const listed = moments.cca({ x: ['a', 'b'], y: ['scanner'], adjust: ['age'] });
  expect(named.views.who?.columns).toEqual(['scanner=one', 'scanner=two', 'scanner=three']);
  expect(named.correlations).toEqual(listed.correlations);
});

it('refuses covariates that are analysed, unknown or all there is', async () => {
  const moments = await exactMoments(study, rows.slice(0, 50));
  const code = 'invalid-view';
  await failure(() => moments.cca({ x: ['a'], y: ['c', 'd'], adjust: ['d'] }), {
    code,
    field: 'adjust',
    column: 'd',
  });
  await failure(() => moments.pca({ adjust: ['agee'] }), { code, field: 'adjust' });
  const all = ['a', 'b', 'c', 'd', 'age', 'scanner'];
  await failure(() => moments.pca({ adjust: all }), { code, field: 'adjust' });
  await failure(() => moments.cca({ x: 'first', y: 'second', adjust: ['a', 'b'] }), {
    code,
    field: 'adjust',
  });
});

describe('releases of sites with different means', () => {
  const sites = [0, 1, 2].map((site) =>
    rows
      .filter((_, i) => i % 3 === site)
      .map((row) => ({ ...row, a: row.a / 2 + site - 1, c: row.c / 2 - site + 1 })),
  );
  const expected = () => {
    const means = (name: 'a' | 'c') =>
      sites.map((own) => own.reduce((sum, row) => sum + row[name], 0) / own.length);
    const about = (name: 'a' | 'c') =>
      sites.flatMap((own, s) => own.map((row) => row[name] - (means(name)[s] ?? 0)));
    return correlation(about('a'), about('c'));
  };

  it.each(['fixed', 'adaptive', 'centred'] as const)(
    'lose the differences between sites with sites: within (clipping %s)',
    async (clipping) => {
      const own = defineStudy({ ...definition, clipping });
      const releases = await Promise.all(sites.map((site) => privatize(own, site)));
      const pooled = (await assemble(own, releases)).cca({ x: ['a'], y: ['c'] });
      const moments = await assemble(own, releases, { sites: 'within' });
      const within = moments.cca({ x: ['a'], y: ['c'], level: 0.95 });
      expect(within.correlations[0]?.value).toBeCloseTo(expected(), 1);
      expect(Math.abs((pooled.correlations[0]?.value ?? 0) - expected())).toBeGreaterThan(0.1);
      expect(within.origin).toMatchObject({ sites: 'within', releases: 3 });
      expect(pooled.origin).not.toHaveProperty('sites');
      const { values } = moments.mean;
      const all = sites.flat();
      expect(values[0]).toBeCloseTo(all.reduce((sum, { a }) => sum + a, 0) / all.length, 1);
    },
  );

  it('need single releases of more than one row', async () => {
    const one = await privatize(study, rows.slice(0, 1));
    await failure(() => assemble(study, [one], { sites: 'within' }), { code: 'no-rows' });
    await failure(() => assemble(study, [one], { sites: 'between' as never }), {
      code: 'unsupported-option',
      field: 'sites',
    });
  });
});
