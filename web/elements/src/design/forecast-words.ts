import type { Advice, Forecast } from 'private-moments';
import {
  bound,
  capitalised,
  correlation,
  count,
  list,
  percent,
  significant,
} from 'private-moments/words';

/** What to expect of the study, in a sentence or two. */
export function forecastFinding(forecast: Forecast, epsilon: number): string {
  const at = `At ε = ${bound(epsilon)}`;
  const { correlations, covariance } = forecast;
  const size =
    covariance.ratio >= 1
      ? 'privacy error in the covariance would exceed what answering 0 everywhere would cost'
      : `privacy error in the covariance would be ${percent(covariance.ratio)} of what answering 0 everywhere would cost`;
  if (correlations.length === 0) return `${at}, ${size}.`;
  const clear = correlations.filter((pair) => pair.clear);
  const others = correlations.filter((pair) => !pair.clear);
  const assumes = assumptionInWords(forecast);
  if (clear.length === 0) {
    const strongest = correlation(correlations[0]?.truth ?? 0);
    return `${at}, no pair would be clear, not even one of ${strongest}: too few rows for this ε. ${assumes}`;
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

/** The assumption behind a verdict, which holds only for such data. */
function assumptionInWords({ assumed }: Forecast): string {
  const { withinViews } = assumed;
  if (withinViews === null) return '';
  return withinViews === 0
    ? 'Assumes that columns within a view are uncorrelated.'
    : `Assumes correlations of at most ${withinViews} within a view.`;
}

function pairs(some: readonly { truth: number }[]): string {
  return some.length === 1 ? `a pair of ${truths(some)}` : `pairs of ${truths(some)}`;
}

function truths(all: readonly { truth: number }[]): string {
  return list(all.map(({ truth }) => correlation(truth)));
}

/** The changes that reduce the error most: "the same rows in one release (error × 0.53)". */
export function leversInWords({ levers }: Advice, most = 3): string {
  const changes = levers
    .slice(0, most)
    .map(({ change, factor }) => `${change} (error × ${significant(factor)})`);
  return changes.length === 0 ? '' : `To reduce the error most: ${list(changes)}.`;
}

/** Errors that differ by less than this are about equal. */
const ABOUT_EQUAL = 1.05;

/** Which of independent and split is more accurate for the study, and by how much. */
export function modesInWords({ modes }: Advice): string {
  if (modes === null) return '';
  const { better, factor } = modes;
  const settings = 'each with its usual limit for long rows';
  if (factor < ABOUT_EQUAL) {
    return `Forecast for this study: independent and split are about equally accurate, ${settings}.`;
  }
  const worse = better === 'split' ? 'independent' : 'split';
  return `Forecast for this study: ${better} is more accurate. The privacy error of ${worse} is ${significant(factor)} times as large, ${settings}.`;
}

/** How many rows the study needs, if it has too few. */
export function rowsInWords({ rowsNeeded, rows, sites }: Forecast): string {
  const { target, rows: needed } = rowsNeeded;
  if (needed === null) {
    return `No number of rows in ${count(sites)} releases brings the error down to ${percent(target)} of what answering 0 everywhere would cost.`;
  }
  return needed <= rows
    ? ''
    : `About ${count(Number(needed.toPrecision(2)))} rows in ${count(sites)} releases would bring the error down to ${percent(target)} of what answering 0 everywhere would cost.`;
}
