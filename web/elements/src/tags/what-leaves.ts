import { define } from '../base/register.js';

export type { PmWhatLeavesElement } from '../contract/elements.js';

/** Loads and registers `pm-what-leaves`, with the elements that it contains. On a server it does nothing. */
export function defineWhatLeaves(): Promise<void> {
  return define(
    'pm-what-leaves',
    async () => (await import('../take-part/what-leaves.js')).PmWhatLeaves,
  );
}
