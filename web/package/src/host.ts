/**
 * The few things of Node this package uses, reached without an import so that no bundler has
 * anything to resolve (process.getBuiltinModule: Node 20.16 and later, Bun, Deno).
 */
export interface NodeFile {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

interface FileSystem {
  readFile(path: string | URL): Promise<Uint8Array<ArrayBuffer>>;
  open(path: string | URL, flags: 'w' | 'wx', mode: number): Promise<NodeFile>;
  rename(from: string | URL, to: string | URL): Promise<void>;
  unlink(path: string | URL): Promise<void>;
}

export interface NodeWorker {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void;
  on(event: 'message', listener: (message: unknown) => void): void;
  on(event: 'error', listener: (error: unknown) => void): void;
  on(event: 'exit', listener: () => void): void;
  terminate(): unknown;
  ref(): void;
  unref(): void;
}

export interface NodePort {
  postMessage(message: unknown, transfer?: readonly Transferable[]): void;
  on(event: 'message', listener: (message: unknown) => void): void;
}

export interface WorkerThreads {
  Worker: new (url: URL, options: { execArgv: string[]; workerData: string }) => NodeWorker;
  parentPort: NodePort | null;
  workerData: unknown;
}

interface OperatingSystem {
  availableParallelism(): number;
}

interface Builtins {
  'node:fs/promises': FileSystem;
  'node:os': OperatingSystem;
  'node:worker_threads': WorkerThreads;
}

/** How many threads run at a time. */
export function cores(): number {
  const { navigator } = globalThis as { navigator?: { hardwareConcurrency?: number } };
  return navigator?.hardwareConcurrency ?? builtin('node:os')?.availableParallelism() ?? 1;
}

export function builtin<K extends keyof Builtins>(name: K): Builtins[K] | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => unknown };
  };
  return process?.getBuiltinModule?.(name) as Builtins[K] | undefined;
}
