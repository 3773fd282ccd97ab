/** Conveniences for Node: what needs a file system. */
import { builtin, type NodeFile } from './host.js';
import { ledgerUnavailable, type LedgerStorage } from './ledger-storage.js';
import { PrivateMomentsError } from './errors.js';

export type { LedgerStorage } from './ledger-storage.js';

/** How long another process may take with the file. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;

/**
 * A ledger's storage in a file, which is replaced as a whole. While one process changes it, a file
 * beside it with `.lock` after its name keeps others out.
 * @param path absolute, or from the working directory
 */
export function fileStorage(path: string | URL): LedgerStorage {
  return {
    async update(change) {
      const files = builtin('node:fs/promises');
      if (files === undefined) throw ledgerUnavailable();
      const beside = (extension: string): string | URL =>
        typeof path === 'string' ? path + extension : new URL(path.href + extension);
      const lock = await locked(beside('.lock'));
      try {
        const next = change(await files.readFile(path).then(textOf, absent));
        if (next === null) return;
        const written = await files.open(beside('.new'), 'w', 0o600);
        try {
          await written.writeFile(next);
          await written.sync();
        } finally {
          await written.close();
        }
        await files.rename(beside('.new'), path);
      } finally {
        await lock.close();
        await files.unlink(beside('.lock'));
      }
    },
  };
}

async function locked(path: string | URL): Promise<NodeFile> {
  const files = builtin('node:fs/promises');
  for (const since = performance.now(); ;) {
    try {
      if (files === undefined) throw ledgerUnavailable();
      return await files.open(path, 'wx', 0o600);
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
      if (performance.now() - since > PATIENCE_MS) {
        const message = `another process holds the ledger; if none does any more, delete ${String(path)}`;
        throw new PrivateMomentsError('ledger-unavailable', message);
      }
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

function absent(error: unknown): null {
  if (codeOf(error) === 'ENOENT') return null;
  throw error;
}

function codeOf(error: unknown): unknown {
  return (error as { code?: unknown } | null)?.code;
}
