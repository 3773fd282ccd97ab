/** The page's side of the workers that own rows: starts jobs and answers the workers' calls. */
import { streamBytes } from '../base/bytes.js';
import { PrivateMomentsError } from '../base/errors.js';
import { builtin } from '../base/host.js';
import type { Plan } from '../core/plan.js';
import type { Source } from '../data/data.js';
import { POSTED_BATCH_CELLS, type Room } from '../data/ingest.js';
import type { Progress } from '../study/types.js';
import { worksHere } from '../threads/here.js';
import { Moved, type Peer } from '../threads/peer.js';
import { WorkerPool } from '../threads/pool.js';
import type { WorkerFile } from '../threads/threads.js';
import type { PermitRequest, NextPiece, Piece, PostedSource, RowWorker } from './protocol.js';
import { Watchdog } from './watchdog.js';

/** Permission to draw noise. */
export interface Gate {
  readonly secrets: readonly string[];
  /** The id of the entry that it writes. */
  readonly entry: string;
  /** Rejects to refuse: the job then fails with this error before any noise is drawn. */
  intend(request: PermitRequest): Promise<void>;
}

export interface Job<Order> {
  order: Order;
  plan: Plan;
  source: Source;
  /** Number of workers that read. Undefined: chosen by the size of the data. */
  workers?: number | undefined;
  /** Secrets of the fingerprints, for an order that draws no noise and so has no gate. */
  secrets?: readonly string[] | undefined;
  gate?: Gate | undefined;
  signal: AbortSignal | undefined;
  onProgress: ((progress: Progress) => void) | undefined;
}

/** Runs jobs in the workers of one file. `Order` says what to make of the rows; `Outcome` is the result. */
export class Engine<Order, Outcome> {
  readonly #pool: WorkerPool<RowWorker<Order, Outcome>>;

  /** @param module the compiled core that the worker's file runs */
  constructor(file: WorkerFile, module: () => Promise<WebAssembly.Module>) {
    this.#pool = new WorkerPool(file, module);
  }

  /** Sets another address for the worker's file. */
  useWorkerFrom(url: string | URL): void {
    this.#pool.useWorkerFrom(url);
  }

  /** Ends the idle workers. The next job starts new ones, from the addresses set by then. */
  async retire(): Promise<void> {
    await this.#pool.retire();
  }

  /** Runs a job once all earlier ones have ended, or have long been silent. */
  run(job: Job<Order>): Promise<Outcome> {
    return this.#pool.run(
      (lead, module) => this.#perform(lead, module, job),
      job.signal,
      cancelled,
    );
  }

  /** Runs a job with the lead worker, which is free. */
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
        watchdog.stop();
        signal?.removeEventListener('abort', cancel);
        pieces.stop();
        for (const reader of readers) this.#pool.end(reader);
        finish();
      };
      // The state of the worker is unknown, so the next job gets a new one.
      const abandon = (error: unknown): void => {
        settle(() => {
          this.#pool.end(lead);
          // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- the caller's onProgress may throw anything
          reject(error);
        });
      };
      const watchdog = new Watchdog(abandon);
      const cancel = (): void => {
        abandon(cancelled(signal));
      };
      /** A failure on this side ends the job; the worker that called gets no answer. */
      const guarded =
        <Args extends unknown[], Value>(act: (...args: Args) => Value | Promise<Value>) =>
        async (...args: Args): Promise<Value> => {
          const answered = watchdog.heard();
          try {
            if (!isSettled) return await act(...args);
          } catch (error) {
            abandon(error);
          } finally {
            answered();
          }
          return new Promise(() => undefined);
        };
      const offer = {
        progress: guarded(({ rows, fraction }: Progress) => {
          onProgress?.({ rows, fraction });
        }),
        // What follows takes as long as its noise, and does not decode.
        counted: guarded(() => {
          watchdog.stop();
        }),
        next: guarded(async (spent: ArrayBuffer | null) => {
          const answer = await pieces.next(spent);
          // Encoded rows are transferred. The bytes of a stream may have other users.
          const piece = answer === 'failed' ? null : answer.piece;
          return new Moved(answer, piece instanceof Float64Array ? [piece.buffer] : []);
        }),
        rewind: guarded(() => {
          pieces.rewind();
        }),
        slice: guarded(async (start: number, end: number) => {
          const bytes = await sliceOf(source, start, end);
          return new Moved(bytes, bytes === null ? [] : [bytes]);
        }),
        grown: guarded(() => {
          this.#pool.endOnceIdle(lead);
        }),
        permit: guarded(async ({ fingerprints, guarantee }: PermitRequest) => {
          if (gate === undefined) {
            throw new PrivateMomentsError('internal', 'there is no ledger to ask');
          }
          await gate.intend({ fingerprints, guarantee });
        }),
        readers: guarded((count: number) => {
          const ports = Array.from({ length: count }, () => enlist());
          return new Moved(ports, ports);
        }),
        readersDone: guarded(() => {
          for (const reader of readers.splice(0)) this.#pool.release(reader);
        }),
      };
      /** Starts a worker that reads for the lead, and returns the lead's port to it. */
      const enlist = (): MessagePort => {
        const { port1, port2 } = new MessageChannel();
        const reader = this.#pool.helper(module);
        readers.push(reader);
        reader.offer(offer, abandon);
        // The lead does not learn of a failure here and would wait for ever.
        this.#pool
          .ready(reader)
          .then(() => reader.call('read', [{ plan, source: posted, port: port2 }], [port2]))
          .catch(abandon);
        return port1;
      };
      const run = (): Promise<Outcome> =>
        lead.call('run', [
          {
            order,
            plan,
            source: posted,
            workers: worksHere() ? 1 : (workers ?? null),
            secrets: gate?.secrets ?? secrets ?? null,
            context: JSON.stringify([plan, gate?.entry]),
          },
        ]);
      const runWithFallback = async (): Promise<Outcome> => {
        try {
          return await run();
        } catch (error) {
          if (error instanceof PrivateMomentsError || posted.kind !== 'blob') throw error;
          // Node cannot post blobs that are backed by a file.
          posted = { kind: 'slices', size: posted.blob.size };
          return run();
        }
      };
      signal?.addEventListener('abort', cancel);
      lead.offer(offer, abandon);
      runWithFallback().then(
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
            // An error without a row concerns the data as a whole: a failure on this side caused it.
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
      return isPageFromDisk() || isForeign(source.blob)
        ? { kind: 'slices', size: source.blob.size }
        : source;
    case 'bytes':
      return source;
    case 'stream':
      return { kind: 'stream' };
    case 'values':
      return { kind: 'values', rows: source.rows, ignored: source.ignored };
  }
}

