/** A release as the game shows it. */
export interface GameFile {
  /** The sums in it, in scaled units: the upper triangle, row by row, the number of rows first. */
  sums: readonly number[];
  /** Standard deviation of the noise in a sum of products. */
  sd: number;
  /** The bytes of the file. */
  text: string;
}

/**
 * The messages between the game and its worker. The worker keeps to itself whether the patient was taken
 * out until there is a bet.
 */
export type ToFindMeWorker =
  | { type: 'line'; epsilons: readonly number[] }
  | { type: 'deal'; id: number; epsilon: number; person: number }
  | { type: 'reveal'; id: number }
  | { type: 'play'; epsilon: number; person: number; bets: number };

export type FromFindMeWorker =
  | { type: 'line'; best: readonly Best[] }
  | { type: 'dealt'; id: number; monday: GameFile; tuesday: GameFile }
  | { type: 'revealed'; id: number; isOut: boolean }
  | { type: 'played'; epsilon: number; person: number; bets: number; right: number }
  | { type: 'error'; message: string };

/** The most bets in 100 that anybody can win in the long run. */
export interface Best {
  epsilon: number;
  best: number;
}
