import {
  assemble,
  assembleComponents,
  defineStudy,
  privatize,
  type Moments,
} from 'private-moments';
import Papa from 'papaparse';
import { beforeAll, describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, seeded } from '../support.js';

const HEADER = [
  ...['analysis', 'quantity', 'view', 'row', 'column'],
  ...['value', 'low', 'high', 'below_noise_floor', 'row_label', 'column_label'],
];

const study = defineStudy(definition());
const random = seeded(8);
const rows = Array.from({ length: 500 }, () => {
  const sleep = 4 + 6 * random();
  return { age: 18 + 72 * random(), sleep, work: 'day', mood: sleep - 7 + random() };
});

let moments: Moments;
beforeAll(async () => {
  moments = await assemble(study, [await privatize(study, rows), await privatize(study, rows)]);
});

const linesOf = (csv: string): Record<string, string>[] =>
  Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true }).data;

describe('a result', () => {
  it('states its analysis, options and origin', () => {
    expect(moments.origin.library).toMatch(/^private-moments\/\d+\.\d+\.\d+/);
    const origin = {
      library: moments.origin.library,
      study: { id: study.id, title: 'Sleep and mood', unit: 'row', neighbours: 'replace-one' },
      releases: 2,
      noise: 'discrete-gaussian',
    };
    expect(moments.origin).toEqual(origin);
    expect(moments.pca()).toMatchObject({ analysis: 'pca', options: { components: 6 }, origin });
    expect(moments.cca({ y: ['mood'], x: 'life' })).toMatchObject({
      analysis: 'cca',
      options: { x: 'life', y: ['mood'], components: 1 },
      origin,
    });
  });

  it('has the means of its scores', () => {
    const { centre } = moments.pca();
    expect(centre.columns).toEqual(moments.columns);
    expect([...centre.values]).toEqual([...moments.mean.values]);
    const mood = moments.cca().views.mind;
    expect(mood?.centre.columns).toEqual(['mood']);
    expect(mood?.centre.values[0]).toBe(moments.mean.values[5]);
  });

  it('is plain data: a clone has everything except the methods', () => {
    for (const result of [moments.pca(), moments.cca()]) {
      const clone = structuredClone(result);
      expect(Object.keys(clone)).toEqual(Object.keys(result));
      expect(clone).toEqual(result);
      expect('toJSON' in clone).toBe(false);
    }
  });
});