/** Whether this page was opened from a disk: WebKit's workers cannot read blobs there. */
function isPageFromDisk(): boolean {
  return (globalThis as { location?: { protocol: string } }).location?.protocol === 'file:';
}

/** Whether a blob is of a document that Node simulates, as jsdom does: Node's workers cannot receive it. */
function isForeign(blob: Blob): boolean {
  const node = builtin('node:buffer');
  return node !== undefined && !(blob instanceof node.Blob);
}

/** Reads a part of a file that the worker cannot read. Null if this thread cannot read it either. */
async function sliceOf(source: Source, start: number, end: number): Promise<ArrayBuffer | null> {
  if (source.kind !== 'blob') return null;
  return bytesOf(source.blob.slice(start, end)).catch(() => null);
}

/** Blobs of jsdom have no other way out than a FileReader. */
async function bytesOf(blob: Blob): Promise<ArrayBuffer> {
  if ('arrayBuffer' in blob) return blob.arrayBuffer();
  const reader = new FileReader();
  await new Promise((resolve, reject) => {
    reader.onload = resolve;
    reader.onerror = reject;
    reader.readAsArrayBuffer(blob);
  });
  return reader.result as ArrayBuffer;
}

/** Data that stay on this side until a worker asks for the next piece. */
interface Pieces {
  /** @param spent a buffer to reuse for the piece, if it fits */
  next(spent: ArrayBuffer | null): Promise<NextPiece>;
  /** Starts again from the first piece, after the last. Precondition: data in memory. */
  rewind(): void;
  /** The error thrown by the caller's data, if any. */
  failure(): [unknown] | undefined;
  stop(): void;
}

function piecesOf(source: Source, plan: Plan): Pieces {
  let spare: ArrayBuffer | null = null;
  const room: Room = (cells) =>
    spare?.byteLength === cells * Float64Array.BYTES_PER_ELEMENT
      ? new Float64Array(spare)
      : new Float64Array(cells);
  let iterator = iteratorOf(source, room);
  let failure: [unknown] | undefined;
  let rows = 0;
  return {
    next: async (spent) => {
      // Pieces handed out before the failure may hold an earlier error, so the workers end the job.
      if (failure !== undefined) return 'failed';
      try {
        spare = spent;
        const result = await iterator.next();
        const piece = result.done === true ? null : result.value;
        const rowsBefore = rows;
        if (piece instanceof Float64Array) rows += piece.length / plan.columns.length;
        return { piece, rowsBefore };
      } catch (error) {
        failure = [error];
        return 'failed';
      }
    },
    rewind: () => {
      iterator = iteratorOf(source, room);
      rows = 0;
    },
    failure: () => failure,
    stop: () => {
      // Deferred, because the source itself may have called `stop`; not awaited, because it may never answer.
      Promise.resolve()
        .then(() => iterator.return?.())
        .catch(() => undefined);
    },
  };
}

function iteratorOf(
  source: Source,
  room: Room,
): AsyncIterator<Piece, void> | Iterator<Piece, void> {
  switch (source.kind) {
    case 'stream':
      return streamBytes(source.stream);
    case 'values':
      return source.open(room, POSTED_BATCH_CELLS)[Symbol.iterator]();
    case 'blob':
    case 'bytes':
      return [][Symbol.iterator]();
  }
}

export function cancelled(signal: AbortSignal | undefined): PrivateMomentsError {
  const message = 'cancelled; nothing was released';
  return new PrivateMomentsError('cancelled', message, {}, signal?.reason);
}
