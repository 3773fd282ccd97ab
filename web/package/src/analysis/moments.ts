import { requireOptions } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import { checkSignal } from '../intake/read-options.js';
import { cca, isOfMany, type CcaOfManyOptions, type CcaOptions, type CcaResult } from './cca.js';
import { centredStudy, type CentredStudyOptions } from './centred-study.js';
import type { Context, Question } from './context.js';
import { denoise } from './methods.js';
import { factorAnalysis, type FactorOptions, type FactorResult } from './methods/factors.js';
import { gcca, type GccaOptions, type GccaResult } from './gcca.js';
import { lda, type LdaOptions, type LdaResult } from './methods/lda.js';
import {
  plsCorrelation,
  plsRegression,
  type PlsCorrelationOptions,
  type PlsCorrelationResult,
  type PlsRegressionOptions,
  type PlsRegressionResult,
} from './methods/pls.js';
import { capturedEnergy, pca, type PcaOptions, type PcaResult } from './pca.js';
import { ridge, type RidgeOptions, type RidgeResult } from './ridge.js';
import {
  sparseCca,
  sparsePca,
  type SparseCcaOptions,
  type SparseCcaResult,
  type SparsePcaOptions,
  type SparsePcaResult,
} from './methods/sparse.js';
import { synthesize, type SynthesizeMomentsOptions } from './synthesize.js';
import {
  uncertainty,
  withIntervals,
  type UncertaintyOptions,
  type UncertaintyResult,
} from './uncertainty.js';
import type { MomentsClipping } from '../study/clipping.js';
import { frameOf } from '../study/coordinates.js';
import { featureWords } from '../study/feature-words.js';
import { halfWidths, midpoints } from '../study/features.js';
import { withoutGaps, type CompleteSums, type MomentsMissing } from '../core/complete-sums.js';
import { AnalysesInWorker, type InWorkerOptions } from './in-worker.js';
import type {
  Core,
  RawCountedGaps,
  RawDenoising,
  RawFrame,
  RawMoments,
  RawMomentSums,
  RawNoise,
} from '../core/raw.js';
import {
  resultCsv,
  resultJson,
  type Origin,
  type Plain,
  type RESULT_FORMAT,
} from '../output/results.js';
import type { Study } from '../study/study.js';
import { Synthetic } from '../synthesis/synthetic.js';
import type { Guarantee, Matrix } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';

/** The analyses of moments in worker threads. */
export type MomentsInWorker = AnalysesInWorker<Moments>;

/** The public distribution of the noise in assembled moments. Its mean is 0. */
export interface MomentsNoise {
  /** Distribution of each release's noise, as its mechanism names it; `none` for exact moments. */
  distribution: string;
  /** Number of releases in the sum, each with independent noise. */
  releases: number;
  /** Degrees of freedom of each release's Wishart noise; 0 for other distributions. */
  freedom: number;
  /**
   * Standard deviation of the noise in diagonal entries of `secondMoments`, in scaled units. With private
   * centring this and the next two are root mean squares over the entries, about the releases' centres.
   */
  sdDiagonal: number;
  /** The same for off-diagonal entries. */
  sdOffDiagonal: number;
  /** The same for the linear sums, the row of the constant coordinate. */
  sdLinear: number;
  /** True under replace-one, where the count, entry (0, 0), is public and has no noise. */
  countIsExact: boolean;
  /** Standard deviation of the noise in each entry of `covariance`, in original units, to first order. */
  covarianceSd: Matrix;
}

/**
 * With private centring or without effects of sites, the coordinates in which the noise has one law in all directions, and in which
 * analyses take it off: z = (value - centre) / scale.
 */
export interface MomentsCoordinates {
  /** Where z is 0, in original units; one row. */
  centre: Matrix;
  /** One unit of each z in original units; one row. */
  scale: Matrix;
  /** The largest total variance of z that bounds and clip radii allow. */
  traceBound: number;
}

