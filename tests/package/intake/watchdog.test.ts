import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { PrivateMomentsError } from '../../../web/package/src/base/errors.js';
import { Watchdog } from '../../../web/package/src/intake/watchdog.js';

const MINUTE = 60_000;

describe('the watchdog of a reading', () => {
  const ended: PrivateMomentsError[] = [];
  let watchdog: Watchdog;
  beforeEach(() => {
    vi.useFakeTimers();
    ended.length = 0;
    watchdog = new Watchdog((error) => ended.push(error));
  });
  afterEach(() => {
    watchdog.stop();
    vi.useRealTimers();
  });

  it('ends it after five minutes without a word from its workers, once', () => {
    vi.advanceTimersByTime(5 * MINUTE - 1000);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(20 * MINUTE);
    expect(ended).toMatchObject([{ code: 'read-failed', message: /damaged.*write it again/ }]);
  });

  it('counts from the last word', () => {
    for (let i = 0; i < 10; i++) {
      vi.advanceTimersByTime(4 * MINUTE);
      watchdog.heard()();
    }
    expect(ended).toEqual([]);
  });

  it('waits while the page owes an answer, as for a slow stream', () => {
    const answered = watchdog.heard();
    vi.advanceTimersByTime(60 * MINUTE);
    expect(ended).toEqual([]);
    answered();
    vi.advanceTimersByTime(6 * MINUTE);
    expect(ended).toHaveLength(1);
  });

  it('is quiet once it is stopped', () => {
    watchdog.stop();
    vi.advanceTimersByTime(60 * MINUTE);
    expect(ended).toEqual([]);
  });
});
