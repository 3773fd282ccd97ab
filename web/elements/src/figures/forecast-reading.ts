import type { ForecastPoint } from './forecast-surface.js';

/** What a planned value would be in the results. */
export type Reading = 'clear' | 'borderline' | 'lost';

/** The highest probability of an estimate below the noise floor at which a pair is still clear. */
const MAX_RISK = 0.05;

/**
 * How the estimate of a planned correlation could be read: `lost` if the plan is inside the noise floor,
 * `clear` if its whole interval is above the floor and no wider than half of it to each side, as in
 * `forecast`, else `borderline`.
 */
export function readingOf(truth: number, { floor, pairs }: ForecastPoint, index: number): Reading {
  const pair = pairs[index];
  if (pair === undefined || floor >= truth) return 'lost';
  const { margin, risk } = pair;
  return truth - margin > floor && margin <= truth / 2 && risk <= MAX_RISK ? 'clear' : 'borderline';
}

/** How the covariance could be read: `lost` if answering 0 everywhere would be as good. */
export function covarianceReading({ ratio }: ForecastPoint): Reading {
  return ratio <= 0.5 ? 'clear' : ratio < 1 ? 'borderline' : 'lost';
}

/** The readings of all planned correlations or, without any, of the covariance. */
export function readingsOf(truths: readonly number[], point: ForecastPoint): Reading[] {
  return truths.length === 0
    ? [covarianceReading(point)]
    : truths.map((truth, i) => readingOf(truth, point, i));
}

/** The interval that holds at least nine of ten estimates of a planned correlation. */
export function intervalOf(
  truth: number,
  { pairs }: ForecastPoint,
  index: number,
): [low: number, high: number] {
  const margin = pairs[index]?.margin ?? 1;
  return [Math.max(0, truth - margin), Math.min(1, truth + margin)];
}
