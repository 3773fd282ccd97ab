import {
  assemble,
  defineStudy,
  privatize,
  type Matrix,
  type Moments,
  type StudyDefinition,
} from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, forged, people } from '../support.js';

const study = defineStudy({ ...definition(), clipping: 'fixed' });
/** With practically no noise and no protection, as its guarantee says. */
const loud = defineStudy({ ...definition(), privacy: { epsilon: 1e7, delta: 1e-3 } });
/** Made-up rows in which mood follows sleep. */
const rows = people(900, 1.2, 1);
const thirds = [rows.slice(0, 300), rows.slice(300, 600), rows.slice(600)];

const at = (matrix: Matrix, row: string, column: string) =>
  matrix.values[
    matrix.rows.indexOf(row) * matrix.columns.length + matrix.columns.indexOf(column)
  ] ?? NaN;
const average = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const covarianceOf = (a: number[], b: number[]) => {
  const [ma, mb] = [average(a), average(b)];
  return average(a.map((value, i) => (value - ma) * ((b[i] ?? NaN) - mb)));
};

async function assembled(of = loud) {
  const releases = [];
  for (const part of thirds) releases.push(await privatize(of, part));
  return assemble(of, releases);
}

describe('assembled moments', () => {
  it('are in original units and in the order of the features', async () => {
    const moments = await assembled();
    const [sleep, mood] = [rows.map((row) => row.sleep), rows.map((row) => row.mood)];
    const night = rows.map(({ work }) => (work === 'night' ? 1 : 0));
    expect(moments.rows).toBe(900);
    expect(moments.columns).toEqual(study.features.map(({ name }) => name));
    expect(moments.mean.rows).toEqual(['mean']);
    expect(at(moments.mean, 'mean', 'sleep')).toBeCloseTo(average(sleep), 3);
    expect(at(moments.mean, 'mean', 'work=night')).toBeCloseTo(average(night), 3);
    expect(at(moments.covariance, 'sleep', 'mood')).toBeCloseTo(covarianceOf(sleep, mood), 2);
    expect(at(moments.covariance, 'mood', 'work=night')).toBeCloseTo(covarianceOf(mood, night), 2);
    expect(at(moments.covariance, 'mood', 'sleep')).toBe(at(moments.covariance, 'sleep', 'mood'));
  });

  it('keep the second moments as sums in scaled units, with the constant coordinate first', async () => {
    const { secondMoments } = await assembled(defineStudy({ ...loud.toJSON(), clipping: 'fixed' }));
    expect(secondMoments.rows).toEqual(['(constant)', ...study.features.map(({ name }) => name)]);
    // The constant coordinate is 11585/16384 (next to 1/sqrt 2) of the row norm, here 2.
    expect(secondMoments.values[0]).toBeCloseTo(900 * (2 * (11585 / 16384)) ** 2, 6);
    const scaled = rows.map(({ mood }) => (mood / 5) ** 2);
    expect(at(secondMoments, 'mood', 'mood')).toBeCloseTo(900 * average(scaled), 0);
  });

  it('are the same for any order and any form of releases', async () => {
    const releases = [];
    for (const part of thirds) releases.push(await privatize(study, part));
    const [a, b, c] = releases.map((release) => JSON.stringify(release));
    async function* arriving() {
      yield new Blob([c ?? '']);
      await Promise.resolve();
      yield new TextEncoder().encode(a);
      yield JSON.parse(b ?? '') as object;
    }
    const direct = await assemble(study, releases);
    const streamed = await assemble(study, arriving());
    expect(streamed.secondMoments).toEqual(direct.secondMoments);
    expect(streamed.covariance).toEqual(direct.covariance);
    const set = await assemble(study, new Set(releases));
    expect(set.secondMoments).toEqual(direct.secondMoments);
  });

  it('state the noise in scaled and in original units', async () => {
    const one = await assemble(study, [await privatize(study, rows)]);
    const three = await assembled(study);
    expect(three.noise.releases).toBe(3);
    expect(three.noise.countIsExact).toBe(true);
    expect(three.noise.sdDiagonal).toBeCloseTo(one.noise.sdDiagonal * Math.sqrt(3), 9);
    expect(one.noise.sdDiagonal / one.noise.sdOffDiagonal).toBeCloseTo(Math.SQRT2, 4);
    const { covarianceSd } = one.noise;
    // A covariance scales with the half widths of its two columns: 6 hours, 5 points of mood.
    const ratio = at(covarianceSd, 'sleep', 'mood') / at(covarianceSd, 'work=day', 'work=none');
    expect(ratio).toBeCloseTo(30, 9);
  });

  it('vary with the stated standard deviation', async () => {
    const few = rows.slice(0, 20);
    const runs: Moments[] = [];
    for (let k = 0; k < 200; k++) runs.push(await assemble(study, [await privatize(study, few)]));
    const spread = (row: string, column: string) => {
      const values = runs.map(({ secondMoments }) => at(secondMoments, row, column));
      return Math.sqrt(covarianceOf(values, values));
    };
    const noise = runs[0]?.noise;
    // 200 draws estimate a standard deviation to 5 % (one sigma); 25 % is five sigma.
    expect(spread('mood', 'mood') / (noise?.sdDiagonal ?? 0)).toBeCloseTo(1, 0);
    expect(spread('age', 'mood') / (noise?.sdOffDiagonal ?? 0)).toBeGreaterThan(0.75);
    expect(spread('age', 'mood') / (noise?.sdOffDiagonal ?? 0)).toBeLessThan(1.25);
    expect(spread('(constant)', '(constant)')).toBe(0);
  });

  it('have the guarantee of the study', async () => {
    const { guarantee } = await assembled(study);
    expect(guarantee).toMatchObject({ epsilon: 1, delta: 1e-6, unit: 'row' });
    expect(guarantee?.assumes.length).toBeGreaterThan(0);
  });

  it('estimate the number of rows if it is private', async () => {
    const open = defineStudy({ ...definition(), neighbours: 'add-remove' });
    const counts: number[] = [];
    for (let k = 0; k < 2; k++) {
      const moments = await assemble(open, [await privatize(open, rows)]);
      expect(moments.rows / 900).toBeCloseTo(1, 0);
      expect(moments.noise.countIsExact).toBe(false);
      counts.push(moments.rows);
    }
    // One of them is exact seven times in a million, as the noise of some 50 rows has steps of 1/1024.
    expect(counts).not.toEqual([900, 900]);
  });

  it('count participants if the unit is participant', async () => {
    const whole = defineStudy({ ...definition(), unit: 'participant' });
    expect((await assembled(whole)).rows).toBe(3);
  });

  it('without noise equal those of its rows', async () => {
    const [private_, exact] = [await assembled(), await exactMoments(loud, rows)];
    for (const [index, value] of exact.covariance.values.entries()) {
      expect(private_.covariance.values[index]).toBeCloseTo(value, 1);
    }
  });
});

