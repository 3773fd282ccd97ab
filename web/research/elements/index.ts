export type * from './contract.js';

/**
 * Loads and registers the elements of Explore, which upgrades those on the page. Does nothing on a server,
 * where there are no custom elements, and nothing on a second call.
 */
export async function defineExplorer(): Promise<void> {
  if (!('customElements' in globalThis)) return;
  const elements = await import('./define.js');
  elements.defineExplorer();
}
