import { describe, expect, it } from 'vitest';
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
