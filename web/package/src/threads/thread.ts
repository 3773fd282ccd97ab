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
