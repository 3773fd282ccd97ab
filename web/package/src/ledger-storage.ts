import { openDatabase } from './database.js';
import { PrivateMomentsError } from './errors.js';

/** Where a ledger is kept: one text. */
export interface LedgerStorage {
  /**
   * Calls `change` with the text that is stored, null at first, and stores what it returns, or
   * leaves it as it is for null. Nobody else reads or writes in between, other tabs and processes
   * included, and the text is safe when the promise resolves. Rejects with what `change` throws;
   * nothing has changed then.
   */
  update(change: (stored: string | null) => string | null): Promise<void>;
}

/** Gone with the page or the process. */
export function memoryStorage(text: string | null = null): LedgerStorage {
  let stored = text;
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- a storage answers with a promise
    async update(change) {
      stored = change(stored) ?? stored;
    },
  };
}

const STORE = 'ledger';
const KEY = 'book';

/**
 * In the browser's IndexedDB, for the origin of the page. A transaction that writes has the store to
 * itself, in whichever tab it runs.
 */
export function browserStorage(name = 'private-moments'): LedgerStorage {
  return {
    async update(change) {
      const database = await openDatabase(name, STORE);
      try {
        await updateIn(database, change);
      } finally {
        database.close();
      }
    },
  };
}

function updateIn(
  database: IDBDatabase,
  change: (stored: string | null) => string | null,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' });
    const store = transaction.objectStore(STORE);
    const reading = store.get(KEY) as IDBRequest<string | undefined>;
    let thrown: [unknown] | undefined;
    reading.onsuccess = () => {
      try {
        const next = change(reading.result ?? null);
        if (next !== null) store.put(next, KEY);
      } catch (error) {
        thrown = [error];
        transaction.abort();
      }
    };
    transaction.oncomplete = () => {
      resolve();
    };
    transaction.onabort = () => {
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- whatever the change threw
      reject(thrown === undefined ? ledgerUnavailable(transaction.error) : thrown[0]);
    };
  });
}

export function ledgerUnavailable(cause?: unknown): PrivateMomentsError {
  const message =
    'the ledger cannot be read or written here, so nothing was released; give createLedger a storage, ' +
    'or allow this page to store data';
  return new PrivateMomentsError('ledger-unavailable', message, {}, cause ?? undefined);
}
