import {
  assemble,
  defineStudy,
  forecast,
  privatize,
  type Forecast,
  type Matrix,
  type StudyDefinition,
} from 'private-moments';
import { describe, expect, it } from 'vitest';
import {
  outcome,
  population,
  shareClear,
  simulate,
  studyOf,
  truthsOf,
} from '../../../experiments/simulated_studies.mjs';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, seeded } from '../support.js';

const names = ['a', 'b', 'c', 'd'];

/** Four numbers between -1 and 1, so that scaled units equal original units. */
function numbers(changes: Partial<StudyDefinition> = {}): StudyDefinition {
  return {
    title: 'Forecast',
    columns: names.map((name) => ({ name, type: 'number' as const, min: -1, max: 1 })),
    views: { left: ['a', 'b'], right: ['c', 'd'] },
    privacy: { epsilon: 1, delta: 1e-6 },
    ...changes,
  };
}

/** A study whose releases centre their rows. */
function centred(changes: Partial<StudyDefinition> = {}): StudyDefinition {
  return numbers({ clipping: 'centred', ...changes });
}

function normal(uniform: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Independent normal cells; by default with a quarter of the range as standard deviation. */
function table(rows: number, seed: number, mean = 0, sd = 0.5) {
  const uniform = seeded(seed);
  const cell = () => mean + sd * normal(uniform);
  return { columns: names, values: Float64Array.from({ length: rows * names.length }, cell) };
}

/** Covariance of a table after clamping its cells to the bounds. */
function exactCovariance({ values }: { values: Float64Array }): Float64Array {
  const d = names.length;
  const rows = values.length / d;
  const cell = (row: number, i: number) => Math.min(1, Math.max(-1, values[row * d + i] ?? 0));
  const mean = names.map((_, i) => {
    let sum = 0;
    for (let row = 0; row < rows; row++) sum += cell(row, i) / rows;
    return sum;
  });
  return Float64Array.from({ length: d * d }, (_, at) => {
    const [i, j] = [Math.floor(at / d), at % d];
    let sum = 0;
    for (let row = 0; row < rows; row++) {
      sum += ((cell(row, i) - (mean[i] ?? 0)) * (cell(row, j) - (mean[j] ?? 0))) / rows;
    }
    return sum;
  });
}

/** |released - exact|_F of each of several releases of fresh noise. */
async function measuredErrors(
  changes: Partial<StudyDefinition>,
  rows: number,
  sites: number,
  [mean, sd] = [0, 0.5],
): Promise<number[]> {
  const study = defineStudy(numbers(changes));
  const runs = 60;
  const errors: number[] = [];
  for (let run = 0; run < runs; run++) {
    const data = table(rows, run + 1, mean, sd);
    const size = data.values.length / sites;
    const releases = [];
    for (let site = 0; site < sites; site++) {
      const values = data.values.slice(site * size, (site + 1) * size);
      releases.push(await privatize(study, { columns: names, values }));
    }
    const { covariance } = await assemble(study, releases);
    const exact = exactCovariance(data);
    errors.push(
      Math.sqrt(covariance.values.reduce((sum, v, at) => sum + (v - (exact[at] ?? 0)) ** 2, 0)),
    );
  }
  return errors;
}

function rootMeanSquare(errors: readonly number[]): number {
  return Math.sqrt(errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length);
}

describe('forecast', () => {
  // With 60 runs of 10 numbers the measured error has a standard deviation of 3 %, or 5 % with Laplace noise.
  it.each([
    ['gaussian with a fixed row norm', { rowNorm: 2 }, 600, 1],
    ['gaussian of three sites', { rowNorm: 2 }, 900, 3],
    ['gaussian with adaptive clipping', { clipping: 'adaptive' as const }, 4000, 2],
    ['laplace', { mechanism: { name: 'laplace' } }, 600, 1],
    ['two-sided-wishart, add-remove', addRemove('two-sided-wishart'), 2000, 1],
  ])('forecasts the error of real releases: %s', async (_, changes, rows, sites) => {
    const { covariance } = await forecast(defineStudy(numbers(changes)), {
      rows,
      sites,
      correlations: [],
      offCentre: 0,
      spread: 0.25,
    });
    const measured = rootMeanSquare(await measuredErrors(changes, rows, sites));
    expect(covariance.error / measured).toBeGreaterThan(0.75);
    expect(covariance.error / measured).toBeLessThan(1.33);
  });

  // The radius of a centred release varies more than the noise does, so the middle of the errors is compared.
  it.each([
    ['one site', {}, 4000, 1],
    ['three sites', {}, 6000, 3],
    ['add-remove', { neighbours: 'add-remove' as const, missing: 'centre' as const }, 4000, 1],
    ['without a delta', { privacy: { epsilon: 2, delta: 0 } }, 4000, 1],
  ])(
    'forecasts the error of releases with private centring: %s',
    async (_, changes, rows, sites) => {
      const { covariance, centring } = await forecast(defineStudy(centred(changes)), {
        ...{ rows, sites, correlations: [], offCentre: 0.2, spread: 0.05 },
      });
      const errors = await measuredErrors(centred(changes), rows, sites, [0.4, 0.1]);
      // About one release in eight has more than twice the error of the forecast; half of them do with a
      // probability below 1e-9.
      const middle = errors.sort((a, b) => a - b)[30] ?? NaN;
      expect(covariance.error / middle).toBeGreaterThan(0.5);
      expect(covariance.error / middle).toBeLessThan(1.7);
      expect(centring?.radius).toBeGreaterThan(0.4);
      expect(centring?.least).toBeLessThanOrEqual(centring?.radius ?? 0);
      expect(centring?.most).toBeGreaterThanOrEqual(centring?.radius ?? Infinity);
    },
  );

  it('forecasts that private centring gains where means are far from the middle of wide bounds', async () => {
    const error = async (clipping: 'adaptive' | 'centred', offCentre: number, spread: number) => {
      const study = defineStudy(numbers({ clipping }));
      const { covariance } = await forecast(study, { rows: 4000, offCentre, spread });
      return covariance.error;
    };
    expect(await error('centred', 0.3, 0.05)).toBeLessThan(
      (await error('adaptive', 0.3, 0.05)) / 3,
    );
    expect(await error('centred', 0, 0.3)).toBeGreaterThan((await error('adaptive', 0, 0.3)) / 2);
  });

  it('says in words and numbers what private centring would choose', async () => {
    const found = await forecast(defineStudy(centred()), { rows: 4000 });
    expect(found.rowNorms).toEqual([]);
    expect(found.assumes.join()).toMatch(
      /centres and scales its rows.* shortened to [\d.]+ times their typical distance/,
    );
    const adaptive = await forecast(defineStudy(numbers({ clipping: 'adaptive' })), { rows: 4000 });
    expect(adaptive.centring).toBeNull();
    // Scales differ from column to column, and so does the noise in original units.
    const uneven = await forecast(defineStudy(centred()), {
      ...{ rows: 50_000, spread: { a: 0.02, b: 0.2, c: 0.2, d: 0.2 } },
    });
    const [a = 0, b = 0] = uneven.covariance.columnSd.values;
    expect(b / a).toBeGreaterThan(20);
    const { diagonal } = uneven.covariance.entrySd;
    expect(rootMeanSquare([...uneven.covariance.columnSd.values])).toBeCloseTo(diagonal, 12);
  });

  it('finds the rows that a study with private centring needs', async () => {
    const study = defineStudy(centred({ privacy: { epsilon: 0.3, delta: 1e-6 } }));
    const at = (rows: number) => forecast(study, { rows, correlations: [] });
    const few = await at(200);
    const needed = few.rowsNeeded.rows ?? NaN;
    const enough = await at(Math.ceil(needed * 1.1));
    expect(enough.covariance.total).toBeLessThan(0.55 * enough.covariance.answeringZero);
    const half = await at(Math.floor(needed / 2));
    expect(half.covariance.total).toBeGreaterThan(0.5 * half.covariance.answeringZero);
  });

  it('compares the error with that of answering zero', async () => {
    const { covariance } = await forecast(defineStudy(numbers()), {
      rows: 5000,
      correlations: [],
      spread: 0.25,
    });
    expect(covariance.answeringZero).toBeCloseTo(0.5, 9);
    expect(covariance.ratio).toBeCloseTo(covariance.error / covariance.answeringZero, 12);
    expect(covariance.error).toBeCloseTo(Math.hypot(covariance.noise, covariance.clipping), 12);
    expect(covariance.total).toBeCloseTo(Math.hypot(covariance.error, covariance.sampling), 12);
  });

  it('has an error that falls with rows and epsilon and rises with sites', async () => {
    const error = async (epsilon: number, rows: number, sites: number): Promise<number> => {
      const study = defineStudy(numbers({ privacy: { epsilon, delta: 1e-6 } }));
      return (await forecast(study, { rows, sites })).covariance.total;
    };
    const base = await error(1, 10_000, 4);
    expect(await error(2, 10_000, 4)).toBeLessThan(base);
    expect(await error(1, 20_000, 4)).toBeLessThan(base);
    expect(await error(1, 10_000, 1)).toBeLessThan(base);
    expect(await error(1, 10_000, 8)).toBeGreaterThan(base);
  });

  it('forecasts each stated correlation, largest first', async () => {
    const study = defineStudy(numbers());
    const { correlations, noiseFloor } = await forecast(study, {
      rows: 20_000,
      correlations: [0.02, 0.6],
    });
    expect(correlations.map(({ truth }) => truth)).toEqual([0.6, 0.02]);
    const [strong, faint] = correlations;
    expect(strong).toMatchObject({ belowNoiseFloor: false });
    expect(strong?.expected).toBeGreaterThan(0.55);
    expect(strong?.expected).toBeLessThan(0.65);
    expect(faint).toMatchObject({ belowNoiseFloor: true });
    expect(noiseFloor).toBeGreaterThan(0);
  });

  it('says how often a test finds each pair, the more often the more rows there are', async () => {
    const study = defineStudy(numbers());
    const powers = async (rows: number) =>
      (await forecast(study, { rows, correlations: [0.5, 0.2] })).correlations.map(
        ({ power }) => power,
      );
    let before = [0, 0];
    for (const rows of [500, 5000, 50_000]) {
      const own = await powers(rows);
      const [strong = 0, faint = 1] = own;
      expect(strong).toBeGreaterThanOrEqual(faint);
      for (const [i, power] of own.entries())
        expect(power).toBeGreaterThan((before[i] ?? 1) - 0.02);
      before = own;
    }
    expect(before[0]).toBeGreaterThan(0.99);
    expect((await powers(50))[1]).toBeLessThan(0.2);
  });

  it('promises little power where private centring shortens most of the few rows', async () => {
    const study = defineStudy(centred({ privacy: { epsilon: 4, delta: 1e-6 } }));
    const few = { correlations: [0.6], withinViews: 0.5, offCentre: 0.2 };
    const { correlations, covariance } = await forecast(study, { ...few, rows: 60 });
    expect(covariance.clipping).toBeGreaterThan(covariance.answeringZero / 2);
    expect(correlations[0]?.power).toBeLessThan(0.4);
    const { correlations: more } = await forecast(study, { ...few, rows: 400 });
    expect(more[0]?.power).toBeGreaterThan(0.9);
  });

  it('allows for what clipping may have moved between sites of few rows', async () => {
    const study = defineStudy(centred({ privacy: { epsilon: 4, delta: 1e-6 } }));
    const asked = { correlations: [0.6], withinViews: 0.5, offCentre: 0.2, sites: 12 };
    const { correlations } = await forecast(study, { ...asked, rows: 12 * 66 });
    // Without that it is 0.7; the test counts hardly any such pair.
    expect(correlations[0]?.power).toBeLessThan(0.3);
  });

  it('finds a pair that is not there about as often as the level says', async () => {
    const study = defineStudy(numbers());
    const [none] = (await forecast(study, { rows: 20_000, correlations: [0] })).correlations;
    expect(none?.power).toBeGreaterThan(0.01);
    expect(none?.power).toBeLessThan(0.12);
  });

  it('has no correlations without two views', async () => {
    const study = defineStudy({ ...numbers(), views: undefined } as unknown as StudyDefinition);
    const without = await forecast(study, { rows: 1000 });
    expect(without.correlations).toEqual([]);
    expect(without.noiseFloor).toBeNull();
    const asked = await forecast(study, { rows: 1000, x: ['a'], y: ['b', 'c'] });
    expect(asked.correlations.map(({ truth }) => truth)).toEqual([0.5]);
  });

  it('states its assumptions in words, and uses stated ones instead', async () => {
    const study = defineStudy({ ...definition(), clipping: 'adaptive' });
    const plain = await forecast(study, { rows: 5000 });
    expect(plain.assumes.join('\n')).toMatch(/deviation of 0\.2 of their range/);
    expect(plain.assumes.join('\n')).toMatch(/equally frequent/);
    const narrow = await forecast(study, { rows: 5000, spread: { age: 0.1 } });
    expect(narrow.covariance.answeringZero).toBeLessThan(plain.covariance.answeringZero);
    expect(narrow.assumes.join('\n')).toMatch(/age: 0\.1/);
    const clipped = await forecast(study, { rows: 5000, rowNorm: 0.7 });
    expect(clipped.rowNorms).toEqual([{ radius: 0.7, share: 1 }]);
    expect(clipped.shortened).toBe(1);
    expect(clipped.covariance.clipping).toBeGreaterThan(plain.covariance.clipping);
    expect(clipped.covariance.noise).toBeLessThan(plain.covariance.noise);
  });

  it('takes a public covariance in original units', async () => {
    const study = defineStudy(definition());
    const features = study.features.map(({ name }) => name);
    const half = [36, 6, 1, 1, 1, 5];
    const covariance: Matrix = {
      rows: features,
      columns: features,
      values: Float64Array.from({ length: 36 }, (_, at) => {
        const [i, j] = [Math.floor(at / 6), at % 6];
        return i === j ? 0.1 * (half[i] ?? 0) ** 2 : 0;
      }),
    };
    const found = await forecast(study, { rows: 5000, covariance, correlations: [0] });
    expect(found.covariance.answeringZero).toBeCloseTo(0.1 * Math.sqrt(6), 9);
  });

  it('gives standard deviations in original units', async () => {
    const study = defineStudy({ ...definition(), clipping: 'adaptive' });
    const { covariance, mean, rowsSd } = await forecast(study, { rows: 5000 });
    expect(covariance.columnSd.columns).toEqual(study.features.map(({ name }) => name));
    expect(covariance.columnSd.values[0]).toBeCloseTo(covariance.entrySd.diagonal * 36 ** 2, 9);
    expect(mean.columnSd.values[1]).toBeCloseTo(mean.sd * 6, 12);
    expect(rowsSd).toBe(0);
    const counted = defineStudy(numbers({ neighbours: 'add-remove' }));
    expect((await forecast(counted, { rows: 5000 })).rowsSd).toBeGreaterThan(0);
  });

  it('gives a verdict in one sentence: useful, weak or drowned', async () => {
    const study = defineStudy(numbers());
    const verdict = async (rows: number): Promise<Forecast> => forecast(study, { rows });
    expect(await verdict(100_000)).toMatchObject({ verdict: 'useful', summary: /^Useful: .*\.$/ });
    expect(await verdict(10)).toMatchObject({ verdict: 'drowned', summary: /below the noise/ });
    const useful = await verdict(100_000);
    expect(useful.summary).toMatch(/times that of answering zero/);
  });

  it('computes the rows needed for a target', async () => {
    const study = defineStudy(numbers({ rowNorm: 2 }));
    const { rowsNeeded } = await forecast(study, { rows: 100, target: 0.25 });
    const there = await forecast(study, { rows: rowsNeeded.rows ?? 0, target: 0.25 });
    const { total, answeringZero } = there.covariance;
    expect(total / answeringZero).toBeGreaterThan(0.248);
    expect(total / answeringZero).toBeLessThanOrEqual(0.25);
    const hopeless = await forecast(study, { rows: 100, rowNorm: 0.1, target: 0.25 });
    expect(hopeless.rowsNeeded.rows).toBeNull();
  });

  it('counts each participant as one release if the unit is participant', async () => {
    const study = defineStudy(numbers({ unit: 'participant', rowNorm: 2 }));
    const few = await forecast(study, { rows: 1_000_000, sites: 5000 });
    const many = await forecast(study, { rows: 1_000_000, sites: 500_000 });
    expect(few.covariance.noise / many.covariance.noise).toBeCloseTo(10, 0);
    expect(few.covariance.sampling).toBe(many.covariance.sampling);
    const needed = few.rowsNeeded.rows ?? 0;
    const sites = Math.round(needed / 200);
    const { covariance } = await forecast(study, { rows: 200 * sites, sites });
    expect(covariance.total / covariance.answeringZero).toBeCloseTo(0.5, 2);
    expect((await forecast(study, { rows: 500 })).sites).toBe(500);
  });

  it('gives the same answer each time, as data that can be stored', async () => {
    const study = defineStudy(definition());
    const first = await forecast(study, { rows: 3000, sites: 3 });
    expect(await forecast(study, { rows: 3000, sites: 3 })).toEqual(first);
    expect(structuredClone(first)).toEqual(first);
  });

  it('takes no clip radius for private centring, whose releases have units of their own', async () => {
    const asked = () => forecast(defineStudy(centred()), { rows: 100, rowNorm: 1 });
    await failure(asked, { code: 'unsupported-option', field: 'rowNorm' });
  });

  it('refuses options that have no answer', async () => {
    const study = defineStudy(numbers());
    const refused = (options: object) =>
      failure(() => forecast(study, options as never), { code: 'unsupported-option' });
    await refused({});
    await refused({ rows: 1 });
    await refused({ rows: 10.5 });
    await refused({ rows: 10, sites: 11 });
    await refused({ rows: 10, site: 1 });
    await refused({ rows: 10, spread: 0 });
    await refused({ rows: 10, spread: { elsewhere: 0.1 } });
    await refused({ rows: 10, correlations: [1] });
    for (const withinViews of [1, -0.1, NaN, '0.5']) await refused({ rows: 10, withinViews });
    for (const offCentre of [0.5, -0.1, NaN, '0.1']) await refused({ rows: 10, offCentre });
    await refused({ rows: 10, target: 0 });
    await refused({ rows: 10, covariance: { rows: [], columns: [], values: [] } });
    await failure(() => forecast(study, { rows: 10, rowNorm: -1 }), { code: 'invalid-row-norm' });
    await failure(() => forecast(study, { rows: 10, x: 'left', y: 'nowhere' }), {
      code: 'invalid-view',
    });
    await failure(() => forecast(study, { rows: 10, correlations: [0.5, 0.4, 0.3] }), {
      code: 'invalid-components',
    });
    await failure(() => forecast(study, { rows: Number.MAX_SAFE_INTEGER }), {
      code: 'too-many-rows',
    });
    const directions = defineStudy(numbers({ mechanism: { name: 'ppca', components: 1 } }));
    await failure(() => forecast(directions, { rows: 10 }), { code: 'not-moments' });
    await failure(() => forecast({} as never, { rows: 10 }), { code: 'invalid-study' });
  });
});

// Simulations take minutes on a busy machine.
describe('a verdict of forecast', { timeout: 300_000 }, () => {
  /** Twelve sites of 500 rows, four columns a view that correlate at 0.8, one correlation of a half. */
  const crowded = { columns: 4, within: 0.8, planted: 0.5 };

  it('is not useful if simulated studies drown: twelve sites of 500 rows, correlated columns', async () => {
    const data = population({ ...crowded, along: 'alike' });
    const study = studyOf(data);
    const size = { rows: 6000, sites: 12 };
    const truths = await truthsOf(exactMoments, study, data, 1);
    const asIs = { withinViews: 0.8, offCentre: 0, spread: 0.25 };
    for (const assumed of [{}, asIs]) {
      const { verdict, correlations } = await forecast(study, {
        ...{ ...size, ...assumed },
        correlations: truths,
      });
      expect(verdict).not.toBe('useful');
      expect(correlations[0]).toMatchObject({ margin: null, clear: false, belowNoiseFloor: true });
    }
    // In simulations hardly one run in a hundred is above its floor.
    const found = await simulate(study, data, { ...size, runs: 30, pairs: 1 });
    expect(shareClear(found, [{ truth: truths[0] ?? 0, margin: null }])).toBeLessThan(0.5);
  });

  it('has the floors and deviations of simulated studies at the worse end', async () => {
    const size = { rows: 6000, sites: 12 };
    for (const along of ['shared', 'contrast'] as const) {
      const data = population({ ...crowded, along });
      const study = studyOf(data);
      const [pair] = (
        await forecast(study, {
          ...size,
          ...{ correlations: [0.5], withinViews: 0.8, offCentre: 0, spread: 0.25 },
        })
      ).correlations;
      const { sd, floor } = outcome(
        await simulate(study, data, { ...size, runs: 30, pairs: 1 }),
        0,
      );
      // 30 runs estimate a standard deviation to 13 % and the mean floor to about 0.03.
      expect(sd).toBeLessThan(1.9 * (pair?.sd ?? 0));
      expect(floor).toBeLessThan((pair?.noiseFloor ?? 0) + 0.2);
    }
  });

  // A verdict promises nine of ten runs, and with these settings at least 97 of 100 are clear. Fewer than two
  // thirds of 30 happen by chance in one test of a hundred million.
  it.each([
    ['correlated, along the shared factor', { along: 'shared' as const }, strong(), 1, 6000],
    ['correlated, not along the shared factor', { along: 'contrast' as const }, strong(), 1, 6000],
    ['off centre', { along: 'alike' as const, offCentre: 0.2 }, strong(), 4, 12_000],
    ['skewed', { along: 'alike' as const, skewed: true }, strong(), 4, 12_000],
    ['with yes or no', { along: 'alike' as const, indicators: 1 }, strong(), 4, 12_000],
    ['uncorrelated, pure epsilon', { within: 0 }, pure('laplace'), 1, 6000],
    ['fixed clipping', { along: 'alike' as const }, strong({ clipping: 'fixed' }), 6, 12_000],
  ])('is useful if simulated studies are: %s', async (_, of, changes, sites, rows) => {
    const data = population({ columns: 3, within: 0.8, planted: 0.6, ...of });
    const study = studyOf(data, changes);
    const truths = await truthsOf(exactMoments, study, data, 1);
    const { verdict, correlations } = await forecast(study, { rows, sites, correlations: truths });
    expect(verdict).toBe('useful');
    const found = await simulate(study, data, { rows, sites, runs: 30, pairs: 1 });
    expect(shareClear(found, correlations)).toBeGreaterThanOrEqual(2 / 3);
  });

  it('is not useful if one planned correlation is at risk', async () => {
    const study = defineStudy(numbers());
    const size = { rows: 20_000, withinViews: 0 };
    expect((await forecast(study, { ...size, correlations: [0.6] })).verdict).toBe('useful');
    const both = await forecast(study, { ...size, correlations: [0.6, 0.02] });
    expect(both.verdict).toBe('weak');
    expect(both.summary).toMatch(/^At risk: .*correlation of 0\.02 may be below the noise floor/);
    expect(both.correlations.map(({ clear }) => clear)).toEqual([true, false]);
    // There is nothing to find of a correlation of zero.
    expect((await forecast(study, { ...size, correlations: [0.6, 0] })).verdict).toBe('useful');
  });

  it('does not improve with more correlated or less centred columns', async () => {
    const study = defineStudy(numbers());
    const first = async (assumed: object) => {
      const { correlations } = await forecast(study, { rows: 20_000, ...assumed });
      return correlations[0];
    };
    const errors: number[] = [];
    for (const withinViews of [0, 0.4, 0.8, 0.95]) {
      const pair = await first({ withinViews });
      errors.push(pair?.error ?? 0);
    }
    expect(errors).toEqual([...errors].sort((a, b) => a - b));
    const [centred, off] = [await first({ offCentre: 0 }), await first({ offCentre: 0.4 })];
    expect(off?.error).toBeGreaterThan(centred?.error ?? 1);
  });

  it('states its assumptions, with the verdict and separately', async () => {
    const study = defineStudy(numbers());
    const found = await forecast(study, { rows: 5000, withinViews: 0.6, offCentre: 0.1 });
    expect(found.assumed).toEqual({ withinViews: 0.6, offCentre: 0.1 });
    expect(found.summary).toMatch(/columns of one view correlate up to 0\.6/);
    expect(found.summary).toMatch(/means are up to 0\.1 of the range off centre/);
    const usual = await forecast(study, { rows: 5000 });
    expect(usual.assumed).toEqual({ withinViews: 0.8, offCentre: 0.2 });
  });

  it('takes within-view correlations from a stated covariance only', async () => {
    const study = defineStudy(numbers());
    const covariance: Matrix = {
      rows: names,
      columns: names,
      values: Float64Array.from({ length: 16 }, (_, at) => (at % 5 === 0 ? 0.25 : 0)),
    };
    const stated = await forecast(study, { rows: 5000, covariance });
    expect(stated.assumed.withinViews).toBeNull();
    await failure(() => forecast(study, { rows: 5000, covariance, withinViews: 0.5 }), {
      code: 'unsupported-option',
      field: 'withinViews',
    });
  });
});

function pure(name: string): Partial<StudyDefinition> {
  return { mechanism: { name }, privacy: { epsilon: 4, delta: 0 } };
}

function strong(changes: Partial<StudyDefinition> = {}): Partial<StudyDefinition> {
  return { privacy: { epsilon: 4, delta: 1e-6 }, ...changes };
}

function addRemove(name: string): Partial<StudyDefinition> {
  return { neighbours: 'add-remove', mechanism: { name } };
}
