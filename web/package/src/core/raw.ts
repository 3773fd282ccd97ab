/**
 * The raw WebAssembly modules as bindings/ exposes them: plain objects and Float64Arrays, zero-based
 * indices, failures as values. Not public. This file declares the functions and their inputs; the types
 * of their results are generated from bindings/fields/*.hpp.
 */
import type {
  Coordinates,
  CsvLayout,
  Description,
  RawAdjustment,
  RawCca,
  RawCentredSums,
  RawClippedRows,
  RawComponents,
  RawComposition,
  RawCounts,
  RawDenoisedMoments,
  RawExpectedCentring,
  RawFactorIntervals,
  RawFactors,
  RawForecast,
  RawGcca,
  RawLda,
  RawMoments,
  RawPca,
  RawPcaIntervals,
  RawReleased,
  RawRidge,
  RawRows,
  RawSection,
  RawSharedIntervals,
  RawPlsCorrelation,
  RawPlsRegression,
  RawSparseCca,
  RawSparsePca,
  RawStandardErrors,
  RawSums,
  RawSurvey,
  RawSurveyedGaps,
  RawWithinSums,
  RawWithoutGaps,
  RawCellsToCheck,
} from '../generated/raw.js';
import type { Raw, Spec } from './call.js';
import type { MaskCore, MaskedIntake } from './masked-raw.js';
import type { CsvDecimal, CsvDelimiter, MissingRule } from '../study/types.js';

export type {
  Coordinates,
  CsvLayout,
  Description,
  RawCcaView,
  RawCorrelation,
  RawCounts,
  RawFigure,
  RawFigureInterval,
  RawInterval,
  RawExpectedCentring,
  RawForecast,
  RawMoments,
  RawCellsToCheck,
  RawRotated,
  RawRotationIntervals,
  RawPlsView,
  RawView,
  RawViewIntervals,
} from '../generated/raw.js';

/** The fields that denoising adds to moments. */
export type RawDenoising = Omit<RawDenoisedMoments, keyof RawMoments>;

export type { Raw, RawFailure, Spec } from './call.js';

export type RawColumn =
  { kind: 'number'; min: number; max: number } | { kind: 'category'; levels: number };

export interface IntakeOptions {
  spec: Spec;
  columns: RawColumn[];
  missing: MissingRule;
  /** With private centring: those of the survey. */
  coordinates?: Coordinates;
  /** With private centring, for `release`: the number of rows that the survey used. */
  surveyed?: number;
}

/** A destination for rows. */
export interface RowSink {
  /** Row-major rows of study columns; a category cell is its level's index, NaN a missing cell. */
  add(values: Float64Array): Raw<object>;
}

export interface IntakeBase extends RowSink {
  counts(): RawCounts;
  /**
   * The exact sums so far, for another worker of the same page and never for the page. Single use. The
   * caller must wipe the bytes.
   */
  part(): Raw<{ bytes: Uint8Array }>;
  /** The exact sums for a keyed digest; the intake stays open. */
  sums(): Raw<{ bytes: Uint8Array }>;
  /** Adds the rows of another intake with the same options and version. An error closes this intake. */
  merge(bytes: Uint8Array): Raw<{ rows: number }>;
  delete(): void;
}

/** Copies of rows in memory of the core, for a second reading. `delete` overwrites them. */
export interface KeptRows {
  /** Number of cells here: of all rows that came, or 0. */
  cells(): number;
  /** Passes all rows on in their order, and overwrites them. */
  passTo(into: RowSink): Raw<object>;
  delete(): void;
}

/** How to read a CSV file; without a delimiter, it is found in the header. */
export interface CsvOptions {
  delimiter?: CsvDelimiter | undefined;
  decimal: CsvDecimal;
}

/** How to read the cells of a column. */
export type CsvColumn =
  | { type: 'number'; min?: number; max?: number; codes?: readonly number[] }
  | { type: 'category'; levels: readonly string[] };

