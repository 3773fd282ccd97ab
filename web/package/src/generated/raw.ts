// Made by tools/generate.mjs from bindings/fields/*.hpp. Do not edit.

/** A promise in numbers alone. */
export interface Cost {
  epsilon: number;
  /** 0 for pure mechanisms, whatever the study allows. */
  delta: number;
  /** The same noise as mu-Gaussian differential privacy; absent where no bound is known. */
  gdp?: number;
  /** The same noise as rho-zCDP; absent where no bound is known. */
  zcdp?: number;
  /**
   * Beside `gdp` or `zcdp`, which hold up to so much: the release has the law of an output that
   * keeps them exactly, but for at most this probability (total variation distance). Above 0
   * where the noise is bounded; 0 where they are exact. `delta` counts it, (1 + e^epsilon)
   * times.
   */
  totalVariation?: number;
}

/** What one step of a release costs by itself. */
export interface GuaranteePart extends Cost {
  /** What the step makes. */
  what: string;
}

/**
 * What one release promises about one unit of privacy. Computed from the study, never typed
 * in.
 */
export interface Guarantee extends Cost {
  neighbours: 'replace-one' | 'add-remove';
  unit: 'row' | 'participant';
  /** `exact`: no floating-point number depended on private data before the noise was in. */
  numerics: 'exact' | 'idealized';
  assumes: string[];
  /**
   * Of a sum behind masks: how many honest releases in it have the noise of the promise. That
   * there are as many follows from who may collude, which the first of `assumes` says.
   */
  honest?: number;
  /** And what is left of it if all others give away what they hold; null: nothing. */
  floor?: Cost | null;
  /** Of a release made in several steps: what each costs. The whole is what is above. */
  parts?: GuaranteePart[];
  /**
   * Of Gaussian masks calibrated as published: what one message promises to whoever sees no
   * other. The promise above is about all of them.
   */
  alone?: Cost;
}

/** The public law of the noise in one release. Scaled units are squared, sums over rows. */
export interface NoiseEnvelope {
  distribution: string;
  sampler: string;
  rng: string;
  /** Rows are rounded to multiples of 2^-bits of rowNorm. */
  bits: number;
  /** log2 of one released unit, in units of rowNorm squared. */
  gridLog2: number;
  /**
   * The value of one released integer (of directions: of their values), in scaled units
   * squared.
   */
  unit: number;
  /** What the noise adds to every diagonal entry on average; `assemble` takes it off. */
  mean: number;
  /** Standard deviations of the noise in second moments; 0 for directions. */
  sdDiagonal: number;
  sdOffDiagonal: number;
  /** Further public numbers of the mechanism; texts are whole numbers in decimal digits. */
  parameters: Record<string, number | string>;
}

/**
 * What a release of a study is like. Behind masks the guarantee is that of a sum, and so is
 * the noise's `unit`; its standard deviations are those of the noise in one release.
 */
export interface Description extends Guarantee {
  noise: NoiseEnvelope;
  /** The clip radius, scaled units. */
  radius: number;
  /** With adaptive clipping, how many counts a release holds; else 0. */
  clipCounts: number;
  /** Standard deviation of each, in rows. */
  clipCountSd: number;
  content: 'moments' | 'components';
  /** How many integers a release has. */
  length: number;
  /** Degrees of freedom of Wishart noise. */
  freedom: number;
  /** The constant coordinate of every row, scaled units. */
  constant: number;
  /** Behind masks, of one site. */
  maxRows: number;
  /** Behind masks only. For unit participant: participants. */
  maxRowsOfSum?: number;
}

/**
 * What several guarantees cost together. Figures that are not known, or not finite, are
 * absent.
 */
export interface RawComposition {
  epsilon?: number;
  pure?: number;
  gdp?: number;
  zcdp?: number;
  totalVariation: number;
}

/** Of one column, shown to the participant only. */
export interface RawColumnCounts {
  /** Cells that are missing, unreadable or not finite. */
  missing: number;
  /** Cells outside the public bounds, moved to the nearest bound. */
  outside: number;
}

