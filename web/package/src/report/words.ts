import type { Origin } from '../output/results.js';
import {
  bound,
  capitalised,
  correlation,
  count,
  countWord,
  inSentence,
  list,
  ordinalWord,
  percent,
  plural,
  significant,
} from './format.js';
import { columnName } from './names.js';

/** A number in a result. */
export interface Figure {
  value: number;
  low?: number;
  high?: number;
  belowNoiseFloor: boolean;
}

/** A pair or a shared component, with the floor along its own directions. */
export interface PairFigure extends Figure {
  noiseFloor: number;
}

/** The weight of one column in a score. */
export interface Weight {
  name: string;
  /** Change of the score per unit of the column. */
  original: number;
  /** The same on a scale that is comparable between columns, such as per standard deviation. */
  comparable: number;
  /** The intervals of `comparable` and `original`, if there are any. */
  interval?: { comparable: readonly [number, number]; original: readonly [number, number] };
  belowNoiseFloor?: boolean;
}

/** Shares below this are displayed as less than 0.1%. */
const NO_SHARE = 0.0005;

/** How a figure compares with its noise floor and with 0. */
export type Standing = 'above' | 'not clear' | 'below';

/** Lower ends below this are displayed as .00. */
const SHOWN_AS_ZERO = 0.005;

/** A figure above its floor is still not clear if its interval reaches 0: there may be no effect. */
export function standingOf({ belowNoiseFloor, low }: Figure): Standing {
  if (belowNoiseFloor) return 'below';
  return low !== undefined && low < SHOWN_AS_ZERO ? 'not clear' : 'above';
}

/** The indices of the figures with this standing. */
export function placesOf(figures: readonly Figure[], standing: Standing): number[] {
  return figures.flatMap((figure, i) => (standingOf(figure) === standing ? [i] : []));
}

/**
 * The correlations of two views in one sentence or two, and in one more that noise may hide stronger ones.
 */
export function pairsFinding(
  views: readonly string[],
  pairs: readonly Figure[],
  hidden?: Hidden,
): string {
  const found = patternsFinding(views, pairs);
  if (countOf(hidden) === 0) return found;
  const above = pairs.filter(({ belowNoiseFloor }) => !belowNoiseFloor).length;
  const could =
    above === 0
      ? 'There may still be one'
      : above === 1
        ? 'It could be stronger'
        : 'They could be stronger';
  return `${found} ${could}: ${hiding(hidden)}.`;
}

function patternsFinding(views: readonly string[], pairs: readonly Figure[]): string {
  const [clear, unclear, below] = (['above', 'not clear', 'below'] as const).map(
    (standing) => placesOf(pairs, standing).length,
  ) as [number, number, number];
  const links = views.length === 2 ? `links ${list(views)}` : `${list(views)} share`;
  if (clear === 0) {
    return unclear > 0
      ? `No pattern that ${links} is clear.`
      : `No pattern that ${links} can be distinguished from noise.`;
  }
  const found =
    views.length === 2
      ? `${countWord(clear)} ${clear === 1 ? 'pattern links' : 'patterns link'} ${list(views)}.`
      : `${countWord(clear)} ${clear === 1 ? 'pattern is' : 'patterns are'} shared by ${list(views)}.`;
  const drowned = 'cannot be distinguished from noise.';
  if (unclear > 0) {
    const more = `${found} ${countWord(unclear)} more ${unclear === 1 ? 'is' : 'are'} not clear`;
    return below === 0 ? `${more}.` : `${more}, and ${countWord(below).toLowerCase()} ${drowned}`;
  }
  if (below === 0) return found;
  return below === 1
    ? `${found} A ${ordinalWord(clear)} ${drowned}`
    : `${found} ${countWord(below)} more ${drowned}`;
}

/** How many pairs a test counts, in a sentence; empty without one. */
export function testFinding(
  test:
    | { readonly alpha: number; readonly pairs: number; readonly p: { values: ArrayLike<number> } }
    | undefined,
): string {
  if (test === undefined) return '';
  const { alpha, pairs, p } = test;
  const counted = pairs === 0 ? 'no pair' : pairs === 1 ? 'one pair' : `${pairs} pairs`;
  const values = list(Array.from(p.values, (value) => significant(value)));
  return `A test at a significance level of ${percent(alpha)} counts ${counted} (p ${values}), privacy noise and sampling together.`;
}

/** What an analysis was adjusted for, as in its result. */
export interface AdjustedFor {
  adjusted?: { readonly columns: readonly string[]; readonly hidden: number };
  origin: Pick<Origin, 'sites' | 'study'>;
}

