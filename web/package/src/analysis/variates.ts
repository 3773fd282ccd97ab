import type { RawView, RawViewIntervals } from '../raw.js';
import type { Estimates, Matrix } from '../types.js';
import { centreOf, deviationOf, type Context } from './context.js';

/** A view and the variables that an analysis of several views made of it. */
export interface GccaView {
  columns: string[];
  /** The means, original units: a score is of a row less these. */
  centre: Matrix;
  /** Standard deviations, original units; 0 where noise left no variance. */
  deviation: Matrix;
  /**
   * features x components, on original units. With a level, intervals: about each weight, and all that
   * is possible where the component is below the noise floor.
   */
  weights: Estimates;
  /** features x components: correlation of each feature with its own view's variable. */
  loadings: Estimates;
}

/** @param features indices of the view's; `labels` name the components */
export function viewOf(
  context: Context,
  features: readonly number[],
  raw: RawView | undefined,
  labels: readonly string[],
  intervals: RawViewIntervals | undefined,
): GccaView {
  const columns = features.map((feature) => context.columns[feature] ?? '');
  return {
    columns,
    centre: centreOf(context, features),
    deviation: deviationOf(context, features),
    ...weightsAndLoadings(columns, labels, raw, intervals),
  };
}

/** Of a view or of all columns, with their intervals where there are any. */
export function weightsAndLoadings(
  columns: readonly string[],
  labels: readonly string[],
  raw: RawView | undefined,
  intervals: RawViewIntervals | null | undefined,
): { weights: Estimates; loadings: Estimates } {
  return {
    weights: {
      ...matrixOf(columns, labels, raw?.weights),
      ...(intervals && { low: intervals.weightsLow, high: intervals.weightsHigh }),
    },
    loadings: {
      ...matrixOf(columns, labels, raw?.loadings),
      ...(intervals && { low: intervals.loadingsLow, high: intervals.loadingsHigh }),
    },
  };
}

export function matrixOf(
  rows: readonly string[],
  columns: readonly string[],
  values: Float64Array = new Float64Array(),
): Matrix {
  return { rows: [...rows], columns: [...columns], values };
}
