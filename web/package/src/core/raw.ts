/**
 * The raw WebAssembly modules as bindings/ exposes them: plain objects and Float64Arrays, zero-based
 * indices, failures as values. Nothing outside this package's own files sees these. Here is what they
 * are given; what they return is declared in bindings/fields/*.hpp and generated from there.
 */
import type {
  AuditLaw,
  CsvLayout,
  Description,
  Published,
  RawAuditRun,
  RawAuditSubject,
  RawCca,
  RawComparedRuns,
  RawComponents,
  RawComposition,
  RawCounts,
  RawDenoisedMoments,
  RawForecast,
  RawGcca,
  RawMoments,
  RawPca,
  RawPcaIntervals,
  RawReleased,
  RawReproduction,
  RawRidge,
  RawRows,
  RawSection,
  RawSharedIntervals,
  RawStandardErrors,
  RawSums,
  RawSynthesisReproduction,
  RawSynthesizer,
} from '../generated/raw.js';
import type { Raw, Spec } from './call.js';
import type { MaskCore, MaskedIntake } from './masked-raw.js';
import type {
  CsvDecimal,
  CsvDelimiter,
  Guarantee,
  MissingRule,
  Neighbours,
} from '../study/types.js';

export type {
  CsvLayout,
  Description,
  RawCcaView,
  RawCorrelation,
  RawCounts,
  RawFigure,
  RawFigureInterval,
  RawForecast,
  RawMoments,
  RawView,
  RawViewIntervals,
} from '../generated/raw.js';

/** What denoising adds to moments: how much of the trace and of what tells directions apart was kept. */
export type RawDenoising = Omit<RawDenoisedMoments, keyof RawMoments>;

export type { Raw, RawFailure, Spec } from './call.js';

export type RawColumn =
  { kind: 'number'; min: number; max: number } | { kind: 'category'; levels: number };

export interface IntakeOptions {
  spec: Spec;
  columns: RawColumn[];
  missing: MissingRule;
}

/** What rows can go into. */
export interface RowSink {
  /** Row-major rows of study columns; a category cell is its level's index, NaN a missing cell. */
  add(values: Float64Array): Raw<object>;
}

export interface IntakeBase extends RowSink {
  counts(): RawCounts;
  /**
   * The exact sums so far, once: from one worker to another worker of the same page, never to the
   * page. The bytes are a copy, to be wiped by whoever holds them.
   */
  part(): Raw<{ bytes: Uint8Array }>;
  /** The same for a keyed digest: the intake stays open. */
  sums(): Raw<{ bytes: Uint8Array }>;
  /** Adds the rows of another intake of the same options and version. An error closes this one. */
  merge(bytes: Uint8Array): Raw<{ rows: number }>;
  delete(): void;
}

/** How the text of a CSV file is to be read; without a delimiter the header decides. */
export interface CsvOptions {
  delimiter?: CsvDelimiter | undefined;
  decimal: CsvDecimal;
}

/** How the cells of a column are read. */
export type CsvColumn = { type: 'number' } | { type: 'category'; levels: readonly string[] };

/** Reads the bytes of a section of a file. Rows in failures count from the section's first one. */
export interface CsvReader {
  /**
   * Starts a section, whose bytes begin `at` that place of the file. With `seek` they may begin within
   * a record: reading starts behind the first line end. The section ends with the first record that
   * ends at or after `stop`, which may be Infinity. A section that sought is right only if its
   * `start` is the `end` of the one before it; see core/ingest/csv_reader.hpp.
   */
  begin(section: { at: number; seek: boolean; stop: number }): void;
  /** The next bytes, cut anywhere. `done`: the section is read, and what follows is not looked at. */
  push(into: RowSink, bytes: Uint8Array): Raw<{ done: boolean }>;
  /** The file ends here. */
  end(into: RowSink): Raw<{ done: boolean }>;
  /** The same two with the rows in place of their sums, for the thread of those whose rows they are. */
  rows(bytes: Uint8Array): Raw<{ done: boolean; values: Float64Array }>;
  lastRows(): Raw<{ done: boolean; values: Float64Array }>;
  /** Where the first record began and the last one ended, and the rows between. */
  section(): RawSection;
  delete(): void;
}

/** What reads files; in every module that has an intake. */
export interface IngestCore {
  /** `head`: the file's first bytes. Null: the header goes on after them. */
  csvLayout(
    head: Uint8Array,
    isWhole: boolean,
    columns: readonly { from: string }[],
    options: CsvOptions,
  ): Raw<{ layout: CsvLayout | null }>;
  createCsvReader(layout: CsvLayout, columns: readonly CsvColumn[]): Raw<{ reader: CsvReader }>;
}

export interface Intake extends IntakeBase, MaskedIntake {
  /** Single use. Integers in released units. */
  release(): Raw<RawReleased>;
}

export interface ResearchIntake extends IntakeBase {
  /** Packed sums in scaled units, without noise. */
  exact(): Raw<{ values: Float64Array; rows: number }>;
}

