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

/**
 * The messages between the live consortium and its worker. `open` comes first, and each message has one
 * answer with its id.
 */
export type Question =
  | { id: number; type: 'open'; folder: string }
  | { id: number; type: 'round'; epsilon: number; arrivals: boolean };

/** No value for a round if another was asked for meanwhile. */
export type Reply = { id: number } & ({ value?: Sites | Round } | { error: string });
