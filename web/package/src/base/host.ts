import type { UnsharedBytes } from './binary.js';
/**
 * The few things of Node this package uses, reached without an import so that no bundler has
 * anything to resolve (process.getBuiltinModule: Node 20.16 and later, Bun, Deno).
 */
export interface NodeFile {
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface FileSystem {
  readFile(path: string | URL): Promise<UnsharedBytes>;
  open(path: string, flags: 'r' | 'w' | 'wx', mode?: number): Promise<NodeFile>;
  link(from: string, to: string): Promise<void>;
  readdir(path: string): Promise<string[]>;
  readlink(path: string): Promise<string>;
  realpath(path: string): Promise<string>;
  rename(from: string, to: string): Promise<void>;
  stat(path: string): Promise<{ nlink: number }>;
  unlink(path: string): Promise<void>;
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
  Worker: new (
    file: URL | string,
    options: { execArgv: string[]; workerData: string; eval?: true },
  ) => NodeWorker;
  parentPort: NodePort | null;
  workerData: unknown;
}

export interface OperatingSystem {
  availableParallelism(): number;
  hostname(): string;
  /** Seconds. */
  uptime(): number;
}

export interface ThisProcess {
  readonly pid: number;
  /** Signal 0 sends nothing; it throws if there is no such process. */
  kill(pid: number, signal: 0): void;
}

export interface Paths {
  basename(path: string): string;
  dirname(path: string): string;
  join(...parts: string[]): string;
  resolve(...parts: string[]): string;
}

interface Builtins {
  'node:buffer': { Blob: typeof Blob };
  'node:fs/promises': FileSystem;
  'node:os': OperatingSystem;
  'node:path': Paths;
  'node:process': ThisProcess;
  'node:url': { fileURLToPath(url: URL): string };
  'node:worker_threads': WorkerThreads;
}

/** How many threads can run at the same time. */
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

/** The `code` of a system error. */
export function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}
