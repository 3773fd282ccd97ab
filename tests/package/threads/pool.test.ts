import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineStudy, load, privatize } from 'private-moments';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PrivateMomentsError } from '../../../web/package/src/base/errors.js';
import type { Message } from '../../../web/package/src/threads/peer.js';
import { WorkerPool } from '../../../web/package/src/threads/pool.js';
import type { Thread } from '../../../web/package/src/threads/thread.js';
import type { WorkerFile } from '../../../web/package/src/threads/threads.js';
import { definition, people, sourceFolder } from '../support.js';

interface Worked {
  work(): string;
}

/** What a worker says to a call; undefined: nothing. */
type Says = (call: string) => unknown;

const answering: Says = (call) => (call === 'core' ? null : 'done');
const silent: Says = () => undefined;
/** Starts, and then never answers. */
const stuck: Says = (call) => (call === 'core' ? null : undefined);

/** A pool whose workers, in the order of their start, say this. */
function poolOf(...workers: Says[]) {
  return poolWith(() => Promise.resolve({} as WebAssembly.Module), ...workers);
}

/** The same, whose core is loaded so. */
function poolWith(module: () => Promise<WebAssembly.Module>, ...workers: Says[]) {
  const threads: { heard: string[]; hasEnded: boolean; fail: (error: unknown) => void }[] = [];
  const start = (): Thread<Message, Message> => {
    const says = workers[threads.length] ?? answering;
    const thread: (typeof threads)[number] = { heard: [], hasEnded: false, fail: () => undefined };
    threads.push(thread);
    let answer: (message: Message) => void = () => undefined;
    return {
      post: (message) => {
        if (!('call' in message)) return;
        thread.heard.push(message.call);
        const value = says(message.call);
        const { id } = message;
        if (value === undefined || id === null) return;
        queueMicrotask(() => {
          answer({ id, value });
        });
      },
      listen: (onMessage, onFailure) => {
        answer = onMessage;
        thread.fail = onFailure;
      },
      hold: () => undefined,
      rest: () => undefined,
      end: () => {
        thread.hasEnded = true;
      },
    };
  };
  const file = { start, useFrom: () => undefined } as unknown as WorkerFile;
  return { pool: new WorkerPool<Worked>(file, module), threads };
}

const cancelled = (): PrivateMomentsError => new PrivateMomentsError('cancelled', 'cancelled');
const work = (pool: WorkerPool<Worked>, signal?: AbortSignal): Promise<string> =>
  pool.run((lead) => lead.call('work', []), signal, cancelled);

describe('a worker that never answers', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('from its start on fails its call, and the next call has another worker', async () => {
    const { pool, threads } = poolOf(silent);
    const first = work(pool).catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(61_000);
    expect(await first).toMatchObject({ code: 'worker-failed' });
    expect(await work(pool)).toBe('done');
    expect(threads.map(({ hasEnded }) => hasEnded)).toEqual([true, false]);
  });

  it('does not keep later calls waiting, which have another worker', async () => {
    const { pool, threads } = poolOf(stuck);
    let hasEnded = false;
    void work(pool).finally(() => {
      hasEnded = true;
    });
    const [second, third] = [work(pool), work(pool)];
    await vi.advanceTimersByTimeAsync(31_000);
    expect(await second).toBe('done');
    expect(await third).toBe('done');
    expect(threads).toHaveLength(2);
    // It may still be at work.
    expect(hasEnded).toBe(false);
    expect(threads[0]?.hasEnded).toBe(false);
  });

  it('keeps its job, however long that takes, while no other call waits', async () => {
    const { pool, threads } = poolOf(stuck);
    let hasEnded = false;
    void work(pool).finally(() => {
      hasEnded = true;
    });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(hasEnded).toBe(false);
    expect(threads).toHaveLength(1);
    expect(threads[0]?.hasEnded).toBe(false);
  });

  it('does not keep workers from being retired', async () => {
    const { pool } = poolOf(stuck);
    void work(pool);
    const retired = pool.retire();
    await vi.advanceTimersByTimeAsync(31_000);
    await retired;
    expect(await work(pool)).toBe('done');
  });

  it('is left at once when its call is cancelled, even before it has started', async () => {
    const { pool } = poolOf(silent);
    const abort = new AbortController();
    const first = work(pool, abort.signal);
    await vi.advanceTimersByTimeAsync(1000);
    abort.abort();
    await expect(first).rejects.toMatchObject({ code: 'cancelled' });
    const second = work(pool);
    await vi.advanceTimersByTimeAsync(0);
    expect(await second).toBe('done');
  });
});

