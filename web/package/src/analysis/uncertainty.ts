import { requireOptions } from '../base/check.js';
import { asResult, type Result } from '../output/results.js';
import type { Matrix } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';
import type { CcaOptions } from './cca.js';
import type { Context } from './context.js';
import type { FactorOptions } from './methods/factors.js';
import type { GccaOptions } from './gcca.js';
import { INTERVALS, intervalOptions, type IntervalOptions } from './intervals.js';
import type { PcaOptions } from './pca.js';
import type { RidgeOptions } from './ridge.js';

/** Options of `Moments.uncertainty`; `level` is 0.95 by default. */
export type UncertaintyOptions = IntervalOptions;

export interface UncertaintyResult extends Result {
  analysis: 'uncertainty';
  options: Required<UncertaintyOptions>;
  columns: string[];
  /** Standard error of `rows`; 0 if the count is public. */
  rowsStandardError: number;
  /** In original units, with the rows `value`, `standardError`, `low` and `high`. */
  mean: Matrix;
  /** In original units, each features x features. */
  covariance: { standardError: Matrix; low: Matrix; high: Matrix };
  rows: number;
}

/** Analyses, in this thread or another. */
interface Analyses {
  pca(options?: PcaOptions): unknown;
  cca(options?: CcaOptions): unknown;
  gcca(options?: GccaOptions): unknown;
  factorAnalysis(options: FactorOptions): unknown;
  ridge(options: RidgeOptions): unknown;
}

/** Adds to the result the analyses, with its level, draws and seed as defaults. */
export function withIntervals<A extends Analyses>(
  result: UncertaintyResult,
  analyses: A,
): UncertaintyResult & Pick<A, keyof Analyses> {
  const { options } = result;
  const { level } = options;
  const own: Analyses = {
    pca: (more) => analyses.pca(over(options, more)),
    cca: (more) => analyses.cca(over(options, more)),
    gcca: (more) => analyses.gcca(over(options, more)),
    factorAnalysis: (more) => analyses.factorAnalysis(over(options, more)),
    ridge: (more) => analyses.ridge(over({ level }, more)),
  };
  for (const [name, value] of Object.entries(own)) {
    // Not enumerable, so that clones and stored results have the numbers only.
    Object.defineProperty(result, name, { value });
  }
  return result as UncertaintyResult & Pick<A, keyof Analyses>;
}

/** The options over the defaults. Values that are not options are passed on, to be refused later. */
function over<O extends object>(own: IntervalOptions, more: O | undefined): O {
  const isInvalid = typeof more !== 'object' || (more as O | null) === null || Array.isArray(more);
  return isInvalid && more !== undefined ? more : ({ ...own, ...more } as O);
}

/**
 * Standard errors of means, covariances and the count, from privacy noise and from sampling; intervals by the
 * normal distribution.
 */
export function uncertainty(context: Context, options: UncertaintyOptions): UncertaintyResult {
  requireOptions(options, INTERVALS);
  const checked = intervalOptions({ ...options, level: options.level ?? 0.95 });
  const { columns, core, guarantee, mean, origin, rows, sums } = context;
  const raw = unwrap(core.momentErrors({ ...sums, level: checked.level }));
  const square = (values: Float64Array): Matrix => ({
    rows: [...columns],
    columns: [...columns],
    values,
  });
  const about = (values: Float64Array, errors: Float64Array, sign: number): Float64Array =>
    values.map((value, i) => value + sign * raw.reach * (errors[i] ?? 0));
  const bound = (sign: number): Float64Array => about(mean.values, raw.mean, sign);
  const covariance = (sign: number): Matrix =>
    square(about(context.released, raw.covariance, sign));
  return asResult<Omit<UncertaintyResult, 'toJSON' | 'toCSV'>>({
    analysis: 'uncertainty',
    options: checked,
    origin,
    columns: [...columns],
    rowsStandardError: raw.rows,
    mean: {
      rows: ['value', 'standardError', 'low', 'high'],
      columns: [...columns],
      values: Float64Array.of(...mean.values, ...raw.mean, ...bound(-1), ...bound(1)),
    },
    covariance: { standardError: square(raw.covariance), low: covariance(-1), high: covariance(1) },
    guarantee,
    rows,
  });
}
