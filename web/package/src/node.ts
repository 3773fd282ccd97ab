/** Conveniences for Node: what needs a file system. */
import { PrivateMomentsError } from './errors.js';
import { codeOf, lockFile } from './file-lock.js';
import { builtin, type FileSystem } from './host.js';
import { ledgerUnavailable, type LedgerStorage } from './ledger-storage.js';

export type { LedgerStorage } from './ledger-storage.js';

/**
 * A ledger's storage in a file, which is replaced as a whole. While one process changes it, a file
 * beside it with `.lock` after its name keeps others out; where that process is gone, the next one
 * goes on. Links to the file lead to one ledger; a file with a second name (a hard link) is refused,
 * with `ledger-linked`, because replacing one would leave the other behind.
 * @param path absolute, or from the working directory
 * @throws PrivateMomentsError unsupported-option where it is no path
 */
export function fileStorage(path: string | URL): LedgerStorage {
  const isPath = typeof path === 'string' ? path !== '' : (path as unknown) instanceof URL;
  if (!isPath) {
    const message = 'path must be the path of a file, or its URL';
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

/** The file itself, which may not be there yet, by its only path. */
async function behindLinks(files: FileSystem, path: string | URL): Promise<string> {
  const paths = builtin('node:path');
  const urls = builtin('node:url');
  if (paths === undefined || urls === undefined) throw ledgerUnavailable();
  const given = typeof path === 'string' ? path : urls.fileURLToPath(path);
  try {
    return await files.realpath(given);
  } catch (error) {
    absent(error);
  }
  // A link to nothing; those in a circle are another error.
  const target = await files.readlink(given).catch(() => null);
  if (target !== null) return behindLinks(files, paths.resolve(paths.dirname(given), target));
  return paths.join(await files.realpath(paths.dirname(given)), paths.basename(given));
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
