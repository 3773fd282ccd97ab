import { untilCancelled } from '../base/cancel.js';
import type { PrivateMomentsError } from '../base/errors.js';
import { Peer, type Message } from './peer.js';
import type { Thread } from './thread.js';
import type { WorkerFile } from './threads.js';

/** What each worker of a pool offers besides its own functions: it receives the compiled core once, first. */
interface Started {
  core(module: WebAssembly.Module): void;
}

/** Idle workers end after this time: starting one takes some 40 ms, and keeping it some 40 MB. */
const IDLE_MS = 10_000;

/**
 * The workers of one file of the package: a lead, which runs jobs one after another, and helpers. A
 * running computation cannot be interrupted, so cancelling ends its worker and the next job starts a
 * new one.
 */
export class WorkerPool<Theirs> {
  readonly #file: WorkerFile;
  readonly #module: () => Promise<WebAssembly.Module>;
  readonly #threads = new Map<Peer<Theirs>, Thread<Message, Message>>();
  #lead: Peer<Theirs> | undefined;
  #idle: Peer<Theirs>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  /** @param module the compiled core that the worker's file runs */
  constructor(file: WorkerFile, module: () => Promise<WebAssembly.Module>) {
    this.#file = file;
    this.#module = module;
  }

  /** Sets another address for the worker's file. */
  useWorkerFrom(url: string | URL): void {
    this.#file.useFrom(url);
  }

  /** Ends the idle workers. The next job starts new ones, from the addresses set by then. */
  async retire(): Promise<void> {
    await this.#queue;
    if (this.#lead !== undefined) this.end(this.#lead);
    this.#endIdle();
  }

  /**
   * Runs a job once all earlier ones have ended.
   * @param job called with the lead
   * @param cancelled makes the error of a job whose signal is aborted
   */
  run<Outcome>(
    job: (lead: Peer<Theirs>, module: WebAssembly.Module) => Promise<Outcome>,
    signal: AbortSignal | undefined,
    cancelled: (signal: AbortSignal) => PrivateMomentsError,
  ): Promise<Outcome> {
    const result = this.#queue.then(async () => {
      if (signal?.aborted) throw cancelled(signal);
      const module = await this.#module();
      if (signal?.aborted) throw cancelled(signal);
      const lead = (this.#lead ??= this.#start(module));
      this.#threads.get(lead)?.hold();
      try {
        return await job(lead, module);
      } finally {
        this.#threads.get(lead)?.rest();
      }
    });
    this.#queue = result.catch(() => undefined);
    return untilCancelled(result, signal, cancelled);
  }

  /** Returns a helper, idle or new. */
  helper(module: WebAssembly.Module): Peer<Theirs> {
    const helper = this.#idle.pop() ?? this.#start(module);
    this.#threads.get(helper)?.hold();
    return helper;
  }

  /** Keeps a helper for the next job, if that comes soon. Ignores a helper that was ended. */
  release(helper: Peer<Theirs>): void {
    const thread = this.#threads.get(helper);
    if (thread === undefined) return;
    thread.rest();
    helper.offer({});
    this.#idle.push(helper);
    clearTimeout(this.#timer);
    const timer: unknown = setTimeout(() => {
      this.#endIdle();
    }, IDLE_MS);
    this.#timer = timer as ReturnType<typeof setTimeout>;
    // A timer would keep a Node process alive.
    (timer as { unref?: () => void }).unref?.();
  }

  end(worker: Peer<Theirs>): void {
    this.#threads.get(worker)?.end();
    this.#threads.delete(worker);
    this.#idle = this.#idle.filter((other) => other !== worker);
    if (this.#lead === worker) this.#lead = undefined;
  }

  #start(module: WebAssembly.Module): Peer<Theirs> {
    const thread = this.#file.start();
    const worker: Peer<Theirs> = new Peer<Theirs>(thread, () => {
      this.end(worker);
    });
    this.#threads.set(worker, thread);
    (worker as unknown as Peer<Started>).tell('core', [module]);
    return worker;
  }

  #endIdle(): void {
    clearTimeout(this.#timer);
    for (const worker of [...this.#idle]) this.end(worker);
  }
}
