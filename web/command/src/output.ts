import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { PrivateMomentsError } from 'private-moments';
import { syncFolder } from 'private-moments/internal';
import { cancellable } from './cancel.js';
import { reasonOf } from './input.js';
import { prose } from './table.js';

/** Lines for people, on standard error: everything that is not the result. */
export function say(...lines: readonly string[]): void {
  for (const line of lines) console.error(line.startsWith(' ') ? line : prose(line));
}

/** Where a result goes. A file appears whole, under its name, or not at all. */
export interface Output {
  /** As people read it: the file's path, or "standard output". */
  readonly name: string;
  write(content: string | Uint8Array): Promise<void>;
  /** Removes what was begun; does nothing once the result is written. */
  close(): Promise<void>;
}

/** The options of commands that write to a file. */
export interface OutputValues {
  out?: string | undefined;
  force?: boolean | undefined;
}

/**
 * Runs with a prepared output and a signal that Ctrl-C aborts. If it fails or is cancelled, no file is left.
 * @throws PrivateMomentsError `output-exists`, `output-unwritable`, before anything is computed
 */
export function withOutput<T>(
  { out, force }: OutputValues,
  run: (output: Output, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return cancellable(async (signal) => {
    const output = await openOutput('--out', out, force);
    try {
      return await run(output, signal);
    } finally {
      await output.close();
    }
  });
}

/**
 * As `withOutput`, for a file that is written in pieces: `fill` writes it at the path that it gets.
 * @throws PrivateMomentsError `output-exists`, `output-unwritable`
 */
export function withPartial<T>(
  { out, force = false }: { out: string; force?: boolean | undefined },
  fill: (path: string, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  return cancellable(async (signal) => {
    const { partial, file } = await openPartial('--out', out, force);
    await file.close();
    try {
      const result = await fill(partial, signal);
      await syncFile(partial);
      await publish('--out', partial, out, force);
      return result;
    } catch (cause) {
      throw concernsFile(cause, partial) ? unwritable('--out', out, reasonOf(cause), cause) : cause;
    } finally {
      await rm(partial, { force: true });
    }
  });
}

/** Whether the file could not be written, as on a full disk. */
function concernsFile(cause: unknown, partial: string): boolean {
  const { syscall, path } = cause as NodeJS.ErrnoException;
  return syscall === 'write' || syscall === 'fsync' || path === partial;
}

/**
 * Prepares for a result, and fails before anything is computed if it could not be written.
 * @param option whose value is the path, for errors
 * @param path undefined or `-` for standard output
 * @throws PrivateMomentsError `output-exists`, `output-unwritable`
 */
export async function openOutput(
  option: string,
  path: string | undefined,
  force: boolean | undefined,
): Promise<Output> {
  return path === undefined || path === '-' ? STDOUT : openFile(option, path, force ?? false);
}

export const STDOUT_NAME = 'standard output';

const STDOUT: Output = {
  name: STDOUT_NAME,
  write: (content) =>
    new Promise((done, fail) => {
      process.stdout.write(content, (error) => {
        if (error) fail(error);
        else done();
      });
    }),
  close: () => Promise.resolve(),
};

async function openFile(option: string, path: string, force: boolean): Promise<Output> {
  const { partial, file } = await openPartial(option, path, force);
  let isOpen = true;
  return {
    name: path,
    async write(content) {
      try {
        await writeAll(file, content);
        await publish(option, partial, path, force);
        isOpen = false;
      } catch (cause) {
        if (cause instanceof PrivateMomentsError) throw cause;
        throw unwritable(option, path, reasonOf(cause), cause);
      }
    },
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await file.close().catch(() => undefined);
      await rm(partial, { force: true });
    },
  };
}

/** Opens the file under another name, until all of it is there. */
async function openPartial(
  option: string,
  path: string,
  force: boolean,
): Promise<{ partial: string; file: FileHandle }> {
  await requireFolder(option, path);
  await requireFree(option, path, force);
  // Not the number of this process: in a container a killed one that left its file had the same.
  const partial = `${path}.${randomUUID().slice(0, 8)}.partial`;
  const file = await open(partial, 'wx').catch((cause: unknown) => {
    throw unwritable(option, path, reasonOf(cause), cause);
  });
  return { partial, file };
}

/** Gives a file that is on the disk its name, which is then there too and survives a loss of power. */
async function publish(
  option: string,
  partial: string,
  path: string,
  force: boolean,
): Promise<void> {
  await requireFree(option, path, force);
  await rename(partial, path);
  await syncFolder(path);
}

/** Another library wrote the file, and has closed it. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
}

async function writeAll(file: FileHandle, content: string | Uint8Array): Promise<void> {
  await file.writeFile(content);
  await file.sync();
  await file.close();
}

/** @throws PrivateMomentsError output-unwritable */
export async function requireFolder(option: string, path: string): Promise<void> {
  const folder = dirname(resolve(path));
  const about = await stat(folder).catch((cause: unknown) => {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'does not exist; create it, or name another' : reasonOf(cause);
    throw unwritable(option, path, `the folder ${folder} ${why}`, cause);
  });
  if (!about.isDirectory()) throw unwritable(option, path, `${folder} is not a folder`);
}

async function requireFree(option: string, path: string, force: boolean): Promise<void> {
  const about = await stat(path).catch(() => undefined);
  if (about === undefined) return;
  if (!about.isFile()) throw unwritable(option, path, 'it is not a file; name one');
  if (force) return;
  const message = `${option}: ${path} exists; name another file, or replace it with --force`;
  throw new PrivateMomentsError('output-exists', message, { field: option });
}

function unwritable(
  option: string,
  path: string,
  why: string,
  cause?: unknown,
): PrivateMomentsError {
  const message = `${option}: ${path} cannot be written: ${why}`;
  return new PrivateMomentsError('output-unwritable', message, { field: option }, cause);
}
