import type { Guarantee } from 'private-moments';
import type { Triangle } from './sample-sites.js';

/** What the page draws of the sites. */
export interface Sites {
  rows: readonly number[];
  /** The exact correlations of each site: the sample is public. */
  exact: readonly Triangle[];
}

/** A canonical correlation with its interval. */
export interface Pair {
  value: number;
  low: number;
  high: number;
  noiseFloor: number;
  /** Whether it stands out of the noise. */
  isClear: boolean;
}

/** What an analyst has once some of the sites have sent their files. */
export interface Learned {
  sum: Triangle;
  pairs: readonly Pair[];
}

/** All sites' releases at one epsilon, and what follows from them. */
export interface Round {
  epsilon: number;
  guarantee: Guarantee;
  /** The noisy correlations in each site's release. */
  noisy: readonly Triangle[];
  /** The text of the first site's release. */
  text: string;
  /** Bytes of the largest release. */
  bytes: number;
  /** After one site, two, and so on; only the last is always there. */
  learned: ReadonlyMap<number, Learned>;
}

/** How many canonical correlations the analyst reads. */
export const PAIRS = 4;

/** What the live consortium's worker offers. */
export interface ConsortiumCalls {
  /**
   * Comes first.
   * @param folder the whole address of study.json and site-01.csv to site-10.csv
   */
  open(folder: string): Promise<Sites>;
  /**
   * Makes all releases again.
   * @param arrivals whether to learn from one site, two, and so on, not only from all
   * @returns undefined if another round was begun meanwhile
   */
  round(epsilon: number, arrivals: boolean): Promise<Round | undefined>;
}