/** Reads the bytes of a section of a file. Row numbers in failures count from the section's start. */
export interface CsvReader {
  /**
   * Starts a section whose bytes begin at position `at` of the file. With `seek` they may begin within
   * a record, so reading starts after the first line end. The section ends with the first record that
   * ends at or after `stop`, which may be Infinity. With `seek`, the result is correct only if its
   * `start` is the `end` of the section before it; see core/ingest/csv_reader.hpp.
   */
  begin(section: { at: number; seek: boolean; stop: number }): void;
  /**
   * Reads the next bytes, cut anywhere. `done`: the section is complete, and further bytes are ignored.
   * @param kept keeps copies of the rows
   */
  push(into: RowSink, bytes: Uint8Array, kept: KeptRows | null): Raw<{ done: boolean }>;
  /** Ends the file. */
  end(into: RowSink, kept: KeptRows | null): Raw<{ done: boolean }>;
  /** The same two without a destination, for the thread of the rows' owner. */
  collect(bytes: Uint8Array): Raw<{ done: boolean }>;
  collectEnd(): Raw<{ done: boolean }>;
  /** The rows of the last of these two, in memory of the core, to be used before its next call. */
  collected(): Float64Array;
  /** The part of the section that was read. */
  section(): RawSection;
  /** For each column, what there is to check in the section. */
  toCheck(): RawCellsToCheck[];
  delete(): void;
}

/** Checks batches of rows that are numbers, and feeds them into a destination. */
export interface TableReader {
  /** Memory of the core for a batch of cells, to be filled before the next call of anything in the core. */
  room(cells: number): Float64Array;
  /** Checks the batch, and makes missing what stands for a missing cell. @param rowsBefore rows of the data before it */
  check(rowsBefore: number): void;
  /** Feeds the batch, which the next one or `delete` overwrites. @param kept keeps copies of the rows */
  pushTo(sink: RowSink, kept: KeptRows | null): Raw<object>;
  /** For each column, what there is to check in the batches. */
  toCheck(): RawCellsToCheck[];
  delete(): void;
}

/** Functions for reading files, in every module that has an intake. */
export interface IngestCore {
  /** `head`: the file's first bytes. The layout is null if the header continues after them. */
  csvLayout(
    head: Uint8Array,
    isWhole: boolean,
    columns: readonly { from: string }[],
    options: CsvOptions,
  ): Raw<{ layout: CsvLayout | null }>;
  /**
   * @param missing numbers that stand for a missing cell
   * @param words texts that do, which are then not unreadable
   */
  createCsvReader(
    layout: CsvLayout,
    columns: readonly CsvColumn[],
    missing: readonly number[],
    words: readonly string[],
  ): Raw<{ reader: CsvReader }>;
  /**
   * @param columns cells of a row
   * @param refuses whether more cells than `mostCells` are an error, `unsupported-data`; otherwise none are kept then
   */
  createKeptRows(columns: number, mostCells: number, refuses: boolean): KeptRows;
  /** @param missing numbers that stand for a missing cell */
  createTableReader(columns: readonly CsvColumn[], missing: readonly number[]): TableReader;
}

interface Seeded {
  /** What the release is for, any text: its seed depends on that as well. */
  seedWith(context: string): void;
}

export interface Intake extends IntakeBase, MaskedIntake, Seeded {
  /** Single use. Integers in released units. */
  release(): Raw<RawReleased>;
}

/** The first of the two readings of private centring. */
export interface Survey extends IntakeBase, Seeded {
  /** Single use. */
  release(): Raw<RawSurvey>;
}

/** The rules by which a study's noisy counts choose the clip level, and a survey the coordinates. */
export interface ClipRule {
  /** What a survey determines. `rows`: null if their number is private. */
  coordinates(columns: RawColumn[], survey: Float64Array, rows: number | null): Raw<Coordinates>;
  /** What a survey that counts gaps says of them. */
  gaps(survey: Float64Array): Raw<RawSurveyedGaps>;
  /** With private centring: the level that counts choose among `levels`; -1 if their number is wrong. */
  rung(levels: number, counts: Float64Array): number;
  /** The level that each of several concatenated sets of counts chooses. */
  levels(counts: Float64Array, rows: number | null): Float64Array;
  /**
   * What clipping took from the sum of squared lengths of the rows of `releases` releases with these added
   * counts, in units of the squared longest radius. `levels`: those of the ladder, with private centring;
   * otherwise 0.
   */
  lost(levels: number, counts: Float64Array, level: number, releases: number): number;
  delete(): void;
}

export interface Assembly {
  /** `level`: the clip level; `rows`: null if their number is private. */
  add(values: Float64Array, level: number, rows: number | null): Raw<{ releases: number }>;
  /** The sums of `releases` releases, high 2^53 + low. `rows`: null if their number is private. */
  addSum(
    high: Float64Array,
    low: Float64Array,
    level: number,
    releases: number,
    rows: number | null,
  ): Raw<object>;
  /** Packed sums in scaled units. `scales`: the units of each clip level, null for unused levels. */
  sum(scales: (RawScale | null)[], constant: number): Raw<RawSums>;
  delete(): void;
}