/** How a study's noisy counts choose the level of the clip ladder. */
export interface ClipRule {
  /** The level that each of several sets of counts chooses, one set after the other. */
  levels(counts: Float64Array, rows: number | null): Float64Array;
  delete(): void;
}

export interface Assembly {
  /** `level` of the clip ladder; `rows` null where their number is private. */
  add(values: Float64Array, level: number, rows: number | null): Raw<{ releases: number }>;
  /** The sums of `releases` releases, high 2^53 + low; rows null where their number is private. */
  addSum(
    high: Float64Array,
    low: Float64Array,
    level: number,
    releases: number,
    rows: number | null,
  ): Raw<object>;
  /** Packed sums in scaled units, given what integers of each level stand for, or null. */
  sum(scales: (RawScale | null)[], constant: number): Raw<RawSums>;
  delete(): void;
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
  /** `unit`: the scaled value of one released integer; `weight` counts where there are no values. */
  add(values: Float64Array, unit: number, weight: number): Raw<object>;
  /** `loadings`: features x components; `values`: sums in scaled units, empty where unknown. */
  result(): Raw<RawComponents>;
  delete(): void;
}

/** What made assembled moments, scaled units. */
export interface RawMomentSums {
  sums: Float64Array;
  dimension: number;
  constant: number;
  rows: number | null;
  noise: RawNoise;
  mid: Float64Array;
  half: Float64Array;
}

/** The noise in a sum of releases, scaled units: standard deviations, and the law of each draw. */
export interface RawNoise {
  distribution: string;
  releases: number;
  freedom: number;
  diagonal: number;
  offDiagonal: number;
  /** Of the linear sums, whose coordinate is the constant one. */
  linear: number;
  /** Of entry (0, 0); 0 where the number of rows is public. */
  count: number;
}

/** A covariance in scaled units with what is publicly known about it. */
export interface NoisyCovariance {
  scaledCovariance: Float64Array;
  dimension: number;
  sdDiagonal: number;
  sdOffDiagonal: number;
  /** The law of each release's noise, how many were summed, and Wishart degrees of freedom. */
  distribution: string;
  releases: number;
  freedom: number;
  /** No trace can exceed it: the squared row norm. */
  bound: number;
  half: Float64Array;
  /** The study column of each feature: the indicators of one column sum to a constant. */
  columns: number[];
  /** As `RawMoments` has it. */
  meanNoise: Float64Array;
  /** Floors count what so few rows show; 0, noise alone. */
  rows: number;
}

export type RawPcaOptions = NoisyCovariance & { components: number };
export type RawCcaOptions = NoisyCovariance & { x: number[]; y: number[]; components: number };
export type RawGccaOptions = NoisyCovariance & { views: number[][]; components: number };

/** What intervals by simulation need besides the options of their analysis. */
export interface Simulation {
  sums: RawMomentSums;
  level: number;
  draws: number;
  seed: number;
  /** All parts of the draws, where others have made them. */
  parts?: Float64Array[];
}

/** A part of the draws: those whose number is `part`, from 0, but for multiples of `of`. */
export interface Part {
  part: number;
  of: number;
}

/** What is assumed of data nobody has seen, scaled units. */
export interface RawAssumption {
  mean: Float64Array;
  covariance: Float64Array;
  /** The study column of each feature. */
  columns: number[];
}

/** Where correlations lie: spread over all directions of a view, along its largest, or its smallest. */
export type RawPlanting = 'alike' | 'leading' | 'trailing';

