import { inStore } from '../base/browser-store.js';

/**
 * Releases made in this browser, stored by id so that they can be sent again, which costs nothing. They
 * hold only what leaves anyway. If the browser does not store them, nothing else is lost.
 */
const NAME = 'private-moments-releases';
const STORE = 'releases';

export async function saveRelease(id: string, text: string): Promise<void> {
  await inStore(NAME, STORE, 'readwrite', (store) => store.put(text, id)).catch(() => undefined);
}

export async function loadRelease(id: string): Promise<string | undefined> {
  const found = await inStore(NAME, STORE, 'readonly', (store) => store.get(id)).catch(
    () => undefined,
  );
  return typeof found === 'string' ? found : undefined;
}
