import { define } from '../base/register.js';

export type { PmResultElement } from '../contract/elements.js';

/** Loads and registers `pm-result`, with the elements that it contains. On a server it does nothing. */
export function defineResult(): Promise<void> {
  return define('pm-result', async () => (await import('../analyse/result-view.js')).PmResult);
}
