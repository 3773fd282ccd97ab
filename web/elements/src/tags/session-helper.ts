import { define } from '../base/register.js';

export type { PmSessionHelperElement } from '../contract/elements.js';

/** Loads and registers `pm-session-helper`, with the elements that it contains. On a server it does nothing. */
export function defineSessionHelper(): Promise<void> {
  return define(
    'pm-session-helper',
    async () => (await import('../help/session-helper.js')).PmSessionHelper,
  );
}
