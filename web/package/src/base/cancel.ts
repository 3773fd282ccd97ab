import type { PrivateMomentsError } from './errors.js';

/** The result, or a rejection as soon as the signal aborts, even if the work is still waiting in a queue. */
export function untilCancelled<T>(
  result: Promise<T>,
  signal: AbortSignal | undefined,
  cancelled: (signal: AbortSignal) => PrivateMomentsError,
): Promise<T> {
  if (signal === undefined) return result;
  return new Promise((resolve, reject) => {
    const cancel = (): void => {
      reject(cancelled(signal));
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    result.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', cancel);
    });
  });
}
