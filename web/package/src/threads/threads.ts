/**
 * Worker threads in browsers and in Node, as the page sees them. `Sent` are messages to the thread,
 * `Received` those from it.
 */
import { PrivateMomentsError } from '../base/errors.js';
import { builtin, type WorkerThreads } from '../base/host.js';
import { startWithPolicy } from './inherit-policy.js';
import type { Message } from './peer.js';

/** A worker of either kind. `hold` keeps a Node process alive while a job runs; `rest` undoes it. */
export interface Thread<Sent, Received> {
  post(message: Sent, transfer?: Transferable[]): void;
  listen(onMessage: (message: Received) => void, onFailure: (error: unknown) => void): void;
  hold(): void;
  rest(): void;
  end(): void;
}

/** A file of the package that runs in its own threads. */
export class WorkerFile {
  readonly #name: string;
  readonly #open: () => Worker;
  #address: string | URL | undefined;

  /**
   * @param name the file's name, in the folder of the package's other files
   * @param open starts it in a browser; contains the literal address, which bundlers look for
   */
  constructor(name: string, open: () => Worker) {
    this.#name = name;
    this.#open = open;
  }

  /** Sets another address for the file. Threads started from now on use it. */
  useFrom(url: string | URL): void {
    this.#address = url;
  }

  /** @throws PrivateMomentsError worker-failed; a missing file fails later, through `listen` */
  start(): Thread<Message, Message> {
    try {
      const threads = builtin('node:worker_threads');
      // Bun and Deno have both kinds, and only Node's lets the process exit. A page in Electron has both
      // too, and only the browser's starts.
      const isPage = typeof document === 'object' && typeof Worker === 'function';
      return threads === undefined || isPage ? this.#inBrowser() : this.#inNode(threads);
    } catch (cause) {
      throw workerFailed(this.#name, cause);
    }
  }

  #inBrowser(): Thread<Message, Message> {
    const address = this.#address;
    const open = address === undefined ? this.#open : () => new Worker(address, { type: 'module' });
    return browserThread(this.#name, open);
  }

  #inNode(threads: WorkerThreads): Thread<Message, Message> {
    const name = this.#name;
    // Not a literal address: bundlers would copy the file as an asset.
    const url = this.#address ?? import.meta.url.replace(/[^/]*$/, this.#name);
    // The process's own flags, such as --input-type, may be invalid for a worker from a file.
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
 * Starts a worker in a browser. It obeys the content policy of its page.
 * @param open starts it; contains the literal address, which bundlers look for
 * @throws whatever `open` throws
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