/** The sum of releases with private centring. */
export interface CentredAssembly {
  /** `rows`: null if their number is private. `clipped.lost` is in the release's own coordinates. */
  add(
    values: Float64Array,
    scale: RawCentredScale,
    rows: number | null,
    clipped: RawClippedRows & { countSd: number },
  ): Raw<object>;
  /** Sums of `summands` as high * 2^53 + low, and the greatest `reach`, of several releases. */
  addSum(
    high: Float64Array,
    low: Float64Array,
    reach: Float64Array,
    releases: number,
    rows: number | null,
  ): Raw<object>;
  /** What was added: little-endian words of 64 bits, two for each number, its lowest 40 bits first. */
  summands(): Raw<{ words: Uint8Array; reach: Float64Array }>;
  /** In common coordinates, with the constant coordinate 1. */
  sum(): Raw<RawCentredSums>;
  delete(): void;
}

/** Sums products of rows about the mean of their own release. */
export interface WithinSites {
  /** `rows`: null if their number is private. */
  add(values: Float64Array, scale: RawCentredScale, rows: number | null): Raw<object>;
  sum(): Raw<RawWithinSums>;
  delete(): void;
}

/** What the surveys of releases count: `cells` of all columns, one release after another. */
export interface RawCountedGaps {
  cells: Float64Array;
  /** The rows of each release; `sds` are the standard deviations of the noise in its cells. */
  rows: Float64Array;
  sds: Float64Array;
}

/** The units of a release with private centring: about `centre`, times `scale`. */
export interface RawCentredScale extends RawScale {
  centre: Float64Array;
  scale: Float64Array;
  /** Where gaps are counted: the share of the rows that have each feature, and the column of each. */
  present?: Float64Array;
  columns?: number[];
}

export interface RawScale {
  radius: number;
  unit: number;
  constant: number;
  mean: number;
  sdDiagonal: number;
  sdOffDiagonal: number;
}

export interface ComponentSum {
  /** `unit`: the scaled value of one released integer; `weight` is used if there are no values. */
  add(values: Float64Array, unit: number, weight: number): Raw<object>;
  /** `loadings`: features x components; `values`: sums in scaled units, empty if unknown. */
  result(): Raw<RawComponents>;
  delete(): void;
}

/**
 * Where coordinates z lie in the study's scaled units x: x = centre + units z, for each feature. Both absent:
 * z is x. Covariances, noise, bounds and `half` are then in units of z; principal components, their variances
 * and loadings, the penalty of a ridge, second moments and synthetic rows are in scaled units all the same.
 */
export interface RawFrame {
  centre?: Float64Array;
  units?: Float64Array;
  /** Where the centres of several releases lie: that of `RawCentredSums`. */
  noiseCentres?: Float64Array;
}

/** The coordinates of adjusted features, and how the noise came into them (`RawAdjustment`). */
interface RawMix {
  mix?: Float64Array;
  unmix?: Float64Array;
  noiseMap?: Float64Array;
}

/** The sums behind assembled moments, in scaled units or those of the frame; `mid`: at z = 0. */
export interface RawMomentSums extends RawFrame, RawMix, RawGapSampling {
  sums: Float64Array;
  dimension: number;
  constant: number;
  rows: number | null;
  noise: RawNoise;
  mid: Float64Array;
  half: Float64Array;
}

/** How fewer rows are behind some moments than behind others; absent if all have the same. */
export interface RawGapSampling {
  sampledRows?: number;
  /** One for each feature. */
  excess?: Float64Array;
}

/** The noise in a sum of releases, in scaled units: standard deviations, and the law of each draw. */
export interface RawNoise {
  distribution: string;
  releases: number;
  freedom: number;
  diagonal: number;
  offDiagonal: number;
  /** Standard deviation of the linear sums, the products with the constant coordinate. */
  linear: number;
  /** Standard deviation of entry (0, 0); 0 if the number of rows is public. */
  count: number;
}

