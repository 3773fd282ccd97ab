import type { Advice, Forecast } from 'private-moments';
import {
  bound,
  correlation,
  count,
  countWord,
  list,
  ordinalWord,
  percent,
  significant,
} from './format.js';

/** What to expect of the study, in a sentence or two. */
export function forecastFinding(forecast: Forecast, epsilon: number): string {
  const at = `At ε = ${bound(epsilon)}`;
  const { correlations, covariance } = forecast;
  const size =
    covariance.ratio >= 1
      ? 'the covariance would miss by more than answering zero does'
      : `the covariance would miss by ${percent(covariance.ratio)} of what answering zero misses`;
  if (correlations.length === 0) return `${at}, ${size}.`;
  const clear = correlations.filter(({ belowNoiseFloor }) => !belowNoiseFloor);
  const below = correlations.filter(({ belowNoiseFloor }) => belowNoiseFloor);
  if (clear.length === 0) {
    const strongest = correlation(correlations[0]?.truth ?? 0);
    return `${at}, no pair would be clear, not even one of ${strongest}: the noise is too strong for so few rows.`;
  }
  const all = correlations.length;
  const which =
    clear.length === all
      ? all === 1
        ? `a pair of ${truths(clear)} would be clear`
        : `pairs of ${truths(clear)} would all be clear`
      : clear.length === 1
        ? `a pair of ${truths(clear)} would be clear`
        : `${countWord(clear.length).toLowerCase()} pairs, of ${truths(clear)}, would be clear`;
  if (below.length === 0) {
    const worst = Math.max(...clear.map(({ error }) => error));
    return `${at}, ${which}, each to within about ${correlation(worst, worst < 0.01 ? 3 : 2)}.`;
  }
  const floor = below.length === 1 ? `A ${ordinalWord(clear.length)} of` : 'Pairs of';
  return `${at}, ${which}. ${floor} ${truths(below)} would not: too close to the noise floor.`;
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
