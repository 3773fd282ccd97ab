/** Functions for Node, which need a file system. */
import { PrivateMomentsError } from './base/errors.js';
import { codeOf, lockFile } from './ledger/file-lock.js';
import { builtin, type FileSystem } from './base/host.js';
import { ledgerUnavailable, type LedgerStorage } from './ledger/ledger-storage.js';

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
    async update(change) {
      const files = builtin('node:fs/promises');
      if (files === undefined) throw ledgerUnavailable();
      const file = await behindLinks(files, path);
      const unlock = await lockFile(`${file}.lock`);
      try {
        await requireOneName(files, file);
        const next = change(await files.readFile(file).then(textOf, absent));
        if (next === null) return;
        const written = await files.open(`${file}.new`, 'w', 0o600);
        try {
          await written.writeFile(next);
          await written.sync();
        } finally {
          await written.close();
        }
        await files.rename(`${file}.new`, file);
      } finally {
        await unlock();
      }
    },
  };
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
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function absent(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}
