import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { OwnWorker } from './own-worker.js';

/**
 * Keeps what a worker answers to what its host asks. The worker ends when the host leaves the page; a host
 * that is back is updated, so that it asks again.
 */
export abstract class WorkerController<Sent, Received> implements ReactiveController {
  protected readonly host: ReactiveControllerHost;
  protected readonly worker: OwnWorker<Sent, Received>;
  /** Of the newest question; answers to older ones are about something else. */
  protected id = 0;
  #asked = '';

  constructor(host: ReactiveControllerHost, start: () => Worker) {
    this.host = host;
    this.worker = new OwnWorker<Sent, Received>(
      start,
      (message) => {
        this.take(message);
        this.show();
      },
      (reason) => {
        this.fail(reason);
        this.show();
      },
    );
    host.addController(this);
  }

  hostConnected(): void {
    this.host.requestUpdate();
  }

  hostDisconnected(): void {
    this.worker.end();
    this.#asked = '';
  }

  protected abstract take(message: Received): void;

  /** Told why the worker does not answer. */
  protected abstract fail(reason: string): void;

  protected show(): void {
    this.host.requestUpdate();
  }

  /** Whether this is not what was asked last; it is from now on. */
  protected isOther(asked: string): boolean {
    const isOther = asked !== this.#asked;
    this.#asked = asked;
    return isOther;
  }
}
