/** The page's side of workers that own rows: jobs, and what the workers ask the page meanwhile. */
import { streamBytes } from '../base/bytes.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Plan } from '../core/plan.js';
import type { Source } from '../data/data.js';
import type { Progress } from '../study/types.js';
import { Moved, type Peer } from '../threads/peer.js';
import { WorkerPool } from '../threads/pool.js';
import type { WorkerFile } from '../threads/threads.js';
import type { Asked, NextPiece, Piece, PostedSource, RowWorker } from './protocol.js';

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

/** For one file of workers. `Order` is what becomes of the rows, `Outcome` what the job ends with. */
export class Engine<Order, Outcome> {
  readonly #pool: WorkerPool<RowWorker<Order, Outcome>>;

  /** @param module the core that the worker's file runs, compiled */
  constructor(file: WorkerFile, module: () => Promise<WebAssembly.Module>) {
    this.#pool = new WorkerPool(file, module);
  }

  /** Names another place for the worker's file. */
  useWorkerFrom(url: string | URL): void {
    this.#pool.useWorkerFrom(url);
  }

  /** Ends the idle workers; the next job starts new ones, from the places named by then. */
  async retire(): Promise<void> {
    await this.#pool.retire();
  }

  /** Runs a job after those before it. */
  run(job: Job<Order>): Promise<Outcome> {
    return this.#pool.run(
      (lead, module) => this.#perform(lead, module, job),
      job.signal,
      cancelled,
    );
  }

  /** Everything between the start of a job and its end. */
  #perform(
    lead: Peer<RowWorker<Order, Outcome>>,
    module: WebAssembly.Module,
    { order, plan, source, workers, secrets, gate, signal, onProgress }: Job<Order>,
  ): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const readers: Peer<RowWorker<Order, Outcome>>[] = [];
      const pieces = piecesOf(source, plan);
      let posted = postedOf(source);
      let isSettled = false;
      const settle = (finish: () => void): void => {
        if (isSettled) return;
        isSettled = true;
        signal?.removeEventListener('abort', cancel);
        pieces.stop();
        for (const reader of readers) this.#pool.end(reader);
        finish();
      };
      // The worker may be in the middle of anything, so the next job gets a new one.
      const abandon = (error: unknown): void => {
        settle(() => {
          this.#pool.end(lead);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's onProgress may throw anything
          reject(error);
        });
      };
      const cancel = (): void => {
        abandon(cancelled(signal));
      };
      /** What fails on this side ends the job: the worker that asked gets no answer. */
      const guarded =
        <Args extends unknown[], Value>(act: (...args: Args) => Value | Promise<Value>) =>
        async (...args: Args): Promise<Value> => {
          try {
            if (!isSettled) return await act(...args);
          } catch (error) {
            abandon(error);
          }
          return new Promise(() => undefined);
        };
      const offer = {
        progress: guarded(({ rows, fraction }: Progress) => {
          onProgress?.({ rows, fraction });
        }),
        next: guarded(async (spent: ArrayBuffer | null) => {
          const answer = await pieces.next(spent);
          // Encoded rows move; the bytes of a stream may be shared.
          const piece = answer === 'failed' ? null : answer.piece;
          return new Moved(answer, piece instanceof Float64Array ? [piece.buffer] : []);
        }),
        slice: guarded(async (start: number, end: number) => {
          const bytes = await sliceOf(source, start, end);
          return new Moved(bytes, bytes === null ? [] : [bytes]);
        }),
        permit: guarded(async ({ marks, guarantee }: Asked) => {
          if (gate === undefined) {
            throw new PrivateMomentsError('internal', 'there is no ledger to ask');
          }
          await gate.intend({ marks, guarantee });
        }),
        readers: guarded((count: number) => {
          const ports = Array.from({ length: count }, () => enlist());
          return new Moved(ports, ports);
        }),
        readersDone: guarded(() => {
          for (const reader of readers.splice(0)) this.#pool.release(reader);
        }),
      };
      /** A worker that reads for the lead, which gets the port to it. */
      const enlist = (): MessagePort => {
        const { port1, port2 } = new MessageChannel();
        const reader = this.#pool.helper(module);
        readers.push(reader);
        reader.offer(offer, abandon);
        // A failure here is not answered to the lead, which would wait for ever.
        reader.call('read', [{ plan, source: posted, port: port2 }], [port2]).catch(abandon);
        return port1;
      };
      const run = (): Promise<Outcome> =>
        lead.call('run', [
          {
            order,
            plan,
            source: posted,
            workers: workers ?? null,
            secrets: gate?.secrets ?? secrets ?? null,
          },
        ]);
      const runAnyFile = async (): Promise<Outcome> => {
        try {
          return await run();
        } catch (error) {
          if (error instanceof PrivateMomentsError || posted.kind !== 'blob') throw error;
          // Node does not pass on blobs that are backed by a file.
          posted = { kind: 'slices', size: posted.blob.size };
          return run();
        }
      };
      signal?.addEventListener('abort', cancel);
      lead.offer(offer, abandon);
      runAnyFile().then(
        (outcome) => {
          settle(() => {
            resolve(outcome);
          });
        },
        (error: unknown) => {
          if (!(error instanceof PrivateMomentsError)) {
            abandon(error);
            return;
          }
          settle(() => {
            // Without a row it is about the data as a whole: what failed here is why.
            const [cause] = pieces.failure() ?? [error];
            // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's rows may throw anything
            reject(error.row === undefined ? cause : error);
          });
        },
      );
    });
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
async function sliceOf(source: Source, start: number, end: number): Promise<ArrayBuffer | null> {
  if (source.kind !== 'blob') return null;
  return source.blob
    .slice(start, end)
    .arrayBuffer()
    .catch(() => null);
}

/** Pieces of data that stay on this side until a worker asks for them. */
interface Pieces {
  /** @param spent a buffer for the piece to be put into, where it fits */
  next(spent: ArrayBuffer | null): Promise<NextPiece>;
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
      if (failure !== undefined) return 'failed';
      try {
        const result = await iterator.next(spent);
        const piece = result.done === true ? null : result.value;
        const rowsBefore = rows;
        if (piece instanceof Float64Array) rows += piece.length / plan.columns.length;
        return { piece, rowsBefore };
      } catch (error) {
        failure = [error];
        return 'failed';
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
