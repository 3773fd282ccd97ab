import type { RawView, RawViewIntervals } from '../core/raw.js';
import type { Estimates, Matrix } from '../study/types.js';
import { centreOf, deviationOf, type Context } from './context.js';

/** A view in a result of `gcca` or `cca`: how its canonical variates are made. */
export interface GccaView {
  columns: string[];
  /** The means in original units, which are subtracted from a row to score it. */
  centre: Matrix;
  /** Standard deviations in original units; 0 if noise left no variance. */
  deviation: Matrix;
  /**
   * features x components, for original units. With a level, an interval around each weight; below the noise
   * floor it covers every possible value.
   */
  weights: Estimates;
  /** features x components: correlation of each feature with the variate of its view. */
  loadings: Estimates;
}

/** @param features indices of the view's features. @param labels names of the components */
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

/** Weights and loadings of a view or of all columns, with intervals if there are any. */
export function weightsAndLoadings(
  columns: readonly string[],
  labels: readonly string[],
  raw: RawView | undefined,
  intervals: RawViewIntervals | null | undefined,
): { weights: Estimates; loadings: Estimates } {
  // A component's weights are its loadings in other units.
  const weightsP = intervals?.weightsP.length === 0 ? intervals.loadingsP : intervals?.weightsP;
  return {
    weights: {
      ...matrixOf(columns, labels, raw?.weights),
      ...(intervals && { low: intervals.weightsLow, high: intervals.weightsHigh }),
      ...(weightsP && { p: weightsP }),
    },
    loadings: {
      ...matrixOf(columns, labels, raw?.loadings),
      ...(intervals && {
        low: intervals.loadingsLow,
        high: intervals.loadingsHigh,
        p: intervals.loadingsP,
      }),
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