/** Half widths of the bounds, which are one scaled unit; 1 for an indicator. */
const half: Record<string, number> = { age: 36, sleep: 6, mood: 5 };

describe('denoise', () => {
  it('leaves no impossible variance or covariance', async () => {
    const few = await assemble(study, [await privatize(study, rows.slice(0, 10))]);
    const { covariance, secondMoments, columns, denoising } = few.denoise();
    const variance = (name: string) => at(covariance, name, name);
    for (const name of columns) {
      expect(variance(name)).toBeGreaterThanOrEqual(0);
      for (const other of columns) {
        const most = Math.sqrt(variance(name) * variance(other));
        expect(Math.abs(at(covariance, name, other))).toBeLessThanOrEqual(most + 1e-9);
      }
    }
    const total = study.features.reduce((sum, { name }) => {
      return sum + variance(name) / (half[name] ?? 1) ** 2;
    }, 0);
    expect(total).toBeLessThanOrEqual(study.rowNorm ** 2 + 1e-9);
    expect(secondMoments.values).not.toEqual(few.secondMoments.values);
    expect(denoising?.shapeKept).toBeLessThan(1);
    expect(Math.abs(denoising?.signalEnergy ?? 99)).toBeLessThan(20);
  });

  it('brings covariances closer to the truth', async () => {
    const ten = rows.slice(0, 10);
    const exact = await exactMoments(study, ten);
    const noisy = await assemble(study, [await privatize(study, ten)]);
    const distance = ({ columns, covariance }: Moments) =>
      Math.hypot(
        ...columns.flatMap((a) =>
          columns.map((b) => {
            const units = (half[a] ?? 1) * (half[b] ?? 1);
            return (at(covariance, a, b) - at(exact.covariance, a, b)) / units;
          }),
        ),
      );
    // Noise of about 15 (21 numbers, so below 4 in less than one draw in a million), while the
    // bounds allow at most 4.
    expect(distance(noisy.denoise())).toBeLessThan(distance(noisy));
  });

  it('gives second moments that match its covariance and means', async () => {
    const clean = (await assembled(study)).denoise();
    const [sleep, mood] = [clean.mean.columns.indexOf('sleep'), clean.mean.columns.indexOf('mood')];
    const product =
      (((clean.mean.values[sleep] ?? 0) - 6) / 6) * ((clean.mean.values[mood] ?? 0) / 5);
    const expected = clean.rows * (at(clean.covariance, 'sleep', 'mood') / 30 + product);
    expect(at(clean.secondMoments, 'sleep', 'mood')).toBeCloseTo(expected, 6);
  });

  it('keeps means and count, and does not change exact moments', async () => {
    const exact = await exactMoments(study, rows);
    const clean = exact.denoise();
    expect(clean.mean).toEqual(exact.mean);
    expect(clean.rows).toBe(exact.rows);
    expect(clean.denoising).toEqual({ signalEnergy: null, traceKept: 1, shapeKept: 1 });
    expect(exact.denoising).toBeNull();
    for (const [index, value] of exact.secondMoments.values.entries()) {
      expect(clean.secondMoments.values[index]).toBeCloseTo(value, 6);
    }
    for (const [index, value] of exact.covariance.values.entries()) {
      expect(clean.covariance.values[index]).toBeCloseTo(value, 9);
    }
  });

  it('does not change the analyses, which denoise by themselves', async () => {
    const noisy = await assembled(study);
    const clean = noisy.denoise();
    expect(clean.pca()).toEqual(noisy.pca());
    expect(clean.cca()).toEqual(noisy.cca());
    expect(clean.denoise().covariance).toEqual(clean.covariance);
  });
});

