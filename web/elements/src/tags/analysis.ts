import { define } from '../base/register.js';

export type { PmAnalysisElement } from '../contract/elements.js';

/** Loads and registers `pm-analysis`, with the elements that it contains. On a server it does nothing. */
export function defineAnalysis(): Promise<void> {
  return define('pm-analysis', async () => (await import('../analyse/analysis.js')).PmAnalysis);
}
