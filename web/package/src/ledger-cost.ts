/** What entries of a ledger cost together, and whether a budget has room for it. */
import { costsOf } from './compose.js';
import { PrivateMomentsError } from './errors.js';
import type { BookEntry, Budget } from './ledger-book.js';
import type { ReleaseCore } from './raw.js';
import type { Guarantee } from './types.js';
import { unwrap } from './unwrap.js';

/** What releases of the same data promise together. */
export interface Spent {
  epsilon: number;
  delta: number;
}

/** Sums of decimals such as 0.1 miss what they stand for by less than this. */
const ROUNDING = 1e-9;

/**
 * The smallest epsilon that is proved for all together at the budget's delta; without a budget, or
 * where nothing is proved at so small a delta, their sums.
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

/** Guarantees of other kinds do not add up. @returns why; undefined where they do */
export function obstacle(guarantees: readonly Guarantee[]): PrivateMomentsError | undefined {
  const [first] = guarantees;
  for (const key of ['neighbours', 'unit'] as const) {
    const other = guarantees.find((guarantee) => guarantee[key] !== first?.[key]);
    if (first === undefined || other === undefined) continue;
    const message = `releases of these data with ${key} ${first[key]} and with ${key} ${other[key]} do not add up, so nothing can be said of their budget`;
    return new PrivateMomentsError('cannot-compose', message, { field: key });
  }
  return undefined;
}

/** Why a budget has no room for one more release; undefined where it has. */
export function refusal(
  core: ReleaseCore,
  earlier: readonly BookEntry[],
  guarantee: Guarantee,
  budget: Budget | null,
): PrivateMomentsError | undefined {
  if (budget === null) return undefined;
  const all = [...earlier.map((entry) => entry.guarantee), guarantee];
  const mixed = obstacle(all);
  if (mixed !== undefined) return mixed;
  const { epsilon, delta } = spentOn(core, all, budget);
  const fits = (cost: number, most: number): boolean => cost <= most * (1 + ROUNDING);
  if (fits(epsilon, budget.epsilon) && fits(delta, budget.delta)) return undefined;
  const count = earlier.length === 1 ? '1 earlier release' : `${earlier.length} earlier releases`;
  const message = fits(delta, budget.delta)
    ? `with ${count} of these data this one would cost epsilon ${brief(epsilon)}, and their budget is ${brief(budget.epsilon)}`
    : `with ${count} of these data nothing is proved at delta ${brief(budget.delta)}, which their budget allows`;
  return new PrivateMomentsError('over-budget', `${message}; nothing was released`);
}

/** The sum of two numbers from 0 on, not below the true one: two-sum has what rounding took off. */
function sumUp(a: number, b: number): number {
  const sum = a + b;
  const ofB = sum - a;
  const isBelow = a - (sum - ofB) + (b - ofB) > 0;
  return isBelow ? sum * (1 + Number.EPSILON) : sum;
}

function brief(number: number): number {
  return Number(number.toPrecision(4));
}
