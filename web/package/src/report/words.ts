import { count, countWord, list, ordinalWord, percent, correlation, plural } from './format.js';

/** A figure, the way results have it. */
export interface Figure {
  value: number;
  low?: number;
  high?: number;
  belowNoiseFloor: boolean;
}

/** What one column adds to a score. */
export interface Weight {
  name: string;
  /** Change of the score for one unit of the column. */
  original: number;
  /** The same for something that compares between columns: one standard deviation, say. */
  comparable: number;
  /** The interval of `comparable`, and of `original`, where they have one. */
  interval?: { comparable: readonly [number, number]; original: readonly [number, number] };
  belowNoiseFloor?: boolean;
}

/** The correlations of two views in one sentence. */
export function pairsFinding(views: readonly string[], pairs: readonly Figure[]): string {
  const clear = pairs.filter(({ belowNoiseFloor }) => !belowNoiseFloor).length;
  const below = pairs.length - clear;
  const links = views.length === 2 ? `links ${list(views)}` : `${list(views)} share`;
  if (clear === 0) return `No pattern that ${links} can be told from noise.`;
  const found =
    views.length === 2
      ? `${countWord(clear)} ${clear === 1 ? 'pattern links' : 'patterns link'} ${list(views)}.`
      : `${countWord(clear)} ${clear === 1 ? 'pattern is' : 'patterns are'} shared by ${list(views)}.`;
  if (below === 0) return found;
  return below === 1
    ? `${found} A ${ordinalWord(clear)} cannot be told from noise.`
    : `${found} ${countWord(below)} more cannot be told from noise.`;
}

/** Where a part of a view is hidden, the intervals hold what can be seen of it. */
export const UNRESOLVED =
  'In some directions the columns vary less than the noise. What lies there cannot be seen, and the true values may lie above the intervals.';

/** What shows where there is nothing. With intervals, floors count the sampling error of the rows too. */
export function floorInWords(noiseFloor: number, level: number | undefined): string {
  const alone =
    level === undefined ? 'Pure noise of this strength' : 'Noise and sampling error alone';
  return `${alone} would show up to ${correlation(noiseFloor)}.`;
}

/** What canonical correlations say and what they do not, a paragraph each. */
export function pairsInWords(
  pairs: readonly Figure[],
  noiseFloor: number,
  { level, resolved = true }: { level?: number | undefined; resolved?: boolean | undefined },
): string[] {
  const [first] = pairs;
  const said: string[] = [];
  if (first !== undefined && !first.belowNoiseFloor) {
    const value = `The first pair has a correlation of ${correlation(first.value)}.`;
    said.push(
      first.low === undefined || first.high === undefined
        ? value
        : `${value} With the privacy noise and the sampling error counted, ${correlation(first.low)} to ${correlation(first.high)} is plausible.`,
    );
  }
  const below = pairs.flatMap(({ belowNoiseFloor }, i) =>
    belowNoiseFloor ? [ordinalWord(i)] : [],
  );
  const floor = floorInWords(noiseFloor, level);
  if (noiseFloor === 0) {
    said.push('No noise was added, so there is no noise floor.');
  } else if (below.length === 0) {
    said.push(
      `${floor} ${pairs.length === 1 ? 'It stands' : 'All pairs stand'} out of the noise in their own directions.`,
    );
  } else {
    said.push(
      below.length === 1
        ? `${floor} The ${below[0] ?? ''} pair cannot be told from noise, so it says nothing.`
        : `${floor} The ${list(below)} pairs cannot be told from noise, so they say nothing.`,
    );
  }
  if (!resolved) said.push(UNRESOLVED);
  if (level === undefined) said.push('How far chance alone moves these numbers is not shown here.');
  return said;
}

/** How much of the variance stands out of the noise. */
export function varianceFinding(
  components: readonly (Figure & { share: number })[],
  floor: number,
): string {
  const clear = components.filter(({ belowNoiseFloor }) => !belowNoiseFloor);
  const share = clear.reduce((sum, component) => sum + component.share, 0);
  if (clear.length === 0) return 'No component stands out of the noise.';
  const named =
    clear.length === 1
      ? 'The first component carries'
      : `The first ${countWord(clear.length).toLowerCase()} components carry`;
  const much = share > 0.995 ? 'over 99%' : percent(share);
  return floor > 0 && clear.length < components.length
    ? `${named} ${much} of the variance; the rest is inside the noise.`
    : `${named} ${much} of the variance.`;
}

/** How well a regression predicts. */
export function regressionFinding(
  target: string,
  r2: Figure,
  coefficients: readonly Figure[],
): string {
  if (r2.belowNoiseFloor) return `How well ${target} is predicted cannot be told from noise.`;
  const clear = coefficients.filter(({ belowNoiseFloor }) => !belowNoiseFloor).length;
  const which =
    clear === 0
      ? 'No single coefficient stands out of the noise.'
      : `${countWord(clear)} of ${plural(coefficients.length, 'coefficient')} ${clear === 1 ? 'stands' : 'stand'} out of the noise.`;
  return `${percent(r2.value)} of the variance of ${target} is explained. ${which}`;
}

/** What a high score means: the columns that weigh most, each called high or low. */
export function highScore(weights: readonly Weight[]): string {
  const sorted = [...weights].sort((a, b) => Math.abs(b.comparable) - Math.abs(a.comparable));
  const largest = Math.abs(sorted[0]?.comparable ?? 0);
  return sorted
    .filter((weight) => Math.abs(weight.comparable) > largest / 3)
    .slice(0, 3)
    .map(({ name, comparable }) => direction(name, comparable > 0))
    .join(', ');
}

/** "high hours", "low hours", "occupation office", "occupation not office". */
function direction(feature: string, up: boolean): string {
  const at = feature.indexOf('=');
  if (at < 0) return `${up ? 'high' : 'low'} ${feature}`;
  return `${feature.slice(0, at)} ${up ? '' : 'not '}${feature.slice(at + 1)}`;
}

/** "48,842 rows in 10 releases". */
export function sizeInWords(rows: number | null, unit: string, releases: number): string {
  const from = releases === 0 ? 'no release: without privacy' : plural(releases, 'release');
  return rows === null ? from : `${count(Math.round(rows))} ${unit}s in ${from}`;
}
