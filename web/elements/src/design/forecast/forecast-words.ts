import type { Advice } from 'private-moments';
import { correlation, count, list, ordinalWord, percent, significant } from 'private-moments/words';
import type { ForecastPoint } from '../../figures/forecast-surface.js';
import { covarianceReading, readingsOf, type Reading } from '../../figures/forecast-reading.js';

const WORDS: Record<Reading, string> = {
  clear: 'clear',
  borderline: 'borderline',
  lost: 'lost in noise',
};

export function readingInWords(reading: Reading): string {
  return WORDS[reading];
}

/** What to expect of the study, in a sentence. `at` names the present choice: "At ε = 1". */
export function verdict(truths: readonly number[], point: ForecastPoint, at: string): string {
  if (truths.length === 0) return covarianceVerdict(point, at);
  const readings = readingsOf(truths, point);
  const [first] = readings;
  if (readings.every((reading) => reading === first)) {
    const all =
      readings.length === 1
        ? 'the planned pair is'
        : readings.length === 2
          ? 'both pairs are'
          : `all ${readings.length} pairs are`;
    if (first !== 'lost') return `${at} ${all} ${WORDS[first ?? 'clear']}.`;
    const which = readings.length === 1 ? 'the planned pair' : 'every pair';
    return `${at} ${which} is lost in noise under these assumptions. Do not run this study as it is.`;
  }
  const groups = (['clear', 'borderline', 'lost'] as const).flatMap((reading) => {
    const places = readings.flatMap((each, i) => (each === reading ? [i] : []));
    return places.length === 0 ? [] : [{ reading, places }];
  });
  const parts = groups.map(({ reading, places }, i) => {
    const names = list(places.map(ordinalWord));
    const pair = i > 0 ? '' : places.length === 1 ? ' pair' : ' pairs';
    return `the ${names}${pair} ${places.length === 1 ? 'is' : 'are'} ${WORDS[reading]}`;
  });
  return `${at} ${list(parts)}.`;
}

function covarianceVerdict(point: ForecastPoint, at: string): string {
  const { ratio } = point;
  const share = `privacy error is ${percent(ratio)} of what answering 0 everywhere would cost`;
  const reading = covarianceReading(point);
  return reading === 'lost'
    ? `${at} the covariance is lost in noise under these assumptions: answering 0 everywhere would be as good. Do not run this study as it is.`
    : `${at} the covariance is ${WORDS[reading]}: ${share}.`;
}

/**
 * How often a test finds the planned pairs: "A test at 5 % finds a correlation of .30 in 82 of 100 studies."
 * `centres` is whether sites centre their rows privately, for which the forecast may be too high.
 */
export function powerInWords(
  truths: readonly number[],
  { pairs }: ForecastPoint,
  centres = false,
): string {
  const found = truths.flatMap((truth, i) => {
    const power = pairs[i]?.power;
    // There is nothing to find of a planned correlation of 0.
    return truth > 0 && power !== undefined ? [{ truth, power }] : [];
  });
  if (found.length === 0) return '';
  const parts = found.map(
    ({ truth, power }, i) =>
      `${i === 0 ? 'a correlation ' : ''}of ${correlation(truth)} in ${outOf100(power)}${i === 0 ? ' of 100 studies' : ''}`,
  );
  const caution = centres ? ' With private centring it may find fewer.' : '';
  return `A test at 5 % finds ${list(parts)}.${caution}`;
}

function outOf100(share: number): string {
  const count = Math.round(100 * share);
  return count >= 100 ? 'more than 99' : count < 1 ? 'fewer than 1' : String(count);
}

/** The error that a lever changes: the margin of the strongest pair or, without pairs, of the covariance. */
export function sizeOfError({ pairs, ratio }: ForecastPoint): number {
  return pairs[0]?.margin ?? ratio;
}

/** "± .14", or a share of the error of answering 0. */
export function errorInWords(point: ForecastPoint): string {
  const [first] = point.pairs;
  if (first === undefined) return percent(point.ratio);
  return `± ${correlation(first.margin, first.margin < 0.01 ? 3 : 2)}`;
}

/**
 * The smallest size on the grid, not below the present one, at which another pair becomes clear, in words:
 * "With about 500 rows per site the second pair is clear."
 */
export function enoughInWords(
  truths: readonly number[],
  now: ForecastPoint,
  curve: readonly { size: number; point: ForecastPoint | undefined }[],
  unit: string,
): string {
  const present = readingsOf(truths, now);
  for (const { size, point } of curve) {
    if (point === undefined) continue;
    const readings = readingsOf(truths, point);
    const better = readings.findIndex((each, i) => each === 'clear' && present[i] !== 'clear');
    if (better < 0) continue;
    const what = truths.length === 0 ? 'covariance' : `${ordinalWord(better)} pair`;
    return `With about ${count(Number(size.toPrecision(2)))} ${unit} the ${what} is clear.`;
  }
  return '';
}

/** Errors that differ by less than this are about equal. */
const ABOUT_EQUAL = 1.05;

/**
 * Which of independent and split is more accurate for the study, and by how much. `centres` is whether
 * independent sites would centre their rows privately, which is why they may be more accurate.
 */
export function modesInWords({ modes }: Advice, centres: boolean): string {
  if (modes === null) return '';
  const { better, factor } = modes;
  const settings = 'each with its usual limit for long rows';
  if (factor < ABOUT_EQUAL) {
    return `Forecast for this study: independent and split are about equally accurate, ${settings}.`;
  }
  const worse = better === 'split' ? 'independent' : 'split';
  const reason =
    better === 'independent' && centres
      ? 'Sites cannot centre their rows privately behind masks. '
      : '';
  return `${reason}Forecast for this study: ${better} is more accurate. The privacy error of ${worse} is ${significant(factor)} times as large, ${settings}.`;
}
