import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { expect, it } from 'vitest';
import { RestController } from '../../../web/elements/src/base/rest.js';

/** A host that is updated as soon as it is asked. */
class Host implements ReactiveControllerHost {
  readonly updateComplete = Promise.resolve(true);
  asked = 0;
  #controller: ReactiveController | undefined;

  addController(controller: ReactiveController): void {
    this.#controller = controller;
  }

  removeController(): void {
    this.#controller = undefined;
  }

  requestUpdate(): void {
    this.asked++;
    this.update();
  }

  update(): void {
    this.#controller?.hostUpdated?.();
  }
}

it('the rest is due in a task after the first update, for which the host is asked once', async () => {
  const host = new Host();
  const rest = new RestController(host);
  host.update();
  await Promise.resolve();
  expect(rest.isDue).toBe(false);
  await rest.due;
  expect(rest.isDue).toBe(true);
  host.update();
  await new Promise((resolve) => setTimeout(resolve));
  expect(host.asked).toBe(1);
});
