import { audit, auditable, openAudit } from 'private-moments-research';
import { mechanisms } from 'private-moments';
import { published } from 'private-moments-research';
import { describe, expect, it, vi } from 'vitest';
import { failure } from '../package/support.js';

describe('audits', () => {
  it('can be made of all mechanisms of studies and all published ones', async () => {
    const names = [...(await mechanisms()), ...(await published())].map(({ name }) => name);
    expect((await auditable()).sort()).toEqual(names.sort());
  });

  it('open with a promise, the guarantee that holds, and two data sets that differ in one row', async () => {
    for (const mechanism of await auditable()) {
      const opened = await openAudit({ mechanism, epsilon: 1 });
      const [first, second] = opened.dataSets;
      expect(first.columns, mechanism).toBe(second.columns);
      expect(first.values.length, mechanism).toBe(second.values.length);
      expect(first.values, mechanism).not.toEqual(second.values);
      expect(opened.promised?.epsilon ?? 1, mechanism).toBe(1);
      expect(opened.passes, mechanism).toBe(true);
      opened.close();
    }
  });

  it('report progress as their bound climbs, and continue where they stopped', async () => {
    const opened = await openAudit({ mechanism: 'frobenius', epsilon: 2 });
    const seen: number[] = [];
    await opened.run(1000, {
      onProgress: ({ runs, of }) => {
        expect(of).toBe(1000);
        seen.push(runs);
      },
    });
    expect(seen.at(-1)).toBe(1000);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(opened.looks.map(({ runs }) => runs)).toEqual([
      ...[10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1000],
    ]);
    await opened.run(2000);
    expect(opened.runs).toBe(2000);
    expect(opened.looks).toHaveLength(15);
    opened.close();
  });

  // Seeds are the system's. At this confidence an honest one fails once in 10^9 runs of the test.
  it('stay below a promise that holds and cross one that does not', async () => {
    const confidence = 1 - 1e-9;
    const honest = await audit({ mechanism: 'laplace', epsilon: 1, runs: 500, confidence });
    expect(honest.passes).toBe(true);
    const broken = await audit({
      mechanism: 'symmetric-noise',
      epsilon: 1,
      runs: 5000,
      confidence,
    });
    expect(broken.passes).toBe(false);
    expect(broken.guarantee).toBeNull();
    const mutant = await audit({
      ...{ mechanism: 'frobenius', epsilon: 1, runs: 10_000, confidence, noise: 0.2 },
    });
    expect(mutant.passes).toBe(false);
  });

  it('compare the noise with its law, which finds a mutant, and sums with the sensitivity', async () => {
    const opened = await openAudit({ mechanism: 'gaussian', epsilon: 1 });
    expect(opened.hasLaw).toBe(true);
    expect(opened.law()?.draws).toBeGreaterThanOrEqual(60_000);
    expect(opened.law(0.95)?.agrees).toBe(false);
    const { measured, calibrated, norm } = opened.sensitivity() ?? {};
    expect(norm).toBe('frobenius');
    expect(calibrated).toBeCloseTo(Math.SQRT2, 4);
    expect(measured).toBeCloseTo(Math.SQRT2, 4);
    const none = await openAudit({ mechanism: 'non-private', epsilon: 1 });
    expect([none.law(), none.sensitivity(), none.promised]).toEqual([null, null, null]);
    expect(none.hasLaw).toBe(false);
    for (const noise of [0, 1e-15, -1, 2, NaN]) {
      await failure(() => opened.law(noise), { code: 'invalid-interval', field: 'noise' });
    }
  });

  it('keep their results when they are stopped', async () => {
    const controller = new AbortController();
    const opened = await openAudit({ mechanism: 'ppca', epsilon: 1 });
    const run = opened.run(1_000_000, {
      signal: controller.signal,
      onProgress: ({ runs }) => {
        if (runs > 20) controller.abort();
      },
    });
    await failure(() => run, { code: 'cancelled' });
    expect(opened.runs).toBeGreaterThan(20);
    expect(opened.looks.length).toBeGreaterThan(0);
    await failure(() => opened.run(0), { code: 'invalid-interval', field: 'runs' });
  });

  it('made in one call are closed if they stop', async () => {
    const opened = await openAudit({ mechanism: 'laplace', epsilon: 1 });
    const close = vi.spyOn(Object.getPrototypeOf(opened) as typeof opened, 'close');
    const asked = { mechanism: 'laplace', epsilon: 1, runs: 100 };
    await failure(() => audit({ ...asked, signal: AbortSignal.abort() }), { code: 'cancelled' });
    await failure(() => audit({ ...asked, runs: 0 }), { code: 'invalid-interval' });
    expect(close).toHaveBeenCalledTimes(2);
    (await audit(asked)).close();
    expect(close).toHaveBeenCalledTimes(3);
    close.mockRestore();
    opened.close();
  });

  it('refuse invalid options', async () => {
    const open = (options: object) => () =>
      openAudit({ mechanism: 'gaussian', epsilon: 1, ...options });
    await failure(open({ mechanism: 'nonesuch' }), { code: 'invalid-mechanism' });
    await failure(open({ epsilon: -1 }), { code: 'invalid-epsilon' });
    await failure(open({ delta: 0 }), { code: 'invalid-delta' });
    await failure(open({ neighbours: 'x' }), { code: 'invalid-neighbours' });
    for (const noise of [0, 1e-15, 1.5, NaN]) {
      await failure(open({ noise }), { code: 'invalid-interval', field: 'noise' });
    }
    await failure(open({ confidence: 1 }), { code: 'invalid-interval' });
  });
});
