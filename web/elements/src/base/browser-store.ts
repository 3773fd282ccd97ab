import { openDatabase } from 'private-moments/internal';

/** Makes one request to an IndexedDB store; resolves once the transaction is on disk. */
export async function inStore(
  name: string,
  store: string,
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const database = await openDatabase(name, store);
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(store, mode, { durability: 'strict' });
      const request = ask(transaction.objectStore(store));
      transaction.oncomplete = () => {
        resolve(request.result);
      };
      transaction.onabort = () => {
        reject(new Error('not stored'));
      };
    });
  } finally {
    database.close();
  }
}

/** Asks the browser not to clear this site's storage when space is short. */
export async function persistStorage(): Promise<void> {
  const { storage } = navigator as { storage?: StorageManager };
  if ((await storage?.persisted().catch(() => true)) !== false) return;
  // Some browsers ask the user. The answer is not awaited.
  storage?.persist().catch(() => undefined);
}
