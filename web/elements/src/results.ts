/** The parts of the package's results that the figures draw. */
export type { Figure as Pair, Weight } from '../../package/src/report/words.js';
import type { Figure } from '../../package/src/report/words.js';

export interface Component extends Figure {
  share: number;
  shareLow?: number;
  shareHigh?: number;
}