/** What was taken out of the columns before the analysis, in a sentence or two; empty if nothing was. */
export function adjustmentFinding({ adjusted, origin }: AdjustedFor): string {
  const sites = origin.sites === 'within';
  const covariates = list(
    (adjusted?.columns ?? []).map((name) => inSentence(columnName(origin.study, name))),
  );
  if (adjusted === undefined && !sites) return '';
  const out = [
    ...(adjusted === undefined ? [] : [`what depends linearly on ${covariates}`]),
    ...(sites ? ['differences between the means of sites'] : []),
  ];
  const found = `Without ${list(out)}.`;
  if (adjusted === undefined || adjusted.hidden === 0) return found;
  const what = adjusted.hidden === 1 ? 'a direction' : 'directions';
  return `${found} The noise hides ${what} of ${covariates}, so part of that is left.`;
}

/**
 * The number of directions of each view that are hidden by noise, by the view's name; undefined in older
 * results.
 */
export type Hidden = Readonly<Record<string, number>> | undefined;

function countOf(hidden: Hidden): number {
  return Object.values(hidden ?? {}).reduce((sum, count) => sum + count, 0);
}

/** "the noise hides a direction of life" */
function hiding(hidden: Hidden): string {
  const what = countOf(hidden) === 1 ? 'a direction' : 'directions';
  return `the noise hides ${what} of ${list(Object.keys(hidden ?? {}))}`;
}

/** "Could be anything up to .83: the noise hides a direction of life." */
function reaching(who: string, reach: string, hidden: Hidden): string {
  return capitalised(`${who}could be anything up to ${reach}: ${hiding(hidden)}.`);
}

/** How high a pair may be because of hidden directions; undefined if that is unknown or nothing is hidden. */
export function reachOf(
  pairs: readonly Figure[],
  place: number,
  hidden: Hidden,
): string | undefined {
  const count = countOf(hidden);
  const reach = place < count ? 1 : count > 0 ? pairs[place]?.high : undefined;
  return reach === undefined ? undefined : upTo(reach);
}

/** The upper end of an interval: "1" rather than "1.00". */
function upTo(end: number): string {
  return end === 1 ? '1' : correlation(end);
}

/** The caution for a pair that may be higher because of hidden directions. */
export function hiddenInWords(
  pairs: readonly Figure[],
  place: number,
  hidden: Hidden,
): string | undefined {
  const reach = reachOf(pairs, place, hidden);
  return reach === undefined ? undefined : reaching('', reach, hidden);
}

/** The cautions for all pairs above their floors, one sentence for each upper limit. */
export function allHiddenInWords(pairs: readonly Figure[], hidden: Hidden, what: string): string[] {
  const reaches = new Map<string, string[]>();
  for (const [place, pair] of pairs.entries()) {
    const reach = reachOf(pairs, place, hidden);
    if (reach === undefined || pair.belowNoiseFloor) continue;
    reaches.set(reach, [...(reaches.get(reach) ?? []), ordinalWord(place)]);
  }
  return [...reaches].map(([reach, which]) =>
    reaching(`the ${list(which)} ${what}${which.length === 1 ? '' : 's'} `, reach, hidden),
  );
}

/** The noise floors of all pairs: ".04", or ".04 to .08" where they differ. */
export function floorRange(pairs: readonly PairFigure[]): string {
  const floors = pairs.map(({ noiseFloor }) => noiseFloor);
  const [low, high] = [Math.min(...floors), Math.max(...floors)].map((floor) =>
    correlation(Math.min(1, floor)),
  ) as [string, string];
  return low === high ? low : `${low} to ${high}`;
}

/** What would show without any effect. Floors include the sampling error. */
export function floorInWords(pairs: readonly PairFigure[], what = 'pair'): string {
  const range = floorRange(pairs);
  return `Noise and sampling error alone reach ${range}${range.includes(' ') ? `, depending on the ${what}` : ''}.`;
}

/** The caution for the weights of a pair that is not clear. */
export const CAUTION =
  'Its interval reaches 0, so there may be no such pattern, and its weights may mean nothing.';

/**
 * What canonical correlations show and what they do not, as paragraphs. Those about pairs of which little
 * is known come first.
 */
