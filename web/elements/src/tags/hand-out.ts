import { define } from '../base/register.js';

export type { PmHandOutElement } from '../contract/elements.js';

/** Loads and registers `pm-hand-out`, with the elements that it contains. On a server it does nothing. */
export function defineHandOut(): Promise<void> {
  return define('pm-hand-out', async () => (await import('../design/hand-out.js')).PmHandOut);
}
