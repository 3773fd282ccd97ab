import { define } from '../base/register.js';

export type { PmStudyDesignerElement } from '../contract/elements.js';

/** Loads and registers `pm-study-designer`, with the elements that it contains. On a server it does nothing. */
export function defineStudyDesigner(): Promise<void> {
  return define(
    'pm-study-designer',
    async () => (await import('../design/study-designer.js')).PmStudyDesigner,
  );
}
