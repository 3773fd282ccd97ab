import { startWithPolicy } from '../../package/src/inherit-policy.js';
import { NOT_LOADED } from './failure.js';

/**
 * A worker that starts when it is first told something, and again after it was ended. Where it cannot start,
 * or fails, `fail` is told why, not before what was said to it is done.
 */
export class OwnWorker<Sent, Received> {
  readonly #start: () => Worker;
  readonly #take: (message: Received) => void;
  readonly #fail: (reason: string) => void;
  #worker: Worker | undefined;

  constructor(
    start: () => Worker,
    take: (message: Received) => void,
    fail: (reason: string) => void,
  ) {
    this.#start = start;
    this.#take = take;
    this.#fail = fail;
  }

  get isRunning(): boolean {
    return this.#worker !== undefined;
  }

  post(message: Sent): void {
    try {
      this.#worker ??= this.#begin();
    } catch {
      queueMicrotask(() => {
        this.#fail(NOT_LOADED);
      });
      return;
    }
    this.#worker.postMessage(message);
  }

  /** Drops whatever it was doing. */
  end(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
  }

  #begin(): Worker {
    const worker = startWithPolicy(this.#start);
    worker.onmessage = ({ data }: MessageEvent<Received>) => {
      this.#take(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      if (worker !== this.#worker) return;
      this.end();
      this.#fail(NOT_LOADED);
    };
    return worker;
  }
}
