/** Resolves in the next task of this thread, after messages that are already waiting. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** A page's thread must not be blocked for longer. */
const MAX_BLOCKED_MS = 30;

/**
 * For long work on a page's own thread. Await the returned function often: after 30 ms without a pause
 * it lets the page run other tasks and resolves to true, else to false. Throws if `signal` is aborted.
 */
export function periodicYield(signal?: AbortSignal): () => Promise<boolean> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < MAX_BLOCKED_MS) return false;
    await nextTask();
    signal?.throwIfAborted();
    last = performance.now();
    return true;
  };
}
