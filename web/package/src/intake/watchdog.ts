import { PrivateMomentsError } from '../base/errors.js';

/** Any decoder that still makes progress says so within seconds. */
const PATIENCE_SECONDS = 300;

/** Ends a reading whose workers have said nothing for five minutes: damaged data may keep a decoder busy for ever. */
export class Watchdog {
  readonly #timer: ReturnType<typeof setInterval>;
  #silent = 0;
  #answers = 0;

  /** @param onSilence called once, with `read-failed` */
  constructor(onSilence: (error: PrivateMomentsError) => void) {
    // Counts ticks, which do not come while the computer sleeps.
    this.#timer = setInterval(() => {
      this.#silent = this.#answers > 0 ? 0 : this.#silent + 1;
      if (this.#silent < PATIENCE_SECONDS) return;
      this.stop();
      const message =
        'reading the data got no further for five minutes; the file is probably damaged: get it again from ' +
        'its source, or write it again, as CSV if you can';
      onSilence(new PrivateMomentsError('read-failed', message));
    }, 1000);
  }

  /** Call when a worker has called; call what it returns once the worker has its answer. */
  heard(): () => void {
    this.#silent = 0;
    this.#answers += 1;
    return () => {
      this.#answers -= 1;
    };
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
