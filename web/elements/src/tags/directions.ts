import { define } from '../base/register.js';

export type { PmDirectionsElement } from '../contract/elements.js';

/** Loads and registers `pm-directions`, with the elements that it contains. On a server it does nothing. */
export function defineDirections(): Promise<void> {
  return define(
    'pm-directions',
    async () => (await import('../analyse/directions-view.js')).PmDirections,
  );
}
