import { openDatabase } from '../../package/src/database.js';

/** One request to a store of this browser's database of that name; resolves once it is on disk. */
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
      const asked = ask(transaction.objectStore(store));
      transaction.oncomplete = () => {
        resolve(asked.result);
      };
      transaction.onabort = () => {
        reject(new Error('not kept'));
      };
    });
  } finally {
    database.close();
  }
}

/** Where the browser clears what sites store when room is short, it should leave this site's. */
export async function keepStorage(): Promise<void> {
  const { storage } = navigator as { storage?: StorageManager };
  if ((await storage?.persisted().catch(() => true)) !== false) return;
  // Some browsers ask; nothing here waits for the answer.
  storage?.persist().catch(() => undefined);
}
