/** The synthesis module as exposed by bindings/synthesis.cpp. */
import type { IngestCore, Raw, RawColumn, RawCounts, RowSink } from '../core/raw.js';
import type { RawSynthesis } from '../generated/raw.js';
import type { Guarantee, MissingRule, Neighbours, Unit } from '../study/types.js';

/** The purpose of synthetic rows; see docs/synthetic.md for what each task releases. */
export type SynthesisTask = 'classification' | 'regression' | 'density' | 'spectrum';

export type SynthesisNoise = 'laplace' | 'gaussian' | 'frobenius' | 'two-sided-wishart';

export type CovarianceChoice = 'per-class' | 'shared' | 'chosen';

export type SumsForm = 'joint' | 'steps';

/** Everything that determines a synthesis except the rows: public, and plain data that can be posted. */
export interface SynthesisTerms {
  task: SynthesisTask;
  /** Index of the label among the columns; -1 without a label. */
  label: number;
  /** Number of directions; 0 for all features except the label's. */
  components: number;
  projection: {
    source: 'none' | 'public' | 'random' | 'private' | 'split';
    share: number;
    fraction: number;
    seed: number;
    noise?: SynthesisNoise | undefined;
  };
  noise?: SynthesisNoise | undefined;
  covariance: CovarianceChoice;
  sums: SumsForm;
  radius: number;
  aboutMean: boolean;
  labelsPublic: boolean;
}

export interface TableOptions extends SynthesisTerms {
  columns: RawColumn[];
  missing: MissingRule;
  neighbours: Neighbours;
  unit: Unit;
  epsilon: number;
  delta: number;
  rowNorm: number;
  /** Maximum memory for the rows. */
  bytes: number;
}

export interface RawDraw {
  /** Number of rows to draw; null for as many as the data have. */
  rows: number | null;
  /** Seed of the draw only, not of the noise. */
  seed: number;
  /** Pairs of feature lists whose canonical correlations are compared, at most `components` of each pair. */
  viewPairs: { x: number[]; y: number[] }[];
  components: number;
}

export interface RowTable extends RowSink {
  /** The sink for public rows, from which the projection is made. */
  publicRows(): RowSink & { delete(): void };
  counts(): RawCounts;
  /** The guarantee of a synthesis with these terms, for any rows. */
  guarantee(): Guarantee;
  /** Can be called only once. @param draw with `context`, what it is for: its seed depends on that as well */
  synthesise(draw: RawDraw & { context: string }): Raw<RawSynthesis>;
  delete(): void;
}

export interface SynthesisCore extends IngestCore {
  createTable(options: TableOptions): Raw<{ table: RowTable }>;
  version(): string;
}
