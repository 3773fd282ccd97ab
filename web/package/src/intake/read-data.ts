import { openData, type Data } from '../data/data.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Job } from './engine.js';
import type { InspectOptions } from './read-options.js';
import type { Plan } from '../core/plan.js';
import type { ReleaseOrder, ReleaseOutcome } from './protocol.js';
import { releases } from './release-workers.js';

type OutcomeOf<T extends ReleaseOrder['task']> = Extract<ReleaseOutcome, { task: T }>;

/** Reads data inside workers, for what an order makes of them. */
export async function readData<T extends ReleaseOrder['task']>(
  order: Extract<ReleaseOrder, { task: T }>,
  plan: Plan,
  data: Data,
  { workers, signal, onProgress }: InspectOptions,
  asking: Pick<Job<ReleaseOrder>, 'gate' | 'secrets'> = {},
): Promise<OutcomeOf<T>> {
  const source = openData(data, plan);
  const how = { workers, signal, onProgress, ...asking };
  const outcome = await releases.run({ order, plan, source, ...how });
  if (outcome.task === order.task) return outcome as OutcomeOf<T>;
  throw new PrivateMomentsError('internal', 'the worker answered another question');
}