/** Shown to the participant only. */
export interface RawCounts {
  /** Rows read. */
  rows: number;
  /** Rows that count with their own values. */
  used: number;
  /** Rows that count as the public centre, because of a missing cell. */
  centred: number;
  /** Rows left out because of a missing cell. */
  dropped: number;
  /** Rows longer than the clip radius, shortened to it. */
  shortened: number;
  columns: RawColumnCounts[];
}

/** What the header of a CSV file says of its rows; plain enough to be posted. */
export interface CsvLayout {
  delimiter: ',' | ';' | '\t' | '|';
  decimal: '.' | ',';
  /** Fields of a row. */
  width: number;
  /** Where each column of the study is, from 0. */
  positions: number[];
  /** Columns the study does not use. */
  ignored: string[];
  /** Bytes from the start of the file to its first row. */
  headerBytes: number;
}

/** How far the section of a file was read. */
export interface RawSection {
  /** Where the first record began. */
  start: number;
  /** Where the last one ended. */
  end: number;
  /** The rows between. */
  rows: number;
}

/** A release, in released units. */
export interface RawReleased {
  values: Float64Array;
  rows: number | null;
  /** Empty without adaptive clipping. */
  clipCounts: Float64Array;
  /** 0 without adaptive clipping. */
  clipLevel: number;
}

/** What leaves one site behind masks. */
export interface RawMasked {
  /** 8 little-endian bytes for each of `length` entries. */
  payload: Uint8Array;
  /** Null where the number of rows is private. */
  rows: number | null;
}

/** Packed sums of releases, scaled units. */
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

/** Moments put together. */
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

/**
 * The same denoised: how much of the trace and of what tells directions apart was kept; see
 * core/analysis.
 */
export interface RawDenoisedMoments extends RawMoments {
  signalEnergy: number;
  traceKept: number;
  shapeKept: number;
}

/** A principal component's variance, scaled units. */
export interface RawExplained {
  value: number;
  share: number;
  belowNoiseFloor: boolean;
}

/** Principal components. */
export interface RawPca {
  explained: RawExplained[];
  weights: Float64Array;
  loadings: Float64Array;
  correlations: Float64Array;
  noiseFloor: number;
}

/** Of one view: features x components. */
export interface RawView {
  weights: Float64Array;
  loadings: Float64Array;
}

/** The same of a canonical correlation analysis. */
export interface RawCcaView extends RawView {
  crossLoadings: Float64Array;
  varianceExtracted: Float64Array;
  redundancy: Float64Array;
}

/** One pair of variates. */
export interface RawCanonicalCorrelation {
  value: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
}

/** Canonical correlations. */
export interface RawCca {
  correlations: RawCanonicalCorrelation[];
  x: RawCcaView;
  y: RawCcaView;
  noiseFloor: number;
  /** Of each view, how many directions have less variance than the noise. */
  hidden: Float64Array;
}

/** What one variate of each view shares. */
export interface RawSharedComponent {
  value: number;
  eigenvalue: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
  /** Views x views. */
  correlations: Float64Array;
}

/** What several views share. */
export interface RawGcca {
  components: RawSharedComponent[];
  views: RawView[];
  noiseFloor: number;
  hidden: Float64Array;
}

/** Directions put together. */
export interface RawComponents {
  /** Features x components. */
  loadings: Float64Array;
  /** Sums in scaled units, empty where unknown. */
  values: Float64Array;
}

/** Both ends. */
export interface RawInterval {
  low: number;
  high: number;
}

