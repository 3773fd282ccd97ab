import type { Figure } from 'private-moments/words';

/** The parts of the package's results that the figures draw. */
export type { PairFigure as Pair, Weight } from 'private-moments/words';

/** What a pair means, with what must be said before it and after it. */
export interface PairWords {
  before?: string;
  sentence: string;
  detail: string;
}

export interface Component extends Figure {
  share: number;
  shareLow?: number;
  shareHigh?: number;
}

/** The correlations of a column with the two axes of a biplot. */
export interface Arrow {
  name: string;
  x: number;
  y: number;
  /** The colour of the column's view, if there are two, else 1. */
  series: number;
}
