import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { nextTask } from 'private-moments/internal';

/**
 * Lets its host render in two tasks when it first appears: what stands at the top, then the rest. In one
 * task, both would keep a slow computer from answering its user.
 */
export class RestController implements ReactiveController {
  /** Whether the rest is to be rendered. */
  isDue = false;
  /** Resolves once the host has been asked for the rest. */
  readonly due: Promise<void>;

  readonly #host: ReactiveControllerHost;
  #resolve: () => void = () => undefined;
  #isWaiting = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    this.due = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    host.addController(this);
  }

  hostUpdated(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    void nextTask().then(() => {
      this.isDue = true;
      this.#host.requestUpdate();
      this.#resolve();
    });
  }
}