export interface RawForecastQuestion extends RawAssumption {
  rows: number;
  rowsArePublic: boolean;
  constant: number;
  noise: RawNoise;
  radii: number[];
  /** Of the releases, for each radius. */
  shares: number[];
  bound: number;
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

/** What one access costs: mu for `gdp`, up to that distance, epsilon otherwise. */
export type RawCost =
  | { kind: 'gdp'; size: number; totalVariation: number }
  | { kind: 'bounded-range' | 'approximate'; size: number; delta: number };

/** What a participant needs, and the sum of releases. */
export interface ReleaseCore extends IngestCore, MaskCore {
  version(): string;
  compose(costs: RawCost[], delta: number): Raw<RawComposition>;
  describe(spec: Spec): Raw<Description>;
  createClipRule(spec: Spec): Raw<{ rule: ClipRule }>;
  createIntake(options: IntakeOptions): Raw<{ intake: Intake }>;
  createAssembly(dimension: number): Raw<{ assembly: Assembly }>;
}

/** What an analyst needs besides. */
export interface AnalysisCore {
  forecast(question: RawForecastQuestion): Raw<RawForecast>;
  /** The share of the rows that are longer than each radius. */
  forecastLengths(options: RawAssumption & { radii: number[] }): Raw<{ shares: Float64Array }>;
  createComponents(options: {
    dimension: number;
    components: number;
    hasValues: boolean;
  }): Raw<{ components: ComponentSum }>;
  assembleMoments(options: RawMomentSums): Raw<RawMoments>;
  denoiseMoments(options: RawMomentSums & { bound: number }): Raw<RawDenoisedMoments>;
  pca(options: RawPcaOptions): Raw<RawPca>;
  cca(options: RawCcaOptions): Raw<RawCca>;
  gcca(options: RawGccaOptions): Raw<RawGcca>;
  pcaIntervals(options: RawPcaOptions & Simulation): Raw<RawPcaIntervals>;
  ccaIntervals(options: RawCcaOptions & Simulation): Raw<RawSharedIntervals>;
  gccaIntervals(options: RawGccaOptions & Simulation): Raw<RawSharedIntervals>;
  pcaDraws(options: RawPcaOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  ccaDraws(options: RawCcaOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  gccaDraws(options: RawGccaOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  /** `reach`: how many standard errors the level is. */
  momentErrors(
    options: RawMomentSums & { level: number },
  ): Raw<RawStandardErrors & { reach: number }>;
  /** `label`: a category's position, or -1; `seed`: null for the machine's randomness. */
  synthesize(
    options: RawMomentSums & {
      bound: number;
      columns: RawColumn[];
      label: number;
      count: number;
      seed: number | null;
      viewPairs: { x: number[]; y: number[] }[];
      /** Canonical correlations of each pair at most. */
      components: number;
    },
  ): Raw<RawRows>;
  /** `directions`: dimension x components, scaled units. */
  capturedEnergy(options: {
    directions: Float64Array;
    components: number;
    reference: Float64Array;
    dimension: number;
  }): Raw<{ value: number }>;
  ridge(
    options: NoisyCovariance & {
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

/** Runs of one mechanism on known second moments. */
export interface RawComparison {
  draw(runs: number): void;
  /** Of all that was drawn since the last call. */
  figures(): RawComparedRuns;
  delete(): void;
}

/** The rows that mechanisms are compared on. */
export interface RawComparedRows {
  /** `mechanism` of either registry. */
  compare(
    spec: Omit<Spec, 'mechanism'> & { mechanism: string },
    seed: number,
  ): Raw<{ comparison: RawComparison; guarantee: Guarantee | null }>;
  delete(): void;
}

export interface ComparisonCore {
  openComparison(options: {
    mean: Float64Array;
    dimension: number;
    rows: number;
    components: number;
    epsilon: number;
    delta: number;
    neighbours: Neighbours;
  }): Raw<{ rows: RawComparedRows }>;
}

export interface ResearchCore extends IngestCore {
  createIntake(options: IntakeOptions): Raw<{ intake: ResearchIntake }>;
  published(): Published[];
  reproduce(options: {
    name: string;
    scatter: Float64Array;
    dimension: number;
    rows: number;
    epsilon: number;
    delta: number;
    neighbours: Neighbours;
    components: number;
    rounds: number;
    penalty: number;
  }): Raw<RawReproduction>;
}

export interface ConsortiumCore {
  consortiumWays(): string[];
  consortiumTruth(data: RawConsortium): Raw<{ correlations: Float64Array }>;
  /** Sums with so many more runs in them; `sums` is empty before the first. */
  consortiumRun(
    options: RawConsortium & { from: number; count: number; sums: Float64Array },
  ): Float64Array;
  /**
   * Settings of (epsilon, delta, sites, honest, rows) one after the other, to (deviation, epsilon,
   * first, all, error) of every way in each.
   */
  consortiumAt(options: {
    sums: Float64Array;
    runs: number;
    settings: Float64Array;
  }): Raw<{ values: Float64Array }>;
}

export interface RawConsortium {
  covariance: Float64Array;
  dimension: number;
  first: number;
}

/** What a row's label is. */
export type LabelKind = 'none' | 'number' | 'class';

export interface SynthesisCore {
  synthesizers(): RawSynthesizer[];
  reproduceSynthesis(options: {
    name: string;
    label: LabelKind;
    classes: number;
    columns: number;
    rows: Float64Array;
    labels: Float64Array;
    publicRows: Float64Array;
    publicLabels: Float64Array;
    epsilon: number;
    delta: number;
    components: number;
    centre: string;
    basis: string;
    basisShare: number;
    labelShare: number;
    labelsPublic: boolean;
    repair: string;
    posterior: boolean;
    sketchRows: number;
    candidates: number;
    candidateRows: number;
    draw: number;
    publicSeed: number;
    unsafeSeed?: number;
  }): Raw<RawSynthesisReproduction>;
  signalToSensitivity(options: {
    singularValues: Float64Array;
    components: number;
    gain: string;
  }): Raw<{ value: number }>;
}

/** How far one norm of the sums moves between neighbours. */
export type AuditNorm = RawAuditSubject['norm'];

export interface RawAudit {
  run(count: number): Raw<RawAuditRun>;
  /** Only where the audit has a law. */
  law(noise: number): Raw<AuditLaw>;
  sensitivity(pairs: number): Raw<{ measured: number }>;
  delete(): void;
}

export interface AuditCore {
  audits(): string[];
  openAudit(options: {
    mechanism: string;
    epsilon: number;
    delta: number;
    neighbours: Neighbours;
    noise: number;
    alpha: number;
  }): Raw<{ audit: RawAudit } & RawAuditSubject>;
}
