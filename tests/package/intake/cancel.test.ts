import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineStudy, load, privatize } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { definition, failure, sourceFolder } from '../support.js';

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
  it('rejects with code cancelled and the reason as its cause', async () => {
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

  it('before the start reads no data', async () => {
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

  it('settles once, and reports no progress afterwards', async () => {
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

  it('does not affect other calls', async () => {
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

  it('rejects a waiting call at once', async () => {
    const [running, waiting] = [new AbortController(), new AbortController()];
    const first = privatize(study, ENDLESS(), { signal: running.signal });
    const second = privatize(study, [ROW], { signal: waiting.signal });
    waiting.abort();
    await failure(() => second, { code: 'cancelled' });
    running.abort();
    await failure(() => first, { code: 'cancelled' });
  });

  it('has no effect after the end', async () => {
    const abort = new AbortController();
    const release = await privatize(study, [ROW], { signal: abort.signal });
    abort.abort();
    expect(release.rows).toBe(1);
  });

  it('also follows an exception in onProgress, which the caller receives', async () => {
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

describe('cancelling several workers', () => {
  const LARGE = new Blob([
    'age,sleep,work,mood\n',
    ...Array<string>(300).fill('34,7.5,day,2\n'.repeat(4000)),
  ]);

  it('ends all of them promptly, and the next job works', async () => {
    for (const workers of [2, 4]) {
      const abort = new AbortController();
      let progressAfter = 0;
      let settled = 0;
      const running = privatize(study, LARGE, {
        workers,
        signal: abort.signal,
        onProgress: () => {
          if (abort.signal.aborted) progressAfter += 1;
          abort.abort(new Error('closed the tab'));
        },
      });
      running.then(
        () => (settled += 100),
        () => (settled += 1),
      );
      const error = await failure(() => running, { code: 'cancelled' });
      expect(error.cause).toMatchObject({ message: 'closed the tab' });
      expect((await privatize(study, [ROW, ROW], { workers })).rows).toBe(2);
      expect(settled).toBe(1);
      expect(progressAfter).toBe(0);
    }
  });

  it('stops reading rows', async () => {
    const abort = new AbortController();
    let read = 0;
    const rows = Array.from({ length: 100_000 }, () =>
      Object.defineProperty({ ...ROW }, 'age', {
        enumerable: true,
        get() {
          read += 1;
          if (read === 10_000) abort.abort();
          return 34;
        },
      }),
    );
    const running = privatize(study, rows, { workers: 2, signal: abort.signal });
    await failure(() => running, { code: 'cancelled' });
    const asked = read;
    expect((await privatize(study, [ROW])).rows).toBe(1);
    expect(read).toBe(asked);
    expect(asked).toBeLessThan(100_000);
  });
});

describe('a worker that dies', () => {
  const file = new URL('worker.js', sourceFolder);
  /** The package's worker, which exits on a message that meets a condition on `call` and `value`. */
  const dying = (condition: string) => {
    const path = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'dying.mjs');
    const source = `
      import '${file.href}';
      import { parentPort } from 'node:worker_threads';
      parentPort.on('message', ({ call, value }) => { if (${condition}) process.exit(1); });`;
    writeFileSync(path, source);
    return pathToFileURL(path);
  };

  it.each([
    ['a worker that only reads', "call === 'read'"],
    ['the worker that makes the release', 'Array.isArray(value)'],
  ])('(%s) fails the job, and the next one works', async (_, condition) => {
    const data = Array.from({ length: 20_000 }, () => ROW);
    await load({ worker: dying(condition) });
    await failure(() => privatize(study, data, { workers: 2 }), { code: 'worker-failed' });
    await load({ worker: file });
    expect((await privatize(study, data, { workers: 2 })).rows).toBe(20_000);
  });
});

describe('workers between two jobs', () => {
  const file = new URL('worker.js', sourceFolder);
  const data = Array.from({ length: 20_000 }, () => ROW);
  /** The package's worker, with a count of those started. */
  const counting = () => {
    const folder = mkdtempSync(join(tmpdir(), 'private-moments-'));
    const [path, list] = [join(folder, 'counting.mjs'), join(folder, 'started')];
    const source = `
      import { appendFileSync } from 'node:fs';
      import { isMainThread } from 'node:worker_threads';
      if (!isMainThread) appendFileSync(${JSON.stringify(list)}, '.');
      await import('${file.href}');`;
    writeFileSync(path, source);
    writeFileSync(list, '');
    return { url: pathToFileURL(path), started: () => readFileSync(list, 'utf8').length };
  };

  it('are reused, even for another study and other data', async () => {
    const { url, started } = counting();
    await load({ worker: url });
    expect((await privatize(study, data, { workers: 2 })).rows).toBe(20_000);
    expect(started()).toBe(3);
    const names = ['work', 'mood'];
    const columns = definition().columns.filter(({ name }) => names.includes(name));
    const other = defineStudy({ title: 'Other', columns, privacy: { epsilon: 1, delta: 1e-6 } });
    const text = `work,mood\n${'day,2\n'.repeat(9000)}`;
    expect((await privatize(other, text, { workers: 2 })).rows).toBe(9000);
    expect(started()).toBe(3);
    expect((await privatize(study, data, { workers: 3 })).rows).toBe(20_000);
    expect(started()).toBe(4);
    await load({ worker: file });
  });

  it('are not reused after a job that was cancelled or failed', async () => {
    const { url, started } = counting();
    await load({ worker: url });
    const strict = defineStudy({ ...definition(), missing: 'error' });
    const bad = [{ ...ROW, age: NaN }, ...data];
    await failure(() => privatize(strict, bad, { workers: 2 }), { code: 'missing-cell' });
    expect(started()).toBe(3);
    // The worker that makes releases has finished its work, so it stays.
    expect((await privatize(strict, data, { workers: 2 })).rows).toBe(20_000);
    expect(started()).toBe(5);
    await load({ worker: file });
  });
});
