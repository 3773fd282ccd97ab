/**
 * A worker of either kind, or what stands for one. `Sent` are messages to the thread, `Received` those from it.
 * `hold` keeps a Node process alive while a job runs; `rest` undoes it.
 */
export interface Thread<Sent, Received> {
  post(message: Sent, transfer?: Transferable[]): void;
  listen(onMessage: (message: Received) => void, onFailure: (error: unknown) => void): void;
  hold(): void;
  rest(): void;
  end(): void;
}

/** A thread that starts later; what is posted until then waits for it. */
export function laterThread<Sent, Received>(
  starting: Promise<Thread<Sent, Received>>,
): Thread<Sent, Received> {
  let thread: Thread<Sent, Received> | undefined;
  let hasEnded = false;
  const then = (act: (thread: Thread<Sent, Received>) => void): void => {
    if (thread !== undefined) act(thread);
    // Whoever listens hears of the failure.
    else starting.then(act).catch(() => undefined);
  };
  starting
    .then((started) => {
      thread = started;
      if (hasEnded) started.end();
    })
    .catch(() => undefined);
  return {
    post: (message, transfer) => {
      then((started) => {
        started.post(message, transfer);
      });
    },
    listen: (onMessage, onFailure) => {
      then((started) => {
        started.listen(onMessage, onFailure);
      });
      starting.catch(onFailure);
    },
    hold: () => {
      then((started) => {
        started.hold();
      });
    },
    rest: () => {
      then((started) => {
        started.rest();
      });
    },
    end: () => {
      hasEnded = true;
      thread?.end();
    },
  };
}
