/**
 * The page's side of the workers: one that makes releases, one job at a time, and a crew of those
 * that read for it. All are reused, the crew for as long as the next job comes soon. Cancelling ends
 * all that work on the job, because a running computation cannot be interrupted otherwise; the next
 * job starts new ones.
 */
import { streamBytes } from './bytes.js';
import { untilCancelled } from './cancel.js';
import { coreModule } from './core.js';
import type { Source } from './data.js';
import { fromWire, PrivateMomentsError } from './errors.js';
import type { MaskSeed } from './federation/participant.js';
import type { Plan } from './plan.js';
import type { FromWorker, Piece, PostedSource, Task, ToWorker } from './protocol.js';
import { Bench, WorkerFile, type Thread } from './threads.js';
import type { Progress } from './types.js';

export interface Job {
  task: Task;
  plan: Plan;
  source: Source;
  /** What masks are made from, for the task `mask`. */
  seeds?: readonly MaskSeed[];
  /** How many workers read; undefined: as many as it is worth. */
  workers: number | undefined;
  signal: AbortSignal | undefined;
  onProgress: ((progress: Progress) => void) | undefined;
}

/** What ends a job from the worker's side. */
type Answer = Extract<FromWorker, { type: 'inspected' | 'released' | 'masked' | 'failed' }>;
export type Outcome = Exclude<Answer, { type: 'failed' }>;

type ReleaseThread = Thread<ToWorker, FromWorker>;

const file = new WorkerFile<ToWorker, FromWorker>(
  'worker.js',
  () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module' }),
);
let thread: ReleaseThread | undefined;
const bench = new Bench<ToWorker, FromWorker>();
let queue: Promise<unknown> = Promise.resolve();

/** Names another place for worker.js. */
export function useWorkerFrom(url: string | URL): void {
  file.useFrom(url);
}

/** Lets the idle workers go; the next job starts new ones, from the places named by then. */
export async function retireWorker(): Promise<void> {
  await queue;
  thread?.end();
  thread = undefined;
  bench.clear();
}

/** Runs a job after those before it. */
export function runJob(job: Job): Promise<Outcome> {
  const result = queue.then(() => perform(job));
  queue = result.catch(() => undefined);
  return untilCancelled(result, job.signal, cancelled);
}

async function perform(job: Job): Promise<Outcome> {
  const { signal } = job;
  if (signal?.aborted) throw cancelled(signal);
  const module = await coreModule();
  const current = (thread ??= startThread(module));
  current.hold();
  try {
    return await converse(current, module, job);
  } finally {
    current.rest();
  }
}

