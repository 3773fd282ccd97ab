import { define } from '../base/register.js';

export type { PmParticipateElement } from '../contract/elements.js';

/** Loads and registers `pm-participate`, with the elements that it contains. On a server it does nothing. */
export function defineParticipate(): Promise<void> {
  return define(
    'pm-participate',
    async () => (await import('../take-part/participant.js')).PmParticipate,
  );
}
