import { inStore } from './kept.js';

/**
 * Releases that were made here, kept by their ids so that they can be sent again, which costs nothing.
 * They hold what leaves anyway. Where the browser does not keep them nothing else is lost.
 */
const NAME = 'private-moments-releases';
const STORE = 'releases';

export async function keepRelease(id: string, text: string): Promise<void> {
  await inStore(NAME, STORE, 'readwrite', (store) => store.put(text, id)).catch(() => undefined);
}

export async function keptRelease(id: string): Promise<string | undefined> {
  const found = await inStore(NAME, STORE, 'readonly', (store) => store.get(id)).catch(
    () => undefined,
  );
  return typeof found === 'string' ? found : undefined;
}
