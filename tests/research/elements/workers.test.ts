import { describe, expect, it, vi } from 'vitest';
import { Auditor } from '../../../web/research/elements/audit/auditor.js';
import { Comparer, wantedOf } from '../../../web/research/elements/comparison/comparer.js';
import { ConsortiumCurves } from '../../../web/research/elements/consortium/consortium-curves.js';
import {
  SETS,
  type ConsortiumSet,
} from '../../../web/research/elements/consortium/consortium-sets.js';
import { settingOf } from '../../../web/research/elements/consortium/consortium-setting.js';
import { Host, SilentWorker, withSilentWorkers } from '../../elements/silent-worker.js';

withSilentWorkers();

/** An audit whose worker's answers a test gives. */
class Answered extends Auditor {
  answer(runs: number): void {
    this.take({ type: 'progress', id: this.id, runs, looks: [] });
  }
}

it('an audit knows its speed after half a second of attacks', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
  const auditor = new Answered(new Host());
  auditor.run({ mechanism: 'laplace', epsilon: 1, delta: 1e-6 }, 10_000);
  auditor.answer(10);
  expect(auditor.trail?.speed).toBeUndefined();
  now.mockReturnValue(3000);
  auditor.answer(810);
  expect(auditor.trail?.speed).toBe(400);
  now.mockRestore();
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
});
