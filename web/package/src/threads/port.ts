import { builtin } from '../base/host.js';

/** A worker's own side of a thread: where it posts to whoever started it. */
export interface Port<Sent, Received> {
  post(message: Sent, transfer?: Transferable[]): void;
  listen(listener: (message: Received) => void): void;
}

/** The port to whoever started this worker; none when its file was merely imported. */
export function openPort<Sent, Received>(): Port<Sent, Received> | undefined {
  const threads = builtin('node:worker_threads');
  const port = threads?.parentPort;
  // First, as a thread of Node's kind is a worker of the browser's kind, too, in Bun and Deno.
  if (port && threads.workerData === 'private-moments') {
    return {
      post: (message, transfer) => {
        port.postMessage(message, transfer);
      },
      listen: (listener) => {
        port.on('message', (message) => {
          listener(message as Received);
        });
      },
    };
  }
  const scope = globalThis as unknown as {
    WorkerGlobalScope?: abstract new () => unknown;
    postMessage(message: unknown, transfer: Transferable[]): void;
    addEventListener(type: 'message', listener: (event: MessageEvent<Received>) => void): void;
  };
  if (scope.WorkerGlobalScope !== undefined && globalThis instanceof scope.WorkerGlobalScope) {
    return {
      post: (message, transfer = []) => {
        scope.postMessage(message, transfer);
      },
      listen: (listener) => {
        scope.addEventListener('message', ({ data }) => {
          listener(data);
        });
      },
    };
  }
  return undefined;
}