export function pairsInWords(
  pairs: readonly PairFigure[],
  { level, hidden }: { level?: number | undefined; hidden?: Hidden },
): string[] {
  const paragraphs = [
    ...allHiddenInWords(pairs, hidden, 'pair'),
    ...belowInWords(pairs, hidden),
    ...unclearInWords(pairs),
  ];
  const estimates = estimatesInWords(pairs, { level, hidden });
  if (estimates !== '') paragraphs.push(estimates);
  paragraphs.push(againstTheFloor(pairs));
  if (level === undefined)
    paragraphs.push('Set a level to see how far chance alone moves these numbers.');
  return paragraphs;
}

/** A sentence for each pair or shared component above its floor, with its interval; empty if there is none. */
export function estimatesInWords(
  pairs: readonly Figure[],
  { level, hidden, what = 'pair' }: { level?: number | undefined; hidden?: Hidden; what?: string },
): string {
  const above = pairs.flatMap((pair, place) => (pair.belowNoiseFloor ? [] : [{ pair, place }]));
  const sentences = above.map(({ pair: { value, low, high }, place }, i) => {
    const seen = i > 0 || countOf(hidden) === 0 ? '' : ', in the directions that can be seen';
    const subject = `The ${ordinalWord(place)} ${what} has a correlation of ${correlation(value)}`;
    if (low === undefined || high === undefined) return `${subject}${seen}.`;
    const range = `${correlation(low)} to ${correlation(high)}`;
    if (i > 0) return `${subject} (${range}).`;
    const named = level === undefined ? '' : `, a ${bound(level * 100)}% interval`;
    return `${subject}${seen}. With privacy noise and sampling error, ${range} is plausible${named}.`;
  });
  return sentences.join(' ');
}

/** What could be true of pairs below their floors. */
function belowInWords(pairs: readonly PairFigure[], hidden: Hidden): string[] {
  const below = placesOf(pairs, 'below');
  if (below.length === 0) return [];
  const one = below.length === 1;
  const which = `The ${list(below.map(ordinalWord))} ${one ? 'pair' : 'pairs'} cannot be distinguished from noise`;
  const advice = `Do not interpret ${one ? 'it' : 'them'}.`;
  const ends = below.map((place) => (place < countOf(hidden) ? 1 : pairs[place]?.high));
  if (ends.some((end) => end === undefined)) return [`${which}. ${advice}`];
  const most = upTo(Math.max(...ends.map(Number)));
  return [`${which}, and could be anything up to ${most}. ${advice}`];
}

function unclearInWords(pairs: readonly PairFigure[]): string[] {
  const unclear = placesOf(pairs, 'not clear').map(ordinalWord);
  if (unclear.length === 0) return [];
  return [
    unclear.length === 1
      ? `The ${list(unclear)} pair is not clear: it lies above its floor, but its interval reaches 0.`
      : `The ${list(unclear)} pairs are not clear: they lie above their floors, but their intervals reach 0.`,
  ];
}

function againstTheFloor(pairs: readonly PairFigure[]): string {
  if (pairs.every(({ noiseFloor }) => noiseFloor === 0)) {
    return 'No noise was added, so there is no noise floor.';
  }
  const floor = floorInWords(pairs);
  if (pairs.some((pair) => standingOf(pair) !== 'above')) return floor;
  return `${floor} ${pairs.length === 1 ? 'The pair stands out from the noise in its own direction' : 'All pairs stand out from the noise in their own directions'}.`;
}

/** "zero by construction: the levels of work add up to one in every row without gaps" */
export function constantInWords(columns: readonly string[]): string {
  return `zero by construction: the levels of ${columns.join(' and of ')} add up to one in every row without gaps`;
}

/** How many factors stand out from the noise, and what they explain together. */
export function factorFinding(all: readonly (Figure & { share: number })[]): string {
  const clear = all.filter(({ belowNoiseFloor }) => !belowNoiseFloor);
  if (clear.length === 0) return 'No factor stands out from the noise.';
  const share = clear.reduce((sum, factor) => sum + factor.share, 0);
  return `${plural(clear.length, 'factor')} above the noise floor: ${percent(share)} of the variance of the columns.`;
}

/** How much of the variance stands out from the noise. @param constants from `constantsOf` */
export function varianceFinding(
  all: readonly (Figure & { share: number; shareLow?: number })[],
  floor: number,
  constants: readonly (readonly string[] | undefined)[] = [],
): string {
  const components = all.filter((_, k) => constants[k] === undefined);
  const zeros = all.flatMap((_, k) => {
    const columns = constants[k];
    return columns === undefined ? [] : [`The ${ordinalWord(k)} is ${constantInWords(columns)}.`];
  });
  return [seenVariance(components, floor), ...unclearVariance(all), ...zeros].join(' ');
}

