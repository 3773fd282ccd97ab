import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { OwnWorker } from './own-worker.js';

/**
 * Holds a worker's answers to its host's questions. The worker ends when the host leaves the page; when
 * the host is added again, it is updated so that it asks again.
 */
export abstract class WorkerController<Sent, Received> implements ReactiveController {
  protected readonly host: ReactiveControllerHost;
  protected readonly worker: OwnWorker<Sent, Received>;
  /** The id of the latest question; answers to earlier ones are out of date. */
  protected id = 0;
  #lastQuestion = '';

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
    this.#lastQuestion = '';
  }

  protected abstract take(message: Received): void;

  /** Called if the worker fails. */
  protected abstract fail(reason: string): void;

  protected show(): void {
    this.host.requestUpdate();
  }

  /** Whether this question differs from the last one; it becomes the last one. */
  protected isNewQuestion(question: string): boolean {
    const isNew = question !== this.#lastQuestion;
    this.#lastQuestion = question;
    return isNew;
  }
}