/** An interval by simulation. */
export interface RawFigureInterval extends RawInterval {
  /** Counts sampling error too. */
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

/** Intervals of what views share. */
export interface RawSharedIntervals {
  values: RawFigureInterval[];
  views: RawViewIntervals[];
}

/** Intervals of principal components. */
export interface RawPcaIntervals extends RawViewIntervals {
  values: RawFigureInterval[];
  shares: RawInterval[];
  correlationsLow: Float64Array;
  correlationsHigh: Float64Array;
}

/** Standard errors, original units. */
export interface RawStandardErrors {
  rows: number;
  /** Original units. */
  mean: Float64Array;
  covariance: Float64Array;
}

/** A figure of a regression, and its interval. */
export interface RawFigure {
  value: number;
  /** 0 where no interval was asked for. */
  low: number;
  high: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
}

/** A regression. */
export interface RawRidge {
  coefficients: RawFigure[];
  intercept: number;
  r2: RawFigure;
  residualSd: number;
}

/** What to expect of one planned correlation. */
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

/** Errors to expect. */
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

/** Figures as the core gives them, standard errors beside them. */
export interface RawFigures {
  means: Float64Array;
  meanErrors: Float64Array;
  deviations: Float64Array;
  deviationErrors: Float64Array;
  /** Features x features. */
  correlations: Float64Array;
  correlationErrors: Float64Array;
  /** Of each pair of views. */
  canonical: Float64Array[];
  canonicalErrors: Float64Array[];
}

/** Synthetic rows. */
export interface RawRows extends RawFigures {
  /** Rows x columns, original units; of the task spectrum coordinates in scaled units. */
  values: Float64Array;
  /** Columns whose variance was more than their bounds allow. */
  narrowed: Float64Array;
}

/** A released normal distribution. */
export interface RawGaussian {
  /** Of the label's levels; -1 without classes. */
  level: number;
  rows: number;
  /** In the coordinates of the projection, a number label last; units of the unit ball. */
  mean: Float64Array;
  covariance: Float64Array;
}

/** One step of a synthesis. */
export interface RawStep {
  what: string;
  noise: 'laplace' | 'gaussian' | 'frobenius' | 'two-sided-wishart';
  sd: number;
  sdOffDiagonal: number;
}

/** What a synthesis releases, and rows of it. */
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

/** A mechanism as its paper published it, or a paper's baseline. */
export interface Published {
  name: string;
  /** The publication. */
  source: string;
  /** What it says it guarantees. */
  claim: string;
  /** What holds, and why where that is not the claim. */
  truth: string;
  /** An estimate of the matrix, directions, or the weights of a regression. */
  output: 'matrix' | 'directions' | 'weights';
}

/** A synthesizer as its paper published it. */
export interface RawSynthesizer {
  name: string;
  /** The publication. */
  source: string;
  /** What it says it guarantees. */
  claim: string;
  /** What holds, and why where that is not the claim. */
  truth: string;
  labels: ('none' | 'number' | 'class')[];
}

/** What the attacks so far have shown. */
export interface AuditLook {
  /** Attacks on each of the two data sets. */
  runs: number;
  /** Epsilon, at the audited delta, is at least this: the largest of all looks so far. */
  epsilon: number;
  /** Where the noise is normal, mu is at least this; else 0. */
  gdp: number;
  /**
   * How often the attack said "the first": of `tried` releases of each data set, `hits` times
   * of the first and `alarms` times of the second.
   */
  tried: number;
  hits: number;
  alarms: number;
}

/** Further runs of an audit. */
export interface RawAuditRun {
  runs: number;
  /** Those that came with these runs. */
  looks: AuditLook[];
}

/** Draws of the real code against their exact law. */
export interface AuditLaw {
  draws: number;
  p: number;
  /** Whether p is at least 1e-5. */
  agrees: boolean;
}

/** Rows, row-major. */
export interface RawTable {
  columns: number;
  values: Float64Array;
}

/** What is audited. */
export interface RawAuditSubject {
  epsilon: number | null;
  delta: number;
  gdp: number;
  isNormal: boolean;
  guarantee: Guarantee | null;
  first: RawTable;
  second: RawTable;
  /** Whether `law` may be called. */
  hasLaw: boolean;
  norm: 'frobenius' | 'upper-l1' | 'upper-l2' | 'nuclear' | 'range' | 'trace';
  sensitivity: number;
}

/** What a published mechanism made of a matrix. */
export interface RawReproduction {
  values: Float64Array;
  rows: number;
  columns: number;
  guarantee: Guarantee | null;
}

/** A simulated run of capeCCA. */
export interface RawCape {
  values: Float64Array;
  sd: number;
  pooledSd: number;
  conventionalSd: number;
}

/** Of each run since the last call. */
export interface RawComparedRuns {
  distances: Float64Array;
  truncated: Float64Array;
  shares: Float64Array;
}

/** What a published synthesizer made of rows. */
export interface RawSynthesisReproduction {
  rows: Float64Array;
  columns: number;
  labels: Float64Array;
  projection: Float64Array | null;
  guarantee: Guarantee | null;
}
