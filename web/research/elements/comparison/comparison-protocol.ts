import type { ComparedMechanism } from 'private-moments-research';
import type { Pair } from 'private-moments/internal/elements';

/** The messages between a comparison and its worker. Nothing in them is private. */
export interface ToComparisonWorker {
  id: number;
  /** Most wanted first; all others are dropped. */
  jobs: readonly Job[];
}

/** Runs of one mechanism, at every point of a curve. */
export interface Job {
  /** Identifies the job, whatever its number of passes. */
  key: string;
  mechanism: ComparedMechanism;
  /** Name of the data. */
  data: string;
  dimension: number;
  /** The mean of x x^T over the rows, row by row. */
  mean: Float64Array;
  delta: number;
  components: number;
  points: readonly (readonly [epsilon: number, rows: number])[];
  /** How many passes are done. */
  passes: number;
}

export type FromComparisonWorker =
  | { type: 'pass'; key: string; results: PointRuns[] }
  | { type: 'done'; id: number }
  | { type: 'failed'; id: number; reason: string };

/** Sums over some runs at one point. */
export interface PointRuns {
  runs: number;
  /** Sum of the squared errors of the matrix; NaN if there is no matrix. */
  squares: number;
  /** Sums of the shares of variance, and of their squares, or NaN. */
  shares: number;
  shareSquares: number;
  /** Time of all these runs, without the time to measure their errors. */
  seconds: number;
  /** The guarantee that holds for a release; null if none does. */
  holds: Pair | null;
  /** Why there are no runs. */
  problem: string;
}
