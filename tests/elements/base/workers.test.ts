import { afterEach, describe, expect, it, vi } from 'vitest';
import { OwnWorker } from '../../../web/elements/src/base/own-worker.js';
import { Forecaster } from '../../../web/elements/src/design/forecaster.js';
import { Host, SilentWorker, withSilentWorkers } from '../silent-worker.js';

withSilentWorkers();

afterEach(() => {
  vi.useRealTimers();
});

describe('the worker of an element', () => {
  it('is replaced if it never answered, when it is asked again a minute later', () => {
    vi.useFakeTimers();
    const open = (): Worker => new Worker(new URL('https://site.example/worker.js'));
    const nothing = (): void => undefined;
    const worker = new OwnWorker<string, string>(open, nothing, nothing);
    worker.post('first');
    vi.advanceTimersByTime(50_000);
    worker.post('second');
    expect(SilentWorker.ended).toBe(0);
    vi.advanceTimersByTime(20_000);
    worker.post('third');
    expect(SilentWorker.ended).toBe(1);
    expect(SilentWorker.said).toEqual(['first', 'second', 'third']);
    vi.advanceTimersByTime(50_000);
    worker.post('fourth');
    expect(SilentWorker.ended).toBe(1);
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
