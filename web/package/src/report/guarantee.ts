import { changeInWords, type Protection } from '../study/neighbours.js';
import type { Guarantee, GuaranteePart } from '../study/types.js';
import { count, probability } from './format.js';
import { NORMAL_CDF_ERROR, normalCdf, roundedUp } from './scale.js';

type Cost = Pick<Guarantee, 'epsilon' | 'delta'>;
type Curve = Pick<Guarantee, 'epsilon' | 'delta' | 'gdp' | 'totalVariation'>;

/**
 * Upper bound of how often in 100 tries the best test between two neighbouring data sets is right: the
 * smaller of the bounds from Gaussian differential privacy and from (epsilon, delta).
 */
export function bestGuess(guarantee: Curve): number {
  return Math.min(guessByGdp(guarantee), guessByEpsilon(guarantee));
}

/** The bound of `bestGuess` as a whole number, rounded up. */
export function timesInHundred(guess: number): number {
  return Math.ceil(guess);
}

/** Whether `bestGuess` is the bound from Gaussian differential privacy. */
export function isByGdp(guarantee: Curve): boolean {
  return guessByGdp(guarantee) < guessByEpsilon(guarantee);
}

function guessByGdp({ gdp, totalVariation = 0 }: Curve): number {
  if (gdp === undefined) return 100;
  return 100 * Math.min(1, normalCdf(gdp / 2) + NORMAL_CDF_ERROR + totalVariation);
}

/**
 * "0.237-Gaussian differential privacy, but for a chance of at most 10⁻⁴²": undefined if no such bound is
 * known, without the exception if it holds exactly. Numbers are rounded up.
 */
export function boundsInWords(guarantee: Guarantee): string | undefined {
  const { gdp, zcdp, totalVariation = 0 } = guarantee;
  const bounds = [
    ...(gdp === undefined ? [] : [`${roundedUp(gdp, 3)}-Gaussian differential privacy`]),
    ...(zcdp === undefined ? [] : [`${roundedUp(zcdp, 3)}-zero-concentrated differential privacy`]),
  ];
  if (bounds.length === 0) return undefined;
  return `${bounds.join(' and ')}${chanceInWords(totalVariation)}`;
}

/** The exception of a bound that holds up to a total variation distance, as the end of a sentence. */
export function chanceInWords(totalVariation = 0): string {
  if (totalVariation === 0) return '';
  return `, but for a chance of at most ${probability(roundedUp(totalVariation, 1))}`;
}

function guessByEpsilon({ epsilon, delta }: Cost): number {
  return (100 * (1 + delta * Math.exp(-epsilon))) / (1 + Math.exp(-epsilon));
}

/** "ε = 1, δ = 10⁻⁶", or "ε = 1" if δ is 0. Rounded up. */
export function strength(cost: Cost): string {
  return written(cost, ', ');
}

/** The same for use in a sentence: "ε = 1 and δ = 10⁻⁶". */
export function strengthInWords(cost: Cost): string {
  return written(cost, ' and ');
}

function written({ epsilon, delta }: Cost, between: string): string {
  const first = `ε = ${roundedUp(epsilon, 4)}`;
  return delta === 0 ? first : `${first}${between}δ = ${probability(roundedUp(delta, 3))}`;
}

export type Amount = 'very little' | 'some' | 'much' | 'almost everything';

/** How much a guess reveals that is right `guess` times in 100. */
export function amountTold(guess: number): Amount {
  const times = timesInHundred(guess);
  if (times < 60) return 'very little';
  if (times < 75) return 'some';
  return times < 90 ? 'much' : 'almost everything';
}

/** The attacker behind a guess: what they know, and what they want to find out. @param whose data the sentence is about */
export function attacker({ unit, neighbours }: Protection, whose: 'yours' | 'theirs'): string {
  const yours = whose === 'yours';
  if (unit === 'row') {
    return neighbours === 'replace-one'
      ? 'Take someone who knows every other row and has narrowed one row down to two versions.'
      : `Take someone who knows every other row and asks whether one more, which they know too, is in ${yours ? 'your' : 'a'} file.`;
  }
  if (neighbours === 'replace-one') {
    return `Take someone who knows the files of all other participants and has narrowed ${yours ? 'yours' : 'one file'} down to two versions.`;
  }
  return yours
    ? 'Take someone who knows the files of all participants and asks only whether yours counted or an empty one in its place.'
    : 'Take someone who knows the files of all participants and asks only whether one of them counted or an empty one in its place.';
}

