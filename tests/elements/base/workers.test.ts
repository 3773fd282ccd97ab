import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Auditor } from '../../../web/elements/src/explore/audit/auditor.js';
import { Comparer, wantedOf } from '../../../web/elements/src/explore/comparison/comparer.js';
import { ConsortiumCurves } from '../../../web/elements/src/explore/consortium/consortium-curves.js';
import {
  SETS,
  type ConsortiumSet,
} from '../../../web/elements/src/explore/consortium/consortium-sets.js';
import { settingOf } from '../../../web/elements/src/explore/consortium/consortium-setting.js';
import { Forecaster } from '../../../web/elements/src/design/forecaster.js';

/** A worker that records its messages and never answers. */
class SilentWorker {
  static said: unknown[] = [];
  static ended = 0;

  postMessage(message: unknown): void {
    SilentWorker.said.push(message);
  }

  terminate(): void {
    SilentWorker.ended++;
  }
}

class Host implements ReactiveControllerHost {
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

describe('the worker of an element', () => {
  it('is asked the same question once, and again after the element was moved', () => {
    const host = new Host();
    const curves = new ConsortiumCurves(host);
    const [set] = SETS as [ConsortiumSet];
    const ask = (): void => {
      curves.ask(set, 'epsilon', settingOf(set));
    };
    ask();
    ask();
    expect(SilentWorker.said).toHaveLength(1);
    host.move();
    expect(SilentWorker.ended).toBe(1);
    expect(host.updates, 'updated, so that it asks again').toBe(1);
    ask();
    expect(SilentWorker.said).toHaveLength(2);
  });

  it('ends when the element is removed', () => {
    const host = new Host();
    const mean = Float64Array.of(1);
    const point = { data: 'one', dimension: 1, mean, delta: 0, components: 1 };
    const comparer = new Comparer(host);
    comparer.ask([wantedOf({ ...point, mechanism: { name: 'laplace' }, points: [[1, 10]] })]);
    const auditor = new Auditor(host);
    auditor.run({ mechanism: 'laplace', epsilon: 1, delta: 1e-6 }, 100);
    expect(auditor.isBusy).toBe(true);
    host.move();
    expect(SilentWorker.ended).toBe(2);
    expect(auditor.trail?.state).toBe('stopped');
  });

  it('answers pending proposals with an error when the element is moved', async () => {
    const host = new Host();
    const forecaster = new Forecaster(host);
    const proposed = forecaster.propose(new Blob(['a,b\n1,2\n']));
    host.move();
    expect(await proposed).toEqual({
      error: 'The page was closed before the file was read. Choose it again.',
    });
    expect(host.updates).toBe(1);
  });
});
