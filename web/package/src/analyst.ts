/**
 * The page's side of the worker of analyses: one, apart from the workers that make releases, and one
 * analysis at a time. Cancelling the one that runs ends the worker; the next gets a new one.
 */
import type { FromAnalyst, ToAnalyst } from './analysis-protocol.js';
import { untilCancelled } from './cancel.js';
import { analysisModule } from './core.js';
import { fromWire, PrivateMomentsError } from './errors.js';
import { WorkerFile, type Thread } from './threads.js';

export type Analysis = Omit<Extract<ToAnalyst, { type: 'analyse' }>, 'type'>;

const file = new WorkerFile<ToAnalyst, FromAnalyst>(
  'analysis-worker.js',
  () => new Worker(new URL('./analysis-worker.js', import.meta.url), { type: 'module' }),
);
let thread: Thread<ToAnalyst, FromAnalyst> | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** Names another place for analysis-worker.js. */
export function useAnalysisWorkerFrom(url: string | URL): void {
  file.useFrom(url);
}

/** Lets the idle worker go; the next analysis starts a new one, from the places named by then. */
export async function retireAnalyst(): Promise<void> {
  await queue;
  thread?.end();
  thread = undefined;
}

/** The data of the result, without methods. One that still waits is cancelled at once, too. */
export function analyse(analysis: Analysis, signal: AbortSignal | undefined): Promise<object> {
  const result = queue.then(() => perform(analysis, signal));
  queue = result.catch(() => undefined);
  return untilCancelled(result, signal, cancelled);
}

async function perform(analysis: Analysis, signal: AbortSignal | undefined): Promise<object> {
  if (signal?.aborted) throw cancelled(signal);
  const module = await analysisModule();
  if (signal?.aborted) throw cancelled(signal);
  if (thread === undefined) {
    thread = file.start();
    thread.post({ type: 'core', module });
  }
  const current = thread;
  current.hold();
  try {
    return await converse(current, analysis, signal);
  } finally {
    current.rest();
  }
}

function converse(
  current: Thread<ToAnalyst, FromAnalyst>,
  analysis: Analysis,
  signal: AbortSignal | undefined,
): Promise<object> {
  return new Promise((resolve, reject) => {
    const abandon = (error: Error): void => {
      signal?.removeEventListener('abort', cancel);
      if (thread === current) thread = undefined;
      current.end();
      reject(error);
    };
    const cancel = (): void => {
      abandon(cancelled(signal));
    };
    signal?.addEventListener('abort', cancel);
    current.listen(
      (message) => {
        signal?.removeEventListener('abort', cancel);
        if (message.type === 'done') resolve(message.result);
        else reject(fromWire(message.error));
      },
      (error) => {
        abandon(error as Error);
      },
    );
    try {
      current.post({ type: 'analyse', ...analysis });
    } catch (cause) {
      signal?.removeEventListener('abort', cancel);
      const message = 'the options hold something that is no data';
      reject(new PrivateMomentsError('unsupported-option', message, {}, cause));
    }
  });
}

function cancelled(signal: AbortSignal | undefined): PrivateMomentsError {
  return new PrivateMomentsError('cancelled', 'the analysis was cancelled', {}, signal?.reason);
}
