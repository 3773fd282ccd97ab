// Made by tools/generate.mjs from bindings/fields/*.hpp. Do not edit.

/** The parameters of a guarantee. */
export interface Cost {
  epsilon: number;
  /** 0 for pure mechanisms, whatever the study allows. */
  delta: number;
  /** mu of Gaussian differential privacy; absent if no bound is known. */
  gdp?: number;
  /** rho of zero-concentrated differential privacy; absent if no bound is known. */
  zcdp?: number;
  /**
   * The distance up to which `gdp` and `zcdp` hold: the law of the release is within this total
   * variation distance of the law of an output that satisfies them exactly. Above 0 if the
   * noise is bounded, 0 if they hold exactly. Included in `delta`, (1 + e^epsilon) times.
   */
  totalVariation?: number;
}

/** The cost of one step of a release. */
export interface GuaranteePart extends Cost {
  /** The result of the step. */
  what: string;
}

/**
 * The guarantee of one release for one unit of privacy. Computed from the study, never typed
 * in.
 */
export interface Guarantee extends Cost {
  neighbours: 'replace-one' | 'add-remove';
  unit: 'row' | 'participant';
  /** `exact`: no floating-point number depended on private data before the noise was added. */
  numerics: 'exact' | 'idealized';
  assumes: string[];
  /**
   * For a masked sum: the number of honest releases in it that together have the noise of this
   * guarantee. That at least this many are honest follows from the assumption about collusion,
   * the first of `assumes`.
   */
  honest?: number;
  /**
   * For a masked sum: the guarantee that remains if all others disclose everything they hold;
   * null if none remains.
   */
  floor?: Cost | null;
  /**
   * For a release made in several steps: the cost of each. The cost of the whole release is
   * above.
   */
  parts?: GuaranteePart[];
  /**
   * For Gaussian masks calibrated as published: the guarantee of a single message against an
   * observer who sees no other message. The guarantee above covers all messages together.
   */
  alone?: Cost;
}

/**
 * The public law of the noise in one release. Values are sums over rows, in scaled units
 * squared.
 */
export interface NoiseEnvelope {
  distribution: string;
  sampler: string;
  rng: string;
  /** Rows are rounded to multiples of 2^-bits of rowNorm. */
  bits: number;
  /** log2 of one released unit, in units of rowNorm squared. */
  gridLog2: number;
  /**
   * One unit of the released integers, in scaled units squared. For directions: of their
   * values.
   */
  unit: number;
  /** Mean of the noise on every diagonal entry; `assemble` subtracts it. */
  mean: number;
  /** Standard deviations of the noise in second moments; 0 for directions. */
  sdDiagonal: number;
  sdOffDiagonal: number;
  /** Further public numbers of the mechanism; strings are whole numbers in decimal digits. */
  parameters: Record<string, number | string>;
}

/**
 * Public properties of a study's releases. With masks, the guarantee and the noise's `unit`
 * are those of the sum; the standard deviations are those of the noise in one release.
 */
export interface Description extends Guarantee {
  noise: NoiseEnvelope;
  /** The clip radius, scaled units. */
  radius: number;
  /** Number of counts in a release with adaptive clipping or private centring; otherwise 0. */
  clipCounts: number;
  /** Standard deviation of the noise in each count, in rows. */
  clipCountSd: number;
  content: 'moments' | 'components';
  /** Number of integers in a release. */
  length: number;
  /** Degrees of freedom of Wishart noise. */
  freedom: number;
  /** The constant coordinate of every row, scaled units. */
  constant: number;
  /** Maximum number of rows; with masks, of one site. */
  maxRows: number;
  /**
   * With masks only: maximum number of rows of the sum, or of participants if a participant is
   * the unit.
   */
  maxRowsOfSum?: number;
}

/** The total cost of several guarantees. Values that are unknown or infinite are absent. */
export interface RawComposition {
  epsilon?: number;
  pure?: number;
  gdp?: number;
  zcdp?: number;
  totalVariation: number;
}

