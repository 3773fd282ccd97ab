/** The parts of the package's results that the figures draw. */

export interface Pair {
  value: number;
  belowNoiseFloor: boolean;
}

export interface Component extends Pair {
  share: number;
}

/** One column of one view in one pair. */
export interface Weight {
  name: string;
  /** Change of the score for one unit of the column. */
  original: number;
  /** Change of the score for one standard deviation of the column. */
  perDeviation: number;
}
