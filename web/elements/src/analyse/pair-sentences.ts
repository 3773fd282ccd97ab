import type { CcaResult, Moments } from 'private-moments';
import {
  LEAST_LOADING,
  capitalised,
  correlationsOf,
  hiddenInWords,
  leading,
  levelName,
  list,
  ordinal,
  standingOf,
  type PairFigure,
  type Weight,
} from 'private-moments/words';
import type { MomentsResult } from './analysis-result.js';
import type { PairWords } from '../figures/figure-data.js';
import { LONGEST_LABEL } from '../session/figure-labels.js';

/** A pattern below this is called weak. */
const WEAK = 0.2;
/** A 0-to-1 column with at least this share of the variance of yes and no is read as one. */
const YES_OR_NO = 0.8;

/** What a feature is called in a sentence. */
export interface Meaning {
  /** The column: its label, or its name. */
  column: string;
  /** The level, for a feature of a category. */
  level?: string;
  /** Whether 0 and 1 stand for no and yes. */
  yesNo?: boolean;
}

/** A feature in a pattern: its correlation with the score of its side. */
interface Part extends Meaning {
  loading: number;
}

/** What each feature of the moments is called, by its name. */
export function meaningsOf({
  study,
  columns,
  sources,
  mean,
  covariance,
}: Pick<Moments, 'study' | 'columns' | 'sources' | 'mean' | 'covariance'>): Map<string, Meaning> {
  return new Map(
    columns.map((name, i): [string, Meaning] => {
      const column = study.columns.find((each) => each.name === sources[i]);
      const { label } = column ?? {};
      const isShort = label !== undefined && label.length <= LONGEST_LABEL;
      const words = inSentence(isShort ? label : (sources[i] ?? name));
      if (column?.type === 'category') return [name, { column: words, level: levelName(name) }];
      const middle = mean.values[i] ?? 0;
      const variance = covariance.values[i * columns.length + i] ?? 0;
      const yesNo =
        column?.min === 0 &&
        column.max === 1 &&
        column.unit === undefined &&
        variance >= YES_OR_NO * middle * (1 - middle);
      return [name, { column: words, yesNo }];
    }),
  );
}

/** A label or a name inside a sentence: "Age at entry" as "age at entry", "over_50k" as "over 50k". */
function inSentence(words: string): string {
  return words.replaceAll('_', ' ').replace(/^\p{Lu}(?=\p{Ll}| )/u, (first) => first.toLowerCase());
}

/**
 * The sentence of a pattern between two sides: "Higher education goes with occupation professional." It
 * names what has a loading of .4 or more, the largest first, at most two a side. The sign of a pattern
 * has no meaning, so the first side is described where its largest loading is positive.
 */
export function pairSentence(
  sides: readonly [readonly Part[], readonly Part[]],
  views: readonly [string, string],
): string {
  const [first, second] = sides.map(named) as [Part[], Part[]];
  if (first.length === 0 && second.length === 0) return 'No single column carries this pattern.';
  const sign = Math.sign((first[0] ?? second[0])?.loading ?? 1);
  const [left, right] = [first, second].map((parts) => sideWords(parts, sign));
  if (left === undefined)
    return `${capitalised(right ?? '')} ${goWith(second)} no single column of ${views[0]}.`;
  return `${capitalised(left)} ${goWith(first)} ${right ?? `no single column of ${views[1]}`}.`;
}

/** What the ends of a component are: "Married and over 50k rather than female." */
export function componentSentence(parts: readonly Part[]): string {
  const large = parts.filter(({ loading }) => Math.abs(loading) >= LEAST_LOADING);
  const sign = Math.sign(named(parts)[0]?.loading ?? 0);
  if (sign === 0) return 'No single column carries this component.';
  const [up, down] = [sign, -sign].map((side) =>
    named(large.filter(({ loading }) => loading * side > 0)),
  ) as [Part[], Part[]];
  const against =
    down.length === 0
      ? ''
      : ` rather than ${sideWords(down, Math.sign(down[0]?.loading ?? 1)) ?? ''}`;
  return `${capitalised(sideWords(up, sign) ?? '')}${against}.`;
}

