// The raw analyses of moments whose coordinates are not the study's scaled units.
import { describe, expect, it } from 'vitest';
import type {
  AnalysisCore,
  Raw,
  RawMoments,
  RawMomentSums,
} from '../../../web/package/src/core/raw.js';
import { builtCore } from '../core-support.js';

const CENTRE = [0.25, -0.5];
const UNITS = [0.5, 0.125];

/** Three rows of two features, in scaled units or in the coordinates of the frame. */
function sumsOf(framed: boolean): RawMomentSums {
  const rows = [
    [0.5, -0.25],
    [0.125, -0.5],
    [-0.75, 0.5],
  ].map((row) => (framed ? row.map((x, j) => (x - (CENTRE[j] ?? 0)) / (UNITS[j] ?? 1)) : row));
  const augmented = rows.map((row) => [1, ...row]);
  const sums: number[] = [];
  for (let i = 0; i < 3; i++) {
    for (let j = i; j < 3; j++)
      sums.push(augmented.reduce((sum, r) => sum + (r[i] ?? 0) * (r[j] ?? 0), 0));
  }
  const noise = { diagonal: 0, offDiagonal: 0, linear: 0, count: 0, releases: 1, freedom: 0 };
  return {
    sums: Float64Array.from(sums),
    dimension: 2,
    constant: 1,
    rows: 3,
    noise: { ...noise, distribution: 'gaussian' },
    mid: Float64Array.from(framed ? [10 + 2 * 0.25, -0.5] : [10, 0]),
    half: Float64Array.from(framed ? [2 * 0.5, 0.125] : [2, 1]),
    ...(framed && { centre: Float64Array.from(CENTRE), units: Float64Array.from(UNITS) }),
  };
}

function unwrap<T>(result: Raw<T>): T {
  if (!result.ok) throw new Error(result.message);
  return result;
}

function expectClose(is: Float64Array, expected: Float64Array): void {
  expect(is.length).toBe(expected.length);
  for (const [i, value] of expected.entries()) expect(is[i]).toBeCloseTo(value, 12);
}

describe('Moments in a frame', () => {
  it('are analysed in scaled and original units', async () => {
    const core = await builtCore<AnalysisCore>('private-moments-analysis');
    const plain = unwrap(core.assembleMoments(sumsOf(false)));
    const framed = unwrap(core.assembleMoments(sumsOf(true)));
    for (const field of ['mean', 'covariance', 'secondMoments'] as const) {
      expectClose(framed[field], plain[field]);
    }
    expect(framed.scaledCovariance[0]).toBeCloseTo(4 * (plain.scaledCovariance[0] ?? 0), 12);

    const pcaOf = (moments: RawMoments, sums: RawMomentSums) =>
      unwrap(
        core.pca({
          ...sums,
          scaledCovariance: moments.scaledCovariance,
          sdDiagonal: 0,
          sdOffDiagonal: 0,
          distribution: 'gaussian',
          releases: 1,
          freedom: 0,
          bound: 1000,
          columns: [],
          meanNoise: new Float64Array(),
          components: 2,
          rows: 0,
        }),
      );
    const components = pcaOf(framed, sumsOf(true));
    const expected = pcaOf(plain, sumsOf(false));
    expectClose(components.loadings, expected.loadings);
    expectClose(components.weights, expected.weights);

    const reference = framed.scaledCovariance;
    const energy = { directions: expected.loadings, components: 2, reference, dimension: 2 };
    const whole = core.capturedEnergy({ ...sumsOf(true), ...energy });
    expect(unwrap(whole).value).toBeCloseTo(1, 12);
  });

  it('must fit their features', async () => {
    const core = await builtCore<AnalysisCore>('private-moments-analysis');
    const result = core.assembleMoments({ ...sumsOf(true), units: Float64Array.from([1]) });
    expect(result).toMatchObject({ ok: false, field: 'units' });
  });
});