/** Counts for one column; private to the participant. */
export interface RawColumnCounts {
  /** Cells that are missing, unreadable or not finite. */
  missing: number;
  /** Cells outside the public bounds, moved to the nearest bound. */
  outside: number;
}

/** Counts of rows; private to the participant. */
export interface RawCounts {
  /** Rows read. */
  rows: number;
  /** Rows used with their own values. */
  used: number;
  /** Rows replaced by the public centre because of a missing cell. */
  centred: number;
  /** Rows left out because of a missing cell. */
  dropped: number;
  /** Rows longer than the clip radius, scaled down to it. */
  shortened: number;
  columns: RawColumnCounts[];
}

/** The layout of a CSV file, from its header. Can be cloned for a worker. */
export interface CsvLayout {
  delimiter: ',' | ';' | '\t' | '|';
  decimal: '.' | ',';
  /** Number of fields in a row. */
  width: number;
  /** Position of each of the study's columns, from 0. */
  positions: number[];
  /** Columns that the study does not use. */
  ignored: string[];
  /** Bytes from the start of the file to its first row. */
  headerBytes: number;
}

/** What the owner of the data should check in a column. */
export interface RawCellsToCheck {
  /** Cells that are not empty and could not be read. */
  unreadable: number;
  /** The first rows that have one, from 0. */
  rows: number[];
  /** Common codes for a missing value among the cells out of bounds. */
  codes: Float64Array;
}

