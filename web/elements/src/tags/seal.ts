import { define } from '../base/register.js';

export type { PmSealElement } from '../contract/elements.js';

/** Loads and registers `pm-seal`, with the elements that it contains. On a server it does nothing. */
export function defineSeal(): Promise<void> {
  return define('pm-seal', async () => (await import('../controls/seal.js')).PmSeal);
}