describe('pca', () => {
  it('explains all variance with all components, largest first', async () => {
    const { explained, columns, weights, loadings, rows: count } = (await assembled()).pca();
    expect(explained.map(({ value }) => value)).toEqual(
      explained.map(({ value }) => value).sort((a, b) => b - a),
    );
    expect(explained.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 6);
    expect(weights.rows).toEqual(columns);
    expect(weights.columns).toEqual(['PC1', 'PC2', 'PC3', 'PC4', 'PC5', 'PC6']);
    expect(count).toBe(900);
    const first = loadings.rows.map((row) => at(loadings, row, 'PC1') ** 2);
    expect(first.reduce((sum, square) => sum + square, 0)).toBeCloseTo(1, 9);
  });

  it('marks components that noise could have made', async () => {
    const few = await assemble(study, [await privatize(study, rows.slice(0, 10))]);
    const { explained, noiseFloor } = few.pca();
    expect(explained.every(({ belowNoiseFloor }) => belowNoiseFloor)).toBe(true);
    expect(noiseFloor).toBeGreaterThan(0);
  });

  it('refuses impossible numbers of components', async () => {
    const moments = await exactMoments(study, rows);
    for (const components of [0, 7, 1.5, NaN, '2' as never]) {
      await failure(() => moments.pca({ components }), { code: 'invalid-components' });
    }
  });
});

