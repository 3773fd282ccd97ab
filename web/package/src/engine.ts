/**
 * The page's side of workers that own rows: one that does a job at a time, and a crew of those
 * that read for it. All are reused, the crew for as long as the next job comes soon. Cancelling ends
 * all that work on the job, because a running computation cannot be interrupted otherwise; the next
 * job starts new ones.
 */
import { streamBytes } from './bytes.js';
import { untilCancelled } from './cancel.js';
import type { Source } from './data.js';
import { fromWire, PrivateMomentsError } from './errors.js';
import type { Plan } from './plan.js';
import type { Asked, AskedFor, FromWorker, Piece, PostedSource, ToWorker } from './protocol.js';
import { Bench, WorkerFile, type Thread } from './threads.js';
import type { Progress } from './types.js';

/** Who is asked before noise is drawn. */
export interface Gate {
  secrets: readonly string[];
  /** Rejects to refuse: the job ends with that, and nothing was drawn. */
  intend(asked: Asked): Promise<void>;
}

export interface Job<Order> {
  order: Order;
  plan: Plan;
  source: Source;
  /** How many workers read; undefined: as many as it is worth. */
  workers?: number | undefined;
  /** What the data are to be recognised by, for an order that draws nothing. */
  secrets?: readonly string[] | undefined;
  gate?: Gate | undefined;
  signal: AbortSignal | undefined;
  onProgress: ((progress: Progress) => void) | undefined;
}

type WorkerThread<Order, Outcome> = Thread<ToWorker<Order>, FromWorker<Outcome>>;

/** For one file of workers. `Order` is what becomes of the rows, `Outcome` what the job ends with. */
export class Engine<Order, Outcome> {
  readonly #file: WorkerFile<ToWorker<Order>, FromWorker<Outcome>>;
  readonly #module: () => Promise<WebAssembly.Module>;
  readonly #bench = new Bench<ToWorker<Order>, FromWorker<Outcome>>();
  #thread: WorkerThread<Order, Outcome> | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  /** @param module the core that the worker's file runs, compiled */
  constructor(
    file: WorkerFile<ToWorker<Order>, FromWorker<Outcome>>,
    module: () => Promise<WebAssembly.Module>,
  ) {
    this.#file = file;
    this.#module = module;
  }

  /** Names another place for the worker's file. */
  useWorkerFrom(url: string | URL): void {
    this.#file.useFrom(url);
  }

  /** Lets the idle workers go; the next job starts new ones, from the places named by then. */
  async retire(): Promise<void> {
    await this.#queue;
    this.#thread?.end();
    this.#thread = undefined;
    this.#bench.clear();
  }

  /** Runs a job after those before it. */
  run(job: Job<Order>): Promise<Outcome> {
    const result = this.#queue.then(() => this.#perform(job));
    this.#queue = result.catch(() => undefined);
    return untilCancelled(result, job.signal, cancelled);
  }

  async #perform(job: Job<Order>): Promise<Outcome> {
    const { signal } = job;
    if (signal?.aborted) throw cancelled(signal);
    const module = await this.#module();
    const current = (this.#thread ??= this.#start(module));
    current.hold();
    try {
      return await this.#converse(current, module, job);
    } finally {
      current.rest();
    }
  }

  /** Everything between the start of a job and its answer. */
  #converse(
    current: WorkerThread<Order, Outcome>,
    module: WebAssembly.Module,
    { order, plan, source, workers, secrets, gate, signal, onProgress }: Job<Order>,
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const crew: WorkerThread<Order, Outcome>[] = [];
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
          this.#forget(current);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's onProgress may throw anything
          reject(error);
        });
      };
      const cancel = (): void => {
        abandon(cancelled(signal));
      };
      const hear = (speaker: WorkerThread<Order, Outcome>): void => {
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
            if (speaker === current) this.#forget(current);
            abandon(error);
          },
        );
      };
      const reply = (
        speaker: WorkerThread<Order, Outcome>,
        message: ToWorker<Order>,
        handed: Transferable[],
      ): void => {
        if (!settled) speaker.post(message, handed);
      };
      const receive = (
        speaker: WorkerThread<Order, Outcome>,
        message: FromWorker<Outcome>,
      ): void => {
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
          case 'ask':
            intend(message).then(() => {
              reply(speaker, { type: 'go' }, []);
            }, abandon);
            break;
          case 'crew':
            enlist(message.count);
            break;
          case 'rested':
            for (const reader of crew.splice(0)) this.#bench.seat(reader);
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
          case 'done':
            settle(() => {
              resolve(message.outcome);
            });
        }
      };
      const intend = async ({ marks, guarantee }: Asked): Promise<void> => {
        if (gate === undefined) {
          throw new PrivateMomentsError('internal', 'there is no ledger to ask');
        }
        await gate.intend({ marks, guarantee });
      };
      /** Gets workers that read for the current one, which gets a port to each. */
      const enlist = (count: number): void => {
        const ports = Array.from({ length: count }, () => {
          const { port1, port2 } = new MessageChannel();
          const reader = this.#bench.leave() ?? this.#start(module);
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
        current.post({
          type: 'start',
          order,
          plan,
          source: posted,
          workers: workers ?? null,
          secrets: gate?.secrets ?? secrets ?? null,
        });
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

  #start(module: WebAssembly.Module): WorkerThread<Order, Outcome> {
    const started = this.#file.start();
    started.post({ type: 'core', module });
    return started;
  }

  #forget(failed: WorkerThread<Order, Outcome>): void {
    if (this.#thread === failed) this.#thread = undefined;
    failed.end();
  }
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
  next(spent: ArrayBuffer | null): Promise<Extract<AskedFor, { type: 'piece' | 'no-piece' }>>;
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

export function cancelled(signal: AbortSignal | undefined): PrivateMomentsError {
  const message = 'cancelled; nothing was released';
  return new PrivateMomentsError('cancelled', message, {}, signal?.reason);
}