/** The components above the floor whose shares may still be 0, as when there are few rows. */
function unclearVariance(all: readonly (Figure & { shareLow?: number })[]): string[] {
  const unclear = all.flatMap(({ belowNoiseFloor, shareLow }, k) =>
    !belowNoiseFloor && shareLow !== undefined && shareLow < NO_SHARE ? [ordinalWord(k)] : [],
  );
  if (unclear.length === 0) return [];
  return [
    unclear.length === 1
      ? `The ${list(unclear)} is not clear: the interval of its share reaches 0.`
      : `The ${list(unclear)} are not clear: the intervals of their shares reach 0.`,
  ];
}

function seenVariance(components: readonly (Figure & { share: number })[], floor: number): string {
  const clear = components.filter(({ belowNoiseFloor }) => !belowNoiseFloor);
  const share = clear.reduce((sum, component) => sum + component.share, 0);
  if (clear.length === 0) return 'No component stands out from the noise.';
  const named =
    clear.length === 1
      ? 'The first component carries'
      : `The first ${countWord(clear.length).toLowerCase()} components carry`;
  const much = share > 0.995 ? 'over 99%' : percent(share);
  return floor > 0 && clear.length < components.length
    ? `${named} ${much} of the variance; the rest is lost in the noise.`
    : `${named} ${much} of the variance.`;
}

/** How well a regression predicts. */
export function regressionFinding(
  target: string,
  r2: Figure,
  coefficients: readonly Figure[],
): string {
  if (r2.belowNoiseFloor) {
    return `The prediction of ${inSentence(target)} cannot be distinguished from noise, so the fit is its mean for all rows.`;
  }
  const clear = coefficients.filter(({ belowNoiseFloor }) => !belowNoiseFloor).length;
  const which =
    clear === 0
      ? 'No single coefficient stands out from the noise.'
      : `${countWord(clear)} of ${countWord(coefficients.length).toLowerCase()} coefficient${coefficients.length === 1 ? '' : 's'} ${clear === 1 ? 'stands' : 'stand'} out from the noise.`;
  return `${percent(r2.value)} of the variance of ${inSentence(target)} is explained. ${which}`;
}

/** The share explained; for a fit below its floor, only the upper end, if there is one. */
export function explainedInWords({ value, low, high, belowNoiseFloor }: Figure): string {
  if (belowNoiseFloor) {
    return high === undefined || high >= 1
      ? 'indistinguishable from noise'
      : `indistinguishable from noise; at most ${percent(high)}`;
  }
  const range =
    low === undefined || high === undefined
      ? ''
      : ` (${percent(low)}\u00a0to\u00a0${percent(high)})`;
  return `${percent(value)}${range}`;
}

/** The typical error of a regression; if noise left the target no variance, it is not known. */
export function errorInWords(
  { r2, residualSd }: { r2: Figure; residualSd: number },
  unit = '',
): string {
  if (r2.belowNoiseFloor && residualSd === 0) return 'lost in the noise';
  return `${significant(residualSd, 3)}${unit === '' ? '' : ` ${unit}`}`;
}

/** Smaller loadings say too little to be put in words. */
export const LEAST_LOADING = 0.4;
/** At most this many columns are named on a side. */
const MOST_NAMED = 2;

/** The loadings that are put in words: large, clear of 0 and few, the largest first. */
export function leading<Loading extends Pick<Weight, 'original' | 'interval'>>(
  loadings: readonly Loading[],
): Loading[] {
  return loadings
    .filter(
      ({ original, interval }) =>
        Math.abs(original) >= LEAST_LOADING &&
        (interval === undefined || interval.original[0] * interval.original[1] > 0),
    )
    .sort((a, b) => Math.abs(b.original) - Math.abs(a.original))
    .slice(0, MOST_NAMED);
}

/** "one of the 10 sites is missing", as far as the study says how many it expects; empty if none is. */
export function missingInWords({
  releases,
  study: { sites = 0 },
}: {
  releases: number;
  study: { sites?: number };
}): string {
  const missing = sites - releases;
  if (missing <= 0) return '';
  const which = missing === 1 ? 'one' : countWord(missing).toLowerCase();
  return `${which} of the ${count(sites)} sites ${missing === 1 ? 'is' : 'are'} missing`;
}

/** "48,842 rows in 10 releases". */
export function sizeInWords(rows: number | null, unit: string, releases: number): string {
  const from = releases === 0 ? 'no release, without privacy' : plural(releases, 'release');
  return rows === null ? from : `${count(Math.round(rows))} ${unit}s in ${from}`;
}
