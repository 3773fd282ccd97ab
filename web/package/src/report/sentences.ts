import type { Origin } from '../output/results.js';
import type { FeatureWords } from '../study/feature-words.js';
import { capitalised, inSentence, list, percent } from './format.js';
import { at, correlationsOf, type AnyEstimates, type AnyMatrix } from './weights.js';
import { LEAST_LOADING, leading, type Weight } from './words.js';

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
export interface Part extends Meaning {
  loading: number;
}

/** A 0-to-1 column with at least this share of the variance of yes and no is read as one. */
const YES_OR_NO = 0.8;

/**
 * What each feature of a result is called, by its name.
 *
 * @param words those of the result's study
 * @param of features with their means and standard deviations, such as a view of a result
 */
export function meaningsOf(
  words: Readonly<Record<string, FeatureWords>> = {},
  { columns, centre, deviation }: Described,
): Map<string, Meaning> {
  return new Map(
    columns.map((name, i): [string, Meaning] => {
      const meaning = meaningOf(words, name);
      if (!Object.hasOwn(words, name) || words[name]?.zeroToOne !== true) return [name, meaning];
      const middle = at(centre, 0, i);
      const yesNo = at(deviation, 0, i) ** 2 >= YES_OR_NO * middle * (1 - middle);
      return [name, { ...meaning, yesNo }];
    }),
  );
}

/** What a feature is called where its mean is unknown. */
function meaningOf(words: Readonly<Record<string, FeatureWords>>, name: string): Meaning {
  const own = Object.hasOwn(words, name) ? words[name] : undefined;
  const level = own === undefined ? name.split('=').slice(1).join('=') : (own.level ?? '');
  const column = inSentence(
    own?.column ?? (level === '' ? name : name.slice(0, -level.length - 1)),
  );
  return level === '' ? { column } : { column, level };
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

interface Described {
  columns: readonly string[];
  centre: AnyMatrix;
  deviation: AnyMatrix;
}

interface DescribedView extends Described {
  loadings: AnyEstimates;
}

interface Views {
  origin: Pick<Origin, 'study'>;
  views: Readonly<Record<string, DescribedView>>;
}

/** The columns of a view in pattern k, with their correlations with its score. */
export function patternOf({ origin, views }: Views, name: string, k: number): Part[] {
  const view = views[name];
  if (view === undefined) return [];
  return partsOf(correlationsOf(view.loadings, k), meaningsOf(origin.study.words, view));
}

/** What pattern k of the two views of a result of `cca` is: "Higher age goes with higher income." */
export function sentenceOfPair(result: Views, k: number): string {
  const [first = '', second = ''] = Object.keys(result.views);
  const sides = [patternOf(result, first, k), patternOf(result, second, k)] as const;
  return pairSentence(sides, [first, second]);
}

/** What component k of a result of `pca` is: "Higher age and married rather than female." */
export function sentenceOfComponent(
  result: Described & { origin: Pick<Origin, 'study'>; correlations: AnyEstimates },
  k: number,
): string {
  const meanings = meaningsOf(result.origin.study.words, result);
  return componentSentence(partsOf(correlationsOf(result.correlations, k), meanings));
}

/** What each rotated component of a result of `pca` is: "RC1, 31%: Higher age rather than female." */
export function sentencesOfRotation(
  result: Described & {
    origin: Pick<Origin, 'study'>;
    rotation?: { explained: readonly { share: number }[]; correlations: AnyEstimates };
  },
): string[] {
  const { rotation, ...rest } = result;
  if (rotation === undefined) return [];
  const { correlations, explained } = rotation;
  return explained.map(({ share }, k) => {
    const words = sentenceOfComponent({ ...rest, correlations }, k);
    return `${correlations.columns[k] ?? ''}, ${percent(share)}: ${words}`;
  });
}

/** The columns with the largest weights, each high or low: "high hours, occupation not office". */
export function highScore(
  weights: readonly Weight[],
  words: Readonly<Record<string, FeatureWords>> = {},
): string {
  const sorted = [...weights].sort((a, b) => Math.abs(b.comparable) - Math.abs(a.comparable));
  const largest = Math.abs(sorted[0]?.comparable ?? 0);
  if (largest === 0) return 'undefined, because all weights are 0';
  return sorted
    .filter((weight) => Math.abs(weight.comparable) > largest / 3)
    .slice(0, 3)
    .map(({ name, comparable }) => {
      const meaning = meaningOf(words, name);
      const isUp = comparable > 0;
      return meaning.level === undefined
        ? `${isUp ? 'high' : 'low'} ${meaning.column}`
        : phrase(meaning, isUp);
    })
    .join(', ');
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
function phrase({ column, level, yesNo }: Meaning, up: boolean): string {
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
