import { checker } from '../base/check.js';
import type { RawRotated, RawRotationIntervals } from '../core/raw.js';
import type { Estimates, Matrix } from '../study/types.js';
import { numbered } from './context.js';
import { matrixOf } from './variates.js';

/** Rotations towards loadings that are either large or small; `promax` lets scores correlate. */
export type RotationMethod = 'varimax' | 'promax';

const METHODS = ['none', 'varimax', 'promax'] as const;

/** Rotated principal components. Their scores have variance 1. */
export interface PcaRotation {
  method: RotationMethod;
  /** How many components were rotated, m: those that lie above the noise floor. */
  components: number;
  /** What was left out or not rotated, in words; null if all components were rotated. */
  note: string | null;
  /** Shares of the total variance, largest first; together those of the components that were rotated. */
  explained: { share: number; shareLow?: number; shareHigh?: number }[];
  /** features x m, for original units: the weights of scores of variance 1. */
  weights: Estimates;
  /** features x m: the coefficients of standardised features on all scores together (the pattern). */
  loadings: Estimates;
  /** features x m: correlation of each feature with each score (the structure); for `varimax` the loadings. */
  correlations: Estimates;
  /** m x m: correlations of the scores. */
  phi: Estimates;
}

/** @throws PrivateMomentsError `unsupported-option` */
export function requireRotation(rotation: unknown): RotationMethod | undefined {
  if (rotation === undefined) return undefined;
  const method = checker('unsupported-option').oneOf(rotation, 'rotation', METHODS);
  return method === 'none' ? undefined : method;
}

export function rotationOf(
  method: RotationMethod,
  columns: readonly string[],
  asked: number,
  raw: RawRotated,
  intervals: RawRotationIntervals | null | undefined,
): PcaRotation {
  const names = numbered('RC', raw.components);
  const estimates = (
    rows: readonly string[],
    values: Float64Array,
    low: Float64Array | undefined,
    high: Float64Array | undefined,
  ): Estimates => {
    const matrix: Matrix = matrixOf(rows, names, values);
    return low === undefined || high === undefined ? matrix : { ...matrix, low, high };
  };
  return {
    method,
    components: raw.components,
    note: noteOf(raw.components, asked),
    explained: Array.from(raw.shares, (share, j) => {
      const ends = intervals?.shares[j];
      return { share, ...(ends && { shareLow: ends.low, shareHigh: ends.high }) };
    }),
    weights: estimates(columns, raw.weights, intervals?.weightsLow, intervals?.weightsHigh),
    loadings: estimates(columns, raw.pattern, intervals?.patternLow, intervals?.patternHigh),
    correlations: estimates(
      columns,
      raw.structure,
      intervals?.structureLow,
      intervals?.structureHigh,
    ),
    phi: estimates(names, raw.phi, intervals?.phiLow, intervals?.phiHigh),
  };
}

function noteOf(rotated: number, asked: number): string | null {
  if (rotated === 0)
    return 'No component lies above the noise floor, so there is nothing to rotate.';
  if (rotated === 1 && asked === 1) return 'One component alone cannot be rotated.';
  if (rotated === 1) {
    return 'Only one component lies above the noise floor, so there is nothing to rotate.';
  }
  if (rotated === asked) return null;
  return `The first ${rotated} of ${asked} components lie above the noise floor and are rotated; the others are left out.`;
}
