import { define } from '../base/register.js';

export type { PmLogSliderElement } from '../contract/elements.js';

/** Loads and registers `pm-log-slider`, with the elements that it contains. On a server it does nothing. */
export function defineLogSlider(): Promise<void> {
  return define(
    'pm-log-slider',
    async () => (await import('../controls/log-slider.js')).PmLogSlider,
  );
}
