import { defineStudy, privatize } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { definition, failure } from './support.js';

const study = defineStudy(definition());
const ROW = { age: 34, sleep: 7.5, work: 'day', mood: 2 };
const ENDLESS = () =>
  new ReadableStream<string>({
    start(controller) {
      controller.enqueue('age,sleep,work,mood\n');
    },
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      controller.enqueue('34,7.5,day,2\n'.repeat(100));
    },
  });

describe('cancelling', () => {
  it('rejects with code cancelled and the reason given', async () => {
    const abort = new AbortController();
    const running = privatize(study, ENDLESS(), {
      signal: abort.signal,
      onProgress: () => {
        abort.abort(new Error('closed the tab'));
      },
    });
    const error = await failure(() => running, { code: 'cancelled' });
    expect(error.cause).toMatchObject({ message: 'closed the tab' });
  });

  it('before the start reads nothing', async () => {
    let pulled = 0;
    const stream = new ReadableStream<string>(
      {
        pull() {
          pulled += 1;
        },
      },
      { highWaterMark: 0 },
    );
    await failure(() => privatize(study, stream, { signal: AbortSignal.abort() }), {
      code: 'cancelled',
    });
    expect(pulled).toBe(0);
  });

  it('leaves no half release: nothing arrives afterwards', async () => {
    const abort = new AbortController();
    let settled = 0;
    let progressAfter = 0;
    const running = privatize(study, ENDLESS(), {
      signal: abort.signal,
      onProgress: () => {
        if (abort.signal.aborted) progressAfter += 1;
        abort.abort();
      },
    });
    running.then(
      () => (settled += 100),
      () => (settled += 1),
    );
    await failure(() => running, { code: 'cancelled' });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(settled).toBe(1);
    expect(progressAfter).toBe(0);
  });

  it('one call does not touch the others', async () => {
    const abort = new AbortController();
    const first = privatize(study, ENDLESS(), {
      signal: abort.signal,
      onProgress: () => {
        abort.abort();
      },
    });
    const second = privatize(study, [ROW, ROW]);
    await failure(() => first, { code: 'cancelled' });
    expect((await second).rows).toBe(2);
  });

  it('takes effect at once for a call that waits for its turn', async () => {
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = privatize(study, ENDLESS(), { signal: running.signal });
    const second = privatize(study, [ROW], { signal: waiting.signal });
    waiting.abort();
    await failure(() => second, { code: 'cancelled' });
    running.abort();
    await failure(() => first, { code: 'cancelled' });
  });

  it('after the end changes nothing', async () => {
    const abort = new AbortController();
    const release = await privatize(study, [ROW], { signal: abort.signal });
    abort.abort();
    expect(release.rows).toBe(1);
  });

  it('is also what an exception in onProgress does, and the caller gets it back', async () => {
    const mine = new Error('mine');
    const running = privatize(study, ENDLESS(), {
      onProgress: () => {
        throw mine;
      },
    });
    await expect(running).rejects.toBe(mine);
    expect((await privatize(study, [ROW])).rows).toBe(1);
  });
});