describe('toJSON', () => {
  it('has every number in lists, in the format that it names', () => {
    const pca = moments.pca();
    const json = JSON.parse(JSON.stringify(pca)) as ReturnType<typeof pca.toJSON>;
    expect(json.format).toBe('private-moments/result@1');
    expect(json).toEqual(pca.toJSON());
    expect(json.weights.values).toEqual([...pca.weights.values]);
    expect(json.explained).toEqual(pca.explained);
    expect(json.guarantee).toEqual(pca.guarantee);
    const { views } = moments.cca().toJSON();
    expect(views.life?.loadings.values).toHaveLength(5);
  });

  it('of moments holds means, covariance, sums and the law of the noise', () => {
    const json = moments.toJSON();
    expect(Object.keys(json)).toEqual([
      ...['format', 'analysis', 'options', 'origin', 'guarantee', 'rows', 'columns'],
      ...['sources', 'scale', 'traceBound', 'coordinates'],
      ...['mean', 'covariance', 'secondMoments', 'noise', 'clipping', 'missing', 'denoising'],
    ]);
    expect(json).toMatchObject({ analysis: 'moments', rows: 1000, columns: moments.columns });
    expect(json.covariance.values).toEqual([...moments.covariance.values]);
    expect(json.sources).toEqual(['age', 'sleep', 'work', 'work', 'work', 'mood']);
    expect(json.scale.values).toEqual([36, 6, 1, 1, 1, 5]);
    expect(json.noise.covarianceSd.values).toHaveLength(36);
    expect(JSON.parse(JSON.stringify(moments))).toEqual(json);
  });

  it('of moments says in which units the noise has one law, with private centring alone', async () => {
    const fixed = defineStudy({ ...definition(), clipping: 'fixed' });
    const plain = await assemble(fixed, [await privatize(fixed, rows)]);
    expect(plain.toJSON().coordinates).toBeNull();
    const centred = defineStudy({ ...definition(), clipping: 'centred' });
    const releases = [await privatize(centred, rows), await privatize(centred, rows.slice(100))];
    for (const sum of [releases.slice(0, 1), releases]) {
      const of = await assemble(centred, sum);
      const { coordinates, noise, columns, scale, traceBound } = of.toJSON();
      if (coordinates === null) throw new Error('there are no coordinates');
      expect(coordinates.centre.columns).toEqual(columns);
      expect(coordinates.scale.columns).toEqual(columns);
      const units = coordinates.scale.values;
      const sds = noise.covarianceSd.values.map((sd, at) => {
        const [i, j] = [Math.floor(at / columns.length), at % columns.length];
        return sd / ((units[i] ?? NaN) * (units[j] ?? NaN));
      });
      for (const [at, sd] of sds.entries()) {
        const isDiagonal = at % (columns.length + 1) === 0;
        expect(sd / (sds[isDiagonal ? 0 : 1] ?? NaN)).toBeCloseTo(1, 9);
      }
      // The middle of the age column's bounds is 54, half their width 36.
      expect(Math.abs((coordinates.centre.values[0] ?? NaN) - 54)).toBeLessThanOrEqual(36);
      const widest = Math.max(...units.map((unit, j) => unit / (scale.values[j] ?? NaN)));
      expect(traceBound).toBeLessThanOrEqual(coordinates.traceBound * widest ** 2 * (1 + 1e-12));
      const lines = linesOf(of.toCSV()).filter(({ quantity }) => quantity?.startsWith('coord'));
      expect(lines.map(({ quantity, column }) => `${quantity} ${column}`)).toEqual([
        ...columns.map((name) => `coordinates.centre ${name}`),
        ...columns.map((name) => `coordinates.scale ${name}`),
        'coordinates.traceBound ',
      ]);
      expect(lines.map(({ value }) => Number(value))).toEqual([
        ...coordinates.centre.values,
        ...units,
        coordinates.traceBound,
      ]);
    }
  });

  it('of directions has null for unknown values', async () => {
    const directions = defineStudy({ ...definition(), mechanism: { name: 'ppca', components: 2 } });
    const components = await assembleComponents(directions, [await privatize(directions, rows)]);
    const json = components.toJSON();
    expect(json).toMatchObject({ analysis: 'components', rows: 500, origin: { releases: 1 } });
    expect(json.explained).toEqual(Array(2).fill({ value: null, share: null }));
    expect(json.loadings.values).toEqual([...components.loadings.values]);
    // The public centre: the middle of the bounds, or the scaled value 0 of an indicator.
    expect(json.centre.values).toEqual([54, 6, 0, 0, 0, 0]);
    expect(linesOf(components.toCSV()).filter(({ value }) => value === '')).toHaveLength(4);
  });

  it('of exact moments states that they have no guarantee', async () => {
    const exact = await exactMoments(study, rows);
    expect(exact.pca().toJSON()).toMatchObject({
      guarantee: null,
      origin: { releases: 0, noise: 'none' },
    });
  });
});

