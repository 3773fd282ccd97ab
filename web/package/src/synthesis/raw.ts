/** The module of synthesis as bindings/synthesis.cpp exposes it. */
import type { IngestCore, Raw, RawColumn, RawCounts, RowSink } from '../core/raw.js';
import type { RawSynthesis } from '../generated/raw.js';
import type { Guarantee, MissingRule, Neighbours, Unit } from '../study/types.js';

/** What synthetic rows are for: docs/synthetic.md says what each makes of the rows. */
export type SynthesisTask = 'classification' | 'regression' | 'density' | 'spectrum';

export type SynthesisNoise = 'laplace' | 'gaussian' | 'frobenius' | 'two-sided-wishart';

export type CovarianceChoice = 'per-class' | 'shared' | 'chosen';

export type SumsForm = 'joint' | 'steps';

/** What determines a synthesis but for the rows; public, and plain enough to be posted. */
export interface SynthesisTerms {
  task: SynthesisTask;
  /** The label's position among the columns; -1 without one. */
  label: number;
  /** 0: all features without the label's. */
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
  /** The most that the rows may take in memory. */
  bytes: number;
}

export interface RawDraw {
  /** Null: as many as there were. */
  rows: number | null;
  /** Of the draw alone. */
  seed: number;
  /** Lists of features whose canonical correlations are compared, at most so many `components`. */
  viewPairs: { x: number[]; y: number[] }[];
  components: number;
}

export interface RowTable extends RowSink {
  /** Where public rows go, of which the projection is made. */
  publicRows(): RowSink & { delete(): void };
  counts(): RawCounts;
  /** What a synthesis of these terms promises, whatever the rows. */
  guarantee(): Guarantee;
  /** Once. */
  synthesise(draw: RawDraw): Raw<RawSynthesis>;
  delete(): void;
}

export interface SynthesisCore extends IngestCore {
  createTable(options: TableOptions): Raw<{ table: RowTable }>;
  version(): string;
}
