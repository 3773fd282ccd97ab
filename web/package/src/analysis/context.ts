import { PrivateMomentsError } from '../base/errors.js';
import type { Core, NoisyCovariance, RawMomentSums } from '../core/raw.js';
import type { Origin } from '../output/results.js';
import type { Study } from '../study/study.js';
import type { Guarantee, Matrix } from '../study/types.js';

/** The input of an analysis, from the moments; plain data that can be posted. */
export interface Question {
  study: Study;
  /** Names of the features. */
  columns: readonly string[];
  /** Number of rows, or its estimate. */
  rows: number;
  /** As many complete rows as have the same information. */
  completeRows: number;
  guarantee: Guarantee | null;
  origin: Origin;
  /** Means in original units; one row. */
  mean: Matrix;
  covariance: NoisyCovariance;
  /** The released covariance (not denoised) in original units. */
  released: Float64Array;
  sums: RawMomentSums;
}

/** The input of an analysis, with the core that computes it. */
export interface Context extends Question {
  core: Core;
  /** The draws of the intervals, if other threads made them. */
  parts?: Float64Array[];
}

/** A number computed from noisy moments. */
export interface Estimate {
  value: number;
  /** Ends of the interval; present if a level was set. */
  low?: number;
  high?: number;
  /** True if noise alone could have produced the value: do not interpret it. */
  belowNoiseFloor: boolean;
}

/** The means of some features, which are subtracted from a row before weighting. */
export function centreOf({ mean }: Context, features: readonly number[]): Matrix {
  return {
    rows: [...mean.rows],
    columns: features.map((feature) => mean.columns[feature] ?? ''),
    values: Float64Array.from(features, (feature) => mean.values[feature] ?? 0),
  };
}

/** Standard deviations of some features in original units; 0 if noise left no variance. */
export function deviationOf({ columns, released }: Context, features: readonly number[]): Matrix {
  return {
    rows: ['deviation'],
    columns: features.map((feature) => columns[feature] ?? ''),
    values: Float64Array.from(features, (feature) => {
      const variance = released[feature * (columns.length + 1)] ?? 0;
      return Math.sqrt(Math.max(0, variance));
    }),
  };
}

/** The number of directions hidden by noise, for each view that has any. */
export function hiddenOf(
  names: readonly string[],
  hidden: Float64Array,
): { resolved: boolean; hidden: Record<string, number> } {
  const some = names.flatMap((name, v) => (hidden[v] ? [[name, hidden[v]] as const] : []));
  return { resolved: some.length === 0, hidden: Object.fromEntries(some) };
}

/** The default number of components: that of the study's mechanism, and at most `max`. */
export function defaultComponents({ study }: Context, max: number): number {
  return Math.min(study.mechanism.components ?? max, max);
}

export function requireComponents(components: unknown, max: number): void {
  if (
    Number.isInteger(components) &&
    (components as number) >= 1 &&
    (components as number) <= max
  ) {
    return;
  }
  const message = `components must be a whole number from 1 to ${max}`;
  throw new PrivateMomentsError('invalid-components', message, { field: 'components' });
}

export function requireRows({ study, rows }: Context): void {
  if (study.unit === 'participant' || rows >= 2) return;
  const message =
    study.neighbours === 'add-remove'
      ? 'the noisy count of rows is below 2: noise may exceed the number of rows, so collect more'
      : 'a covariance needs at least two rows';
  throw new PrivateMomentsError('too-few-rows', message);
}

export function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}
