import { openData, type Data } from './data.js';
import { runJob, type Outcome } from './engine.js';
import { PrivateMomentsError } from './errors.js';
import type { MaskSeed } from './federation/participant.js';
import type { PrivatizeOptions } from './options.js';
import type { Plan } from './plan.js';
import type { Task } from './protocol.js';

/** The answer that each task ends with. */
const ANSWERS = { release: 'released', mask: 'masked', inspect: 'inspected' } as const;

type OutcomeOf<T extends Task> = Extract<Outcome, { type: (typeof ANSWERS)[T] }>;

/**
 * Reads data inside workers, for what a task makes of them.
 * @param seeds what masks are made from, for the task `mask`
 */
export async function readData<T extends Task>(
  task: T,
  plan: Plan,
  data: Data,
  { workers, signal, onProgress }: PrivatizeOptions,
  seeds: readonly MaskSeed[] = [],
): Promise<OutcomeOf<T>> {
  const source = openData(data, plan);
  const outcome = await runJob({ task, plan, source, seeds, workers, signal, onProgress });
  if (outcome.type === ANSWERS[task]) return outcome as OutcomeOf<T>;
  throw new PrivateMomentsError('internal', 'the worker answered another question');
}