describe('cca', () => {
  it('finds the planted correlation, with names', async () => {
    const result = (await assembled()).cca();
    expect(result.correlations).toHaveLength(1);
    expect(result.correlations[0]?.value).toBeGreaterThan(0.8);
    expect(result.correlations[0]?.belowNoiseFloor).toBe(false);
    expect(Object.keys(result.views)).toEqual(['life', 'mind']);
    const life = result.views.life;
    expect(life?.columns).toEqual(['age', 'sleep', 'work=day', 'work=night', 'work=none']);
    expect(life?.weights.columns).toEqual(['CC1']);
    if (life) expect(Math.abs(at(life.loadings, 'sleep', 'CC1'))).toBeGreaterThan(0.9);
    expect(result.guarantee?.epsilon).toBe(1e7);
  });

  it('gives the same correlations for views by name, by columns, and in either order', async () => {
    const moments = await exactMoments(study, rows);
    const value = moments.cca().correlations[0]?.value ?? NaN;
    const life = definition().views.life;
    expect(moments.cca({ x: 'mind' }).views).toHaveProperty('life');
    expect(moments.cca({ x: 'mind', y: 'life' }).correlations[0]?.value).toBeCloseTo(value, 9);
    const byColumns = moments.cca({ x: life, y: ['mood'] });
    expect(byColumns.correlations[0]?.value).toBeCloseTo(value, 9);
    expect(Object.keys(byColumns.views)).toEqual(['x', 'y']);
  });

  it('says if the signal is lost in the noise', async () => {
    let drowned = 0;
    for (let k = 0; k < 20; k++) {
      const few = await assemble(study, [await privatize(study, rows.slice(0, 10))]);
      const { correlations, noiseFloor } = few.cca();
      expect(noiseFloor).toBeGreaterThan(0);
      if (correlations[0]?.belowNoiseFloor) drowned += 1;
    }
    // A floor is exceeded in about three of a hundred cases.
    expect(drowned).toBeGreaterThan(10);
  });

  it('gives results that can be posted and stored', async () => {
    const moments = await exactMoments(study, rows);
    expect(structuredClone(moments.cca())).toEqual(moments.cca());
    expect(structuredClone(moments.pca())).toEqual(moments.pca());
  });

  it('refuses unknown, overlapping and missing views', async () => {
    const moments = await exactMoments(study, rows);
    await failure(() => moments.cca({ x: 'body' }), { code: 'invalid-view', field: 'x' });
    await failure(() => moments.cca({ y: ['height'] }), { code: 'invalid-view', column: 'height' });
    await failure(() => moments.cca({ y: [] }), { code: 'invalid-view' });
    await failure(() => moments.cca({ x: ['age', 'age'], y: 'mind' }), { code: 'invalid-view' });
    await failure(() => moments.cca({ x: ['mood'], y: 'mind' }), {
      code: 'invalid-view',
      column: 'mood',
    });
    await failure(() => moments.cca({ components: 2 }), { code: 'invalid-components' });
    const plain: StudyDefinition = definition();
    delete plain.views;
    const without = await exactMoments(defineStudy(plain), rows);
    await failure(() => without.cca(), { code: 'invalid-view' });
    expect(without.cca({ x: ['age', 'sleep'], y: ['mood'] }).correlations).toHaveLength(1);
  });

  it('refuses a single row', async () => {
    const single = await assemble(study, [await privatize(study, rows.slice(0, 1))]);
    await failure(() => single.cca(), { code: 'too-few-rows' });
    await failure(() => single.pca(), { code: 'too-few-rows' });
  });

  it('says that noise may exceed the number of rows if that is private', async () => {
    const open = defineStudy({ ...definition(), neighbours: 'add-remove' });
    const release = await privatize(open, rows.slice(0, 1));
    const drowned = forged(release.toJSON(), (content) => {
      content.values = release.values.map((value, i) => (i === 0 ? 0 : value));
    });
    const moments = await assemble(open, [drowned]);
    await failure(() => moments.pca(), { code: 'too-few-rows', message: /noise may exceed/ });
  });
});

describe('exact moments', () => {
  it('state that they have no guarantee', async () => {
    const moments = await exactMoments(study, rows);
    expect(moments.guarantee).toBeNull();
    expect(moments.cca().guarantee).toBeNull();
    expect(moments.noise).toMatchObject({ releases: 0, sdDiagonal: 0, sdOffDiagonal: 0 });
  });

  it('are the same for CSV, row objects and a table of numbers', async () => {
    const columns = ['age', 'sleep', 'work', 'mood'] as const;
    const lines = rows.map((row) => columns.map((name) => row[name]).join(','));
    const levels = ['day', 'night', 'none'];
    const values = Float64Array.from(
      rows.flatMap(({ age, sleep, work, mood }) => [age, sleep, levels.indexOf(work), mood]),
    );
    const fromObjects = await exactMoments(study, rows);
    const fromText = await exactMoments(study, [columns.join(','), ...lines].join('\n'));
    const fromTable = await exactMoments(study, { columns, values });
    expect(fromText.secondMoments).toEqual(fromObjects.secondMoments);
    expect(fromTable.secondMoments).toEqual(fromObjects.secondMoments);
  });

  it('do not depend on the order of rows', async () => {
    const turned = await exactMoments(study, [...rows].reverse());
    expect(turned.secondMoments).toEqual((await exactMoments(study, rows)).secondMoments);
  });

  it('refuse the same data as privatize', async () => {
    await failure(() => exactMoments(study, 'age\n1\n'), { code: 'missing-column' });
    await failure(() => exactMoments(study, []), { code: 'no-rows' });
    await failure(() => exactMoments(study, rows, { workers: 1 } as object), {
      code: 'unsupported-option',
    });
  });
});
