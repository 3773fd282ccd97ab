import {
  assemble,
  compose,
  createLedger,
  defineStudy,
  forecast,
  guaranteeOf,
  memoryStorage,
  parseRelease,
  privatize,
  type Moments,
  type Release,
  type ReleaseJSON,
} from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, forged, people, seeded } from '../support.js';

/** Noise is negligible at this epsilon. */
const LOUD = { epsilon: 1e7, delta: 1e-3 };

const study = defineStudy({ ...definition(), clipping: 'centred' });
const loud = defineStudy({ ...definition(), clipping: 'centred', privacy: LOUD });
const pure = defineStudy({
  ...definition(),
  clipping: 'centred',
  privacy: { epsilon: 1, delta: 0 },
});

/** Expects numbers to agree with the exact ones within a share of the largest of them. */
function expectClose(found: ArrayLike<number>, exact: ArrayLike<number>, share = 2e-3): void {
  const all = Array.from(exact);
  const margin = share * Math.max(...all.map(Math.abs));
  expect(found).toHaveLength(all.length);
  all.forEach((value, i) => {
    expect(Math.abs((found[i] ?? NaN) - value)).toBeLessThan(margin);
  });
}

function expectSameMoments(found: Moments, exact: Moments): void {
  expectClose(found.mean.values, exact.mean.values);
  expectClose(found.covariance.values, exact.covariance.values);
  expectClose(found.secondMoments.values, secondMomentsWith(found, exact));
}

/** The exact second moments with the constant coordinate of `found`. */
function secondMomentsWith(found: Moments, exact: Moments): number[] {
  const size = exact.secondMoments.columns.length;
  const growth = Math.sqrt(
    (found.secondMoments.values[0] ?? NaN) / (exact.secondMoments.values[0] ?? NaN),
  );
  return Array.from(exact.secondMoments.values, (value, at) => {
    const constants = Number(at % size === 0) + Number(at < size);
    return value * growth ** constants;
  });
}

function csvOf(rows: readonly Record<string, unknown>[]): string {
  const names = Object.keys(rows[0] ?? {});
  return [names, ...rows.map((row) => names.map((name) => row[name]))].join('\n');
}

/** Rows of six columns between 0 and 10, with means from 2 to 8 and deviations from .4 to .8. */
function farFromCentre(count: number) {
  const random = seeded(11);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, () =>
    Object.fromEntries(
      Array.from({ length: 6 }, (_, j) => [`c${j}`, 2 + 1.2 * j + (0.4 + 0.08 * j) * normal()]),
    ),
  );
}

