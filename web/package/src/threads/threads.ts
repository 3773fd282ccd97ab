/** Worker threads in browsers and in Node, as the page sees them. */
import { forWorker } from '../base/bundlers.js';
import { PrivateMomentsError } from '../base/errors.js';
import { builtin, type WorkerThreads } from '../base/host.js';
import { adopted, confinesWorkers } from './cell.js';
import { startConfined, startScript, startWithPolicy } from './inherit-policy.js';
import { threadHere, worksHere } from './here.js';
import type { Message } from './peer.js';
import type { Service } from './serve.js';
import { laterThread, type Thread } from './thread.js';

/** What the file of a worker does. */
interface AnyService {
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- the core and the page differ from file to file
  service: () => Service<any, any>;
}

/** The script of a worker by the name of its file, for the package in one file. */
let scriptOf: ((name: string) => string) | undefined;

/** Starts the workers that have no other address from texts. */
export function useScripts(of: (name: string) => string): void {
  scriptOf = of;
}

/** A file of the package that runs in its own threads. */
export class WorkerFile {
  readonly #name: string;
  readonly #open: () => Worker;
  readonly #load: () => Promise<AnyService>;
  #address: string | URL | undefined;

  /**
   * @param name the file's name, in the folder of the package's other files
   * @param open starts it in a browser; contains the literal address, which bundlers look for
   * @param load loads what the file does, to do it on the calling thread
   */
  constructor(name: string, open: () => Worker, load: () => Promise<AnyService>) {
    this.#name = name;
    this.#open = open;
    this.#load = load;
  }

  /** Sets another address for the file. Threads started from now on use it. */
  useFrom(url: string | URL): void {
    this.#address = url;
  }

  /** @throws PrivateMomentsError worker-failed; a missing file fails later, through `listen` */
  start(): Thread<Message, Message> {
    if (worksHere()) return threadHere(this.#load);
    try {
      const threads = builtin('node:worker_threads');
      // Bun and Deno have both kinds, and only Node's lets the process exit. A page in Electron has both
      // too, and only the browser's starts.
      const hasWorkers = typeof Worker === 'function';
      const isPage = typeof document === 'object' && hasWorkers;
      if (threads === undefined && !hasWorkers) {
        // Not silently on this thread: it would stand still while rows are read.
        throw new PrivateMomentsError(
          'worker-failed',
          'there are no workers here; call load({ worker: false }) first, to do their work on this thread',
        );
      }
      return threads === undefined || isPage ? this.#inBrowser() : this.#inNode(threads);
    } catch (cause) {
      throw workerFailed(this.#name, cause);
    }
  }

  #inBrowser(): Thread<Message, Message> {
    const [address, script] = [this.#address, this.#script()];
    const open = address === undefined ? this.#open : () => new Worker(address, { type: 'module' });
    if (script !== undefined) return threadOf(this.#name, startScript(script));
    if (!confinesWorkers()) return threadOf(this.#name, startWithPolicy(open, 'nothing'));
    return laterThread(
      startConfined(open).then(
        (worker) => threadOf<Message, Message>(this.#name, worker, adopted),
        (cause: unknown) => {
          throw workerFailed(this.#name, cause);
        },
      ),
    );
  }

  /** What the file does, if the package has it inside and the file has no other address. */
  #script(): string | undefined {
    return this.#address === undefined ? scriptOf?.(this.#name) : undefined;
  }

  #inNode(threads: WorkerThreads): Thread<Message, Message> {
    const name = this.#name;
    // The process's own flags, such as --input-type, may be invalid for a worker from a file.
    const options = { execArgv: [], workerData: 'private-moments' };
    const script = this.#script();
    // Not a literal address: bundlers would copy the file as an asset.
    const worker =
      script === undefined
        ? new threads.Worker(
            new URL(this.#address ?? import.meta.url.replace(/[^/]*$/, name)),
            options,
          )
        : new threads.Worker(script, { ...options, eval: true });
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
 * Starts a worker in a browser. It obeys the content policy of its page, and of all that sends has only `fetch`, until
 * it calls `closeNetwork`.
 * @param open starts it; contains the literal address, which bundlers look for
 * @throws whatever `open` throws
 */
export function browserThread<Sent, Received>(
  name: string,
  open: () => Worker,
): Thread<Sent, Received> {
  return threadOf(name, startWithPolicy(open, 'fetch'));
}

/** @param dataOf what a message of the worker holds */
function threadOf<Sent, Received>(
  name: string,
  worker: Worker,
  dataOf: (event: MessageEvent<Received>) => Received = ({ data }) => data,
): Thread<Sent, Received> {
  return {
    post: (message, transfer = []) => {
      worker.postMessage(message, transfer);
    },
    listen: (onMessage, onFailure) => {
      worker.onmessage = (event: MessageEvent<Received>) => {
        onMessage(dataOf(event));
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
    `the worker could not be started or stopped unexpectedly; check that ${name} is served, that ` +
      `${forWorker()}, and that the page's Content-Security-Policy has worker-src blob:`,
    {},
    cause,
  );
}
