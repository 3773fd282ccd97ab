import { openDatabase } from '../base/database.js';
import { PrivateMomentsError } from '../base/errors.js';

/** The storage of a ledger, which is one text. */
export interface LedgerStorage {
  /**
   * Calls `change` with the stored text (null at first) and stores the text that it returns; null leaves
   * the text unchanged. No other tab or process may read or write in between. The text must be durable
   * when the promise resolves. If `change` throws, rejects with its error and changes nothing.
   */
  update(change: (stored: string | null) => string | null): Promise<void>;
}

/** A storage in memory, which is lost with the page or the process. @param text the initial ledger */
export function memoryStorage(text: string | null = null): LedgerStorage {
  let stored = text;
  return {
    // eslint-disable-next-line @typescript-eslint/require-await -- the interface returns a promise
    async update(change) {
      stored = change(stored) ?? stored;
    },
  };
}

const STORE = 'ledger';
const KEY = 'book';

/**
 * A storage in the browser's IndexedDB, for the origin of the page. A write transaction locks the store
 * across tabs.
 * @param name of the database.
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
    'the ledger cannot be read or written, so nothing was released; pass a storage to createLedger, ' +
    'or allow this page to store data';
  return new PrivateMomentsError('ledger-unavailable', message, {}, cause ?? undefined);
}

export function ledgerDamaged(cause?: unknown): PrivateMomentsError {
  const message =
    'the ledger was damaged or changed after it was written, so what it says was spent is wrong, and ' +
    'nothing was released; restore a copy that has every release, or assume that the budget is spent';
  return new PrivateMomentsError('ledger-damaged', message, {}, cause);
}
