import { requireOptions } from '../../base/check.js';
import { PrivateMomentsError } from '../../base/errors.js';
import type { Part, RawFactorOptions, RawInterval } from '../../core/raw.js';
import { unwrap } from '../../core/unwrap.js';
import { asResult, type Result } from '../../output/results.js';
import type { Study } from '../../study/study.js';
import type { Estimates, Matrix } from '../../study/types.js';
import {
  centreOf,
  deviationOf,
  numbered,
  requireRows,
  type Context,
  type Estimate,
} from '../context.js';
import { drawsOf, INTERVALS, simulationOf, type IntervalOptions } from '../intervals.js';
import { requireRotation, type RotationMethod } from '../rotation.js';
import { matrixOf } from '../variates.js';
import { resolve, type ViewChoice } from '../views.js';

export interface FactorOptions extends IntervalOptions {
  /** Number of factors, at most what the correlations of that many columns can tell: ((p - k)² - p - k)/2 ≥ 0. */
  factors: number;
  /** Number columns, as a list or a view's name, at least three. Default: all number columns. */
  columns?: ViewChoice;
  /** Rotates the factors that lie above the noise floor. Default `none`. */
  rotation?: RotationMethod | 'none';
}

export interface FactorResult extends Result {
  analysis: 'factorAnalysis';
  options: Omit<FactorOptions, 'rotation' | 'columns'> & {
    columns: ViewChoice;
    rotation?: RotationMethod;
  };
  /**
   * The factors above the noise floor first. `value`: the variance of the standardised columns that the factor
   * explains; `share`: of their total variance; `eigenvalue`: that of the correlations with the same rank, which
   * is compared with `noiseFloor`. With a level, an interval of `value`.
   */
  factors: (Estimate & { share: number; eigenvalue: number })[];
  /** What must not be interpreted, and Heywood cases, in words; null if there is nothing to say. */
  note: string | null;
  columns: string[];
  /** The means in original units, which are subtracted from a row to score it. */
  centre: Matrix;
  /** Standard deviations in original units; 0 if noise left no variance. */
  deviation: Matrix;
  /** columns x factors, for original units: the estimated scores by regression (Thurstone 1935). */
  weights: Estimates;
  /**
   * columns x factors: the coefficients of standardised columns on all factors together (the pattern). With a
   * level, an interval around each; below the noise floor it covers every possible value, as in `weights`.
   */
  loadings: Estimates;
  /** columns x factors: correlation of each column with each factor; without `promax` the loadings. */
  correlations: Estimates;
  /** factors x factors: correlations of the factors. */
  phi: Estimates;
  /** One row: the share of each column's variance that no factor explains, at least 0.005. */
  uniquenesses: Estimates;
  /** One row: the share of each column's variance that the factors explain together. */
  communalities: Estimates;
  /** Columns whose uniqueness is at its lower bound. */
  heywood: string[];
  /** The largest eigenvalue that correlations of unrelated columns would show; 0 for exact moments. */
  noiseFloor: number;
  /** Root mean square difference between the correlations and those of the factors. */
  residual: number;
  rows: number;
}

interface Prepared {
  question: RawFactorOptions;
  choice: ViewChoice;
}

function prepare({ study, ...context }: Context, options: FactorOptions): Prepared {
  requireOptions(options, ['factors', 'columns', 'rotation', ...INTERVALS]);
  requireRows({ study, ...context });
  const numbers = study.columns.flatMap(({ name, type }) => (type === 'number' ? [name] : []));
  const { factors, columns: choice = numbers } = options;
  if (!Number.isInteger(factors)) {
    const message = 'factors must be a whole number, at least 1';
    throw new PrivateMomentsError('invalid-components', message, { field: 'factors' });
  }
  const features = numbersOf(study, choice);
  const rotation = requireRotation(options.rotation);
  const { covariance, sums } = context;
  const question = { ...covariance, sums, features, factors, ...(rotation && { rotation }) };
  return { question, choice };
}

