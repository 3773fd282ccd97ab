const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Runs with a signal that Ctrl-C aborts. A second Ctrl-C ends the program at once. */
export async function cancellable<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort();
  };
  for (const signal of SIGNALS) process.once(signal, stop);
  try {
    return await run(controller.signal);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}
