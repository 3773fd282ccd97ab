import { define } from '../base/register.js';

export type { PmBiplotElement } from '../contract/elements.js';

/** Loads and registers `pm-biplot`, with the elements that it contains. On a server it does nothing. */
export function defineBiplot(): Promise<void> {
  return define('pm-biplot', async () => (await import('../figures/biplot.js')).PmBiplot);
}
