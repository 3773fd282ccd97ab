import { untilCancelled } from '../base/cancel.js';
import { PrivateMomentsError } from '../base/errors.js';
import { Peer, type Message } from './peer.js';
import type { Thread } from './thread.js';
import type { WorkerFile } from './threads.js';

/** What each worker of a pool offers besides its own functions: it receives the compiled core once, first. */
interface Started {
  core(module: WebAssembly.Module): void;
}

interface Running {
  thread: Thread<Message, Message>;
  /** Resolves once the worker has its core, and no function left that sends. Rows are posted after that. */
  ready: Promise<void>;
}

/** A worker that has not started by then never will; its files take some 100 kB. */
const START_MS = 60_000;

/** A job whose worker has sent nothing for this long, up to twice as long, makes others wait no more. */
const SILENCE_MS = 15_000;

/**
 * Idle helpers end after this time, as do idle leads whose memory has grown: starting one takes some 40 ms and
 * compiling its code again as much, and keeping it some 40 MB and what it has grown by.
 */
const IDLE_MS = 30_000;

/**
 * The workers of one file of the package: a lead, which runs jobs one after another, and helpers. A
 * running computation cannot be interrupted, so cancelling ends its worker and the next job starts a
 * new one. So does the next job if the worker has long been silent; the job before may still end.
 */
export class WorkerPool<Theirs> {
  readonly #file: WorkerFile;
  readonly #module: () => Promise<WebAssembly.Module>;
  readonly #running = new Map<Peer<Theirs>, Running>();
  #lead: Peer<Theirs> | undefined;
  #idle: Peer<Theirs>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** A lead that ends once it is idle, and the timer that ends it. */
  #leaving: Peer<Theirs> | undefined;
  #leadTimer: ReturnType<typeof setTimeout> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** How many wait for the queue. */
  #waiting = 0;

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
    await this.#turn();
    if (this.#lead !== undefined) this.end(this.#lead);
    this.#endIdle();
  }