/** Indicators of a category exclude each other, which no factor makes them do. */
function numbersOf(study: Study, choice: ViewChoice): number[] {
  const { features } = resolve(study, 'columns', choice);
  const category = features
    .map((feature) => study.features[feature]?.column)
    .find((name) => study.columns.some((each) => each.name === name && each.type !== 'number'));
  if (category === undefined) return features;
  const message = `columns must be number columns, and "${category}" is a category`;
  throw new PrivateMomentsError('invalid-view', message, { field: 'columns', column: category });
}

export function factorDraws(context: Context, options: FactorOptions, part: Part): Float64Array {
  const { question } = prepare(context, options);
  return drawsOf(context, options, question, part, (all) => context.core.factorDraws(all));
}

export function factorAnalysis(context: Context, options: FactorOptions): FactorResult {
  const { question, choice } = prepare(context, options);
  const { features, factors, rotation } = question;
  const raw = unwrap(context.core.factors(question));
  const simulation = simulationOf(context, options);
  const intervals =
    simulation && unwrap(context.core.factorIntervals({ ...question, ...simulation.raw }));
  const columns = features.map((feature) => context.columns[feature] ?? '');
  const names = numbered('F', factors);
  const heywood = Array.from(raw.heywood, (place) => columns[place] ?? '');
  const perFactor = (
    rows: readonly string[],
    values: Float64Array,
    low: Float64Array | undefined,
    high: Float64Array | undefined,
  ): Estimates => {
    const matrix = matrixOf(rows, names, values);
    return low === undefined || high === undefined ? matrix : { ...matrix, low, high };
  };
  const perColumn = (
    name: string,
    values: Float64Array,
    ends: readonly RawInterval[] | undefined,
  ): Estimates => ({
    ...matrixOf([name], columns, values),
    ...(ends && {
      low: Float64Array.from(ends, ({ low }) => low),
      high: Float64Array.from(ends, ({ high }) => high),
    }),
  });
  return asResult<Omit<FactorResult, 'toJSON' | 'toCSV'>>({
    analysis: 'factorAnalysis',
    options: {
      factors,
      columns: choice,
      ...(rotation && { rotation }),
      ...simulation?.options,
    },
    origin: context.origin,
    factors: raw.factors.map(({ value, share, eigenvalue, belowNoiseFloor }, j) => ({
      value,
      ...endsOf(intervals?.values[j]),
      share,
      eigenvalue,
      belowNoiseFloor,
    })),
    note: noteOf(raw.rotated, factors, heywood),
    columns,
    centre: centreOf(context, features),
    deviation: deviationOf(context, features),
    weights: perFactor(columns, raw.weights, intervals?.weightsLow, intervals?.weightsHigh),
    loadings: perFactor(columns, raw.pattern, intervals?.patternLow, intervals?.patternHigh),
    correlations: perFactor(
      columns,
      raw.structure,
      intervals?.structureLow,
      intervals?.structureHigh,
    ),
    phi: perFactor(names, raw.phi, intervals?.phiLow, intervals?.phiHigh),
    uniquenesses: perColumn('uniqueness', raw.uniquenesses, intervals?.uniquenesses),
    communalities: perColumn('communality', raw.communalities, intervals?.communalities),
    heywood,
    noiseFloor: raw.noiseFloor,
    residual: raw.residual,
    guarantee: context.guarantee,
    rows: context.rows,
  });
}

function endsOf(ends: RawInterval | undefined): { low?: number; high?: number } {
  return ends === undefined ? {} : { low: ends.low, high: ends.high };
}

function noteOf(above: number, factors: number, heywood: readonly string[]): string | null {
  const said: string[] = [];
  if (above === 0) {
    said.push('No factor lies above the noise floor: do not interpret them.');
  } else if (above < factors) {
    said.push(
      `The first ${above} of ${factors} factors lie above the noise floor; do not interpret the others, which are not rotated.`,
    );
  }
  if (heywood.length > 0) {
    said.push(
      `The factors explain all of ${heywood.join(', ')} (a Heywood case): noise, too many factors, or columns that hold the same.`,
    );
  }
  return said.length === 0 ? null : said.join(' ');
}
