import { define } from '../base/register.js';

export type { PmLedgerElement } from '../contract/elements.js';

/** Loads and registers `pm-ledger`, with the elements that it contains. On a server it does nothing. */
export function defineLedger(): Promise<void> {
  return define('pm-ledger', async () => (await import('../session/ledger-view.js')).PmLedger);
}