/**
 * How often the attacker guesses right at best after seeing `what`, compared with a coin toss. It bounds
 * guesses between two data sets that were equally likely beforehand.
 */
export function guessInWords(
  guarantee: Guarantee,
  whose: 'yours' | 'theirs',
  what: string,
): string {
  const choice = guarantee.neighbours === 'replace-one' ? 'versions' : 'answers';
  return `${attacker(guarantee, whose)} Both ${choice} are equally likely to them. With ${what}, their best guess is right at most ${timesInHundred(bestGuess(guarantee))} times in 100. A coin gets 50.`;
}

/** How two neighbouring data sets differ, as the end of a phrase: "that differ in one row". */
export function difference({ unit, neighbours }: Protection, whose: 'yours' | 'theirs'): string {
  if (unit === 'row') {
    return neighbours === 'replace-one'
      ? 'that differ in one row'
      : 'of which one has one row more';
  }
  const file = whose === 'yours' ? 'your file' : 'the file of one participant';
  return neighbours === 'replace-one'
    ? `that differ in ${file} alone, in whatever way`
    : `of which one has ${file} and the other an empty one in its place`;
}

/** The steps of a release with their cost; equal steps are combined. */
export function stepsOf(
  parts: readonly GuaranteePart[],
): { what: string; times: string; cost: string }[] {
  const times = new Map<string, number>();
  for (const part of parts) {
    const line = `${part.what}\n${strength(part)}`;
    times.set(line, (times.get(line) ?? 0) + 1);
  }
  return [...times].map(([line, n]) => {
    const [what = '', cost = ''] = line.split('\n');
    return { what, times: n === 1 ? '' : `, ${count(n)} times`, cost };
  });
}

/** What the guarantee of a sum behind masks depends on. @param terms from `collusionTerms` */
export function restsOn(terms: string): string {
  return `This holds if ${terms}.`;
}

/** What a guarantee assumes, without the collusion terms. */
export function otherAssumptions({ assumes, honest }: Guarantee): string[] {
  return honest === undefined ? assumes : assumes.slice(1);
}

/**
 * For a sum behind masks: whom the guarantee depends on, and what remains if they collude. Empty for other
 * guarantees.
 */
export function honestyInWords(guarantee: Guarantee): string[] {
  const [terms] = guarantee.assumes;
  if (guarantee.honest === undefined || terms === undefined) return [];
  return [restsOn(terms), ...leftInWords(guarantee)];
}

/** For a sum behind masks: what remains of the guarantee for one site if all others collude. */
export function leftInWords({ floor, alone }: Guarantee): string[] {
  return [
    ...(floor === undefined
      ? []
      : [
          floor === null
            ? 'If everyone else colludes, there is no guarantee.'
            : `If everyone else colludes, ${strengthInWords(floor)} remains.`,
        ]),
    ...(alone === undefined
      ? []
      : [
          `The noise is calibrated as published: for ${strengthInWords(alone)} against someone who sees one message and no other.`,
        ]),
  ];
}

/** The guarantee of a release or of a sum behind masks, as sentences. */
export function guaranteeInWords(guarantee: Guarantee): string[] {
  const pure = guarantee.delta === 0;
  const isSum = guarantee.honest !== undefined;
  return [
    `${isSum ? 'The sum of all releases' : 'Each release'} is ${pure ? 'ε' : '(ε, δ)'}-differentially private with ${strengthInWords(guarantee)}, for ${changeInWords(guarantee)}.`,
    guessInWords(guarantee, 'theirs', isSum ? 'the sum' : 'the release'),
    ...honestyInWords(guarantee),
  ];
}
