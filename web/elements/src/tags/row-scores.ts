import { define } from '../base/register.js';

export type { PmRowScoresElement } from '../contract/elements.js';

/** Loads and registers `pm-row-scores`, with the elements that it contains. On a server it does nothing. */
export function defineRowScores(): Promise<void> {
  return define(
    'pm-row-scores',
    async () => (await import('../analyse/row-scores.js')).PmRowScores,
  );
}