describe('toCSV', () => {
  it('has one line for each number, with the same number of fields and line ends of RFC 4180', () => {
    for (const result of [moments, moments.pca(), moments.cca()]) {
      const csv = result.toCSV();
      const { data, errors } = Papa.parse<string[]>(csv.slice(0, -2));
      expect(errors).toEqual([]);
      expect(data[0]).toEqual(HEADER);
      expect(new Set(data.map(({ length }) => length))).toEqual(new Set([HEADER.length]));
      expect(csv.split('\r\n')).toHaveLength(data.length + 1);
      expect(csv.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    }
  });

  it('names each number as in the result', () => {
    const pca = moments.pca({ components: 2 });
    const lines = linesOf(pca.toCSV());
    const find = (quantity: string, column: string, row = '') =>
      lines.find((l) => l.quantity === quantity && l.column === column && l.row === row);
    expect(find('explained', 'PC2')).toMatchObject({
      analysis: 'pca',
      view: '',
      value: String(pca.explained[1]?.value),
      below_noise_floor: String(pca.explained[1]?.belowNoiseFloor),
    });
    expect(find('explained.share', 'PC1')?.value).toBe(String(pca.explained[0]?.share));
    expect(find('weights', 'PC2', 'mood')?.value).toBe(String(pca.weights.values[11]));
    expect(find('centre', 'mood', 'mean')?.value).toBe(String(pca.centre.values[5]));
    expect(find('noiseFloor', '')?.value).toBe(String(pca.noiseFloor));
    expect(find('rows', '')?.value).toBe('1000');
    const cca = linesOf(moments.cca().toCSV());
    const ofLife = cca.filter((l) => l.view === 'life' && l.quantity === 'loadings');
    expect(ofLife.map(({ row }) => row)).toEqual(moments.columns.slice(0, 5));
    expect(cca.find(({ quantity }) => quantity === 'correlations')?.column).toBe('CC1');
  });

  it('has the values of a feature under its name', () => {
    const ridge = moments.ridge({ target: 'mood', level: 0.9 });
    const lines = linesOf(ridge.toCSV());
    const [age] = ridge.coefficients;
    expect(lines.find(({ row }) => row === 'age')).toEqual({
      analysis: 'ridge',
      quantity: 'coefficients',
      view: '',
      row: 'age',
      column: '',
      value: String(age?.value),
      low: String(age?.low),
      high: String(age?.high),
      below_noise_floor: String(age?.belowNoiseFloor),
      row_label: '',
      column_label: '',
    });
    expect(lines.find(({ quantity }) => quantity === 'r2')?.value).toBe(String(ridge.r2.value));
  });

  it('has the labels of features beside their names, and never of rows that are called like one', async () => {
    const named = defineStudy({
      title: 'Labels',
      columns: [
        { name: 'mean', type: 'number', min: 0, max: 1, unit: 'mmHg', label: 'Mean pressure' },
        { name: 'sex', type: 'category', levels: ['1', '2'], levelLabels: { 1: '=female' } },
      ],
      privacy: { epsilon: 1, delta: 1e-6 },
    });
    const all = await assemble(named, [await privatize(named, [{ mean: 0.4, sex: '1' }])]);
    const lines = linesOf(all.toCSV());
    const entry = (quantity: string, row: string, column: string) => {
      const line = lines.find(
        (each) => each.quantity === quantity && each.row === row && each.column === column,
      );
      return [line?.row_label, line?.column_label];
    };
    expect(entry('mean', 'mean', 'mean')).toEqual(['', 'Mean pressure']);
    expect(entry('covariance', 'sex=1', 'mean')).toEqual(['sex: =female', 'Mean pressure']);
    expect(entry('covariance', 'sex=2', 'sex=2')).toEqual(['sex: 2', 'sex: 2']);
  });

  it('has the intervals of weights and loadings beside them', () => {
    const cca = moments.cca({ level: 0.9, draws: 50 });
    const { weights, loadings } = cca.views.life ?? {};
    const lines = linesOf(cca.toCSV()).filter(
      ({ view, row }) => view === 'life' && row === 'sleep',
    );
    for (const [quantity, matrix] of Object.entries({ weights, loadings })) {
      expect(lines.find((line) => line.quantity === quantity)).toMatchObject({
        column: 'CC1',
        value: String(matrix?.values[1]),
        low: String(matrix?.low?.[1]),
        high: String(matrix?.high?.[1]),
      });
    }
    expect(lines.find(({ quantity }) => quantity === 'crossLoadings')?.low).toBe('');
    expect(cca.toJSON().views.life?.weights.low).toEqual([...(weights?.low ?? [])]);
  });

  it('has the intervals of principal components beside them', () => {
    const pca = moments.pca({ level: 0.9, draws: 50 });
    const lines = linesOf(pca.toCSV()).filter(({ row }) => row === 'sleep');
    const { weights, loadings, correlations } = pca;
    const { columns } = weights;
    const at = weights.rows.indexOf('sleep') * columns.length;
    for (const [quantity, matrix] of Object.entries({ weights, loadings, correlations })) {
      expect(lines.find((line) => line.quantity === quantity)).toMatchObject({
        column: 'PC1',
        value: String(matrix.values[at]),
        low: String(matrix.low?.[at]),
        high: String(matrix.high?.[at]),
      });
    }
    expect(pca.toJSON().correlations.low).toEqual([...(correlations.low ?? [])]);
  });

  it('preserves doubles exactly', () => {
    const covariance = linesOf(moments.toCSV()).filter((l) => l.quantity === 'covariance');
    expect(covariance.map(({ value }) => Number(value))).toEqual([...moments.covariance.values]);
    const noise = linesOf(moments.toCSV()).find((l) => l.quantity === 'noise.sdDiagonal');
    expect(Number(noise?.value)).toBe(moments.noise.sdDiagonal);
  });

  it('has no name that runs as a formula or loses a quote', async () => {
    const names = ['=1+1', '+x', '-x', '@x', 'a,b', 'say "so"', ';=1', '＝1', 'ok'];
    const hostile = defineStudy({
      ...definition(),
      columns: names.map((name) => ({ name, type: 'number', min: -1, max: 1 })),
      views: { '=view': names.slice(0, 5), rest: names.slice(5) },
    });
    const random = seeded(4);
    const table = Float64Array.from({ length: 20 * names.length }, () => random() - 0.5);
    const exact = await exactMoments(hostile, { columns: names, values: table });
    const escaped = names.map((name) => (/^[=+\-@＝]/.test(name) ? `'${name}` : name));
    const lines = linesOf(exact.toCSV());
    const means = lines.filter(({ quantity }) => quantity === 'mean');
    expect(means.map(({ column }) => column)).toEqual(escaped);
    expect(lines.every(({ value = '' }) => Number.isFinite(Number(value)))).toBe(true);
    const views = new Set(linesOf(exact.cca().toCSV()).map(({ view }) => view));
    expect(views).toEqual(new Set(['', "'=view", 'rest']));
    // A negative number is not a formula.
    expect(lines.some(({ value = '' }) => value.startsWith('-'))).toBe(true);
  });
});