/** What `denoise` did. */
export interface Denoising {
  /**
   * By how many standard deviations of noise the sum of squares of the released covariance exceeds that of
   * noise alone; null without noise. Below about 4, little but the total variance can be distinguished
   * from noise.
   */
  signalEnergy: number | null;
  /** Share of the total variance that was kept, 0 to 1. The rest is probably noise. */
  traceKept: number;
  /** Share kept of the differences between directions, 0 to 1. */
  shapeKept: number;
}

/** The fields of `Moments` that `toJSON` stores. */
export interface MomentsData {
  analysis: 'moments';
  options: object;
  origin: Origin;
  guarantee: Guarantee | null;
  rows: number;
  columns: string[];
  sources: string[];
  scale: Matrix;
  traceBound: number;
  coordinates: MomentsCoordinates | null;
  mean: Matrix;
  covariance: Matrix;
  secondMoments: Matrix;
  noise: MomentsNoise;
  clipping: MomentsClipping | null;
  missing: MomentsMissing | null;
  denoising: Denoising | null;
}

/** The analyses of `Moments.uncertainty`, whose default level is that of the uncertainty. */
export type WithIntervals = Pick<Moments, 'pca' | 'cca' | 'gcca' | 'factorAnalysis' | 'ridge'>;

/** @internal Sums in scaled units, with their noise and their guarantee. */
export interface Sums extends Partial<Pick<CompleteSums, 'gapSampling' | 'allRows' | 'missing'>> {
  sums: Float64Array;
  constant: number;
  rows: number | null;
  /** Upper bound of the mean of squared row norms. */
  bound: number;
  noise: RawNoise;
  /**
   * With private centring or stated centres and spreads: where the coordinates of the sums lie. Otherwise they
   * are scaled units.
   */
  frame?: Required<RawFrame>;
  clipping: MomentsClipping | null;
  /** What clipping may have added to the covariance and taken from it: see `NoisyCovariance`. */
  centreSpread?: Float64Array;
  traceLost?: number;
  /** What surveys counted of missing cells, where the sums are corrected for them. */
  counted?: RawCountedGaps;
  guarantee: Guarantee | null;
  /** Whether rows are about the mean of their own site; pooled if absent. */
  sites?: 'within';
}

/** The row and column of the constant coordinate in `secondMoments`. */
const CONSTANT = '(constant)';

/**
 * Means, covariance and second moments with noise of a known distribution, as `assemble` returns them.
 * Everything computed from them is post-processing and costs no further privacy.
 */
export class Moments {
  readonly study: Study;
  /** Names of the features: columns, and `column=level` for categories. */
  readonly columns: string[];
  /** For each feature, its column in the study. */
  readonly sources: string[];
  /** One scaled unit of each feature (half the width of its bounds) in original units; one row. */
  readonly scale: Matrix;
  /** The largest total variance that the study's bounds allow, in scaled units. */
  readonly traceBound: number;
  /** Where the noise has one law, with private centring or marked gaps and without effects of sites; null: in scaled units. */
  readonly coordinates: MomentsCoordinates | null;
  /** Number of rows (or participants) in the sum; an estimate if that number is private. */
  readonly rows: number;
  /** Means in original units; one row. */
  readonly mean: Matrix;
  /** features x features, in original units, with the number of rows as divisor. */
  readonly covariance: Matrix;
  /**
   * Sums of products in scaled units, with a constant coordinate first; as released unless denoised. Where the study's
   * rule is `pairwise` or `mean`, those of `missing.completeRows` rows with these means and this covariance.
   */
  readonly secondMoments: Matrix;
  readonly noise: MomentsNoise;
  /** What clipping did; null if the clip radius is the study's `rowNorm`. */
  readonly clipping: MomentsClipping | null;
  /** What was missing; null unless the study's rule is `pairwise` or `mean`. */
  readonly missing: MomentsMissing | null;
  /** What `denoise` did; null unless these moments come from it. */
  readonly denoising: Denoising | null;
  /** The guarantee of each release; null for exact moments, which have none. */
  readonly guarantee: Guarantee | null;
  readonly origin: Origin;