  /**
   * Runs a job once all earlier ones have ended, or have long been silent.
   * @param job called with the lead
   * @param cancelled makes the error of a job whose signal is aborted
   */
  run<Outcome>(
    job: (lead: Peer<Theirs>, module: WebAssembly.Module) => Promise<Outcome>,
    signal: AbortSignal | undefined,
    cancelled: (signal: AbortSignal) => PrivateMomentsError,
  ): Promise<Outcome> {
    let pass: () => void = () => undefined;
    const passed = new Promise<void>((resolve) => {
      pass = resolve;
    });
    const result = this.#turn().then(async () => {
      if (signal?.aborted) throw cancelled(signal);
      // The worker starts while its core is on the way.
      const loading = this.#module();
      loading.catch(() => undefined);
      clearTimeout(this.#leadTimer);
      const lead = await this.#leadFor(loading);
      const ready = this.ready(lead);
      ready.catch(() => undefined);
      this.#running.get(lead)?.thread.hold();
      let unwatch: () => void = () => undefined;
      let isReady = false;
      try {
        const module = await untilCancelled(loading, signal, cancelled);
        unwatch = this.#watch(lead, pass);
        await untilCancelled(ready, signal, cancelled);
        // The job hears of what comes after it has begun.
        if (signal?.aborted) throw cancelled(signal);
        isReady = true;
        return await job(lead, module);
      } finally {
        unwatch();
        // One that was cancelled before it answered may never do so, and after a silence another job has a new lead.
        if (!isReady || this.#lead !== lead) this.end(lead);
        this.#running.get(lead)?.thread.rest();
        if (this.#leaving === lead) {
          this.#leadTimer = unheld(
            setTimeout(() => {
              this.end(lead);
            }, IDLE_MS),
          );
        }
      }
    });
    this.#queue = Promise.race([result.catch(() => undefined), passed]);
    return untilCancelled(result, signal, cancelled);
  }

  /** Returns a helper, idle or new. Call it once it is ready. */
  helper(module: WebAssembly.Module): Peer<Theirs> {
    const helper = this.#idle.pop() ?? this.#start(module);
    this.#running.get(helper)?.thread.hold();
    return helper;
  }

  /**
   * Resolves once a worker has its core and can be called.
   * @throws PrivateMomentsError worker-failed if it does not answer in time, or has ended
   */
  async ready(worker: Peer<Theirs>): Promise<void> {
    const running = this.#running.get(worker);
    if (running === undefined) throw noAnswer();
    await running.ready;
  }

  /** Keeps a helper for the next job, if that comes soon. Ignores a helper that was ended. */
  release(helper: Peer<Theirs>): void {
    const running = this.#running.get(helper);
    if (running === undefined) return;
    running.thread.rest();
    helper.offer({});
    this.#idle.push(helper);
    clearTimeout(this.#timer);
    this.#timer = unheld(
      setTimeout(() => {
        this.#endIdle();
      }, IDLE_MS),
    );
  }

  /** Ends the lead, too, once it is idle: what its memory has grown by comes back only then. */
  endOnceIdle(lead: Peer<Theirs>): void {
    this.#leaving = lead;
  }

  end(worker: Peer<Theirs>): void {
    this.#running.get(worker)?.thread.end();
    this.#running.delete(worker);
    this.#idle = this.#idle.filter((other) => other !== worker);
    if (this.#lead === worker) this.#lead = undefined;
  }

  /** Waits for the queue. */
  async #turn(): Promise<void> {
    this.#waiting++;
    await this.#queue;
    this.#waiting--;
  }

  /**
   * Lets the next job have a new lead, if one waits, once this one has been silent.
   * @returns ends it
   */
  #watch(lead: Peer<Theirs>, pass: () => void): () => void {
    let { heard } = lead;
    const timer = setInterval(() => {
      if (lead.heard === heard && this.#waiting > 0) {
        if (this.#lead === lead) this.#lead = undefined;
        pass();
      }
      ({ heard } = lead);
    }, SILENCE_MS);
    unheld(timer);
    return () => {
      clearInterval(timer);
    };
  }

  /** The lead. Where it cannot be started, an error of its core comes first, as it does where it fails later. */
  async #leadFor(loading: Promise<WebAssembly.Module>): Promise<Peer<Theirs>> {
    try {
      return (this.#lead ??= this.#start(loading));
    } catch (error) {
      await loading;
      throw error;
    }
  }

  #start(module: WebAssembly.Module | Promise<WebAssembly.Module>): Peer<Theirs> {
    const thread = this.#file.start();
    const worker: Peer<Theirs> = new Peer<Theirs>(thread, () => {
      this.end(worker);
    });
    const ready = sendCore(worker as unknown as Peer<Started>, module);
    // Those who wait for it hear of it.
    ready.catch(() => undefined);
    this.#running.set(worker, { thread, ready });
    return worker;
  }

  #endIdle(): void {
    clearTimeout(this.#timer);
    for (const worker of [...this.#idle]) this.end(worker);
  }
}

/**
 * Sends a worker its core once that is loaded, unless one of the two fails before.
 * @throws PrivateMomentsError worker-failed, or what loading throws
 */
async function sendCore(
  worker: Peer<Started>,
  module: WebAssembly.Module | Promise<WebAssembly.Module>,
): Promise<void> {
  const failed = new Promise<never>((_, reject) => {
    worker.offer({}, reject);
  });
  const loaded = await Promise.race([module, failed]);
  const timer = setTimeout(() => {
    worker.fail(noAnswer());
  }, START_MS);
  unheld(timer);
  try {
    await worker.call('core', [loaded]);
  } finally {
    clearTimeout(timer);
  }
}

function noAnswer(): PrivateMomentsError {
  const message =
    'the worker does not answer; check that all of its files are served, and try again';
  return new PrivateMomentsError('worker-failed', message);
}

/** A timer that does not keep a Node process alive. */
function unheld<Timer>(timer: Timer): Timer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
