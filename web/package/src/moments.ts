import { requireKnown } from './check.js';
import { checkSignal } from './options.js';
import { cca, type CcaOptions, type CcaResult } from './analysis/cca.js';
import type { Context, Question } from './analysis/context.js';
import { denoise } from './analysis/methods.js';
import { gcca, type GccaOptions, type GccaResult } from './analysis/gcca.js';
import { capturedEnergy, pca, type PcaOptions, type PcaResult } from './analysis/pca.js';
import { ridge, type RidgeOptions, type RidgeResult } from './analysis/ridge.js';
import { synthesize, type SynthesizeMomentsOptions } from './analysis/synthesize.js';
import {
  uncertainty,
  withIntervals,
  type UncertaintyOptions,
  type UncertaintyResult,
} from './analysis/uncertainty.js';
import type { MomentsClipping } from './clipping.js';
import { halfWidths, midpoints } from './features.js';
import { MomentsInWorker, type InWorkerOptions } from './in-worker.js';
import type { Core, RawDenoising, RawMoments, RawMomentSums, RawNoise } from './raw.js';
import { csvOf, jsonOf, type Origin, type Plain, type RESULT_FORMAT } from './results.js';
import type { Study } from './study.js';
import { Synthetic } from './synthesis/synthetic.js';
import type { Guarantee, Matrix } from './types.js';
import { unwrap } from './unwrap.js';

/** The public law of the noise in assembled moments, whose mean is 0. */
export interface MomentsNoise {
  /** The law of each release's noise, as its mechanism names it; `none` for exact moments. */
  distribution: string;
  /** How many releases, each with noise of its own, were summed. */
  releases: number;
  /** Degrees of freedom of each release's Wishart noise; 0 for other laws. */
  freedom: number;
  /** Standard deviations of the entries of `secondMoments`, scaled units. */
  sdDiagonal: number;
  sdOffDiagonal: number;
  /** Of the linear sums, in the row of the constant coordinate. */
  sdLinear: number;
  /** Under replace-one the count, entry (0, 0), is public and carries no noise. */
  countIsExact: boolean;
  /** Standard deviation of the noise in each entry of `covariance`, original units, to first order. */
  covarianceSd: Matrix;
}

/** What `denoise` did. */
export interface Denoising {
  /**
   * The squares of the released covariance beyond those of noise, in standard deviations of noise;
   * null without noise. Below about 4 little but the total variance can be told from noise.
   */
  signalEnergy: number | null;
  /** From 0 to 1: how much of the total variance was kept; the rest may well be noise. */
  traceKept: number;
  /** From 0 to 1: how much was kept of what tells directions apart. */
  shapeKept: number;
}

/** What of moments can be stored. */
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
  mean: Matrix;
  covariance: Matrix;
  secondMoments: Matrix;
  noise: MomentsNoise;
  clipping: MomentsClipping | null;
  denoising: Denoising | null;
}

/** Analyses with a level of their own to begin with. */
export type WithIntervals = Pick<Moments, 'pca' | 'cca' | 'gcca' | 'ridge'>;

/** @internal Sums in scaled units and what is known about them. */
export interface Sums {
  sums: Float64Array;
  constant: number;
  rows: number | null;
  /** No mean of squared row norms can exceed it. */
  bound: number;
  noise: RawNoise;
  clipping: MomentsClipping | null;
  guarantee: Guarantee | null;
}

/** The row and column of the constant coordinate in `secondMoments`. */
const CONSTANT = '(constant)';

/**
 * What an analyst has: means, covariance and second moments with noise of a known law. Everything
 * computed from them is post-processing and costs no further privacy.
 */
export class Moments {
  readonly study: Study;
  /** Names of the features: columns, and `column=level` for categories. */
  readonly columns: string[];
  /** For each feature the column of the study that it is of. */
  readonly sources: string[];
  /** One scaled unit of each feature, half the width of its bounds, in original units; one row. */
  readonly scale: Matrix;
  /** The largest total variance that the study's bounds allow, scaled units. */
  readonly traceBound: number;
  /** Rows (or participants) summed; an estimate where their number is private. */
  readonly rows: number;
  /** Original units; one row. */
  readonly mean: Matrix;
  /** Original units; divided by the number of rows. */
  readonly covariance: Matrix;
  /** Sums in scaled units, constant coordinate first: as released, apart from `denoise`. */
  readonly secondMoments: Matrix;
  readonly noise: MomentsNoise;
  /** Null where the clip radius is the study's own, `rowNorm`. */
  readonly clipping: MomentsClipping | null;
  /** Null unless these moments come from `denoise`. */
  readonly denoising: Denoising | null;
  /** What each release promised to those in it; null for exact moments, which promise nothing. */
  readonly guarantee: Guarantee | null;
  readonly origin: Origin;