  readonly #core: Core;
  readonly #sums: Sums;
  /** The moments before `denoise`, in which the distribution of the noise is known. */
  readonly #noisy: RawMoments;

  private constructor(
    core: Core,
    study: Study,
    sums: Sums,
    noisy: RawMoments,
    denoised: (RawMoments & RawDenoising) | null,
  ) {
    const estimates = denoised ?? noisy;
    const names = study.features.map(({ name }) => name);
    this.#core = core;
    this.#sums = sums;
    this.#noisy = noisy;
    this.study = study;
    this.columns = names;
    this.sources = study.features.map(({ column }) => column);
    this.scale = { rows: ['scale'], columns: names, values: halfWidths(study) };
    this.traceBound = traceBoundOf(study, sums);
    this.coordinates = coordinatesOf(study, sums);
    this.rows = sums.allRows ?? estimates.rows;
    this.mean = { rows: ['mean'], columns: names, values: estimates.mean };
    this.covariance = square(names, estimates.covariance);
    this.secondMoments = square([CONSTANT, ...names], estimates.secondMoments);
    this.guarantee = sums.guarantee;
    this.clipping = sums.clipping;
    this.missing = sums.missing ?? null;
    this.denoising = denoised && denoisingOf(denoised);
    this.origin = {
      ...originOf(core, study, sums.noise.releases, sums.noise.distribution),
      ...(sums.sites && { sites: sums.sites }),
    };
    this.noise = {
      distribution: sums.noise.distribution,
      releases: sums.noise.releases,
      freedom: sums.noise.freedom,
      ...noiseOf(sums),
      countIsExact: sums.rows !== null,
      covarianceSd: square(names, estimates.covarianceSd),
    };
  }

  /** @internal */
  static fromSums(core: Core, study: Study, released: Sums): Moments {
    const { bound, traceLost, counted } = released;
    const of = columnsOfFeatures(study);
    const complete = withoutGaps(core, study, rawSums(study, released), {
      ...{ of, bound, traceLost, counted },
    });
    const sums = { ...released, ...complete };
    return new Moments(core, study, sums, unwrap(core.assembleMoments(rawSums(study, sums))), null);
  }

  /**
   * Moments whose covariance is denoised: no direction has negative variance, the total variance is at most
   * what the bounds allow, and both shrink by what is probably noise (docs/analysis.md). Count and means
   * do not change; `secondMoments` change with the covariance. `noise` still describes the noise that was
   * added, which is no longer the distribution of the error. Analyses start from the released covariance,
   * so their results are the same before and after.
   */
  denoise(): Moments {
    return this.#denoised(denoise(this.#context));
  }

  #denoised(raw: RawMoments & RawDenoising): Moments {
    return new Moments(this.#core, this.study, this.#sums, this.#noisy, raw);
  }

