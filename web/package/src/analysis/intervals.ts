import { PrivateMomentsError } from '../base/errors.js';
import type { Part, Raw, RawFigureInterval, Simulation } from '../core/raw.js';
import { unwrap } from '../core/unwrap.js';
import type { Context } from './context.js';

export const DEFAULT_DRAWS = 300;

/** Names of `IntervalOptions`. */
export const INTERVALS: readonly string[] = ['level', 'draws', 'seed'];

/** Options of intervals. Those of correlations and variances are simulated (docs/analysis.md). */
export interface IntervalOptions {
  /** Confidence level, between 0 and 1. Without it there are no intervals. */
  level?: number;
  /** Number of simulated releases, 50 to 100000. Default 300. */
  draws?: number;
  /** Seed of the simulation, a whole number: the same seed gives the same intervals. Default 1. */
  seed?: number;
}

/** The checked options with defaults. @throws PrivateMomentsError `invalid-interval` */
export function intervalOptions({
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

/** The ends of an interval, if there is one. */
export function boundsOf(
  interval: RawFigureInterval | undefined,
): Partial<Pick<RawFigureInterval, 'low' | 'high'>> {
  return interval === undefined ? {} : { low: interval.low, high: interval.high };
}

/** The ends of an interval and its noise floor, which includes sampling error. */
export function figureOf(interval: RawFigureInterval | undefined): Partial<RawFigureInterval> {
  if (interval === undefined) return {};
  const { low, high, noiseFloor, belowNoiseFloor } = interval;
  return { low, high, noiseFloor, belowNoiseFloor };
}

/** The interval options with defaults, and what they add to the core's options; null without a level. */
export function simulationOf(
  { parts, sums }: Context,
  { level, draws, seed }: IntervalOptions,
): { options: Required<IntervalOptions>; raw: Simulation } | null {
  if (level === undefined) return null;
  const options = intervalOptions({ level, draws, seed });
  return { options, raw: { sums, ...options, ...(parts && { parts }) } };
}

/** One part of the simulated draws of an analysis, so that several threads can share them. */
export function drawsOf<Options>(
  context: Context,
  options: IntervalOptions,
  question: Options,
  part: Part,
  make: (options: Options & Simulation & Part) => Raw<{ draws: Float64Array }>,
): Float64Array {
  const simulation = simulationOf(context, options);
  if (simulation === null) return new Float64Array();
  return unwrap(make({ ...question, ...simulation.raw, ...part })).draws;
}

function refuse(field: string, message: string): never {
  throw new PrivateMomentsError('invalid-interval', message, { field });
}
