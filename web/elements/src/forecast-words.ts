import type { Advice, Forecast } from 'private-moments';
import { bound, capitalised, correlation, count, list, percent, significant } from './format.js';

/** What to expect of the study, in a sentence or two. */
export function forecastFinding(forecast: Forecast, epsilon: number): string {
  const at = `At ε = ${bound(epsilon)}`;
  const { correlations, covariance } = forecast;
  const size =
    covariance.ratio >= 1
      ? 'the covariance would miss by more than answering zero does'
      : `the covariance would miss by ${percent(covariance.ratio)} of what answering zero misses`;
  if (correlations.length === 0) return `${at}, ${size}.`;
  const clear = correlations.filter((pair) => pair.clear);
  const others = correlations.filter((pair) => !pair.clear);
  const assumes = assumptionInWords(forecast);
  if (clear.length === 0) {
    const strongest = correlation(correlations[0]?.truth ?? 0);
    return `${at}, no pair would be clear, not even one of ${strongest}: too much noise for so few rows. ${assumes}`;
  }
  const margin = Math.max(...clear.map((pair) => pair.margin ?? 0));
  const within = `to within ${correlation(margin, margin < 0.01 ? 3 : 2)} in 9 of 10 studies`;
  const which = `${pairs(clear)} would be clear, ${within}`;
  const risk =
    others.length === 0
      ? ''
      : ` ${capitalised(pairs(others))} ${others.length === 1 ? 'is' : 'are'} at risk: too close to the noise floor.`;
  return `${at}, ${which}.${risk} ${assumes}`;
}

/** Said beside every verdict: it holds for such data only. */
function assumptionInWords({ assumed }: Forecast): string {
  const { withinViews } = assumed;
  if (withinViews === null) return '';
  return withinViews === 0
    ? 'Assumes that columns of one view do not correlate.'
    : `Assumes that columns of one view correlate up to ${withinViews}.`;
}

function pairs(some: readonly { truth: number }[]): string {
  return some.length === 1 ? `a pair of ${truths(some)}` : `pairs of ${truths(some)}`;
}

function truths(all: readonly { truth: number }[]): string {
  return list(all.map(({ truth }) => correlation(truth)));
}

/** The changes that would help most: "the same rows in one release (error × 0.53)". */
export function leversInWords({ levers }: Advice, most = 3): string {
  const said = levers
    .slice(0, most)
    .map(({ change, factor }) => `${change} (error × ${significant(factor)})`);
  return said.length === 0 ? '' : `What would help most: ${list(said)}.`;
}

/** How many rows it takes, where there are not enough. */
export function rowsInWords({ rowsNeeded, rows, sites }: Forecast): string {
  const { target, rows: needed } = rowsNeeded;
  if (needed === null) {
    return `No number of rows over ${count(sites)} releases brings the error to ${percent(target)} of that of answering zero.`;
  }
  return needed <= rows
    ? ''
    : `It takes about ${count(Number(needed.toPrecision(2)))} rows over ${count(sites)} releases to bring the error to ${percent(target)} of that of answering zero.`;
}
