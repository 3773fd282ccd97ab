import type { Budget, LedgerEntry, Spent, Standing } from 'private-moments';
import { epsilonText } from './budget-bar.js';
import { plural, probability } from './format.js';
import { strength } from '../../package/src/report/guarantee.js';

const clock = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium' });

/** "21 Nov 2026 at 04:31". */
export function timeOf(at: string): string {
  return clock.format(new Date(at)).replace(', ', ' at ');
}

export function dayOf(at: string): string {
  return day.format(new Date(at));
}

/** What an entry promised, with a word where the release was never heard of. */
export function entryWords(entry: LedgerEntry): string {
  const promise = strength(entry.guarantee);
  return entry.state === 'made' ? promise : `${promise}, not confirmed`;
}

/** Whether less is left of a budget than is ever shown of one. */
export function isUsedUp(spent: Spent, budget: Budget): boolean {
  return budget.epsilon - spent.epsilon < 0.01;
}

/** What stands in the way of another release of the same data. */
export function refusedWords({ entries, spent, after, budget, refusal }: Standing): {
  title: string;
  body: string;
} {
  if (refusal?.code !== 'over-budget' || budget === null || spent === null || after === null) {
    return {
      title: 'Releases of this data set do not add up.',
      body: 'An earlier one protects something else than this study does, so nothing can be said of their budget. Ask who set the budget.',
    };
  }
  const most = epsilonText(budget.epsilon);
  if (entries.length === 0) {
    return {
      title: 'This study asks for more than the privacy budget of a data set.',
      body: `It would cost ε ${epsilonText(after.epsilon)} at δ = ${probability(after.delta)}, and the budget is ${most} at δ = ${probability(budget.delta)}. Ask who sent you the study, or who set the budget.`,
    };
  }
  const times = plural(entries.length, 'release');
  return {
    title: isUsedUp(spent, budget)
      ? 'This data set has no privacy budget left.'
      : 'This data set has too little privacy budget left.',
    body: `ε ${epsilonText(spent.epsilon)} of ${most} is used in ${times}. Another one would take it to ${epsilonText(after.epsilon)} and weaken the promise made to the people in it, so it is refused.`,
  };
}

/** That the same data were released before, and what another release costs. */
export function againWords({ entries, spent, after, budget }: Standing): {
  title: string;
  body: string;
} {
  const last = entries.at(-1);
  const when = last === undefined ? '' : `Last on ${timeOf(last.at)}, for “${last.study.title}”. `;
  const cost =
    spent === null || after === null
      ? 'What they cost together cannot be said, for they protect different things.'
      : `Another release takes ε from ${epsilonText(spent.epsilon)} to ${epsilonText(after.epsilon)}${
          budget === null ? '' : `, of ${epsilonText(budget.epsilon)}`
        }. Sending an earlier one again costs nothing.`;
  const times =
    entries.length === 1 ? 'once' : entries.length === 2 ? 'twice' : `${entries.length} times`;
  return { title: `This data set was released ${times} before.`, body: when + cost };
}

/** "2 releases of 1 data set" */
export function ledgerSummary(entries: number, sets: number): string {
  return `${plural(entries, 'release')} of ${plural(sets, 'data set')}`;
}