/** The part of a file's section that was read. */
export interface RawSection {
  /** Position in the file where the first record begins. */
  start: number;
  /** Position where the last record ends. */
  end: number;
  /** Number of rows between them. */
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

/** The masked release of one site. */
export interface RawMasked {
  /** 8 little-endian bytes for each of `length` entries. */
  payload: Uint8Array;
  /** Null if the number of rows is private. */
  rows: number | null;
}

/** What a survey determines: rows about `centre`, in units of `scale`. */
export interface Coordinates {
  /** One number for each feature, scaled units. */
  centre: Float64Array;
  /** One number for each feature, scaled units. */
  scale: Float64Array;
  /** The longest clip radius, in units of these scales. */
  radius: number;
  /** Number of clip radii. */
  levels: number;
}

/** What a survey says of missing cells. */
export interface RawSurveyedGaps {
  /** Rows without the cell of each column; noisy. */
  cells: Float64Array;
  /** Standard deviation of the noise in each. */
  sd: number;
}

/** The first step of a release with private centring. */
export interface RawSurvey {
  /**
   * The count, the sum of each feature, where gaps are counted the gaps of each column, and of
   * the squares of each number column.
   */
  sums: Float64Array;
  rows: number | null;
  coordinates: Coordinates;
}

/** Packed sums of releases, scaled units. */
export interface RawSums {
  values: Float64Array;
  /** Standard deviations of the noise: of diagonal and other entries, linear sums and the count. */
  diagonal: number;
  offDiagonal: number;
  linear: number;
  count: number;
  rows: number | null;
  /** Upper bound on the trace. */
  meanSquaredRadius: number;
}

/** What private centring's clipping did to the rows. */
export interface RawClippedRows {
  /** Rows shortened; negative by noise. */
  shortened: number;
  /** The noisy counts in that number. */
  counts: number;
  /** Rows times the variance taken from them, scaled units. */
  lost: number;
}

/** Packed sums of releases with private centring, in common coordinates. */
export interface RawCentredSums {
  values: Float64Array;
  /** Standard deviations of the noise: of diagonal and other entries, linear sums and the count. */
  diagonal: number;
  offDiagonal: number;
  linear: number;
  count: number;
  rows: number | null;
  /** Upper bound on the trace. */
  meanSquaredRadius: number;
  /** The middle of the common coordinates, for each feature, scaled units. */
  centre: Float64Array;
  /** One unit of the common coordinates, for each feature, scaled units. */
  units: Float64Array;
  clipped: RawClippedRows;
  /**
   * Packed mean of (1, d)(1, d)^T over the releases, d the centre in z, by the variance of
   * linear noise.
   */
  noiseCentres: Float64Array;
  /** What clipping may have added to the covariance, packed; empty for one release. */
  centreSpread: Float64Array;
}

/** Packed sums of rows' products about the mean of their site. */
export interface RawWithinSums {
  values: Float64Array;
  /** Standard deviations of the noise: of diagonal and other entries, linear sums and the count. */
  diagonal: number;
  offDiagonal: number;
  linear: number;
  count: number;
  rows: number | null;
  /** Upper bound on the trace. */
  meanSquaredRadius: number;
  /** The mean of all rows, scaled units. */
  centre: Float64Array;
  /** One unit of the coordinates, for each feature, scaled units. */
  units: Float64Array;
  /** That of `RawCentredSums`. */
  noiseCentres: Float64Array;
}

/** What a release with private centring would choose. */
export interface RawCentringChoice {
  /** In units of `scale`. */
  radius: number;
  /** One number for each feature, scaled units. */
  centre: Float64Array;
  /** One number for each feature, scaled units. */
  scale: Float64Array;
}

/** What a study with private centring would choose, and the noise of its sum. */
export interface RawExpectedCentring {
  /** The sums are those of no rows. */
  noise: RawCentredSums;
  /** Those of the study with the middle noise. */
  choices: RawCentringChoice[];
  /** The radius that each drawn release chooses, divided by the typical length of its rows. */
  lengths: Float64Array;
}

/** Moments assembled from releases. */
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

/** What was missing in rows that mark their gaps. */
export interface RawGaps {
  /** Estimated number of rows without a value in each column. */
  cells: Float64Array;
  /** Standard deviation of the noise in each. */
  cellsSd: number;
  /** The two columns that the fewest rows have both of. */
  first: number;
  second: number;
  /** Estimated number of these rows. */
  fewest: number;
  fewestSd: number;
  /** Number of rows of the study. */
  rows: number;
}

/**
 * Sums of fewer complete rows in place of those of rows that mark their gaps, in a frame of
 * their own.
 */
export interface RawWithoutGaps {
  sums: Float64Array;
  rows: number;
  centre: Float64Array;
  units: Float64Array;
  noiseCentres: Float64Array;
  /** Standard deviations of the noise in the sums. */
  diagonal: number;
  offDiagonal: number;
  linear: number;
  count: number;
  sampledRows: number;
  /** Empty for no gaps. */
  excess: Float64Array;
  bound: number;
  inflation: number;
  gaps: RawGaps;
}

/**
 * Denoised moments, with the shares of the trace and of the differences between directions
 * that were kept; see core/analysis/noise.
 */
export interface RawDenoisedMoments extends RawMoments {
  signalEnergy: number;
  traceKept: number;
  shapeKept: number;
}

/** Moments of residuals, adjusted for covariates. */
export interface RawAdjustment {
  /** In the coordinates of the frame, packed. */
  sums: Float64Array;
  centre: Float64Array;
  units: Float64Array;
  mix: Float64Array;
  unmix: Float64Array;
  noiseMap: Float64Array;
  /** Packed; empty if all are at z = 0. */
  noiseCentres: Float64Array;
  /** Features x covariates, original units. */
  coefficients: Float64Array;
  /** Directions of the covariates that noise hides. */
  hidden: number;
  betweenViews: number;
  /** Packed; empty for none. */
  centreSpread: Float64Array;
}

/** A principal component's variance, scaled units. */
export interface RawExplained {
  value: number;
  share: number;
  belowNoiseFloor: boolean;
}

/** Rotated principal components: features x components. */
export interface RawRotated {
  /** Number of components above the noise floor. */
  components: number;
  weights: Float64Array;
  pattern: Float64Array;
  structure: Float64Array;
  phi: Float64Array;
  shares: Float64Array;
}

/** Principal components. */
export interface RawPca {
  explained: RawExplained[];
  weights: Float64Array;
  loadings: Float64Array;
  correlations: Float64Array;
  noiseFloor: number;
  rotated: RawRotated | null;
}

/** Results for one view: features x components. */
export interface RawView {
  weights: Float64Array;
  loadings: Float64Array;
}

/** Results for one view of a canonical correlation analysis. */
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
  /** For each view, the number of directions with less variance than the noise. */
  hidden: Float64Array;
}