/** A covariance in scaled units or those of the frame, with public facts about it. */
export interface NoisyCovariance extends RawFrame, RawMix {
  scaledCovariance: Float64Array;
  dimension: number;
  sdDiagonal: number;
  sdOffDiagonal: number;
  /** The law of each release's noise, the number of releases, and Wishart degrees of freedom. */
  distribution: string;
  releases: number;
  freedom: number;
  /** Upper bound on the trace: the squared row norm. */
  bound: number;
  half: Float64Array;
  /** The study column of each feature: the indicators of one column sum to a constant. */
  columns: number[];
  /** That of `RawMoments`. */
  meanNoise: Float64Array;
  /** Number of rows whose sampling error floors include; 0 for floors of noise alone. */
  rows: number;
  /** The sd of the noise between views over that within one, above 1 for adjusted features. Default 1. */
  betweenViews?: number;
  /** What clipping may have added to the covariance of releases with different centres; packed. */
  centreSpread?: Float64Array;
  /** What clipping may have taken from the total variance, in scaled units. */
  traceLost?: number;
}

export type RawPcaOptions = NoisyCovariance & {
  components: number;
  rotation?: 'varimax' | 'promax';
};
export type RawCcaOptions = NoisyCovariance & { x: number[]; y: number[]; components: number };
export type RawFactorOptions = NoisyCovariance & {
  sums: RawMomentSums;
  features: number[];
  factors: number;
  rotation?: 'varimax' | 'promax';
};
export type RawGccaOptions = NoisyCovariance & { views: number[][]; components: number };

/** Options of intervals by simulation, besides those of their analysis. */
export interface Simulation {
  sums: RawMomentSums;
  level: number;
  draws: number;
  seed: number;
  /** All parts of the draws, if other workers have made them. */
  parts?: Float64Array[];
}

/** A part of the draws: those whose number modulo `of` is `part`. */
export interface Part {
  part: number;
  of: number;
}

/** Assumptions about data that nobody has seen, in scaled units. */
export interface RawAssumption {
  mean: Float64Array;
  covariance: Float64Array;
  /** The study column of each feature. */
  columns: number[];
}

/** One release of a study, and how many such releases to draw. */
export interface RawExpected extends RawAssumption {
  spec: Spec;
  rows: number;
  draws: number;
}

/** Directions of correlations: all of a view equally, its largest, or its smallest. */
export type RawPlanting = 'alike' | 'leading' | 'trailing';

/** With a frame, noise, constant and bound are in its units. */
export interface RawForecastQuestion extends RawAssumption, RawFrame {
  rows: number;
  rowsArePublic: boolean;
  constant: number;
  noise: RawNoise;
  radii: number[];
  /** Share of the releases with each radius. */
  shares: number[];
  /** The coordinates in which rows are clipped to each radius, if not scaled units. */
  frames?: RawFrame[];
  bound: number;
  /** What clipping may have added to the covariance, packed, in the frame; empty or absent for nothing. */
  centreSpread?: Float64Array;
  x: number[];
  y: number[];
  correlations: number[];
  target: number;
  /** Whether more rows come with more releases. */
  noiseGrows: boolean;
  planting: RawPlanting;
  simulateDenoised: boolean;
  simulateCorrelations: boolean;
}

/** The cost of one access: mu for `gdp`, up to the stated distance; otherwise epsilon. */
export type RawCost =
  | { kind: 'gdp'; size: number; totalVariation: number }
  | { kind: 'bounded-range' | 'approximate'; size: number; delta: number };

/** Functions for participants, and for summing releases. */
export interface ReleaseCore extends IngestCore, MaskCore {
  version(): string;
  compose(costs: RawCost[], delta: number): Raw<RawComposition>;
  describe(spec: Spec): Raw<Description>;
  createClipRule(spec: Spec): Raw<{ rule: ClipRule }>;
  /** With private centring, `coordinates` are those of the survey. */
  createIntake(options: IntakeOptions): Raw<{ intake: Intake }>;
  createSurvey(options: IntakeOptions): Raw<{ survey: Survey }>;
  createAssembly(dimension: number): Raw<{ assembly: Assembly }>;
}

