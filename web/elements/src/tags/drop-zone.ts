import { define } from '../base/register.js';

export type { PmDropZoneElement } from '../contract/elements.js';

/** Loads and registers `pm-drop-zone`, with the elements that it contains. On a server it does nothing. */
export function defineDropZone(): Promise<void> {
  return define('pm-drop-zone', async () => (await import('../controls/drop-zone.js')).PmDropZone);
}