/** A component shared by one variate of each view. */
export interface RawSharedComponent {
  value: number;
  eigenvalue: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
  /** Views x views. */
  correlations: Float64Array;
}

/** Components shared by several views. */
export interface RawGcca {
  components: RawSharedComponent[];
  views: RawView[];
  noiseFloor: number;
  hidden: Float64Array;
}

/** Directions combined from releases. */
export interface RawComponents {
  /** Features x components. */
  loadings: Float64Array;
  /** Sums in scaled units; empty if unknown. */
  values: Float64Array;
}

/** The ends of an interval. */
export interface RawInterval {
  low: number;
  high: number;
}

/** An interval by simulation. */
export interface RawFigureInterval extends RawInterval {
  /** Includes sampling error. */
  noiseFloor: number;
  belowNoiseFloor: boolean;
}

/** Bounds for the matrices of a view or of `RawPca`, in the same shape. */
export interface RawViewIntervals {
  weightsLow: Float64Array;
  weightsHigh: Float64Array;
  loadingsLow: Float64Array;
  loadingsHigh: Float64Array;
  /** Empty for principal components: those of the loadings. */
  weightsP: Float64Array;
  loadingsP: Float64Array;
}

/** Intervals of shared components. */
export interface RawSharedIntervals {
  values: RawFigureInterval[];
  views: RawViewIntervals[];
}

/** Bounds for `RawRotated`, in its shapes. */
export interface RawRotationIntervals {
  weightsLow: Float64Array;
  weightsHigh: Float64Array;
  patternLow: Float64Array;
  patternHigh: Float64Array;
  structureLow: Float64Array;
  structureHigh: Float64Array;
  phiLow: Float64Array;
  phiHigh: Float64Array;
  shares: RawInterval[];
}

/** Intervals of principal components. */
export interface RawPcaIntervals extends RawViewIntervals {
  values: RawFigureInterval[];
  shares: RawInterval[];
  correlationsLow: Float64Array;
  correlationsHigh: Float64Array;
  correlationsP: Float64Array;
  rotated: RawRotationIntervals | null;
}

/** One factor: variances of standardised features. */
export interface RawFactor {
  value: number;
  share: number;
  eigenvalue: number;
  belowNoiseFloor: boolean;
}

/** A factor analysis: features x factors. */
export interface RawFactors {
  factors: RawFactor[];
  weights: Float64Array;
  pattern: Float64Array;
  structure: Float64Array;
  phi: Float64Array;
  uniquenesses: Float64Array;
  communalities: Float64Array;
  heywood: Float64Array;
  noiseFloor: number;
  rotated: number;
  residual: number;
}

/** Bounds for `RawFactors`, in its shapes. */
export interface RawFactorIntervals {
  values: RawInterval[];
  weightsLow: Float64Array;
  weightsHigh: Float64Array;
  patternLow: Float64Array;
  patternHigh: Float64Array;
  structureLow: Float64Array;
  structureHigh: Float64Array;
  phiLow: Float64Array;
  phiHigh: Float64Array;
  uniquenesses: RawInterval[];
  communalities: RawInterval[];
}

/** Standard errors, original units. */
export interface RawStandardErrors {
  rows: number;
  /** Original units. */
  mean: Float64Array;
  covariance: Float64Array;
}

