import { openData, type Data } from '../data/data.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Job } from './engine.js';
import type { InspectOptions } from './read-options.js';
import type { Plan } from '../core/plan.js';
import type { ReleaseOrder, ReleaseOutcome } from './protocol.js';
import { releases } from './release-workers.js';

type OutcomeOf<T extends ReleaseOrder['task']> = Extract<ReleaseOutcome, { task: T }>;

/** Reads data in workers and carries out an order on them. */
export async function readData<T extends ReleaseOrder['task']>(
  order: Extract<ReleaseOrder, { task: T }>,
  plan: Plan,
  data: Data,
  { workers, signal, onProgress }: InspectOptions,
  ledger: Pick<Job<ReleaseOrder>, 'gate' | 'secrets'> = {},
): Promise<OutcomeOf<T>> {
  const source = openData(data, plan);
  const job = { order, plan, source, workers, signal, onProgress, ...ledger };
  const outcome = await releases.run(job);
  if (outcome.task === order.task) return outcome as OutcomeOf<T>;
  throw new PrivateMomentsError('internal', 'the worker carried out another order');
}
