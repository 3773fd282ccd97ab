import { hasPart } from './base/address.js';

export type * from './contract/elements.js';
export { defineAnalysis } from './tags/analysis.js';
export { defineBiplot } from './tags/biplot.js';
export { defineBudgetBar } from './tags/budget-bar.js';
export { defineCopyButton } from './tags/copy-button.js';
export { defineDirections } from './tags/directions.js';
export { defineDropZone } from './tags/drop-zone.js';
export { defineGuessBar } from './tags/guess-bar.js';
export { defineHandOut } from './tags/hand-out.js';
export { defineLedger } from './tags/ledger.js';
export { defineLogSlider } from './tags/log-slider.js';
export { defineParticipate } from './tags/participate.js';
export { defineResult } from './tags/result.js';
export { defineRowScores } from './tags/row-scores.js';
export { defineSeal } from './tags/seal.js';
export { defineSessionHelper } from './tags/session-helper.js';
export { defineStudyDesigner } from './tags/study-designer.js';
export { defineSyntheticRows } from './tags/synthetic-rows.js';
export { defineWhatLeaves } from './tags/what-leaves.js';

/**
 * Loads and registers every element, which upgrades those on the page. Does nothing on a server, where
 * there are no custom elements, and nothing on a second call.
 */
export async function defineElements(): Promise<void> {
  if (!('customElements' in globalThis)) return;
  const elements = await import('./define.js');
  elements.defineElements();
}

/** Whether the fragment of an address carries a study. */
export function hasStudy(fragment: string): boolean {
  return hasPart(fragment, 'study');
}
