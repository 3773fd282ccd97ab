/**
 * The page's side of the worker: one worker, reused, one job at a time. Cancelling ends the worker,
 * because a running computation cannot be interrupted otherwise; the next job starts a new one.
 */
import { coreModule } from './core.js';
import { streamBytes, type Source } from './data.js';
import { fromWire, PrivateMomentsError } from './errors.js';
import type { Plan } from './plan.js';
import type { FromWorker, Piece, PostedSource, Task, ToWorker } from './protocol.js';
import { WorkerFile, type Thread } from './threads.js';
import type { Progress } from './types.js';

export interface Job {
  task: Task;
  plan: Plan;
  source: Source;
  signal: AbortSignal | undefined;
  onProgress: ((progress: Progress) => void) | undefined;
}

/** What ends a job from the worker's side. */
type Answer = Exclude<FromWorker, { type: 'next' | 'progress' }>;
export type Outcome = Exclude<Answer, { type: 'failed' }>;

type ReleaseThread = Thread<ToWorker, FromWorker>;

const file = new WorkerFile<ToWorker, FromWorker>(
  'worker.js',
  () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
);
let thread: ReleaseThread | undefined;
let queue: Promise<unknown> = Promise.resolve();

/** Names another place for worker.js. */
export function useWorkerFrom(url: string | URL): void {
  file.useFrom(url);
}

/** Lets the idle worker go; the next job starts a new one, from the places named by then. */
export async function retireWorker(): Promise<void> {
  await queue;
  thread?.end();
  thread = undefined;
}

/** Runs a job after those before it. */
export function runJob(job: Job): Promise<Outcome> {
  const result = queue.then(() => perform(job));
  queue = result.catch(() => undefined);
  return untilCancelled(result, job.signal);
}

/** A job still waiting in the queue is cancelled at once, too. */
export function untilCancelled<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      reject(cancelled(signal));
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    result.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', cancel);
    });
  });
}

async function perform(job: Job): Promise<Outcome> {
  const { signal } = job;
  if (signal?.aborted) throw cancelled(signal);
  const module = await coreModule();
  const current = (thread ??= startThread(module));
  current.hold();
  try {
    const answer = await converse(current, job);
    if (answer.type !== 'failed') return answer;
    throw fromWire(answer.error);
  } finally {
    current.rest();
  }
}

/** Everything between the start of a job and its answer. */
function converse(current: ReleaseThread, job: Job): Promise<Answer> {
  const { signal, onProgress } = job;
  return new Promise((resolve, reject) => {
    let pieces: Pieces | undefined;
    let settled = false;
    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      signal?.removeEventListener('abort', cancel);
      pieces?.stop();
      finish();
    };
    // The worker may be in the middle of anything, so the next job gets a new one.
    const abandon = (error: unknown): void => {
      settle(() => {
        forget(current);
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's onProgress may throw anything
        reject(error);
      });
    };
    const cancel = (): void => {
      abandon(cancelled(signal));
    };
    const receive = (message: FromWorker): void => {
      if (settled) return;
      if (message.type === 'progress') {
        const { rows, fraction } = message;
        onProgress?.({ rows, fraction });
      } else if (message.type === 'next') {
        pieces?.next().then((piece) => {
          // Encoded rows are handed over, not copied; the bytes of a stream may be shared.
          const handed = piece instanceof Float64Array ? [piece.buffer] : [];
          if (!settled) current.post({ type: 'piece', piece }, handed);
        }, abandon);
      } else {
        settle(() => {
          resolve(message);
        });
      }
    };
    if (signal?.aborted) {
      cancel();
      return;
    }
    signal?.addEventListener('abort', cancel);
    current.listen(
      (message) => {
        try {
          receive(message);
        } catch (error) {
          // The caller's onProgress threw: the caller gets it back.
          abandon(error);
        }
      },
      (error) => {
        // Also when it dies between two jobs.
        forget(current);
        abandon(error);
      },
    );
    try {
      pieces = begin(current, job);
    } catch (error) {
      abandon(error);
    }
  });
}

/** Pieces of data that stay on this side until the worker asks for them. */
interface Pieces {
  next(): Promise<Piece | null>;
  stop(): void;
}

function forget(failed: ReleaseThread): void {
  if (thread === failed) thread = undefined;
  failed.end();
}

function begin(current: ReleaseThread, { task, plan, source }: Job): Pieces | undefined {
  const start = (posted: PostedSource): void => {
    current.post({ type: 'start', task, plan, source: posted });
  };
  switch (source.kind) {
    case 'blob':
      try {
        start(source);
        return undefined;
      } catch {
        // Node does not pass on blobs that are backed by a file.
        start({ kind: 'bytes', size: source.blob.size });
        return piecesOf(streamBytes(source.blob.stream()));
      }
    case 'stream':
      start({ kind: 'bytes', size: null });
      return piecesOf(streamBytes(source.stream));
    case 'values': {
      const { rows, ignored } = source;
      start({ kind: 'values', rows, ignored });
      return piecesOf(source.batches[Symbol.iterator]());
    }
  }
}

function piecesOf(iterator: AsyncGenerator<Piece, void> | Iterator<Piece>): Pieces {
  return {
    next: async () => {
      const result = await iterator.next();
      return result.done ? null : result.value;
    },
    stop: () => {
      // Not awaited: a source that never answers must not hold up the result.
      Promise.resolve(iterator.return?.()).catch(() => undefined);
    },
  };
}

function startThread(module: WebAssembly.Module): ReleaseThread {
  const started = file.start();
  started.post({ type: 'core', module });
  return started;
}

export function cancelled(signal: AbortSignal | undefined): PrivateMomentsError {
  const message = 'cancelled; nothing was released';
  return new PrivateMomentsError('cancelled', message, {}, signal?.reason);
}
