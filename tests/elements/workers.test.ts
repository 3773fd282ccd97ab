import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Auditor } from '../../web/elements/src/auditor.js';
import { Comparer, wantedOf } from '../../web/elements/src/comparer.js';
import { ConsortiumCurves } from '../../web/elements/src/consortium-curves.js';
import { SETS, type ConsortiumSet } from '../../web/elements/src/consortium-sets.js';
import { settingOf } from '../../web/elements/src/consortium-setting.js';
import { Forecaster } from '../../web/elements/src/forecaster.js';

/** Notes what is said to every worker, and never answers. */
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

  /** Takes it from the page and puts it back. */
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

describe('what a worker does for an element', () => {
  it('is asked once for the same, and again where the element was moved', () => {
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

  it('ends with the element, for each of them', () => {
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

  it('leaves nobody waiting for columns of a file when the element is moved', async () => {
    const host = new Host();
    const forecaster = new Forecaster(host);
    const proposed = forecaster.propose(new Blob(['a,b\n1,2\n']));
    host.move();
    expect(await proposed).toEqual({
      error: 'The page was left before the file was read. Choose it again.',
    });
    expect(host.updates).toBe(1);
  });
});
