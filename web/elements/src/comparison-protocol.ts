import type { ComparedMechanism } from 'private-moments/research';
import type { Pair } from './promise.js';

/** What a comparison and its worker say to each other. Nothing in it is private. */
export interface ToComparisonWorker {
  id: number;
  /** Most wanted first; all others are dropped. */
  jobs: readonly Job[];
}

/** Runs of one mechanism, at every point of a curve. */
export interface Job {
  /** Tells it from all others but for its passes. */
  key: string;
  mechanism: ComparedMechanism;
  /** Name of the data. */
  data: string;
  dimension: number;
  /** Of x x^T over the rows, row by row. */
  mean: Float64Array;
  delta: number;
  components: number;
  points: readonly (readonly [epsilon: number, rows: number])[];
  /** How many passes it has had. */
  passes: number;
}

export type FromComparisonWorker =
  | { type: 'pass'; key: string; results: PointRuns[] }
  | { type: 'done'; id: number }
  | { type: 'failed'; id: number; reason: string };

/** What some runs at one point add. */
export interface PointRuns {
  runs: number;
  /** Sum of the squared errors of the matrix; NaN where there is none. */
  squares: number;
  /** Sums of the shares of variance, and of their squares; likewise. */
  shares: number;
  shareSquares: number;
  /** Of all these runs, without what measures them. */
  seconds: number;
  /** The guarantee that holds for a release; null where none does. */
  holds: Pair | null;
  /** Why there are no runs. */
  problem: string;
}
