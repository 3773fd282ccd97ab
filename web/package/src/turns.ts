/** The next turn of this thread: messages that have come meanwhile are heard first. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** Longer than this a page must not stand still. */
const LONGEST_TURN_MS = 30;

/**
 * For long work on a page's own thread: awaited again and again, it gives the page a turn where none
 * came for a while, and throws where `signal` says so. True where the page had one.
 */
export function turns(signal?: AbortSignal): () => Promise<boolean> {
  let last = performance.now();
  return async () => {
    if (performance.now() - last < LONGEST_TURN_MS) return false;
    await turn();
    signal?.throwIfAborted();
    last = performance.now();
    return true;
  };
}
