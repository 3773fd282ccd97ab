/** This browser's database of that name, with one store in it; rejects with why there is none. */
export function openDatabase(name: string, store: string): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const { indexedDB } = globalThis as { indexedDB?: IDBFactory };
    if (indexedDB === undefined) {
      reject(new Error('there is no IndexedDB'));
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
      reject(opening.error ?? new Error('not opened'));
    };
  });
}
