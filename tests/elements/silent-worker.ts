import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { afterEach, beforeEach, vi } from 'vitest';

/** A worker that records its messages and never answers. */
export class SilentWorker {
  static said: unknown[] = [];
  static ended = 0;

  postMessage(message: unknown): void {
    SilentWorker.said.push(message);
  }

  terminate(): void {
    SilentWorker.ended++;
  }
}

export class Host implements ReactiveControllerHost {
  readonly controllers: ReactiveController[] = [];
  readonly updateComplete = Promise.resolve(true);
  updates = 0;

  addController(controller: ReactiveController): void {
    this.controllers.push(controller);
  }

  removeController(): void {
    this.controllers.length = 0;
  }

  requestUpdate(): void {
    this.updates++;
  }

  /** Removes the element from the page and adds it again. */
  move(): void {
    for (const controller of this.controllers) controller.hostDisconnected?.();
    this.updates = 0;
    for (const controller of this.controllers) controller.hostConnected?.();
  }
}

/** For tests of controllers: no worker ever answers, and the page is at an address. */
export function withSilentWorkers(): void {
  beforeEach(() => {
    SilentWorker.said = [];
    SilentWorker.ended = 0;
    vi.stubGlobal('Worker', SilentWorker);
    vi.stubGlobal('location', new URL('https://site.example/'));
    vi.stubGlobal('cancelAnimationFrame', () => undefined);
  });

  afterEach(() => {
    vi.unstubAllGlobals();
  });
}
