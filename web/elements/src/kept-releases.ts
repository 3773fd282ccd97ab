/**
 * Releases that were made here, kept by their ids so that they can be sent again, which costs nothing.
 * They hold what leaves anyway. Where the browser does not keep them nothing else is lost.
 */
const NAME = 'private-moments-releases';
const STORE = 'releases';

export async function keepRelease(id: string, text: string): Promise<void> {
  await inStore('readwrite', (store) => store.put(text, id)).catch(() => undefined);
}

export async function keptRelease(id: string): Promise<string | undefined> {
  const found = await inStore('readonly', (store) => store.get(id)).catch(() => undefined);
  return typeof found === 'string' ? found : undefined;
}

async function inStore(
  mode: IDBTransactionMode,
  ask: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode);
      const asked = ask(transaction.objectStore(STORE));
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

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(NAME, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(STORE);
    };
    opening.onsuccess = () => {
      resolve(opening.result);
    };
    opening.onerror = () => {
      reject(new Error('not kept'));
    };
  });
}
