/**
 * Figures, controls and styles for elements of other packages of this repository. There is no promise:
 * any version may change or remove them, without a line in the changelog.
 *
 * @packageDocumentation
 */
export type { Answer } from './base/answer.js';
export { evictOldest } from './base/evict-oldest.js';
export { logShare } from './base/log-steps.js';
export { isWithin, type Pair } from './base/privacy-pair.js';
export { register, type ElementClasses } from './base/register.js';
export { RestController } from './base/rest.js';
export { save, saveCsv } from './base/save.js';
export { fromTriangle } from './base/triangle.js';
export { NearController, whenNear } from './base/when-near.js';
export { WorkerController } from './base/worker-controller.js';
export type { ValueDetail } from './contract/elements.js';
export { PmCopyButton } from './controls/copy-button.js';
export { disclosure, disclosureStyles } from './controls/disclosure.js';
export { field, fieldStyles } from './controls/field.js';
export { textOf } from './controls/input-values.js';
export { PmLogSlider, type Tick } from './controls/log-slider.js';
export { notice, noticeStyles } from './controls/notice.js';
export { progressStyles } from './controls/progress.js';
export { placeLabels, type Box, type Placed, type Point } from './figures/direct-labels.js';
export { divergingStyles } from './figures/diverging.js';
export { readOff } from './figures/forecast-surface.js';
export { guessStyles } from './figures/guess-bar.js';
export { figureStyles } from './figures/hatch.js';
export { FIRST_LINES, LineColours } from './figures/line-colours.js';
export {
  across,
  levels,
  lineFigureStyles,
  referenceLabel,
  slotStyles,
  textWidth,
} from './figures/line-figure.js';
export { parted, smooth, tenth } from './figures/smooth.js';
export { WidthController } from './figures/width.js';
export { wrapped } from './figures/wrapped.js';
export { cross, tick } from './look/icons.js';
export { pinned } from './look/pinned.js';
export { styles } from './look/styles.js';
