/**
 * Worker threads in browsers and in Node alike, as the page sees them. What is said to them is
 * their own business: `Sent` goes to the thread, `Received` comes from it.
 */
import { PrivateMomentsError } from './errors.js';
import { builtin, type WorkerThreads } from './host.js';
import { startWithPolicy } from './inherit-policy.js';

/** What both kinds of worker can do. `hold` keeps a Node process alive while a job runs. */
export interface Thread<Sent, Received> {
  post(message: Sent, transfer?: Transferable[]): void;
  listen(onMessage: (message: Received) => void, onFailure: (error: unknown) => void): void;
  hold(): void;
  rest(): void;
  end(): void;
}

/** A file of the package that runs in threads of its own. */
export class WorkerFile<Sent, Received> {
  readonly #name: string;
  readonly #open: () => Worker;
  #moved: string | URL | undefined;

  /**
   * @param name beside the package's other files
   * @param open starts it in a browser; written out where bundlers can see the address
   */
  constructor(name: string, open: () => Worker) {
    this.#name = name;
    this.#open = open;
  }

  /** Names another place for it; threads started from now on come from there. */
  useFrom(url: string | URL): void {
    this.#moved = url;
  }

  /** @throws PrivateMomentsError worker-failed; a file that is not there fails later, in `listen`. */
  start(): Thread<Sent, Received> {
    try {
      const threads = builtin('node:worker_threads');
      // Bun and Deno have both kinds, and only Node's lets the process exit. So has a page in Electron,
      // where only the browser's starts.
      const isPage = typeof document === 'object' && typeof Worker === 'function';
      return threads === undefined || isPage ? this.#inBrowser() : this.#inNode(threads);
    } catch (cause) {
      throw workerFailed(this.#name, cause);
    }
  }

  #inBrowser(): Thread<Sent, Received> {
    const failed = (): PrivateMomentsError => workerFailed(this.#name);
    const moved = this.#moved;
    const worker = startWithPolicy(
      moved === undefined ? this.#open : () => new Worker(moved, { type: 'module' }),
    );
    return {
      post: (message, transfer = []) => {
        worker.postMessage(message, transfer);
      },
      listen: (onMessage, onFailure) => {
        worker.onmessage = ({ data }: MessageEvent<Received>) => {
          onMessage(data);
        };
        worker.onerror = (event) => {
          event.preventDefault();
          onFailure(failed());
        };
        worker.onmessageerror = () => {
          onFailure(failed());
        };
      },
      hold: () => undefined,
      rest: () => undefined,
      end: () => {
        worker.terminate();
      },
    };
  }

  #inNode(threads: WorkerThreads): Thread<Sent, Received> {
    const name = this.#name;
    // Not `new URL('./worker.js', ...)`: bundlers would copy the file as an asset.
    const url = this.#moved ?? import.meta.url.replace(/[^/]*$/, this.#name);
    // The process's own flags, such as --input-type, may not fit a worker from a file.
    const options = { execArgv: [], workerData: 'private-moments' };
    const worker = new threads.Worker(new URL(url), options);
    let onMessage: (message: Received) => void = () => undefined;
    let onFailure: (error: unknown) => void = () => undefined;
    worker.on('message', (message) => {
      onMessage(message as Received);
    });
    worker.on('error', (cause) => {
      onFailure(workerFailed(name, cause));
    });
    worker.on('exit', () => {
      onFailure(workerFailed(name));
    });
    worker.unref();
    return {
      post: (message, transfer = []) => {
        worker.postMessage(message, transfer);
      },
      listen: (message, failure) => {
        onMessage = message;
        onFailure = failure;
      },
      hold: () => {
        worker.ref();
      },
      rest: () => {
        worker.unref();
      },
      end: () => {
        worker.terminate();
      },
    };
  }
}

/** Starting one takes some 40 ms, and holding it some 40 MB. */
const PATIENCE_MS = 10_000;

/** Where threads without work wait for more, and after some time without any are ended. */
export class Bench<Sent, Received> {
  #seated: Thread<Sent, Received>[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  seat(thread: Thread<Sent, Received>): void {
    this.#seated.push(thread);
    thread.listen(
      () => undefined,
      () => {
        this.#seated = this.#seated.filter((other) => other !== thread);
      },
    );
    this.#wait();
  }

  /** One that waits, if any does. */
  leave(): Thread<Sent, Received> | undefined {
    return this.#seated.pop();
  }

  clear(): void {
    clearTimeout(this.#timer);
    for (const thread of this.#seated.splice(0)) thread.end();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    const timer: unknown = setTimeout(() => {
      this.clear();
    }, PATIENCE_MS);
    this.#timer = timer as ReturnType<typeof setTimeout>;
    // Node counts a timer as a reason not to end.
    (timer as { unref?: () => void }).unref?.();
  }
}

function workerFailed(name: string, cause?: unknown): PrivateMomentsError {
  if (cause instanceof PrivateMomentsError) return cause;
  return new PrivateMomentsError(
    'worker-failed',
    `the worker could not be started or stopped unexpectedly; check that ${name} is served and ` +
      "that the page's Content-Security-Policy has worker-src blob:",
    {},
    cause,
  );
}