describe('a lead whose memory has grown', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  const growing = (pool: WorkerPool<Worked>): Promise<string> =>
    pool.run(
      (lead) => {
        pool.endOnceIdle(lead);
        return lead.call('work', []);
      },
      undefined,
      cancelled,
    );

  it('ends once it has been idle for half a minute, and the next call has another', async () => {
    const { pool, threads } = poolOf();
    expect(await growing(pool)).toBe('done');
    await vi.advanceTimersByTimeAsync(29_000);
    expect(await work(pool)).toBe('done');
    await vi.advanceTimersByTimeAsync(29_000);
    expect(threads.map(({ hasEnded }) => hasEnded)).toEqual([false]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(threads.map(({ hasEnded }) => hasEnded)).toEqual([true]);
    expect(await work(pool)).toBe('done');
    await vi.advanceTimersByTimeAsync(600_000);
    expect(threads.map(({ hasEnded }) => hasEnded)).toEqual([true, false]);
  });

  it('does not end while it works', async () => {
    const { pool, threads } = poolOf((call) =>
      threads[0]?.heard.length === 3 ? undefined : answering(call),
    );
    expect(await growing(pool)).toBe('done');
    void work(pool);
    await vi.advanceTimersByTimeAsync(600_000);
    expect(threads.map(({ hasEnded }) => hasEnded)).toEqual([false]);
  });
});

it('a worker gets its job only once it has answered that its core is there', async () => {
  let start: () => void = () => undefined;
  const { pool, threads } = poolOf();
  const begun = new Promise<void>((resolve) => {
    start = resolve;
  });
  const job = pool.run(
    (lead) => {
      expect(threads[0]?.heard).toEqual(['core']);
      start();
      return lead.call('work', []);
    },
    undefined,
    cancelled,
  );
  await begun;
  expect(await job).toBe('done');
  expect(threads[0]?.heard).toEqual(['core', 'work']);
});

describe('a worker whose core is still on the way', () => {
  it('has started already, and gets the core when that is there', async () => {
    let arrive: (module: WebAssembly.Module) => void = () => undefined;
    const core = new Promise<WebAssembly.Module>((resolve) => {
      arrive = resolve;
    });
    const { pool, threads } = poolWith(() => core);
    const job = work(pool);
    await vi.waitFor(() => {
      expect(threads).toHaveLength(1);
    });
    expect(threads[0]?.heard).toEqual([]);
    arrive({});
    expect(await job).toBe('done');
    expect(threads[0]?.heard).toEqual(['core', 'work']);
  });

  it('ends with an error of that core, and the next call has another worker', async () => {
    const loads = [Promise.reject(new Error('no file')), Promise.resolve({} as WebAssembly.Module)];
    const { pool, threads } = poolWith(() => loads.shift() ?? Promise.reject(new Error('third')));
    await expect(work(pool)).rejects.toThrow('no file');
    expect(await work(pool)).toBe('done');
    expect(threads.map(({ hasEnded }) => hasEnded)).toEqual([true, false]);
  });

  it('fails its call when it fails itself meanwhile', async () => {
    let arrive: (module: WebAssembly.Module) => void = () => undefined;
    const { pool, threads } = poolWith(
      () =>
        new Promise((resolve) => {
          arrive = resolve;
        }),
    );
    const job = work(pool);
    await vi.waitFor(() => {
      expect(threads).toHaveLength(1);
    });
    threads[0]?.fail(new Error('no worker'));
    arrive({});
    await expect(job).rejects.toThrow('no worker');
    expect(threads[0]?.hasEnded).toBe(true);
  });

  it('is left at once when its call is cancelled', async () => {
    const { pool, threads } = poolWith(() => new Promise(() => undefined));
    const abort = new AbortController();
    const job = work(pool, abort.signal);
    await vi.waitFor(() => {
      expect(threads).toHaveLength(1);
    });
    abort.abort();
    await expect(job).rejects.toMatchObject({ code: 'cancelled' });
    await vi.waitFor(() => {
      expect(threads[0]?.hasEnded).toBe(true);
    });
  });

  it('keeps the next call waiting, which needs the same core', async () => {
    vi.useFakeTimers();
    const { pool, threads } = poolWith(() => new Promise(() => undefined));
    void work(pool);
    void work(pool);
    await vi.advanceTimersByTimeAsync(120_000);
    vi.useRealTimers();
    expect(threads).toHaveLength(1);
  });
});

it('no job begins once its call is cancelled, at whatever step that is', async () => {
  for (let steps = 0; steps < 40; ++steps) {
    const { pool } = poolOf();
    await work(pool);
    const abort = new AbortController();
    const begun: boolean[] = [];
    const job = pool.run(
      () => {
        begun.push(abort.signal.aborted);
        return Promise.resolve();
      },
      abort.signal,
      cancelled,
    );
    job.catch(() => undefined);
    for (let step = 0; step < steps; ++step) await Promise.resolve();
    abort.abort();
    await new Promise((resolve) => setTimeout(resolve));
    expect(begun, String(steps)).not.toContain(true);
  }
});

it('in Node, too, nothing that sends is left in a worker when the rows come', async () => {
  const file = new URL('worker.js', sourceFolder);
  const path = join(mkdtempSync(join(tmpdir(), 'private-moments-')), 'looking.mjs');
  const source = `
    import '${file.href}';
    import { parentPort } from 'node:worker_threads';
    const names = ['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel'];
    parentPort.on('message', ({ call }) => {
      if (call === 'run' && names.some((name) => name in globalThis)) process.exit(1);
    });`;
  writeFileSync(path, source);
  await load({ worker: pathToFileURL(path) });
  try {
    const study = defineStudy(definition());
    expect((await privatize(study, people(30, 1, 1))).rows).toBe(30);
  } finally {
    await load({ worker: file });
  }
});
