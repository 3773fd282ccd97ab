import { define } from '../base/register.js';

export type { PmBudgetBarElement } from '../contract/elements.js';

/** Loads and registers `pm-budget-bar`, with the elements that it contains. On a server it does nothing. */
export function defineBudgetBar(): Promise<void> {
  return define(
    'pm-budget-bar',
    async () => (await import('../figures/budget-bar.js')).PmBudgetBar,
  );
}
