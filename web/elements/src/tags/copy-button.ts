import { define } from '../base/register.js';

export type { PmCopyButtonElement } from '../contract/elements.js';

/** Loads and registers `pm-copy-button`, with the elements that it contains. On a server it does nothing. */
export function defineCopyButton(): Promise<void> {
  return define(
    'pm-copy-button',
    async () => (await import('../controls/copy-button.js')).PmCopyButton,
  );
}
