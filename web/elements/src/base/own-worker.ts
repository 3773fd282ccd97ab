import { browserThread, type Thread } from 'private-moments/internal';
import { NOT_LOADED } from './failure.js';

/** A worker that has said nothing for this long since it was asked is replaced when it is asked again. */
const SILENCE_MS = 60_000;

/**
 * A worker that starts with its first message, and starts again after it was ended. If it cannot start,
 * or fails later, it calls `fail(reason)`, never before `post` has returned.
 */
export class OwnWorker<Sent, Received> {
  readonly #start: () => Worker;
  readonly #take: (message: Received) => void;
  readonly #fail: (reason: string) => void;
  #thread: Thread<Sent, Received> | undefined;
  /** When it was asked what it has not answered; undefined if it has said something since. */
  #askedAt: number | undefined;

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
    const now = performance.now();
    if (now - (this.#askedAt ?? now) > SILENCE_MS) this.end();
    this.#askedAt ??= now;
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
    this.#thread = this.#askedAt = undefined;
  }

  #begin(): Thread<Sent, Received> {
    const thread = browserThread<Sent, Received>('the worker', this.#start);
    const take = (message: Received): void => {
      if (thread === this.#thread) this.#askedAt = undefined;
      this.#take(message);
    };
    thread.listen(take, () => {
      if (thread !== this.#thread) return;
      this.end();
      this.#fail(NOT_LOADED);
    });
    return thread;
  }
}
