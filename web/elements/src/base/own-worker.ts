import { browserThread, type Thread } from 'private-moments/internal';
import { NOT_LOADED } from './failure.js';

/**
 * A worker that starts with its first message, and starts again after it was ended. If it cannot start,
 * or fails later, it calls `fail(reason)`, never before `post` has returned.
 */
export class OwnWorker<Sent, Received> {
  readonly #start: () => Worker;
  readonly #take: (message: Received) => void;
  readonly #fail: (reason: string) => void;
  #thread: Thread<Sent, Received> | undefined;

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
    return this.#thread !== undefined;
  }

  post(message: Sent): void {
    try {
      this.#thread ??= this.#begin();
    } catch {
      queueMicrotask(() => {
        this.#fail(NOT_LOADED);
      });
      return;
    }
    this.#thread.post(message);
  }

  /** Ends the worker and drops its work. */
  end(): void {
    this.#thread?.end();
    this.#thread = undefined;
  }

  #begin(): Thread<Sent, Received> {
    const thread = browserThread<Sent, Received>('the worker', this.#start);
    thread.listen(this.#take, () => {
      if (thread !== this.#thread) return;
      this.end();
      this.#fail(NOT_LOADED);
    });
    return thread;
  }
}
