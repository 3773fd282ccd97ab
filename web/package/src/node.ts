/** Functions for Node, which need a file system. */
import { PrivateMomentsError } from './base/errors.js';
import { syncFolder } from './base/folder.js';
import { lockFile } from './ledger/file-lock.js';
import { builtin, codeOf, type FileSystem } from './base/host.js';
import { ledgerDamaged, ledgerUnavailable, type LedgerStorage } from './ledger/ledger-storage.js';

export type { LedgerStorage } from './ledger/ledger-storage.js';

/**
 * Stores a ledger in a file, which each change replaces atomically. During a change a lock file, named like
 * the ledger with `.lock` appended, excludes other processes; the lock of a process that is gone is taken
 * over. Symbolic links to the file lead to the same ledger. A file with a hard link is refused with
 * `ledger-linked`, because replacing one name would leave the other with the old ledger.
 * @param path absolute, or relative to the working directory.
 * @throws PrivateMomentsError `unsupported-option` if `path` is not a path.
 */
export function fileStorage(path: string | URL): LedgerStorage {
  const isPath = typeof path === 'string' ? path !== '' : (path as unknown) instanceof URL;
  if (!isPath) {
    const message = 'path must be the path or URL of a file';
    throw new PrivateMomentsError('unsupported-option', message, { field: 'path' });
  }
  return {
    update: (change) =>
      updateFile(path, change).catch((error: unknown) => {
        throw isSystemError(error) ? notWritable(path, error) : error;
      }),
  };
}

async function updateFile(
  path: string | URL,
  change: (stored: string | null) => string | null,
): Promise<void> {
  const files = builtin('node:fs/promises');
  if (files === undefined) throw ledgerUnavailable();
  const file = await behindLinks(files, path);
  const unlock = await lockFile(`${file}.lock`);
  try {
    await requireOneName(files, file);
    const next = change(await files.readFile(file).then(textOf, absent));
    if (next !== null) await replace(files, file, next);
  } finally {
    await unlock();
  }
}

/** Replaces the file as a whole; when this resolves, the new one survives a loss of power. */
async function replace(files: FileSystem, file: string, text: string): Promise<void> {
  const next = `${file}.new`;
  try {
    const written = await files.open(next, 'w', 0o600);
    try {
      await written.writeFile(text);
      await written.sync();
    } finally {
      await written.close();
    }
    await files.rename(next, file);
  } catch (error) {
    await files.unlink(next).catch(() => undefined);
    throw error;
  }
  await syncFolder(file);
}

/** The real path of the file, with symbolic links resolved. The file may not exist yet. */
async function behindLinks(files: FileSystem, path: string | URL): Promise<string> {
  const paths = builtin('node:path');
  const urls = builtin('node:url');
  if (paths === undefined || urls === undefined) throw ledgerUnavailable();
  const name = typeof path === 'string' ? path : urls.fileURLToPath(path);
  try {
    return await files.realpath(name);
  } catch (error) {
    absent(error);
  }
  // A link whose target does not exist yet. Circular links fail in realpath.
  const target = await files.readlink(name).catch(() => null);
  if (target !== null) return behindLinks(files, paths.resolve(paths.dirname(name), target));
  return paths.join(await files.realpath(paths.dirname(name)), paths.basename(name));
}

/** @throws PrivateMomentsError ledger-linked */
async function requireOneName(files: FileSystem, file: string): Promise<void> {
  const about = await files.stat(file).catch(absent);
  if (about === null || about.nlink <= 1) return;
  const message =
    'the file of the ledger has a second name (a hard link), under which its budget would count again; ' +
    `remove all names but one of ${file}`;
  throw new PrivateMomentsError('ledger-linked', message);
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw ledgerDamaged(cause);
  }
}

function isSystemError(error: unknown): boolean {
  return typeof (error as { syscall?: unknown } | null)?.syscall === 'string';
}

function notWritable(path: string | URL, error: unknown): PrivateMomentsError {
  const message =
    `the ledger ${String(path)} cannot be read or written (${String(codeOf(error))}), so nothing was released; ` +
    'make room on its disk, or allow this program to read and write in its folder';
  return new PrivateMomentsError('ledger-unavailable', message, {}, error);
}

function absent(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}