/** Further functions for analysts. */
export interface AnalysisCore {
  /** `sd`: the noise of an off-diagonal entry at the study's whole radius. */
  createWithinSites(dimension: number): Raw<{ sites: WithinSites }>;
  createCentredAssembly(dimension: number, sd: number): Raw<{ assembly: CentredAssembly }>;
  forecast(question: RawForecastQuestion): Raw<RawForecast>;
  /**
   * With adaptive clipping: the share of the releases that would choose each level, in `draws` of them.
   * @param options `rows` are those of one release
   */
  expectedLevels(options: RawExpected): Raw<{ shares: Float64Array }>;
  /**
   * With private centring: what releases would choose.
   * @param options `of` are the study's columns, `sites` the number of releases to be summed
   */
  expectedCentring(
    options: RawExpected & { of: RawColumn[]; sites: number },
  ): Raw<RawExpectedCentring>;
  createComponents(options: {
    dimension: number;
    components: number;
    hasValues: boolean;
  }): Raw<{ components: ComponentSum }>;
  assembleMoments(options: RawMomentSums): Raw<RawMoments>;
  /** The share of each release's rows that have a cell of each column, one release after another. */
  presentShares(counted: RawCountedGaps): Raw<{ shares: Float64Array }>;
  /** What gaps that were corrected for by such shares do to the errors of sums. */
  withMeans(
    options: RawMomentSums & { columns: number[]; bound: number; counted: RawCountedGaps },
  ): Raw<RawWithoutGaps>;
  /** `columns`: the column of each feature. */
  withoutGaps(options: RawMomentSums & { columns: number[]; bound: number }): Raw<RawWithoutGaps>;
  denoiseMoments(options: RawMomentSums & { bound: number }): Raw<RawDenoisedMoments>;
  /** Residuals of the features of `views`, in that order. */
  adjust(
    options: RawMomentSums & {
      views: number[][];
      covariates: number[];
      columns: number[];
      centreSpread?: Float64Array;
    },
  ): Raw<RawAdjustment>;
  pca(options: RawPcaOptions): Raw<RawPca>;
  cca(options: RawCcaOptions): Raw<RawCca>;
  gcca(options: RawGccaOptions): Raw<RawGcca>;
  lda(
    options: NoisyCovariance & {
      /** Original units. */
      mean: Float64Array;
      features: number[];
      /** The indicators of a category. */
      classes: number[];
      components: number;
      rows: number;
    },
  ): Raw<RawLda>;
  plsCorrelation(options: RawCcaOptions): Raw<RawPlsCorrelation>;
  plsRegression(
    options: NoisyCovariance & {
      /** Original units. */
      mean: Float64Array;
      features: number[];
      targets: number[];
      components: number;
    },
  ): Raw<RawPlsRegression>;
  sparsePca(options: RawPcaOptions & { sparsity: number; rows: number }): Raw<RawSparsePca>;
  sparseCca(options: RawCcaOptions & { sparsity: number; rows: number }): Raw<RawSparseCca>;
  factors(options: RawFactorOptions): Raw<RawFactors>;
  pcaIntervals(options: RawPcaOptions & Simulation): Raw<RawPcaIntervals>;
  ccaIntervals(options: RawCcaOptions & Simulation): Raw<RawSharedIntervals>;
  factorIntervals(options: RawFactorOptions & Simulation): Raw<RawFactorIntervals>;
  gccaIntervals(options: RawGccaOptions & Simulation): Raw<RawSharedIntervals>;
  /** p-values of the hypotheses that there are at most 0, 1, .. pairs. */
  ccaTests(options: RawCcaOptions & Simulation): Raw<{ p: Float64Array }>;
  gccaTests(options: RawGccaOptions & Simulation): Raw<{ p: Float64Array }>;
  pcaDraws(options: RawPcaOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  ccaDraws(options: RawCcaOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  factorDraws(options: RawFactorOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  gccaDraws(options: RawGccaOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  /** `reach`: half-width of an interval of this level, in standard errors. */
  momentErrors(
    options: RawMomentSums & { level: number },
  ): Raw<RawStandardErrors & { reach: number }>;
  /** `label`: a category's position, or -1; `seed`: null for randomness from the system. */
  synthesize(
    options: RawMomentSums & {
      bound: number;
      columns: RawColumn[];
      label: number;
      count: number;
      seed: number | null;
      viewPairs: { x: number[]; y: number[] }[];
      /** Maximum number of canonical correlations of each pair. */
      components: number;
    },
  ): Raw<RawRows>;
  /** `directions`: dimension x components, scaled units; `reference`: a covariance in the frame. */
  capturedEnergy(
    options: RawFrame & {
      directions: Float64Array;
      components: number;
      reference: Float64Array;
      dimension: number;
    },
  ): Raw<{ value: number }>;
  ridge(
    options: NoisyCovariance &
      RawGapSampling & {
        /** Original units. */
        mean: Float64Array;
        target: number;
        features: number[];
        alpha: number;
        rows: number;
        /** 0: no intervals. */
        level: number;
      },
  ): Raw<RawRidge>;
}

export type Core = ReleaseCore & AnalysisCore;
