import { significant } from 'private-moments/words';
import type { IntervalOptions } from 'private-moments';
import { numberOf, present } from '../../../command/src/arguments.js';

/** The options of simulated intervals. */
export const INTERVAL_OPTIONS = {
  level: { type: 'string' },
  draws: { type: 'string' },
  seed: { type: 'string' },
} as const;

export const INTERVAL_HELP = `  --level L            add intervals, such as 0.95
  --draws N, --seed N  simulations behind the intervals, and the seed of their random numbers`;

export function intervalOptions(values: {
  level?: string | undefined;
  draws?: string | undefined;
  seed?: string | undefined;
}): IntervalOptions {
  return present({
    level: numberOf('--level', values.level),
    draws: numberOf('--draws', values.draws),
    seed: numberOf('--seed', values.seed),
  });
}

/** The cell of an interval: empty where there is none. */
export function interval(
  { low, high }: { low?: number | undefined; high?: number | undefined },
  format: (value: number) => string = significant,
): string {
  return low === undefined || high === undefined ? '' : `${format(low)} to ${format(high)}`;
}

export function floorMark(isBelow: boolean | undefined): string {
  return isBelow === true ? 'below its noise floor' : '';
}
