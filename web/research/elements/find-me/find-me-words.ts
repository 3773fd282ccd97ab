import { bound, plural, timesInHundred } from 'private-moments/words';
import type { Score } from './find-me-game.js';
import { COLUMNS, PATIENTS } from './patients.js';

/** Up to this many bets in 100, skill hardly shows in a game. */
const HARDLY = 65;

/** The names of columns in headings, with units where they need one. */
export const HEADS = ['Age', 'Sleep, h', 'Glucose', 'BMI'] as const;

/** A patient's values as text, column by column. */
export function valuesOf(person: number): string[] {
  return (PATIENTS[person] ?? []).map((value, i) => (i === 0 ? String(value) : value.toFixed(1)));
}

/** "age 38, sleep 5.2 h, glucose 8.3, bmi 38.6". */
export function patientInWords(person: number): string {
  return valuesOf(person)
    .map((value, i) => {
      const name = COLUMNS[i]?.name ?? '';
      return `${name} ${value}${name === 'sleep' ? ' h' : ''}`;
    })
    .join(', ');
}

/** "5 of 10". */
export function rightOf({ right, of }: Score): string {
  return `${right} of ${of}`;
}

/** The answer to a bet. */
export function answerInWords(person: number, isOut: boolean): string {
  return `Number ${person + 1} was ${isOut ? 'taken out' : 'in'}.`;
}

/** How far the game has come. */
export function progressInWords({ right, of }: Score, bets: number, isOpen: boolean): string {
  const now = isOpen ? `Bet ${Math.min(of + 1, bets)} of ${bets}.` : '';
  return of === 0 ? now : `${now} Right so far: ${right} of ${of}.`.trim();
}

/**
 * What a game shows, without praise or blame.
 * @param best the most bets in 100 that anybody can win at its epsilon
 * @param inStudies the same at epsilon 1
 */
export function verdict({ epsilon, right, of }: Score, best: number, inStudies: number): string {
  const most = (at: number, times: number): string =>
    `at ε = ${bound(at)} nobody, with any computer, is right more than ${timesInHundred(times)} times in 100`;
  const share = right / of;
  if (best <= HARDLY) {
    if (share <= 0.5) return `No better than a coin. That is not you: ${most(epsilon, best)}.`;
    return `Ten bets are few, so luck shows. In the long run, ${most(epsilon, best)}.`;
  }
  const other = epsilon === 1 ? '' : ` ${capital(most(1, inStudies))}.`;
  return share > 0.5
    ? `At ε = ${bound(epsilon)} you can tell.${other}`
    : `At ε = ${bound(epsilon)} there is something to see: the best rule is right up to ${timesInHundred(best)} times in 100.${other}`;
}

/** The whole numbers of a file in a sentence, for readers who do not see it. */
export function fileInWords(title: string, sums: readonly number[], digits: number): string {
  const names = ['count', ...COLUMNS.map(({ name }) => name)];
  const entries = names.flatMap((row, i) =>
    names
      .slice(i)
      .map((column) =>
        i === 0 ? (column === row ? row : `sum of ${column}`) : `${row} by ${column}`,
      ),
  );
  const said = entries.map((entry, i) => `${entry} ${(sums[i] ?? 0).toFixed(digits)}`);
  return `${title}: ${plural(sums.length, 'noisy number')}. ${said.join(', ')}.`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
