import { requireKnown } from '../check.js';
import { PrivateMomentsError } from '../errors.js';
import type { Part, Raw, RawFigureInterval, Simulation } from '../raw.js';
import { asResult, type Result } from '../results.js';
import type { Matrix } from '../types.js';
import { unwrap } from '../unwrap.js';
import type { CcaOptions } from './cca.js';
import type { Context } from './context.js';
import type { GccaOptions } from './gcca.js';
import type { PcaOptions } from './pca.js';
import type { RidgeOptions } from './ridge.js';

export const DEFAULT_DRAWS = 300;

/** Names of `IntervalOptions`. */
export const INTERVALS: readonly string[] = ['level', 'draws', 'seed'];

/** How intervals are made. Those of correlations and variances are simulated (docs/analysis.md). */
export interface IntervalOptions {
  /** Of the intervals, between 0 and 1. Without it there are none. */
  level?: number;
  /** How many simulated releases they rest on, from 50 to 100000. Default 300. */
  draws?: number;
  /** Of the simulation, a whole number: the same seed gives the same intervals. Default 1. */
  seed?: number;
}

/** `level` here is 0.95 by default. */
export type UncertaintyOptions = IntervalOptions;

export interface UncertaintyResult extends Result {
  analysis: 'uncertainty';
  options: Required<UncertaintyOptions>;
  columns: string[];
  /** Standard error of `rows`; 0 where the count is public. */
  rowsStandardError: number;
  /** Original units: rows `value`, `standardError`, `low` and `high`. */
  mean: Matrix;
  /** Original units, each of the features by the features. */
  covariance: { standardError: Matrix; low: Matrix; high: Matrix };
  rows: number;
}

/** What was asked for, with defaults. */
function intervalOptions({
  level,
  draws = DEFAULT_DRAWS,
  seed = 1,
}: {
  level: number;
  draws?: number | undefined;
  seed?: number | undefined;
}): Required<IntervalOptions> {
  if (!(typeof level === 'number' && level > 0 && level < 1)) {
    refuse('level', 'level must be a number between 0 and 1');
  }
  if (!(Number.isSafeInteger(draws) && draws >= 50 && draws <= 100000)) {
    refuse('draws', 'draws must be a whole number from 50 to 100000');
  }
  if (!(Number.isSafeInteger(seed) && seed >= 0)) {
    refuse('seed', 'seed must be a whole number from 0 to 2^53 - 1');
  }
  return { level, draws, seed };
}

/** The bounds of a figure, where there are any. */
export function boundsOf(
  interval: RawFigureInterval | undefined,
): Partial<Pick<RawFigureInterval, 'low' | 'high'>> {
  return interval === undefined ? {} : { low: interval.low, high: interval.high };
}

/** The same with its floor, which counts sampling error. */
export function figureOf(interval: RawFigureInterval | undefined): Partial<RawFigureInterval> {
  if (interval === undefined) return {};
  const { low, high, noiseFloor, belowNoiseFloor } = interval;
  return { low, high, noiseFloor, belowNoiseFloor };
}

/** What an analysis adds to its options, and to what the core is asked, where it makes intervals. */
export function simulationOf(
  { parts, sums }: Context,
  { level, draws, seed }: IntervalOptions,
): { options: Required<IntervalOptions>; raw: Simulation } | null {
  if (level === undefined) return null;
  const options = intervalOptions({ level, draws, seed });
  return { options, raw: { sums, ...options, ...(parts && { parts }) } };
}

/** A part of the draws that an analysis with a level rests on; threads can make them apart. */
export function drawsOf<Asked>(
  context: Context,
  options: IntervalOptions,
  asked: Asked,
  part: Part,
  make: (options: Asked & Simulation & Part) => Raw<{ draws: Float64Array }>,
): Float64Array {
  const simulation = simulationOf(context, options);
  if (simulation === null) return new Float64Array();
  return unwrap(make({ ...asked, ...simulation.raw, ...part })).draws;
}

/** Analyses, in this thread or another. */
interface Analyses {
  pca(options?: PcaOptions): unknown;
  cca(options?: CcaOptions): unknown;
  gcca(options?: GccaOptions): unknown;
  ridge(options: RidgeOptions): unknown;
}

/** The result with analyses at its level, with its draws and seed. */
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
    ridge: (more) => analyses.ridge(over({ level }, more)),
  };
  for (const [name, value] of Object.entries(own)) {
    // Not enumerable: what is cloned or stored are the numbers.
    Object.defineProperty(result, name, { value });
  }
  return result as UncertaintyResult & Pick<A, keyof Analyses>;
}

/** Options over those of the result; what are none go on as they are, to be refused. */
function over<O extends object>(own: IntervalOptions, more: O | undefined): O {
  const isGiven = typeof more !== 'object' || (more as O | null) === null || Array.isArray(more);
  return isGiven && more !== undefined ? more : ({ ...own, ...more } as O);
}

/**
 * Standard errors of means, covariances and the count: of privacy noise, and of the rows as a sample
 * of a population; intervals by the normal law.
 */
export function uncertainty(context: Context, options: UncertaintyOptions): UncertaintyResult {
  requireKnown(options, INTERVALS);
  const asked = intervalOptions({ ...options, level: options.level ?? 0.95 });
  const { columns, core, guarantee, mean, origin, rows, sums } = context;
  const raw = unwrap(core.momentErrors({ ...sums, level: asked.level }));
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
    options: asked,
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

function refuse(field: string, message: string): never {
  throw new PrivateMomentsError('invalid-interval', message, { field });
}