  readonly #core: Core;
  readonly #sums: Sums;
  /** As assembled, also where these moments are denoised: the noise in it has a known law. */
  readonly #noisy: RawMoments;

  private constructor(
    core: Core,
    study: Study,
    sums: Sums,
    noisy: RawMoments,
    denoised: (RawMoments & RawDenoising) | null,
  ) {
    const shown = denoised ?? noisy;
    const names = study.features.map(({ name }) => name);
    this.#core = core;
    this.#sums = sums;
    this.#noisy = noisy;
    this.study = study;
    this.columns = names;
    this.sources = study.features.map(({ column }) => column);
    this.scale = { rows: ['scale'], columns: names, values: halfWidths(study) };
    this.traceBound = sums.bound;
    this.rows = shown.rows;
    this.mean = { rows: ['mean'], columns: names, values: shown.mean };
    this.covariance = square(names, shown.covariance);
    this.secondMoments = square([CONSTANT, ...names], shown.secondMoments);
    this.guarantee = sums.guarantee;
    this.clipping = sums.clipping;
    this.denoising = denoised && denoisingOf(denoised);
    this.origin = originOf(core, study, sums.noise.releases, sums.noise.distribution);
    this.noise = {
      distribution: sums.noise.distribution,
      releases: sums.noise.releases,
      freedom: sums.noise.freedom,
      sdDiagonal: sums.noise.diagonal,
      sdOffDiagonal: sums.noise.offDiagonal,
      sdLinear: sums.noise.linear,
      countIsExact: sums.rows !== null,
      covarianceSd: square(names, shown.covarianceSd),
    };
  }

  /** @internal */
  static fromSums(core: Core, study: Study, sums: Sums): Moments {
    return new Moments(core, study, sums, unwrap(core.assembleMoments(rawSums(study, sums))), null);
  }

  /**
   * Moments with the noise taken off the covariance as well as can be: no negative variance along
   * any direction, no more variance in all than the bounds allow, and as much less as the noise
   * makes likely (docs/analysis.md). Count and means stay; `secondMoments` follow. `noise` stays
   * the law of what was added, which is no longer the law of the error. The analyses start from
   * the released covariance, whose noise has a known law, and are the same either way.
   */
  denoise(): Moments {
    return this.#denoised(denoise(this.#context));
  }

  #denoised(raw: RawMoments & RawDenoising): Moments {
    return new Moments(this.#core, this.study, this.#sums, this.#noisy, raw);
  }

