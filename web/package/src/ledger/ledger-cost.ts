/** The total cost of a ledger's entries, and whether it fits a budget. */
import { costsOf } from '../accounting/compose.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { BookEntry, Budget } from './ledger-book.js';
import type { ReleaseCore } from '../core/raw.js';
import type { Guarantee } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';

/** The privacy cost of several releases of the same data together. */
export interface Spent {
  epsilon: number;
  delta: number;
}

/** Relative rounding error allowed in sums of decimals such as 0.1. */
const ROUNDING = 1e-9;

/**
 * The smallest epsilon that is proved for all of the releases together at the budget's delta. Without a
 * budget, or if nothing is proved at that delta, the sums of their epsilons and deltas.
 */
export function spentOn(
  core: ReleaseCore,
  guarantees: readonly Guarantee[],
  budget: Budget | null,
): Spent {
  const sum = { epsilon: 0, delta: 0 };
  for (const { epsilon, delta } of guarantees) {
    sum.epsilon = sumUp(sum.epsilon, epsilon);
    sum.delta = sumUp(sum.delta, delta);
  }
  if (budget === null || guarantees.length === 0) return sum;
  const { epsilon } = unwrap(core.compose(guarantees.flatMap(costsOf), budget.delta));
  const isSumProved = sum.delta <= budget.delta * (1 + ROUNDING);
  if (epsilon === undefined || (isSumProved && sum.epsilon <= epsilon)) return sum;
  return { epsilon, delta: budget.delta };
}

/** Why guarantees cannot be added up (their neighbours or units differ); undefined if they can. */
export function incompatibility(guarantees: readonly Guarantee[]): PrivateMomentsError | undefined {
  const [first] = guarantees;
  for (const key of ['neighbours', 'unit'] as const) {
    const other = guarantees.find((guarantee) => guarantee[key] !== first?.[key]);
    if (first === undefined || other === undefined) continue;
    const message = `some releases of these data have ${key} ${first[key]} and others ${key} ${other[key]}; their costs cannot be added, so their budget cannot be checked`;
    return new PrivateMomentsError('cannot-compose', message, { field: key });
  }
  return undefined;
}

/** Why one more release does not fit the budget; undefined if it does. */
export function refusal(
  core: ReleaseCore,
  earlier: readonly BookEntry[],
  guarantee: Guarantee,
  budget: Budget | null,
): PrivateMomentsError | undefined {
  if (budget === null) return undefined;
  const all = [...earlier.map((entry) => entry.guarantee), guarantee];
  const mixed = incompatibility(all);
  if (mixed !== undefined) return mixed;
  const { epsilon, delta } = spentOn(core, all, budget);
  const fits = (cost: number, max: number): boolean => cost <= max * (1 + ROUNDING);
  if (fits(epsilon, budget.epsilon) && fits(delta, budget.delta)) return undefined;
  const count = earlier.length === 1 ? '1 earlier release' : `${earlier.length} earlier releases`;
  const message = fits(delta, budget.delta)
    ? `together with ${count} of these data, this one would cost epsilon ${brief(epsilon)}, and the budget is ${brief(budget.epsilon)}`
    : `together with ${count} of these data, this one would need a delta above the ${brief(budget.delta)} of the budget`;
  return new PrivateMomentsError('over-budget', `${message}; nothing was released`);
}

/** The sum of two non-negative numbers, rounded up: two-sum finds whether rounding went down. */
function sumUp(a: number, b: number): number {
  const sum = a + b;
  const ofB = sum - a;
  const isBelow = a - (sum - ofB) + (b - ofB) > 0;
  return isBelow ? sum * (1 + Number.EPSILON) : sum;
}

function brief(number: number): number {
  return Number(number.toPrecision(4));
}
