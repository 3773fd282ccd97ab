import { define } from '../base/register.js';

export type { PmSyntheticRowsElement } from '../contract/elements.js';

/** Loads and registers `pm-synthetic-rows`, with the elements that it contains. On a server it does nothing. */
export function defineSyntheticRows(): Promise<void> {
  return define(
    'pm-synthetic-rows',
    async () => (await import('../analyse/synthetic-rows.js')).PmSyntheticRows,
  );
}
