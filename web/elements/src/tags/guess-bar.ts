import { define } from '../base/register.js';

export type { PmGuessBarElement } from '../contract/elements.js';

/** Loads and registers `pm-guess-bar`, with the elements that it contains. On a server it does nothing. */
export function defineGuessBar(): Promise<void> {
  return define('pm-guess-bar', async () => (await import('../figures/guess-bar.js')).PmGuessBar);
}
