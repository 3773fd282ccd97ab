import { requireKnown } from '../check.js';
import { PrivateMomentsError } from '../errors.js';
import type { Part, RawPcaOptions } from '../raw.js';
import { asResult, type Result } from '../results.js';
import type { Estimates, Matrix } from '../types.js';
import { unwrap } from '../unwrap.js';
import {
  centreOf,
  deviationOf,
  numbered,
  requireComponents,
  requireRows,
  shown,
  type Context,
  type Estimate,
} from './context.js';
import { matrixOf, weightsAndLoadings } from './variates.js';
import { boundsOf, drawsOf, INTERVALS, simulationOf, type IntervalOptions } from './uncertainty.js';

export interface PcaOptions extends IntervalOptions {
  components?: number;
}

export interface PcaResult extends Result {
  analysis: 'pca';
  options: PcaOptions & { components: number };
  /**
   * Variance along each component in scaled units, and its share of the total; with a level,
   * intervals of both for the population that the rows are a sample of.
   */
  explained: (Estimate & { share: number; shareLow?: number; shareHigh?: number })[];
  columns: string[];
  /** The means, original units: a score is of a row less these. */
  centre: Matrix;
  /** Standard deviations, original units; 0 where noise left no variance. */
  deviation: Matrix;
  /**
   * features x components, on original units. With a level, intervals: about each weight, and all that
   * is possible where the component is below the noise floor. So have `loadings` and `correlations`.
   */
  weights: Estimates;
  /** features x components, on scaled units; columns of length 1. */
  loadings: Estimates;
  /**
   * features x components: correlation of each feature with the score; 0 where the component has
   * no variance left.
   */
  correlations: Estimates;
  /** Variance (scaled units) that the noise alone produces. */
  noiseFloor: number;
  rows: number;
}

function ask(context: Context, options: PcaOptions): RawPcaOptions {
  requireKnown(options, ['components', ...INTERVALS]);
  requireRows(context);
  const { length } = context.columns;
  const { components = shown(context, length) } = options;
  requireComponents(components, length);
  return { ...context.covariance, components };
}

export function pcaDraws(context: Context, options: PcaOptions, part: Part): Float64Array {
  const asked = ask(context, options);
  return drawsOf(context, options, asked, part, (all) => context.core.pcaDraws(all));
}

export function pca(context: Context, options: PcaOptions): PcaResult {
  const asked = ask(context, options);
  const { components } = asked;
  const { columns, guarantee, origin, rows } = context;
  const all = columns.map((_, feature) => feature);
  const raw = unwrap(context.core.pca(asked));
  const simulation = simulationOf(context, options);
  const intervals =
    simulation && unwrap(context.core.pcaIntervals({ ...asked, ...simulation.raw }));
  const labels = numbered('PC', components);
  return asResult<Omit<PcaResult, 'toJSON' | 'toCSV'>>({
    analysis: 'pca',
    options: { components, ...simulation?.options },
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
      ...(intervals && { low: intervals.correlationsLow, high: intervals.correlationsHigh }),
    },
    noiseFloor: raw.noiseFloor,
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
  requireKnown(loadings, null, 'loadings');
  const { rows = [], columns: labels = [], values = [] } = loadings as Partial<Matrix>;
  if (
    rows.length !== columns.length ||
    rows.some((row, i) => row !== columns[i]) ||
    values.length !== rows.length * labels.length
  ) {
    const message = 'the loadings must have one row for each feature of the study, in their order';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'loadings' });
  }
  const { value } = unwrap(
    core.capturedEnergy({
      directions: Float64Array.from(values),
      components: labels.length,
      reference: covariance.scaledCovariance,
      dimension: columns.length,
    }),
  );
  return value;
}
