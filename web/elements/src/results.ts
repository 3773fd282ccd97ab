/** The parts of the package's results that the figures draw. */
export type { PairFigure as Pair, Weight } from '../../package/src/report/words.js';
import type { Figure } from '../../package/src/report/words.js';

export interface Component extends Figure {
  share: number;
  shareLow?: number;
  shareHigh?: number;
}

/** How a column goes with the two axes of a biplot: its correlations with them. */
export interface Arrow {
  name: string;
  x: number;
  y: number;
  /** The view it is of: 1, or 2 where there are two. */
  series: 1 | 2;
}
