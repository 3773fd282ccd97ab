import { builtin } from '../base/host.js';

/** A worker's port to the thread that started it. */
export interface Port<Sent, Received> {
  post(message: Sent, transfer?: Transferable[]): void;
  listen(listener: (message: Received) => void): void;
}

/** The port to the thread that started this worker; undefined if its file was merely imported. */
export function openPort<Sent, Received>(): Port<Sent, Received> | undefined {
  const threads = builtin('node:worker_threads');
  const port = threads?.parentPort;
  // This comes first, because in Bun and Deno a Node thread is a web worker too.
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
