/**
 * The raw WebAssembly modules as bindings/ exposes them: plain objects and Float64Arrays, zero-based
 * indices, failures as values. Nothing outside this package's own files sees these.
 */
import type { AuditLook } from './audit.js';
import type { MaskCore, MaskedIntake, SharedDescription } from './federation/raw.js';
import type { RawFigures } from './synthesis/preservation.js';
import type {
  Clipping,
  Content,
  CsvDecimal,
  CsvDelimiter,
  EigenMethod,
  Federation,
  Guarantee,
  MechanismName,
  MissingRule,
  Neighbours,
  NoiseEnvelope,
  Numerics,
  Shape,
  Unit,
} from './types.js';

/** Everything that determines noise and guarantee; all public. */
export interface Spec {
  mechanism: MechanismName;
  shape?: Shape;
  components?: number;
  rounds?: number;
  method?: EigenMethod;
  epsilon: number;
  delta: number;
  neighbours: Neighbours;
  unit: Unit;
  dimension: number;
  rowNorm: number;
  clipping: Clipping;
  /** How many releases are expected to be summed. */
  sites: number;
  federation: Federation;
  /** Describe a release whose clip radius is this level's; default 0. */
  level?: number;
}

export interface RawFailure {
  ok: false;
  code: string;
  message: string;
  field?: string;
  row?: number;
  column?: number;
}

export type Raw<T> = ({ ok: true } & T) | RawFailure;

export interface Description extends Guarantee, SharedDescription {
  noise: NoiseEnvelope;
  content: Content;
  /** How many integers a release has. */
  length: number;
  /** Degrees of freedom of Wishart noise, 0 elsewhere. */
  freedom: number;
  /** With adaptive clipping, how many counts a release holds and the sd of each, in rows; else 0. */
  clipCounts: number;
  clipCountSd: number;
  /** The clip radius, scaled units. */
  radius: number;
  /** The constant coordinate of every row, scaled units. */
  constant: number;
  maxRows: number;
}

export type RawColumn =
  { kind: 'number'; min: number; max: number } | { kind: 'category'; levels: number };

export interface IntakeOptions {
  spec: Spec;
  columns: RawColumn[];
  missing: MissingRule;
}

export interface RawCounts {
  rows: number;
  used: number;
  centred: number;
  dropped: number;
  shortened: number;
  columns: { missing: number; outside: number }[];
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
  /** Adds the rows of another intake of the same options and version. An error closes this one. */
  merge(bytes: Uint8Array): Raw<{ rows: number }>;
  delete(): void;
}

/** How the text of a CSV file is to be read; without a delimiter the header decides. */
export interface CsvOptions {
  delimiter?: CsvDelimiter | undefined;
  decimal: CsvDecimal;
}

