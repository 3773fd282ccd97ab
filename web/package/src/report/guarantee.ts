import type { Guarantee, GuaranteePart, Neighbours, Unit } from '../types.js';
import { count, probability } from './format.js';
import { normalCdf, roundedUp } from './scale.js';

type Cost = Pick<Guarantee, 'epsilon' | 'delta'>;

/**
 * How often, in 100 tries, the best test between two neighbouring data sets is right, at most: the
 * smaller of what Gaussian differential privacy and what (epsilon, delta) allow.
 */
export function bestGuess(guarantee: Guarantee): number {
  return Math.min(guessByGdp(guarantee), guessByEpsilon(guarantee));
}

/** Whether the guess is what Gaussian differential privacy allows. */
export function isByGdp(guarantee: Guarantee): boolean {
  return guessByGdp(guarantee) < guessByEpsilon(guarantee);
}

function guessByGdp({ gdp }: Guarantee): number {
  return gdp === undefined ? 100 : 100 * normalCdf(gdp / 2);
}

function guessByEpsilon({ epsilon, delta }: Cost): number {
  return (100 * (1 + delta * Math.exp(-epsilon))) / (1 + Math.exp(-epsilon));
}

/** "ε = 1, δ = 10⁻⁶"; of a promise without exceptions "ε = 1". Rounded up. */
export function strength(cost: Cost): string {
  return written(cost, ', ');
}

/** The same within a sentence: "ε = 1 and δ = 10⁻⁶". */
export function strengthInWords(cost: Cost): string {
  return written(cost, ' and ');
}

function written({ epsilon, delta }: Cost, between: string): string {
  const first = `ε = ${roundedUp(epsilon, 4)}`;
  return delta === 0 ? first : `${first}${between}δ = ${probability(roundedUp(delta, 3))}`;
}

/** What a guess right so many times in 100 tells, in a word or two. */
export function amount(guess: number): string {
  if (guess < 60) return 'Very little.';
  if (guess < 75) return 'Some.';
  return guess < 90 ? 'Much.' : 'Almost everything.';
}

/** Who guesses, and about what. `whose` is whom the sentence speaks of. */
export function attacker(
  { unit, neighbours }: { unit: Unit; neighbours: Neighbours },
  whose: 'yours' | 'theirs',
): string {
  const yours = whose === 'yours';
  if (unit === 'participant') {
    return `Take someone who knows the files of all other participants and has narrowed ${yours ? 'yours' : 'one file'} down to two versions.`;
  }
  return neighbours === 'replace-one'
    ? 'Take someone who knows every other row and has narrowed one row down to two versions.'
    : `Take someone who knows every other row and asks whether one more is in ${yours ? 'your' : 'a'} file.`;
}

/** What two neighbouring data sets have in common: "that differ in one row". */
export function difference({ unit, neighbours }: { unit: Unit; neighbours: Neighbours }): string {
  if (unit === 'participant') return 'that differ in anything';
  return neighbours === 'replace-one' ? 'that differ in one row' : 'of which one has one row more';
}

/** The steps of a release, equal ones together: what, how often, at what cost. */
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

/**
 * Of a sum behind masks: on whom the promise rests, and what is left of it without them; else
 * nothing.
 */
export function honestyInWords({ honest, floor, alone }: Guarantee): string[] {
  if (honest === undefined) return [];
  const those =
    honest === 1
      ? 'the participant keeps'
      : `at least ${count(honest)} of those whose releases were summed keep`;
  return [
    `This holds if ${those} their noise and their masks to themselves.`,
    ...(floor === undefined
      ? []
      : [
          floor === null
            ? 'If all others give theirs away, nothing is promised.'
            : `If all others give theirs away, what is left is ${strengthInWords(floor)}.`,
        ]),
    ...(alone === undefined
      ? []
      : [
          `The noise is the published one: it was calibrated for ${strengthInWords(alone)} against somebody who sees one message and no other.`,
        ]),
  ];
}

/** The guarantee of a release, or of a sum behind masks, a sentence or two each. */
export function guaranteeInWords(guarantee: Guarantee): string[] {
  const one = guarantee.unit === 'row' ? 'row' : 'participant';
  const pure = guarantee.delta === 0;
  const change =
    guarantee.neighbours === 'replace-one'
      ? `replaced by any other${guarantee.unit === 'row' ? '' : ' file'}`
      : 'added or removed';
  const isSum = guarantee.honest !== undefined;
  return [
    `${isSum ? 'The sum of all releases' : 'Each release'} is ${pure ? 'ε' : '(ε, δ)'}-differentially private with ${strengthInWords(guarantee)}, for one ${one} ${change}.`,
    `${attacker(guarantee, 'theirs')} With ${isSum ? 'the sum' : 'the release'} their best guess is right ${Math.round(bestGuess(guarantee))} times in 100. A coin is right 50 times.`,
    ...honestyInWords(guarantee),
  ];
}
