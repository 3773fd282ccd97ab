/** Opens the IndexedDB database `name`, which has one object store; rejects if it cannot be opened. */
export function openDatabase(name: string, store: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const { indexedDB } = globalThis as { indexedDB?: IDBFactory };
    if (indexedDB === undefined) {
      reject(new Error('IndexedDB is not available'));
      return;
    }
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () => {
      opening.result.createObjectStore(store);
    };
    opening.onsuccess = () => {
      resolve(opening.result);
    };
    opening.onerror = () => {
      reject(opening.error ?? new Error('the database could not be opened'));
    };
  });
}