describe('private centring', () => {
  it('is the default of independent studies of rows without a row norm', () => {
    const of = (more: object) => defineStudy({ ...definition(), ...more }).clipping;
    const delta0 = { epsilon: 1, delta: 0 };
    expect(of({})).toBe('centred');
    expect(of({ neighbours: 'add-remove' })).toBe('centred');
    expect(of({ privacy: delta0 })).toBe('centred');
    expect(of({ clipping: 'adaptive' })).toBe('adaptive');
    expect(of({ rowNorm: 1 })).toBe('fixed');
    expect(of({ unit: 'participant' })).toBe('fixed');
    expect(of({ mechanism: { name: 'laplace' }, privacy: delta0 })).toBe('fixed');
    expect(of({ federation: { mode: 'split', sites: 5, honest: 4 } })).toBe('fixed');
  });

  it('makes releases whose sum has the moments of all rows, each site in coordinates of its own', async () => {
    const sites = [people(400, 0.3, 2), people(300, 0.5, 1), people(500, 0, 0.5)];
    const releases: Release[] = [];
    for (const site of sites) releases.push(await privatize(loud, site));
    const centres = releases.map(({ centring }) => centring?.centre[0]);
    expect(new Set(centres).size).toBe(3);
    const moments = await assemble(loud, releases);
    const exact = await exactMoments(loud, sites.flat());
    expect(moments.rows).toBe(1200);
    expectSameMoments(moments, exact);
    const again = await assemble(loud, [...releases].reverse());
    expect(again.covariance.values).toEqual(moments.covariance.values);
  });

  it('has the same principal components, correlations and regressions as the exact moments', async () => {
    const rows = people(2000, 0.4, 1);
    const moments = await assemble(loud, [await privatize(loud, rows)]);
    const exact = await exactMoments(loud, rows);
    const [pca, exactPca] = [moments.pca(), exact.pca()];
    expectClose(
      pca.explained.map(({ value }) => value),
      exactPca.explained.map(({ value }) => value),
    );
    // The last direction is the sum of a category's indicators, which has no variance.
    const k = pca.columns.length - 1;
    const leading = (values: Float64Array) =>
      [...values].filter((_, at) => at % (k + 1) < k).map(Math.abs);
    expectClose(leading(pca.loadings.values), leading(exactPca.loadings.values), 0.02);
    expectClose(leading(pca.weights.values), leading(exactPca.weights.values), 0.02);
    expect(moments.cca().correlations[0]?.value).toBeCloseTo(
      exact.cca().correlations[0]?.value ?? NaN,
      3,
    );
    for (const penalty of [0, 0.1]) {
      const [ridge, exactRidge] = [moments, exact].map((of) =>
        of.ridge({ target: 'mood', features: ['age', 'sleep', 'work'], penalty }),
      );
      expectClose(
        ridge?.coefficients.map(({ value }) => value) ?? [],
        exactRidge?.coefficients.map(({ value }) => value) ?? [],
        0.01,
      );
    }
    expect(moments.scale.values).toEqual(exact.scale.values);
  });

  it.each([
    ['delta 1e-6', 1e-6, 0.35],
    ['pure epsilon', 0, 1],
  ])(
    'keeps the error of rows far from the middle of their bounds small: %s',
    async (_, delta, most) => {
      const columns = Array.from({ length: 6 }, (__, j) => ({
        name: `c${j}`,
        type: 'number' as const,
        min: 0,
        max: 10,
      }));
      const rows = farFromCentre(3000);
      const centred = defineStudy({
        title: 'Far',
        columns,
        privacy: { epsilon: 1, delta },
        clipping: 'centred',
      });
      const exact = (await exactMoments(centred, rows)).covariance.values;
      const errors: number[] = [];
      for (let i = 0; i < 15; i++) {
        const { covariance } = await assemble(centred, [await privatize(centred, rows)]);
        let off = 0;
        let all = 0;
        exact.forEach((value, at) => {
          const scale = (exact[Math.floor(at / 6) * 7] ?? 1) * (exact[(at % 6) * 7] ?? 1);
          off += ((covariance.values[at] ?? NaN) - value) ** 2 / scale;
          all += value ** 2 / scale;
        });
        errors.push(Math.sqrt(off / all));
      }
      // One release in thirty has a larger error, so the median of fifteen has less than once in ten million
      // times. Without centring it is 0.9 and 2.6.
      expect(errors.sort((a, b) => a - b)[7]).toBeLessThan(most);
    },
  );

  it('reads files and tables twice and by several workers, and keeps the rows of a stream', async () => {
    const rows = people(3000, 0.4, 1);
    const levels = ['day', 'night', 'none'];
    const values = Float64Array.from(
      rows.flatMap(({ age, sleep, work, mood }) => [age, sleep, levels.indexOf(work), mood]),
    );
    const exact = await exactMoments(loud, rows);
    const csv = csvOf(rows);
    const stream = new Blob([csv]).stream();
    for (const [data, options] of [
      [new Blob([csv]), {}],
      [new Blob([csv]), { workers: 3 }],
      [stream, {}],
      [csv, {}],
      [rows, {}],
      [rows, { workers: 2 }],
      [{ columns: ['age', 'sleep', 'work', 'mood'], values }, { workers: 3 }],
    ] as const) {
      const fractions: number[] = [];
      const release = await privatize(loud, data, {
        ...options,
        onProgress: ({ fraction }) => {
          if (fraction !== null) fractions.push(fraction);
        },
      });
      expect(release.local?.rows).toBe(3000);
      expect([...fractions].sort((a, b) => a - b)).toEqual(fractions);
      if (data !== stream) expect(fractions.at(-1)).toBe(1);
      expectSameMoments(await assemble(loud, [release]), exact);
    }
  });

  it.each([
    ['gaussian', study, ['centre and scale', 'clip radius', 'second moments']],
    ['two-sided-wishart', pure, undefined],
  ])('states what its steps cost and chose: %s', async (_, of, parts) => {
    const release = await privatize(of, people(500, 0.4, 1));
    expect(release.guarantee.epsilon).toBe(1);
    expect(release.guarantee.parts?.map(({ what }) => what)).toEqual(parts);
    expect(release.centring?.survey).toHaveLength(1 + 6 + 3);
    expect(release.centring?.survey[0]).toBe(500 * 2 ** 16);
    expect(release.centring?.centre).toHaveLength(6);
    expect(release.clipping?.counts).toHaveLength((release.centring?.levels ?? NaN) - 1);
    expect(parseRelease(await release.toBlob().text())).toEqual(release);
    const { clipping } = await assemble(of, [release]);
    expect(clipping?.sd).toBeGreaterThanOrEqual(0);
  });

  it('keeps the number of rows private under add-remove', async () => {
    const open = defineStudy({
      ...definition(),
      clipping: 'centred',
      neighbours: 'add-remove',
    });
    const release = await privatize(open, people(3000, 0.4, 1));
    expect(release.rows).toBeNull();
    expect(release.centring?.survey[0]).not.toBe(3000 * 2 ** 16);
    const moments = await assemble(open, [release, await privatize(open, [])]);
    expect(moments.noise.countIsExact).toBe(false);
    expect(Math.abs(moments.rows - 3000)).toBeLessThan(1000);
  });

  it('makes a release invalid if its survey did not choose its coordinates, or its counts its radius', async () => {
    const release = await privatize(study, people(500, 0.4, 1));
    const change = (edit: (json: Partial<ReleaseJSON>) => void) => forged(release.toJSON(), edit);
    const edits: [string, (json: Partial<ReleaseJSON>) => void][] = [
      [
        'centring',
        ({ centring }) => centring && (centring.centre[0] = 0.125 + (centring.centre[0] ?? 0)),
      ],
      [
        'centring',
        ({ centring }) => centring && (centring.scale[1] = (centring.scale[1] ?? 0) / 2),
      ],
      ['centring', ({ centring }) => centring && (centring.radius *= 1.01)],
      ['centring', ({ centring }) => centring && (centring.survey[1] = 1e9)],
      ['centring', ({ centring }) => centring && (centring.survey[0] = 3e9)],
      ['centring', (json) => delete json.centring],
      ['guarantee', ({ clipping }) => clipping && (clipping.level += clipping.level > 0 ? -1 : 1)],
      ['clipping', ({ clipping }) => clipping?.counts.pop()],
    ];
    for (const [field, edit] of edits) {
      await failure(() => assemble(study, [change(edit)]), { code: 'wrong-guarantee', field });
    }
    await failure(() => assemble(study, [change(({ centring }) => centring?.survey.pop())]), {
      code: 'wrong-length',
    });
  });

  it('is refused where it cannot be', async () => {
    const define = (more: object) => () =>
      defineStudy({ ...definition(), clipping: 'centred', ...more });
    await failure(define({ unit: 'participant' }), { code: 'invalid-clipping' });
    await failure(define({ mechanism: { name: 'laplace' } }), { code: 'invalid-clipping' });
    await failure(define({ rowNorm: 1 }), { code: 'invalid-row-norm' });
    await failure(define({ federation: { mode: 'split', sites: 5, honest: 3 } }), {
      code: 'invalid-clipping',
    });
  });

  it('spends the budget of a data set once', async () => {
    const ledger = createLedger(memoryStorage());
    await ledger.budget({ epsilon: 1, delta: 1e-6 });
    const rows = people(200, 0.4, 1);
    await privatize(study, rows, { ledger });
    await failure(() => privatize(study, rows, { ledger }), { code: 'over-budget' });
    // Its three parts are one cost, and two releases compose as those of other studies.
    const { spent, after } = await ledger.standing(study, rows);
    expect(spent?.epsilon).toBeLessThan(1 + 1e-9);
    const fixed = await guaranteeOf(defineStudy({ ...definition(), clipping: 'fixed' }));
    const { epsilon } = await compose([fixed, fixed], { delta: 1e-6 });
    expect((after?.epsilon ?? NaN) / epsilon).toBeCloseTo(1, 3);
  });

  it('is in the guarantee that a forecast states', async () => {
    const { guarantee } = await forecast(study, { rows: 1000 });
    expect(guarantee.parts?.map(({ what }) => what)).toContain('centre and scale');
  });
});