  /**
   * Principal components of the scaled covariance.
   * @param options `components`: number of components, default as in the study's mechanism, else all;
   * `rotation`: `varimax` or `promax` of those above the noise floor; `level`, `draws`, `seed`: intervals.
   * @throws PrivateMomentsError `invalid-components`, `invalid-interval`, `too-few-rows`,
   * `unsupported-option`
   *
   * @example
   * ```ts
   * const { explained } = moments.pca({ components: 3, level: 0.95 });
   * ```
   */
  pca(options: PcaOptions = {}): PcaResult {
    return pca(this.#context, options);
  }

  /**
   * Canonical correlations between two views, or what three or more `views` share (as `gcca`).
   * @param options `x` and `y`, or `views`: names of views or lists of columns, default the study's two
   * views in alphabetical order; `components`: number of pairs, default as in the study's mechanism, and
   * at most the features of the smaller view; `level`, `draws`, `seed`: intervals.
   * @throws PrivateMomentsError `invalid-view`, `invalid-components`, `invalid-interval`,
   * `too-few-rows`, `unsupported-option`
   *
   * @example
   * ```ts
   * const { correlations } = moments.cca({ x: 'body', y: 'mind', level: 0.95 });
   * ```
   */
  cca(options: CcaOfManyOptions): GccaResult;
  cca(options?: CcaOptions): CcaResult;
  cca(options: CcaOptions | CcaOfManyOptions = {}): CcaResult | GccaResult {
    return isOfMany(options) ? gcca(this.#context, options) : cca(this.#context, options);
  }

  /**
   * What two or more views share: generalised canonical correlations (MAXVAR, Kettenring 1971). For two
   * views `cca` has more detail.
   * @param options `views`: names of views or lists of columns, default all views of the study in
   * alphabetical order; `components`, `level`, `draws` and `seed` as for `cca`.
   * @throws PrivateMomentsError as `cca`
   */
  gcca(options: GccaOptions = {}): GccaResult {
    return gcca(this.#context, options);
  }

  /**
   * Factor analysis of the correlations of number columns, by least squares (minres): common factors, and for
   * each column the variance that is its own.
   * @param options `factors`: their number; `columns`: number columns, default all; `rotation`: `varimax` or
   * `promax` of the factors above the noise floor; `level`, `draws`, `seed`: intervals.
   * @throws PrivateMomentsError `invalid-components`, `invalid-view`, `invalid-interval`, `too-few-rows`,
   * `unsupported-option`
   *
   * @example
   * ```ts
   * const { loadings, note } = moments.factorAnalysis({ factors: 2, rotation: 'promax', level: 0.95 });
   * ```
   */
  factorAnalysis(options: FactorOptions): FactorResult {
    return factorAnalysis(this.#context, options);
  }

  /**
   * For evaluation: the variance of these moments in the span of k directions, relative to the most that
   * any k directions capture, 0 to 1. Meant for exact moments and directions from releases.
   * @param loadings features x k, in scaled units, as in results of `pca` and `assembleComponents`.
   * @throws PrivateMomentsError `unsupported-data`
   */
  capturedEnergy(loadings: Matrix): number {
    return capturedEnergy(this.#context, loadings);
  }

  /**
   * Regression of one column, or of one level of a category, on others, in original units: ordinary
   * least squares, or ridge regression if `penalty` is above 0. One release serves any target and predictors.
   *
   * @example
   * ```ts
   * const { coefficients } = moments.ridge({ target: 'mood', features: ['sleep'], level: 0.95 });
   * ```
   */
  ridge(options: RidgeOptions): RidgeResult {
    return ridge(this.#context, options);
  }

  /**
   * Linear discriminants: what tells the levels of a category apart.
   * @param options `target`: a category column; `features`: a view or a list of columns, default all others;
   * `components`: at most one less than levels; `level`, `draws`, `seed`: intervals.
   * @throws PrivateMomentsError `invalid-view`, `invalid-components`, `invalid-interval`,
   * `too-few-rows`, `unsupported-option`
   *
   * @example
   * ```ts
   * const { correlations, centroids } = moments.lda({ target: 'work', level: 0.95 });
   * ```
   */
  lda(options: LdaOptions): LdaResult {
    return lda(this.#context, options);
  }

  /**
   * PLS correlation (PLS-SVD) of two views: pairs of scores with the largest covariance, from the correlations
   * between the views alone. Unlike `cca` it inverts no covariance, so it needs fewer rows and stands more noise.
   * @param options `x` and `y`, or `views`, as for `cca`; `components`: number of pairs.
   * @throws PrivateMomentsError `invalid-view`, `invalid-components`, `too-few-rows`, `unsupported-option`
   */
  plsCorrelation(options: PlsCorrelationOptions = {}): PlsCorrelationResult {
    return plsCorrelation(this.#context, options);
  }

  /**
   * Partial least squares regression (SIMPLS) of one or more targets on components of standardised predictors.
   * Only components above the noise floor are used.
   * @param options `target`: columns, or levels as `column=level`; `features`: a view or a list of columns,
   * default all others; `components`: default 2.
   * @throws PrivateMomentsError `invalid-view`, `invalid-components`, `too-few-rows`, `unsupported-option`
   *
   * @example
   * ```ts
   * const { coefficients, targets, used } = moments.plsRegression({ target: 'mood', components: 3 });
   * ```
   */
  plsRegression(options: PlsRegressionOptions): PlsRegressionResult {
    return plsRegression(this.#context, options);
  }

  /**
   * Sparse principal components: most weights are exactly 0. The penalty is the level that no covariance's
   * noise and sampling error exceed in 19 of 20 releases; where none does, a component is a single column.
   * @param options `components`: number of components, default as in the study's mechanism, and at most 3;
   * `sparsity`: multiplies the penalty, default 1; 0 gives the components of `pca`.
   * @throws PrivateMomentsError `invalid-components`, `invalid-alpha`, `too-few-rows`,
   * `unsupported-option`
   *
   * @example
   * ```ts
   * const { explained, weights } = moments.sparsePca({ components: 2 });
   * ```
   */
  sparsePca(options: SparsePcaOptions = {}): SparsePcaResult {
    return sparsePca(this.#context, options);
  }

  /**
   * Sparse canonical correlations between two views: a pair uses few features of each, and has no weights
   * if nothing between the views exceeds its noise.
   * @param options `x` and `y`, or `views`, as for `cca`; `components`: number of pairs, default 1;
   * `sparsity` as for `sparsePca`.
   * @throws PrivateMomentsError `invalid-view`, `invalid-components`, `invalid-alpha`, `too-few-rows`,
   * `unsupported-option`
   */
  sparseCca(options: SparseCcaOptions = {}): SparseCcaResult {
    return sparseCca(this.#context, options);
  }

  /**
   * Standard errors and intervals of means, covariances and the count. They include privacy noise and the
   * sampling of rows from a population. The result's `pca`, `cca`, `gcca`, `factorAnalysis` and `ridge` are
   * the analyses of these moments with the same `level`, `draws` and `seed` by default.
   * @param options `level`, default 0.95; `draws` and `seed`, for the analyses only.
   * @throws PrivateMomentsError `invalid-interval`, `unsupported-option`
   */
  uncertainty(options: UncertaintyOptions = {}): UncertaintyResult & WithIntervals {
    return withIntervals<Moments>(uncertainty(this.#context, options), this);
  }

  /**
   * Synthetic rows of the study's columns, drawn from a distribution with the denoised moments: numbers
   * within their bounds, categories with their levels. They belong to nobody and cost no further privacy,
   * however many are drawn; `preserves()` states what they preserve (docs/synthetic.md).
   * @param options `rows`: number of rows; `seed` of the draw; `label`: a category whose classes get
   * their own means.
   * @throws PrivateMomentsError `unsupported-option` with the field, `too-few-rows`, `no-entropy`
   *
   * @example
   * ```ts
   * const csv = moments.synthesize({ rows: 1000 }).toCSV();
   * ```
   */
  synthesize(options: SynthesizeMomentsOptions): Synthetic {
    return new Synthetic(synthesize(this.#context, options));
  }

  /**
   * The same analyses in worker threads, as promises of the same results, so that a page stays responsive
   * with hundreds of features or simulated intervals.
   * @param options `signal`: cancels running and waiting analyses, with code `cancelled`; `workers`: number
   * of workers that simulate intervals.
   * @throws PrivateMomentsError `unsupported-option`
   *
   * @example
   * ```ts
   * const { signal } = new AbortController();
   * const result = await moments.inWorker({ signal }).cca({ level: 0.95 });
   * ```
   */
  inWorker(options: InWorkerOptions = {}): MomentsInWorker {
    requireOptions(options, ['signal', 'workers']);
    checkSignal(options.signal);
    return new AnalysesInWorker(this.#question, options, (raw) => this.#denoised(raw));
  }

  /**
   * The study of a second round: this one, with the noisy means and spreads of these moments as the `centre`
   * and `spread` of its number columns and a `rowNorm` to match. Behind masks, where every site needs the same
   * coordinates, two such rounds have less error than one (docs/federation.md). What follows from released
   * moments costs no further privacy, but the second round does: its cost adds to that of the first.
   * @throws PrivateMomentsError `unsupported-data` for exact moments, which must not become public, and
   * without number columns; and the errors of `defineStudy`.
   */
  centredStudy(options: CentredStudyOptions): Study {
    if (this.guarantee === null) {
      const message = 'a study is public, and must not be made from exact moments';
      throw new PrivateMomentsError('unsupported-data', message);
    }
    const { mean, covariance, covarianceSd, rows } = this.#noisy;
    const { noise, constant } = this.#sums;
    const size = this.columns.length;
    const diagonal = (values: Float64Array): Float64Array =>
      Float64Array.from(mean, (_, j) => values[j * (size + 1)] ?? 0);
    return centredStudy(
      this.#core,
      this.study,
      {
        ...{ rows, mean, releases: noise.releases },
        meanSd: halvesOf(this.study, this.#sums).map(
          (half) => (half * noise.linear) / (constant * rows),
        ),
        variance: diagonal(covariance),
        varianceSd: diagonal(covarianceSd),
      },
      options,
    );
  }

  /** All fields in the format `private-moments/result@1`. `JSON.stringify` calls it. */
  toJSON(): { format: typeof RESULT_FORMAT } & Plain<MomentsData> {
    return resultJson(this.#data) as never;
  }

  /** CSV with one line for each number, as `Result.toCSV`. */
  toCSV(): string {
    return resultCsv([this.#data]);
  }

  get #data(): MomentsData {
    const { origin, guarantee, rows, columns, sources, scale, traceBound, coordinates } = this;
    const { mean, covariance, secondMoments, noise, clipping, missing, denoising } = this;
    const about = { analysis: 'moments' as const, options: {}, origin, guarantee, rows, columns };
    const units = { sources, scale, traceBound, coordinates };
    const estimates = { mean, covariance, secondMoments, noise };
    return { ...about, ...units, ...estimates, clipping, missing, denoising };
  }

  get #context(): Context {
    return { core: this.#core, ...this.#question };
  }

  /** The input of an analysis, without a core. */
  get #question(): Question {
    const { centreSpread, traceLost } = this.#sums;
    return {
      study: this.study,
      columns: this.columns,
      rows: this.rows,
      completeRows: this.#noisy.rows,
      guarantee: this.guarantee,
      origin: this.origin,
      mean: this.mean,
      released: this.#noisy.covariance,
      sums: rawSums(this.study, this.#sums),
      covariance: {
        scaledCovariance: this.#noisy.scaledCovariance,
        dimension: this.columns.length,
        sdDiagonal: this.#noisy.covarianceSdDiagonal,
        sdOffDiagonal: this.#noisy.covarianceSdOffDiagonal,
        distribution: this.#sums.noise.distribution,
        releases: this.#sums.noise.releases,
        freedom: this.#sums.noise.freedom,
        bound: this.#sums.bound,
        half: halvesOf(this.study, this.#sums),
        ...this.#sums.frame,
        columns: columnsOfFeatures(this.study),
        meanNoise: this.#noisy.meanNoise,
        // 0 without noise, which means no noise floor.
        rows: this.#noisy.covarianceSdOffDiagonal && this.#noisy.rows,
        ...(centreSpread === undefined ? {} : { centreSpread }),
        ...(traceLost === undefined ? {} : { traceLost }),
      },
    };
  }
}

function rawSums(study: Study, all: Sums): RawMomentSums {
  const { sums, constant, rows, noise, frame, gapSampling } = all;
  const dimension = study.features.length;
  const [mid, half] = [originOfSums(study, all), halvesOf(study, all)];
  return { sums, dimension, constant, rows, noise, mid, half, ...frame, ...gapSampling };
}

function coordinatesOf(study: Study, sums: Sums): MomentsCoordinates | null {
  if (sums.frame === undefined) return null;
  const columns = study.features.map(({ name }) => name);
  return {
    centre: { rows: ['centre'], columns, values: originOfSums(study, sums) },
    scale: { rows: ['scale'], columns, values: halvesOf(study, sums) },
    traceBound: sums.bound,
  };
}

/** Where the sums' coordinates are 0, in original units. */
function originOfSums(study: Study, { frame }: Sums): Float64Array {
  const half = halfWidths(study);
  return midpoints(study).map((middle, j) => middle + (half[j] ?? 0) * (frame?.centre[j] ?? 0));
}

/** One unit of the sums' coordinates, for each feature, in original units. */
function halvesOf(study: Study, { frame }: Sums): Float64Array {
  const half = halfWidths(study);
  return frame === undefined ? half : half.map((width, j) => width * (frame.units[j] ?? 1));
}

/** @internal The coordinates of sums of a study that states centres and spreads. */
export function statedFrame(study: Study): Pick<Sums, 'frame'> {
  const frame = frameOf(study);
  // All releases have the same centre.
  return frame === undefined ? {} : { frame: { ...frame, noiseCentres: new Float64Array() } };
}

/** The largest total variance, in scaled units, of which a column's square has at most one. */
function traceBoundOf({ columns }: Study, { bound, frame }: Sums): number {
  if (frame === undefined) return bound;
  return Math.min(columns.length, bound * Math.max(...frame.units) ** 2);
}

/** The noise of second moments in scaled units; root mean squares where it differs between entries. */
function noiseOf({
  noise: { diagonal, offDiagonal, linear },
  frame,
}: Sums): Pick<MomentsNoise, 'sdDiagonal' | 'sdOffDiagonal' | 'sdLinear'> {
  if (frame === undefined) {
    return { sdDiagonal: diagonal, sdOffDiagonal: offDiagonal, sdLinear: linear };
  }
  const squares = frame.units.map((unit) => unit ** 2);
  const count = squares.length;
  const sum = squares.reduce((all, square) => all + square, 0);
  const fourths = squares.reduce((all, square) => all + square ** 2, 0);
  const pairs = count > 1 ? (sum ** 2 - fourths) / (count * (count - 1)) : fourths;
  return {
    sdDiagonal: diagonal * Math.sqrt(fourths / count),
    sdOffDiagonal: offDiagonal * Math.sqrt(pairs),
    sdLinear: linear * Math.sqrt(sum / count),
  };
}

function denoisingOf({ signalEnergy, traceKept, shapeKept }: RawDenoising): Denoising {
  return {
    signalEnergy: Number.isFinite(signalEnergy) ? signalEnergy : null,
    traceKept,
    shapeKept,
  };
}

export function columnsOfFeatures(study: Study): number[] {
  return study.columns.flatMap((column, index) =>
    column.type === 'number' ? [index] : column.levels.map(() => index),
  );
}

/** @internal */
export function originOf(core: Core, study: Study, releases: number, noise: string): Origin {
  const { id, title, unit, neighbours, federation } = study;
  const sites = federation.sites === undefined ? {} : { sites: federation.sites };
  const found = featureWords(study.columns);
  const words = Object.keys(found).length === 0 ? {} : { words: found };
  const library = `private-moments/${core.version()}`;
  return { library, study: { id, title, unit, neighbours, ...sites, ...words }, releases, noise };
}

function square(names: readonly string[], values: Float64Array): Matrix {
  return { rows: [...names], columns: [...names], values };
}
