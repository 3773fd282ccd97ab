import type { ConsortiumData, ConsortiumOutcome } from 'private-moments/research';
import type { Answer } from './designer-protocol.js';
import type { Setting } from './consortium-setting.js';

/** What the consortium and its worker say to each other. The data are sums, public or made up. */
export interface ConsortiumQuestion {
  id: number;
  /** Which data set; runs of those seen lately are kept. */
  set: string;
  data: ConsortiumData;
  settings: readonly Setting[];
}

export interface ConsortiumAnswer {
  id: number;
  answer: Answer<{
    /** How many simulated releases these are the means of. */
    runs: number;
    /** The true ones, largest first. */
    correlations: number[];
    /** Of each setting, each way. */
    outcomes: ConsortiumOutcome[][];
  }>;
}
