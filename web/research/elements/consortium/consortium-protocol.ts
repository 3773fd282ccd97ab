import type { ConsortiumData, ConsortiumOutcome } from 'private-moments-research';
import type { Answer } from 'private-moments/internal/elements';
import type { Setting } from './consortium-setting.js';

/** The messages between the consortium and its worker. The data are sums, public or made up. */
export interface ConsortiumQuestion {
  id: number;
  /** Id of the data set; the worker caches runs of recent ones. */
  set: string;
  data: ConsortiumData;
  settings: readonly Setting[];
}

export interface ConsortiumAnswer {
  id: number;
  answer: Answer<{
    /** How many simulated releases the outcomes are averaged over. */
    runs: number;
    /** The true correlations, largest first. */
    correlations: number[];
    /** The outcome of each way for each setting. */
    outcomes: ConsortiumOutcome[][];
  }>;
}
