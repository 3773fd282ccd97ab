import { PrivateMomentsError } from '../errors.js';
import type { Core, NoisyCovariance, RawMomentSums } from '../raw.js';
import type { Origin } from '../results.js';
import type { Study } from '../study.js';
import type { Guarantee, Matrix } from '../types.js';

/** What an analysis is given by the moments it belongs to; plain data, so it can be posted. */
export interface Question {
  study: Study;
  /** Names of the features. */
  columns: readonly string[];
  /** Rows, or their estimate. */
  rows: number;
  guarantee: Guarantee | null;
  origin: Origin;
  /** Original units; one row. */
  mean: Matrix;
  covariance: NoisyCovariance;
  /** The covariance as released, original units, and the sums it came from. */
  released: Float64Array;
  sums: RawMomentSums;
}

export interface Context extends Question {
  core: Core;
  /** The draws of its intervals, where other threads have made them. */
  parts?: Float64Array[];
}

export interface Estimate {
  value: number;
  /** An interval, where a level was asked for. */
  low?: number;
  high?: number;
  /** True where the noise alone could have made it: do not interpret. */
  belowNoiseFloor: boolean;
}

/** The means of some features: what comes off a row before the weights. */
export function centreOf({ mean }: Context, features: readonly number[]): Matrix {
  return {
    rows: [...mean.rows],
    columns: features.map((feature) => mean.columns[feature] ?? ''),
    values: Float64Array.from(features, (feature) => mean.values[feature] ?? 0),
  };
}

/** Standard deviations of some features, original units; 0 where noise left no variance. */
export function deviationOf({ columns, covariance }: Context, features: readonly number[]): Matrix {
  const { scaledCovariance, dimension, half } = covariance;
  return {
    rows: ['deviation'],
    columns: features.map((feature) => columns[feature] ?? ''),
    values: Float64Array.from(features, (feature) => {
      const variance = scaledCovariance[feature * (dimension + 1)] ?? 0;
      return Math.sqrt(Math.max(0, variance)) * (half[feature] ?? 0);
    }),
  };
}

/** Of the views in which directions are hidden in the noise: how many. */
export function hiddenOf(
  names: readonly string[],
  hidden: Float64Array,
): { resolved: boolean; hidden: Record<string, number> } {
  const some = names.flatMap((name, v) => (hidden[v] ? [[name, hidden[v]] as const] : []));
  return { resolved: some.length === 0, hidden: Object.fromEntries(some) };
}

/** How many components to show: as the study's mechanism says, at most `most`. */
export function shown({ study }: Context, most: number): number {
  return Math.min(study.mechanism.components ?? most, most);
}

export function requireComponents(components: unknown, most: number): void {
  if (
    Number.isInteger(components) &&
    (components as number) >= 1 &&
    (components as number) <= most
  ) {
    return;
  }
  const message = `components must be a whole number from 1 to ${most}`;
  throw new PrivateMomentsError('invalid-components', message, { field: 'components' });
}

export function requireRows({ study, rows }: Context): void {
  if (study.unit === 'participant' || rows >= 2) return;
  const message =
    study.neighbours === 'add-remove'
      ? 'fewer than two rows are counted, noise included: it may be larger than their number'
      : 'a covariance needs at least two rows';
  throw new PrivateMomentsError('too-few-rows', message);
}

export function numbered(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`);
}
