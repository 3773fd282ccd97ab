import type { Budget, LedgerEntry, Spent, Standing } from 'private-moments';
import { epsilonText } from '../figures/budget-bar.js';
import { plural, probability, strength } from 'private-moments/words';

/** Made at their first use, as making them takes a slow computer a tenth of a second. */
let clock: Intl.DateTimeFormat | undefined;
let day: Intl.DateTimeFormat | undefined;

/** "21 Nov 2026 at 04:31". */
export function timeOf(at: string): string {
  clock ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
  return clock.format(new Date(at)).replace(', ', ' at ');
}

export function dayOf(at: string): string {
  day ??= new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });
  return day.format(new Date(at));
}

/** The guarantee of an entry, marked if the release was never confirmed. */
export function entryWords(entry: LedgerEntry): string {
  const promise = strength(entry.guarantee);
  return entry.state === 'made' ? promise : `${promise}, not confirmed`;
}

/** Whether what is left of a budget is too small to be shown. */
export function isUsedUp(spent: Spent, budget: Budget): boolean {
  return budget.epsilon - spent.epsilon < 0.01;
}

/** Why the ledger refuses another release of the same data. */
export function refusedWords({ entries, spent, after, budget, refusal }: Standing): {
  title: string;
  body: string;
} {
  if (refusal?.code !== 'over-budget' || budget === null || spent === null || after === null) {
    return {
      title: 'The costs of these releases cannot be added.',
      body: 'An earlier release of this data set protects something different, so the total cost is unknown. Ask the person who set the budget.',
    };
  }
  const most = epsilonText(budget.epsilon);
  if (entries.length === 0) {
    return {
      title: 'This study needs more than the privacy budget of a data set.',
      body: `It would cost ε ${epsilonText(after.epsilon)} at δ = ${probability(after.delta)}, and the budget is ${most} at δ = ${probability(budget.delta)}. Ask the sender of the study, or the person who set the budget.`,
    };
  }
  const times = plural(entries.length, 'release');
  return {
    title: isUsedUp(spent, budget)
      ? 'This data set has no privacy budget left.'
      : 'This data set has too little privacy budget left.',
    body: `ε ${epsilonText(spent.epsilon)} of ${most} is used in ${times}. Another release would take it to ${epsilonText(after.epsilon)} and weaken the promise made to the people in the data, so it is refused.`,
  };
}

/** Says that the same data were released before, and what another release costs. */
export function againWords({ entries, spent, after, budget }: Standing): {
  title: string;
  body: string;
} {
  const last = entries.at(-1);
  const when = last === undefined ? '' : `Last on ${timeOf(last.at)}, for “${last.study.title}”. `;
  const cost =
    spent === null || after === null
      ? 'Their total cost is unknown, because they protect different things.'
      : `Releasing again uses ε ${epsilonText(after.epsilon - spent.epsilon)} more${
          budget === null ? '' : ` of your ${epsilonText(budget.epsilon)}`
        }. Sending ${entries.length === 1 ? 'the first one' : 'an earlier one'} again is free.`;
  const times =
    entries.length === 1 ? 'once' : entries.length === 2 ? 'twice' : `${entries.length} times`;
  return { title: `This data set was released ${times} before.`, body: when + cost };
}

/** "2 releases of 1 data set" */
export function ledgerSummary(entries: number, sets: number): string {
  return `${plural(entries, 'release')} of ${plural(sets, 'data set')}`;
}