  /**
   * Principal components of the scaled covariance. Default: as many as the study's mechanism says,
   * else as many as there are features.
   */
  pca(options: PcaOptions = {}): PcaResult {
    return pca(this.#context, options);
  }

  /**
   * Canonical correlations between two views.
   * @param options `x` and `y`: names of views, or lists of columns. Default: the study's two
   * views, in alphabetical order. `components`, default: as many as the study's mechanism
   * says, at most (and else) as many as the smaller view has features.
   */
  cca(options: CcaOptions = {}): CcaResult {
    return cca(this.#context, options);
  }

  /**
   * What two or more views share (generalised canonical correlations, MAXVAR).
   * @param options `views`: names of views, or lists of columns. Default: all views of the study,
   * in alphabetical order. `components` as for `cca`.
   */
  gcca(options: GccaOptions = {}): GccaResult {
    return gcca(this.#context, options);
  }

  /**
   * For evaluation: the share, from 0 to 1, of the variance in these moments that any as many
   * directions could hold at most which the span of the given ones does. Meant for exact moments,
   * with directions from releases.
   * @param loadings features x k, scaled units, as `pca` and `assembleComponents` give them
   */
  capturedEnergy(loadings: Matrix): number {
    return capturedEnergy(this.#context, loadings);
  }

  /**
   * Regression of one column, or one level of a category, on others, in original units: ordinary
   * least squares, or ridge with `alpha` above 0. One release serves any target and predictors.
   */
  ridge(options: RidgeOptions): RidgeResult {
    return ridge(this.#context, options);
  }

  /**
   * Standard errors and intervals of means, covariances and the count: of privacy noise, and of the
   * rows as a sample of a population. Its `pca`, `cca`, `gcca` and `ridge` are those of these moments
   * at the same level, with the same draws and seed.
   * @param options `level`, default 0.95; `draws` and `seed`, which count for the analyses only
   */
  uncertainty(options: UncertaintyOptions = {}): UncertaintyResult & WithIntervals {
    return withIntervals<Moments>(uncertainty(this.#context, options), this);
  }

  /**
   * Rows of the study's columns, drawn at random from a law with these moments, denoised: numbers
   * within their bounds, categories with their levels. They are nobody's, and cost no further
   * privacy however many there are; `preserves()` says what they keep (docs/synthetic.md). Several
   * sites' releases give rows of all together.
   * @param options `rows`; `seed` of the draw alone; `label`, a category whose classes are to have
   *   their own means
   * @throws PrivateMomentsError unsupported-option (with the field), too-few-rows, no-entropy
   */
  synthesize(options: SynthesizeMomentsOptions): Synthetic {
    return new Synthetic(synthesize(this.#context, options));
  }

  /**
   * The same analyses in a thread of their own, as promises of the same results: for a page that must
   * not stand still while hundreds of features are analysed or intervals simulated.
   * @param options `signal` cancels what is under way and what waits, code `cancelled`; `workers`:
   *   how many simulate intervals, the same ones
   * @throws PrivateMomentsError unsupported-option (workers)
   */
  inWorker(options: InWorkerOptions = {}): MomentsInWorker {
    requireKnown(options, ['signal', 'workers']);
    checkSignal(options.signal);
    return new MomentsInWorker(this.#question, options, (raw) => this.#denoised(raw));
  }

  /** `private-moments/result@1` with all of this: what `JSON.stringify` writes. */
  toJSON(): { format: typeof RESULT_FORMAT } & Plain<MomentsData> {
    return jsonOf(this.#data) as never;
  }

  /** Every number, one line each, as `toCSV` of the results. */
  toCSV(): string {
    return csvOf(this.#data);
  }

  get #data(): MomentsData {
    const { origin, guarantee, rows, columns, sources, scale, traceBound } = this;
    const { mean, covariance, secondMoments, noise, clipping, denoising } = this;
    const about = { analysis: 'moments' as const, options: {}, origin, guarantee, rows, columns };
    const units = { sources, scale, traceBound };
    return { ...about, ...units, mean, covariance, secondMoments, noise, clipping, denoising };
  }

  get #context(): Context {
    return { core: this.#core, ...this.#question };
  }

  /** What an analysis is about, whichever thread's core computes it. */
  get #question(): Question {
    return {
      study: this.study,
      columns: this.columns,
      rows: this.rows,
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
        half: halfWidths(this.study),
        columns: columnsOfFeatures(this.study),
        meanNoise: this.#noisy.meanNoise,
        // Without noise there is no floor.
        rows: this.#noisy.covarianceSdOffDiagonal && this.rows,
      },
    };
  }
}

function rawSums(study: Study, { sums, constant, rows, noise }: Sums): RawMomentSums {
  const dimension = study.features.length;
  return {
    sums,
    dimension,
    constant,
    rows,
    noise,
    mid: midpoints(study),
    half: halfWidths(study),
  };
}

function denoisingOf({ signalEnergy, traceKept, shapeKept }: RawDenoising): Denoising {
  return {
    signalEnergy: Number.isFinite(signalEnergy) ? signalEnergy : null,
    traceKept,
    shapeKept,
  };
}

function columnsOfFeatures(study: Study): number[] {
  return study.columns.flatMap((column, index) =>
    column.type === 'number' ? [index] : column.levels.map(() => index),
  );
}

/** @internal */
export function originOf(core: Core, study: Study, releases: number, noise: string): Origin {
  const { id, title, unit, neighbours } = study;
  const library = `private-moments/${core.version()}`;
  return { library, study: { id, title, unit, neighbours }, releases, noise };
}

function square(names: readonly string[], values: Float64Array): Matrix {
  return { rows: [...names], columns: [...names], values };
}