/** Everything between the start of a job and its answer. */
function converse(
  current: ReleaseThread,
  module: WebAssembly.Module,
  { task, plan, source, seeds = [], workers, signal, onProgress }: Job,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const crew: ReleaseThread[] = [];
    const pieces = piecesOf(source, plan);
    let settled = false;
    const settle = (finish: () => void): void => {
      if (settled) return;
      settled = true;
      signal?.removeEventListener('abort', cancel);
      pieces.stop();
      for (const reader of crew) reader.end();
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
    const hear = (speaker: ReleaseThread): void => {
      speaker.listen(
        (message) => {
          try {
            if (!settled) receive(speaker, message);
          } catch (error) {
            // The caller's onProgress threw: the caller gets it back.
            abandon(error);
          }
        },
        (error) => {
          // Also when it dies between two jobs.
          if (speaker === current) forget(current);
          abandon(error);
        },
      );
    };
    const reply = (speaker: ReleaseThread, message: ToWorker, handed: Transferable[]): void => {
      if (!settled) speaker.post(message, handed);
    };
    const receive = (speaker: ReleaseThread, message: FromWorker): void => {
      switch (message.type) {
        case 'progress': {
          const { rows, fraction } = message;
          onProgress?.({ rows, fraction });
          break;
        }
        case 'next':
          pieces.next(message.spent).then((answer) => {
            // Encoded rows are handed over, not copied; the bytes of a stream may be shared.
            const piece = answer.type === 'piece' ? answer.piece : null;
            reply(speaker, answer, piece instanceof Float64Array ? [piece.buffer] : []);
          }, abandon);
          break;
        case 'slice':
          sliceOf(source, message).then((bytes) => {
            const { start } = message;
            reply(speaker, { type: 'slice', start, bytes }, bytes === null ? [] : [bytes]);
          }, abandon);
          break;
        case 'crew':
          enlist(message.count);
          break;
        case 'rested':
          for (const reader of crew.splice(0)) bench.seat(reader);
          break;
        case 'failed': {
          const failure = fromWire(message.error);
          // The one who waits for a reader would wait for ever.
          if (speaker !== current) throw failure;
          settle(() => {
            // Without a row it is about the data as a whole: what failed here is why.
            const [cause] = pieces.failure() ?? [failure];
            // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's rows may throw anything
            reject(failure.row === undefined ? cause : failure);
          });
          break;
        }
        default:
          settle(() => {
            resolve(message);
          });
      }
    };
    /** Gets workers that read for the current one, which gets a port to each. */
    const enlist = (count: number): void => {
      const ports = Array.from({ length: count }, () => {
        const { port1, port2 } = new MessageChannel();
        const reader = bench.leave() ?? startThread(module);
        crew.push(reader);
        hear(reader);
        reader.post({ type: 'read', plan, source: posted, port: port2 }, [port2]);
        return port1;
      });
      current.post({ type: 'crew', ports }, ports);
    };
    let posted = postedOf(source);
    if (signal?.aborted) {
      cancel();
      return;
    }
    signal?.addEventListener('abort', cancel);
    hear(current);
    const start = (): void => {
      current.post({ type: 'start', task, plan, source: posted, workers: workers ?? null, seeds });
    };
    try {
      start();
    } catch (error) {
      if (posted.kind === 'blob') {
        // Node does not pass on blobs that are backed by a file.
        posted = { kind: 'slices', size: posted.blob.size };
        start();
      } else {
        abandon(error);
      }
    }
  });
}

function forget(failed: ReleaseThread): void {
  if (thread === failed) thread = undefined;
  failed.end();
}

function postedOf(source: Source): PostedSource {
  switch (source.kind) {
    case 'blob':
      return source;
    case 'stream':
      return { kind: 'stream' };
    case 'values':
      return { kind: 'values', rows: source.rows, ignored: source.ignored };
  }
}

/** A part of a file that only this thread can read; null where it cannot either. */
async function sliceOf(
  source: Source,
  { start, end }: { start: number; end: number },
): Promise<ArrayBuffer | null> {
  if (source.kind !== 'blob') return null;
  return source.blob
    .slice(start, end)
    .arrayBuffer()
    .catch(() => null);
}

/** Pieces of data that stay on this side until a worker asks for them. */
interface Pieces {
  /** @param spent a buffer for the piece to be put into, where it fits */
  next(spent: ArrayBuffer | null): Promise<Extract<ToWorker, { type: 'piece' | 'no-piece' }>>;
  /** What the caller's data threw, if they did. */
  failure(): [unknown] | undefined;
  stop(): void;
}

function piecesOf(source: Source, plan: Plan): Pieces {
  const iterator = iteratorOf(source);
  let failure: [unknown] | undefined;
  let rows = 0;
  return {
    next: async (spent) => {
      // What was handed out before a failure may hold an earlier error, so the workers end the job.
      if (failure !== undefined) return { type: 'no-piece' };
      try {
        const result = await iterator.next(spent);
        const piece = result.done === true ? null : result.value;
        const rowsBefore = rows;
        if (piece instanceof Float64Array) rows += piece.length / plan.columns.length;
        return { type: 'piece', piece, rowsBefore };
      } catch (error) {
        failure = [error];
        return { type: 'no-piece' };
      }
    },
    failure: () => failure,
    stop: () => {
      // Later, for it may be the source that stops this; and not awaited, for it may never answer.
      Promise.resolve()
        .then(() => iterator.return?.())
        .catch(() => undefined);
    },
  };
}

type Given = ArrayBuffer | null | undefined;

function iteratorOf(
  source: Source,
): AsyncIterator<Piece, void, Given> | Iterator<Piece, void, Given> {
  switch (source.kind) {
    case 'stream':
      return streamBytes(source.stream);
    case 'values':
      return source.batches[Symbol.iterator]();
    case 'blob':
      return [][Symbol.iterator]();
  }
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
