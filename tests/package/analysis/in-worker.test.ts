import { assemble, defineStudy, privatize, type Moments } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { definition, failure, people } from '../support.js';

const study = defineStudy({
  ...definition(),
  privacy: { epsilon: 20, delta: 1e-6 },
});

let made: Promise<Moments> | undefined;
const moments = () =>
  (made ??= (async () => assemble(study, [await privatize(study, people(3000, 0, 2))]))());

/** Takes longer than any test may. */
const endless = { level: 0.95, draws: 100_000 };

describe('analyses in a worker', () => {
  it('equal those of this thread to the last bit', async () => {
    const here = await moments();
    const there = here.inWorker();
    const few = { level: 0.9, draws: 60, seed: 3 };
    expect(await there.pca(few)).toEqual(here.pca(few));
    expect(await there.cca(few)).toEqual(here.cca(few));
    expect(await there.cca()).toEqual(here.cca());
    expect(await there.gcca(few)).toEqual(here.gcca(few));
    const ridge = { target: 'mood', penalty: 0.1, level: 0.95 };
    expect(await there.ridge(ridge)).toEqual(here.ridge(ridge));
    expect(await there.uncertainty({ level: 0.8 })).toEqual(here.uncertainty({ level: 0.8 }));
  });

  it('are the same to the last bit for any number of workers', async () => {
    const here = await moments();
    for (const draws of [50, 331]) {
      const simulated = { level: 0.9, draws, seed: 3 };
      for (const workers of [1, 2, 3]) {
        const there = here.inWorker({ workers });
        expect(await there.pca(simulated)).toEqual(here.pca(simulated));
        expect(await there.cca(simulated)).toEqual(here.cca(simulated));
        expect(await there.gcca(simulated)).toEqual(here.gcca(simulated));
        expect(await there.cca()).toEqual(here.cca());
        const sure = await there.uncertainty(simulated);
        expect(await sure.cca()).toEqual(here.cca(simulated));
      }
    }
  });

  it('return complete results with their methods', async () => {
    const here = await moments();
    const result = await here.inWorker().cca({ components: 1 });
    const same = here.cca({ components: 1 });
    expect(result.toCSV()).toBe(same.toCSV());
    expect(JSON.stringify(result)).toBe(JSON.stringify(same));
    const sure = await here.inWorker().uncertainty({ level: 0.9, draws: 60, seed: 3 });
    expect(await sure.cca()).toEqual(here.cca({ level: 0.9, draws: 60, seed: 3 }));
    expect(Object.keys(sure)).not.toContain('cca');
  });

  it('denoise to the same moments, which can be analysed further', async () => {
    const here = await moments();
    const clean = await here.inWorker().denoise();
    expect(JSON.stringify(clean)).toBe(JSON.stringify(here.denoise()));
    expect(clean.denoising).toEqual(here.denoise().denoising);
    expect(await clean.inWorker().pca()).toEqual(clean.pca());
  });

  it('fail as in this thread, and the next analysis works', async () => {
    const there = (await moments()).inWorker();
    await failure(() => there.pca({ components: 99 }), {
      code: 'invalid-components',
      field: 'components',
    });
    await failure(() => there.cca({ x: 'nobody' }), { code: 'invalid-view', field: 'x' });
    await failure(() => there.pca({ level: 2 }), { code: 'invalid-interval', field: 'level' });
    expect((await there.pca({ components: 1 })).explained).toHaveLength(1);
  });

  it('fail in several workers as in one, and the next analysis works', async () => {
    const there = (await moments()).inWorker({ workers: 3 });
    const simulated = { level: 0.9, draws: 60 };
    await failure(() => there.pca({ ...simulated, components: 99 }), {
      code: 'invalid-components',
      field: 'components',
    });
    await failure(() => there.cca({ ...simulated, draws: 3 }), {
      code: 'invalid-interval',
      field: 'draws',
    });
    await failure(() => there.gcca({ level: 1 }), { code: 'invalid-interval', field: 'level' });
    const components = (() => 1) as unknown as number;
    await failure(() => there.pca({ ...simulated, components }), { code: 'unsupported-option' });
    expect((await there.pca({ ...simulated, components: 1 })).explained).toHaveLength(1);
  });

  it('refuse an invalid number of workers', async () => {
    for (const workers of [0, 65, 1.5, '2' as never]) {
      const here = await moments();
      await failure(() => here.inWorker({ workers }), { code: 'unsupported-option' });
    }
  });

  it('refuse options that cannot be cloned', async () => {
    const options = { components: (() => 1) as unknown as number };
    await failure(async () => (await moments()).inWorker().pca(options), {
      code: 'unsupported-option',
    });
  });

  it.each([1, 2, 3])('can be cancelled in %i workers, and later ones go on', async (workers) => {
    const here = await moments();
    const abort = new AbortController();
    const running = here.inWorker({ signal: abort.signal, workers }).pca(endless);
    const after = here.inWorker().pca({ components: 1 });
    setTimeout(() => {
      abort.abort(new Error('closed the tab'));
    }, 50);
    const error = await failure(() => running, { code: 'cancelled' });
    expect(error.cause).toMatchObject({ message: 'closed the tab' });
    expect(await after).toEqual(here.pca({ components: 1 }));
  });

  it('can be cancelled while they wait, without ending the one that runs', async () => {
    const here = await moments();
    const abort = new AbortController();
    const running = here.inWorker().pca({ level: 0.95, draws: 3000 });
    const waiting = here.inWorker({ signal: abort.signal }).pca();
    let settled = false;
    void running.then(() => (settled = true));
    abort.abort();
    await failure(() => waiting, { code: 'cancelled' });
    expect(settled).toBe(false);
    expect((await running).options).toMatchObject({ draws: 3000 });
  });

  it('do not start if their signal was aborted', async () => {
    const signal = AbortSignal.abort();
    const there = (await moments()).inWorker({ signal });
    await failure(() => there.pca(endless), { code: 'cancelled' });
  });

  it('do not delay a release', async () => {
    const here = await moments();
    const abort = new AbortController();
    const running = here.inWorker({ signal: abort.signal }).pca(endless);
    expect((await privatize(study, people(10, 0, 2))).values.length).toBeGreaterThan(0);
    abort.abort();
    await failure(() => running, { code: 'cancelled' });
  });

  it('do not block this thread', async () => {
    const here = await moments();
    let turns = 0;
    const clock = setInterval(() => (turns += 1), 1);
    await here.inWorker().pca({ level: 0.95, draws: 3000 });
    clearInterval(clock);
    expect(turns).toBeGreaterThan(0);
  });
});
