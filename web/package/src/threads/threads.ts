/**
 * Worker threads in browsers and in Node alike, as the page sees them. `Sent` goes to the thread,
 * `Received` comes from it.
 */
import { PrivateMomentsError } from '../base/errors.js';
import { builtin, type WorkerThreads } from '../base/host.js';
import { startWithPolicy } from './inherit-policy.js';
import type { Message } from './peer.js';

/** What both kinds of worker can do. `hold` keeps a Node process alive while a job runs. */
export interface Thread<Sent, Received> {
  post(message: Sent, transfer?: Transferable[]): void;
  listen(onMessage: (message: Received) => void, onFailure: (error: unknown) => void): void;
  hold(): void;
  rest(): void;
  end(): void;
}

/** A file of the package that runs in threads of its own. */
export class WorkerFile {
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
  start(): Thread<Message, Message> {
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

  #inBrowser(): Thread<Message, Message> {
    const moved = this.#moved;
    const open = moved === undefined ? this.#open : () => new Worker(moved, { type: 'module' });
    return browserThread(this.#name, open);
  }

  #inNode(threads: WorkerThreads): Thread<Message, Message> {
    const name = this.#name;
    // Not a literal address: bundlers would copy the file as an asset.
    const url = this.#moved ?? import.meta.url.replace(/[^/]*$/, this.#name);
    // The process's own flags, such as --input-type, may not fit a worker from a file.
    const options = { execArgv: [], workerData: 'private-moments' };
    const worker = new threads.Worker(new URL(url), options);
    let onMessage: (message: Message) => void = () => undefined;
    let onFailure: (error: unknown) => void = () => undefined;
    worker.on('message', (message) => {
      onMessage(message as Message);
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

/**
 * A worker in a browser, which obeys the content policy of its page.
 * @param open starts it; written out where bundlers can see the address
 * @throws what `open` throws
 */
export function browserThread<Sent, Received>(
  name: string,
  open: () => Worker,
): Thread<Sent, Received> {
  const worker = startWithPolicy(open);
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
        onFailure(workerFailed(name));
      };
      worker.onmessageerror = () => {
        onFailure(workerFailed(name));
      };
    },
    hold: () => undefined,
    rest: () => undefined,
    end: () => {
      worker.terminate();
    },
  };
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
