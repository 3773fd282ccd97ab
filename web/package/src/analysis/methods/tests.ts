import { PrivateMomentsError } from '../../base/errors.js';
import type { Raw, Simulation } from '../../core/raw.js';
import { unwrap } from '../../core/unwrap.js';
import type { Matrix } from '../../study/types.js';
import type { Context } from '../context.js';
import { intervalOptions, type IntervalOptions } from '../intervals.js';
import { matrixOf } from '../variates.js';

/** The option of analyses that tests how many pairs are real. */
export interface TestOptions {
  /**
   * Significance level of a test of how many pairs there are, such as 0.05. Uses `draws` and `seed`. Costs no
   * privacy.
   */
  test?: number;
}

/** How many pairs are real. */
export interface PairTest {
  alpha: number;
  /**
   * The number of pairs before the first whose p-value is above `alpha`. More than there are with a probability
   * of about `alpha` at most, however many are tested.
   */
  pairs: number;
  /**
   * p-values, one for each pair: of the hypothesis that there are no more pairs than those before it, under
   * privacy noise and sampling together.
   */
  p: Matrix;
}

/** The options of a test with defaults; nothing without one. */
export function testOptions(options: TestOptions & IntervalOptions): TestOptions & IntervalOptions {
  const { test } = options;
  if (test === undefined) return {};
  requireAlpha(test);
  const { draws, seed } = intervalOptions({ ...options, level: 1 - test });
  return { test, draws, seed };
}

/** What a result says of the test; nothing without the option. */
export function tested<Question>(
  { sums }: Context,
  { test, draws, seed }: TestOptions & IntervalOptions,
  question: Question,
  labels: readonly string[],
  run: (options: Question & Simulation) => Raw<{ p: Float64Array }>,
): { test?: PairTest } {
  if (test === undefined) return {};
  requireAlpha(test);
  const options = intervalOptions({ level: 1 - test, draws, seed });
  const { p } = unwrap(run({ ...question, sums, ...options }));
  const above = p.findIndex((value) => value > test);
  return {
    test: { alpha: test, pairs: above < 0 ? p.length : above, p: matrixOf(['p'], labels, p) },
  };
}

function requireAlpha(test: unknown): void {
  if (typeof test === 'number' && test > 0 && test < 1) return;
  const message = 'test must be a significance level between 0 and 1, such as 0.05';
  throw new PrivateMomentsError('invalid-interval', message, { field: 'test' });
}