/** What the header of a CSV file says of its rows; plain enough to be posted. */
export interface CsvLayout {
  delimiter: CsvDelimiter;
  decimal: CsvDecimal;
  /** Fields of a row. */
  width: number;
  /** Where each column of the study is, from 0. */
  positions: number[];
  /** Columns the study does not use. */
  ignored: string[];
  /** Bytes from the start of the file to its first row. */
  headerBytes: number;
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
  section(): { start: number; end: number; rows: number };
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
  release(): Raw<{
    values: Float64Array;
    rows: number | null;
    /** Empty, and 0, without adaptive clipping. */
    clipCounts: Float64Array;
    clipLevel: number;
  }>;
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

export interface RawSums {
  values: Float64Array;
  /** Standard deviations of the noise; see RawNoise. */
  diagonal: number;
  offDiagonal: number;
  linear: number;
  count: number;
  rows: number | null;
  /** What no trace can exceed. */
  meanSquaredRadius: number;
}

export interface ComponentSum {
  /** `unit`: the scaled value of one released integer; `weight` counts where there are no values. */
  add(values: Float64Array, unit: number, weight: number): Raw<object>;
  /** `loadings`: features x components; `values`: sums in scaled units, empty where unknown. */
  result(): Raw<{ loadings: Float64Array; values: Float64Array }>;
  delete(): void;
}

export interface RawMechanism {
  name: MechanismName;
  content: Content;
  pure: boolean;
  numerics: Numerics;
  additive: boolean;
  psd: boolean;
}

export interface RawMoments {
  rows: number;
  /** Original units. */
  mean: Float64Array;
  covariance: Float64Array;
  covarianceSd: Float64Array;
  scaledCovariance: Float64Array;
  /** Sums in scaled units, constant coordinate first. */
  secondMoments: Float64Array;
  /** The means times the standard deviation of their noise, scaled units. */
  meanNoise: Float64Array;
  covarianceSdDiagonal: number;
  covarianceSdOffDiagonal: number;
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

/** How much of the trace and of what tells directions apart was kept; see core/analysis. */
export interface RawDenoising {
  signalEnergy: number;
  traceKept: number;
  shapeKept: number;
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

export interface RawPca {
  explained: { value: number; share: number; belowNoiseFloor: boolean }[];
  weights: Float64Array;
  loadings: Float64Array;
  correlations: Float64Array;
  noiseFloor: number;
}

/** An interval by simulation; the floor counts sampling error too. */
export interface RawFigureInterval {
  low: number;
  high: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
}

/** Bounds of the matrices of a view, or of `RawPca`, of the same shape. */
export interface RawViewIntervals {
  weightsLow: Float64Array;
  weightsHigh: Float64Array;
  loadingsLow: Float64Array;
  loadingsHigh: Float64Array;
}

export interface RawSharedIntervals {
  values: RawFigureInterval[];
  views: RawViewIntervals[];
}

export interface RawPcaIntervals extends RawViewIntervals {
  values: RawFigureInterval[];
  shares: { low: number; high: number }[];
  correlationsLow: Float64Array;
  correlationsHigh: Float64Array;
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

/** Standard errors, original units; `reach`: how many of them the level is. */
export interface RawMomentErrors {
  reach: number;
  rows: number;
  mean: Float64Array;
  covariance: Float64Array;
}

export interface RawView {
  weights: Float64Array;
  loadings: Float64Array;
}

export interface RawCcaView extends RawView {
  crossLoadings: Float64Array;
  varianceExtracted: Float64Array;
  redundancy: Float64Array;
}

export interface RawCca {
  correlations: { value: number; noiseFloor: number; belowNoiseFloor: boolean }[];
  x: RawCcaView;
  y: RawCcaView;
  noiseFloor: number;
  /** Of each view, how many directions have less variance than the noise. */
  hidden: Float64Array;
}

export interface RawGcca {
  /** `correlations`: views x views. */
  components: {
    value: number;
    eigenvalue: number;
    noiseFloor: number;
    belowNoiseFloor: boolean;
    correlations: Float64Array;
  }[];
  views: RawView[];
  noiseFloor: number;
  hidden: Float64Array;
}

export interface RawFigure {
  value: number;
  /** 0 where no interval was asked for. */
  low: number;
  high: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
}

export interface RawRidge {
  coefficients: RawFigure[];
  intercept: number;
  r2: RawFigure;
  residualSd: number;
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

export interface RawForecast {
  noise: number;
  clipping: number;
  sampling: number;
  total: number;
  denoised: number;
  zero: number;
  shortened: number;
  /** Absent where no number of rows is enough. */
  rowsFor?: number;
  sdDiagonal: number;
  sdOffDiagonal: number;
  meanSd: number;
  countSd: number;
  correlations: RawCorrelation[];
  noiseFloor: number;
}

export interface RawCorrelation {
  truth: number;
  expected: number;
  sd: number;
  error: number;
  sampling: number;
  noiseFloor: number;
  chanceBelowFloor: number;
  /** Absent where too many are below the floor. */
  margin?: number;
}

/** What one access costs: mu for `gdp`, up to that distance, epsilon otherwise. */
export type RawCost =
  | { kind: 'gdp'; size: number; totalVariation: number }
  | { kind: 'bounded-range' | 'approximate'; size: number; delta: number };

/** What a participant needs, and the sum of releases. */
export interface ReleaseCore extends IngestCore, MaskCore {
  version(): string;
  /** Figures that are not known, or not finite, are absent. */
  compose(
    costs: RawCost[],
    delta: number,
  ): Raw<{
    epsilon?: number;
    pure?: number;
    gdp?: number;
    zcdp?: number;
    totalVariation: number;
  }>;
  describe(spec: Spec): Raw<Description>;
  createClipRule(spec: Spec): Raw<{ rule: ClipRule }>;
  mechanisms(): RawMechanism[];
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
  denoiseMoments(options: RawMomentSums & { bound: number }): Raw<RawMoments & RawDenoising>;
  pca(options: RawPcaOptions): Raw<RawPca>;
  cca(options: RawCcaOptions): Raw<RawCca>;
  gcca(options: RawGccaOptions): Raw<RawGcca>;
  pcaIntervals(options: RawPcaOptions & Simulation): Raw<RawPcaIntervals>;
  ccaIntervals(options: RawCcaOptions & Simulation): Raw<RawSharedIntervals>;
  gccaIntervals(options: RawGccaOptions & Simulation): Raw<RawSharedIntervals>;
  pcaDraws(options: RawPcaOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  ccaDraws(options: RawCcaOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  gccaDraws(options: RawGccaOptions & Simulation & Part): Raw<{ draws: Float64Array }>;
  momentErrors(options: RawMomentSums & { level: number }): Raw<RawMomentErrors>;
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
  ): Raw<RawFigures & { values: Float64Array; narrowed: Float64Array }>;
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

/** `output`: an estimate of the matrix, directions, or the weights of a regression. */
export interface RawPublished {
  name: string;
  source: string;
  claim: string;
  truth: string;
  output: 'matrix' | 'directions' | 'weights';
}

/** Runs of one mechanism on known second moments. */
export interface RawComparison {
  draw(runs: number): void;
  /** Of all that was drawn since the last call. */
  figures(): { distances: Float64Array; truncated: Float64Array; shares: Float64Array };
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
  published(): RawPublished[];
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
  }): Raw<{ values: Float64Array; rows: number; columns: number; guarantee: Guarantee | null }>;
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
  synthesizers(): {
    name: string;
    source: string;
    claim: string;
    truth: string;
    labels: LabelKind[];
  }[];
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
  }): Raw<{
    rows: Float64Array;
    columns: number;
    labels: Float64Array;
    projection: Float64Array | null;
    guarantee: Guarantee | null;
  }>;
  signalToSensitivity(options: {
    singularValues: Float64Array;
    components: number;
    gain: string;
  }): Raw<{ value: number }>;
}

/** How far one norm of the sums moves between neighbours. */
export type AuditNorm = 'frobenius' | 'upper-l1' | 'upper-l2' | 'nuclear' | 'range' | 'trace';

export interface RawAudit {
  run(count: number): Raw<{
    runs: number;
    /** Those that came with these runs. */
    looks: AuditLook[];
  }>;
  /** Only where the audit has a law. */
  law(noise: number): Raw<{ draws: number; p: number; agrees: boolean }>;
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
  }): Raw<{
    audit: RawAudit;
    epsilon: number | null;
    delta: number;
    gdp: number;
    isNormal: boolean;
    guarantee: Guarantee | null;
    first: { columns: number; values: Float64Array };
    second: { columns: number; values: Float64Array };
    /** Whether `law` may be called. */
    hasLaw: boolean;
    norm: AuditNorm;
    sensitivity: number;
  }>;
}
