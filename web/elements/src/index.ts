import { hasPart } from './base/address.js';

export type * from './contract/elements.js';

/**
 * Loads and registers every element, which upgrades those on the page. Does nothing on a server, where
 * there are no custom elements, and nothing on a second call.
 */
export async function defineElements(): Promise<void> {
  if (!('customElements' in globalThis)) return;
  const elements = await import('./define.js');
  elements.defineElements();
}

/** Whether the fragment of an address carries a study. */
export function hasStudy(fragment: string): boolean {
  return hasPart(fragment, 'study');
}
