import { requireOptions } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Part, RawPcaOptions } from '../core/raw.js';
import { asResult, type Result } from '../output/results.js';
import type { Estimates, Matrix } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';
import { adjustedWhole, type Adjusted, type AdjustOptions } from './adjust.js';
import {
  centreOf,
  deviationOf,
  numbered,
  requireComponents,
  requireRows,
  defaultComponents,
  type Context,
  type Estimate,
} from './context.js';
import { matrixOf, weightsAndLoadings } from './variates.js';
import { boundsOf, drawsOf, INTERVALS, simulationOf, type IntervalOptions } from './intervals.js';
import { requireRotation, rotationOf, type PcaRotation, type RotationMethod } from './rotation.js';

export interface PcaOptions extends IntervalOptions, AdjustOptions {
  components?: number;
  /** Rotates the components that lie above the noise floor. Default `none`. */
  rotation?: RotationMethod | 'none';
}

export interface PcaResult extends Result {
  analysis: 'pca';
  options: Omit<PcaOptions, 'rotation'> & { components: number; rotation?: RotationMethod };
  /**
   * Variance along each component in scaled units, largest first, and its share of the total. With a level,
   * intervals of both for the population from which the rows are a sample.
   */
  explained: (Estimate & { share: number; shareLow?: number; shareHigh?: number })[];
  columns: string[];
  /** The means in original units, which are subtracted from a row to score it. */
  centre: Matrix;
  /** Standard deviations in original units; 0 if noise left no variance. */
  deviation: Matrix;
  /**
   * features x components, for original units. With a level, an interval around each weight; below the noise
   * floor it covers every possible value. The same applies to `loadings` and `correlations`.
   */
  weights: Estimates;
  /** features x components, for scaled units; columns of length 1. */
  loadings: Estimates;
  /**
   * features x components: correlation of each feature with the score; 0 if the component has no variance
   * left.
   */
  correlations: Estimates;
  /** The rotated components, if a rotation was asked for. */
  rotation?: PcaRotation;
  /** Variance in scaled units that noise alone produces. */
  noiseFloor: number;
  /** With `adjust`: all figures are of what it leaves of the other columns. */
  adjusted?: Adjusted;
  rows: number;
}

interface Prepared {
  context: Context;
  adjusted: Adjusted | undefined;
  question: RawPcaOptions;
}

function prepare(whole: Context, options: PcaOptions): Prepared {
  requireOptions(options, ['components', 'rotation', 'adjust', ...INTERVALS]);
  requireRows(whole);
  const { context, adjusted } = adjustedWhole(whole, options.adjust);
  const { length } = context.columns;
  const { components = defaultComponents(context, length) } = options;
  requireComponents(components, length);
  const rotation = requireRotation(options.rotation);
  const question = { ...context.covariance, components, ...(rotation && { rotation }) };
  return { context, adjusted, question };
}

export function pcaDraws(whole: Context, options: PcaOptions, part: Part): Float64Array {
  const { context, question } = prepare(whole, options);
  return drawsOf(context, options, question, part, (all) => context.core.pcaDraws(all));
}

export function pca(whole: Context, options: PcaOptions): PcaResult {
  const { context, adjusted, question } = prepare(whole, options);
  const { components, rotation } = question;
  const { columns, guarantee, origin, rows } = context;
  const all = columns.map((_, feature) => feature);
  const raw = unwrap(context.core.pca(question));
  const simulation = simulationOf(context, options);
  const intervals =
    simulation && unwrap(context.core.pcaIntervals({ ...question, ...simulation.raw }));
  const labels = numbered('PC', components);
  return asResult<Omit<PcaResult, 'toJSON' | 'toCSV'>>({
    analysis: 'pca',
    options: {
      components,
      ...(rotation && { rotation }),
      ...(options.adjust !== undefined && { adjust: options.adjust }),
      ...simulation?.options,
    },
    origin,
    explained: raw.explained.map(({ value, share, belowNoiseFloor }, j) => ({
      value,
      ...boundsOf(intervals?.values[j]),
      share,
      ...sharesOf(intervals?.shares[j]),
      belowNoiseFloor,
    })),
    columns: [...columns],
    centre: centreOf(context, all),
    deviation: deviationOf(context, all),
    ...weightsAndLoadings(columns, labels, raw, intervals),
    correlations: {
      ...matrixOf(columns, labels, raw.correlations),
      ...(intervals && {
        low: intervals.correlationsLow,
        high: intervals.correlationsHigh,
        p: intervals.correlationsP,
      }),
    },
    ...(rotation &&
      raw.rotated && {
        rotation: rotationOf(rotation, columns, components, raw.rotated, intervals?.rotated),
      }),
    noiseFloor: raw.noiseFloor,
    ...(adjusted && { adjusted }),
    guarantee,
    rows,
  });
}

function sharesOf(share: { low: number; high: number } | undefined): {
  shareLow?: number;
  shareHigh?: number;
} {
  return share === undefined ? {} : { shareLow: share.low, shareHigh: share.high };
}

export function capturedEnergy({ columns, core, covariance }: Context, loadings: Matrix): number {
  requireOptions(loadings, null, 'loadings');
  const { rows = [], columns: labels = [], values = [] } = loadings as Partial<Matrix>;
  if (
    rows.length !== columns.length ||
    rows.some((row, i) => row !== columns[i]) ||
    values.length !== rows.length * labels.length
  ) {
    const message = 'loadings must have one row for each feature of the study, in the same order';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'loadings' });
  }
  const { value } = unwrap(
    core.capturedEnergy({
      directions: Float64Array.from(values),
      components: labels.length,
      reference: covariance.scaledCovariance,
      ...(covariance.units && { units: covariance.units }),
      dimension: columns.length,
    }),
  );
  return value;
}
