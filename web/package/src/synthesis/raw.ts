/** The module of synthesis as bindings/synthesis.cpp exposes it. */
import type { IngestCore, Raw, RawColumn, RawCounts, RowSink } from '../raw.js';
import type { Guarantee, MissingRule, Neighbours, Unit } from '../types.js';
import type { RawFigures } from './preservation.js';
import type { CovarianceChoice, SumsForm, SynthesisNoise, SynthesisTask } from './options.js';

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

export interface RawGaussian {
  /** Of the label's levels; -1 without classes. */
  level: number;
  rows: number;
  /** In the coordinates of the projection, a number label last; units of the unit ball. */
  mean: Float64Array;
  covariance: Float64Array;
}

export interface RawStep {
  what: string;
  noise: SynthesisNoise;
  sd: number;
  sdOffDiagonal: number;
}

export interface RawRows extends RawFigures {
  /** rows x columns, original units; of the task spectrum coordinates in scaled units. */
  values: Float64Array;
  /** Columns whose variance was more than their bounds allow. */
  narrowed: Float64Array;
}

export interface RawSynthesis {
  drawn: RawRows;
  released: RawFigures;
  rows: number;
  /** The unit ball's radius in scaled units. */
  unit: number;
  radius: number;
  /** Scaled units; empty but for the task spectrum. */
  variances: Float64Array;
  /** Features without the label's x components; empty without one. */
  projection: Float64Array;
  /** One covariance for all classes. */
  shared: boolean;
  gaussians: RawGaussian[];
  steps: RawStep[];
  guarantee: Guarantee;
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