/** A figure of a regression with its interval. */
export interface RawFigure {
  value: number;
  /** 0 if no interval was requested. */
  low: number;
  high: number;
  /** 1 if no interval was requested. */
  p: number;
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

/** A sparse component's variance, scaled units. */
export interface RawSparseComponent {
  value: number;
  share: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
  nonzeros: number;
}

/** Sparse principal components. */
export interface RawSparsePca {
  explained: RawSparseComponent[];
  weights: Float64Array;
  loadings: Float64Array;
  correlations: Float64Array;
  noiseFloor: number;
}

/** One pair of sparse variates. */
export interface RawSparsePair {
  value: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
  nonzerosX: number;
  nonzerosY: number;
}

/** Sparse canonical correlations. */
export interface RawSparseCca {
  correlations: RawSparsePair[];
  x: RawView;
  y: RawView;
}

/** Results for one view: features x components. */
export interface RawPlsView {
  weights: Float64Array;
  loadings: Float64Array;
}

/** A pair of scores. */
export interface RawPlsPair {
  value: number;
  share: number;
  correlation: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
}

/** PLS correlation of two views. */
export interface RawPlsCorrelation {
  pairs: RawPlsPair[];
  saliencesX: Float64Array;
  saliencesY: Float64Array;
  x: RawPlsView;
  y: RawPlsView;
  noiseFloor: number;
  hidden: Float64Array;
}

/** A component of a PLS regression. */
export interface RawPlsComponent {
  value: number;
  shareOfFeatures: number;
  shareOfTargets: number;
  noiseFloor: number;
  belowNoiseFloor: boolean;
}

/** A PLS regression. */
export interface RawPlsRegression {
  components: RawPlsComponent[];
  features: RawPlsView;
  /** Targets x components. */
  targetLoadings: Float64Array;
  used: number;
  /** Features x targets, original units. */
  coefficients: Float64Array;
  intercepts: Float64Array;
  r2: Float64Array;
  residualSd: Float64Array;
  noiseFloor: number;
  hidden: Float64Array;
}

/** A class and its share of the rows. */
export interface RawDiscriminantClass {
  share: number;
  belowNoiseFloor: boolean;
}

/** Linear discriminants. */
export interface RawLda {
  correlations: RawCanonicalCorrelation[];
  weights: Float64Array;
  loadings: Float64Array;
  classes: RawDiscriminantClass[];
  /** Classes x features, original units. */
  means: Float64Array;
  /** Classes x components. */
  centroids: Float64Array;
  noiseFloor: number;
  hidden: Float64Array;
}

/** The forecast for one planned correlation. */
export interface RawCorrelation {
  truth: number;
  expected: number;
  sd: number;
  error: number;
  sampling: number;
  noiseFloor: number;
  chanceBelowFloor: number;
  /** Absent if too many are below the floor. */
  margin?: number;
  power: number;
}

/** Expected errors. */
export interface RawForecast {
  noise: number;
  clipping: number;
  sampling: number;
  total: number;
  denoised: number;
  zero: number;
  shortened: number;
  /** Absent if no number of rows is enough. */
  rowsFor?: number;
  sdDiagonal: number;
  sdOffDiagonal: number;
  meanSd: number;
  countSd: number;
  correlations: RawCorrelation[];
  noiseFloor: number;
}

/** Figures and their standard errors. */
export interface RawFigures {
  means: Float64Array;
  meanErrors: Float64Array;
  deviations: Float64Array;
  deviationErrors: Float64Array;
  /** Features x features. */
  correlations: Float64Array;
  correlationErrors: Float64Array;
  /** For each pair of views. */
  canonical: Float64Array[];
  canonicalErrors: Float64Array[];
}

/** Synthetic rows. */
export interface RawRows extends RawFigures {
  /** Rows x columns, in original units. For the task spectrum: coordinates in scaled units. */
  values: Float64Array;
  /** Columns whose variance was reduced to what their bounds allow. */
  narrowed: Float64Array;
}

/** A released normal distribution. */
export interface RawGaussian {
  /** Index of the label's level; -1 without classes. */
  level: number;
  rows: number;
  /** In the coordinates of the projection, with a numeric label last; units of the unit ball. */
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

/** The model that a synthesis releases, and rows drawn from it. */
export interface RawSynthesis {
  drawn: RawRows;
  released: RawFigures;
  rows: number;
  /** Radius of the unit ball, in scaled units. */
  unit: number;
  radius: number;
  /** Scaled units; empty except for the task spectrum. */
  variances: Float64Array;
  /** (Features without the label) x components; empty without a projection. */
  projection: Float64Array;
  /** One covariance for all classes. */
  shared: boolean;
  gaussians: RawGaussian[];
  steps: RawStep[];
  guarantee: Guarantee;
}