/** What a high score means: "higher education and married". */
export function highScoreInWords(parts: readonly Part[]): string {
  return sideWords(named(parts), 1) ?? 'no single column';
}

/** The loadings of one side with their meanings; those whose interval reaches 0 say nothing. */
export function partsOf(loadings: readonly Weight[], meanings: Map<string, Meaning>): Part[] {
  return loadings
    .filter(
      ({ interval }) => interval === undefined || interval.original[0] * interval.original[1] > 0,
    )
    .map(({ name, original }) => ({
      ...(meanings.get(name) ?? { column: name }),
      loading: original,
    }));
}

/** What each pair means, in the order of the pairs. */
export function pairSentences({ cca, views, moments }: MomentsResult): PairWords[] {
  if (cca === undefined || views === undefined) return [];
  const meanings = meaningsOf(moments);
  return cca.correlations.map((_, place) => {
    const [first, second] = views.map((name) => {
      const view = cca.views[name];
      return view === undefined ? [] : partsOf(correlationsOf(view.loadings, place), meanings);
    }) as [Part[], Part[]];
    return pairWords(cca.correlations, place, pairSentence([first, second], views), cca.hidden);
  });
}

/** The sentence of a pair with what limits it: what is not known of its interval comes first. */
export function pairWords(
  pairs: readonly PairFigure[],
  place: number,
  sentence: string,
  hidden: CcaResult['hidden'] | undefined,
): PairWords {
  const pair = pairs[place];
  const which = `${ordinal(place)} pair.`;
  if (pair === undefined || pair.belowNoiseFloor) {
    return {
      sentence: 'Nothing to read here.',
      detail: `${which} Noise alone would show as much.`,
    };
  }
  const reach = hiddenInWords(pairs, place, hidden);
  const isUnclear = standingOf(pair) === 'not clear';
  const before = [...(isUnclear ? ['Not clear: its interval reaches 0.'] : []), reach ?? ''];
  const isWeak = before.join('') === '' && pair.value < WEAK;
  return {
    ...(before.join('') === '' ? {} : { before: before.join(' ').trim() }),
    sentence,
    detail: isWeak ? `${which} A weak pattern, but a clear one.` : which,
  };
}

function named(parts: readonly Part[]): Part[] {
  return leading(parts.map((part) => ({ part, original: part.loading }))).map(({ part }) => part);
}

/** One side in words, undefined if it has nothing to name. */
function sideWords(parts: readonly Part[], sign: number): string | undefined {
  const [one, other] = parts;
  if (one === undefined) return undefined;
  if (other === undefined || !areLevels(one, other)) {
    return list(parts.map((part) => phrase(part, part.loading * sign > 0)));
  }
  const { column } = one;
  const [a, b] = [one.loading * sign > 0, other.loading * sign > 0];
  const [levelA, levelB] = [one.level ?? '', other.level ?? ''];
  if (a && b) return `${column} ${levelA} or ${levelB}`;
  if (!a && !b) return `${column} neither ${levelA} nor ${levelB}`;
  return a
    ? `${column} ${levelA} rather than ${levelB}`
    : `${column} ${levelB} rather than ${levelA}`;
}

function areLevels(one: Part, other: Part): boolean {
  return one.level !== undefined && other.level !== undefined && one.column === other.column;
}

/** "higher age", "not married", "occupation not office". */
function phrase({ column, level, yesNo }: Part, up: boolean): string {
  if (level !== undefined) return `${column} ${up ? '' : 'not '}${level}`;
  if (yesNo === true) return up ? column : `not ${column}`;
  return `${up ? 'higher' : 'lower'} ${column}`;
}

/** Two things joined by "and" go; one thing goes. */
function goWith([one, other]: readonly Part[]): string {
  return one !== undefined && other !== undefined && !areLevels(one, other)
    ? 'go with'
    : 'goes with';
}
