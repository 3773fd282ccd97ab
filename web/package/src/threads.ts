/**
 * Worker threads in browsers and in Node alike, as the page sees them. What is said to them is
 * their own business: `Sent` goes to the thread, `Received` comes from it.
 */
import { PrivateMomentsError } from './errors.js';
import { builtin } from './host.js';

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
      return typeof Worker === 'function' ? this.#inBrowser() : this.#inNode();
    } catch (cause) {
      throw workerFailed(this.#name, cause);
    }
  }

  #inBrowser(): Thread<Sent, Received> {
    const failed = (): PrivateMomentsError => workerFailed(this.#name);
    const worker =
      this.#moved === undefined ? this.#open() : new Worker(this.#moved, { type: 'module' });
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

  #inNode(): Thread<Sent, Received> {
    const threads = builtin('node:worker_threads');
    const name = this.#name;
    if (threads === undefined) throw workerFailed(name);
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

function workerFailed(name: string, cause?: unknown): PrivateMomentsError {
  if (cause instanceof PrivateMomentsError) return cause;
  return new PrivateMomentsError(
    'worker-failed',
    `the worker could not be started or stopped unexpectedly; check that ${name} is served and ` +
      "that the page's Content-Security-Policy allows worker-src 'self'",
    {},
    cause,
  );
}
