import { isOfMany, type CcaOfManyOptions, type CcaOptions, type CcaResult } from './cca.js';
import type { Question } from './context.js';
import type { FactorOptions, FactorResult } from './methods/factors.js';
import type { GccaOptions, GccaResult } from './gcca.js';
import type { LdaOptions, LdaResult } from './methods/lda.js';
import type {
  PlsCorrelationOptions,
  PlsCorrelationResult,
  PlsRegressionOptions,
  PlsRegressionResult,
} from './methods/pls.js';
import type { Method } from './methods.js';
import type { PcaOptions, PcaResult } from './pca.js';
import type { RidgeOptions, RidgeResult } from './ridge.js';
import type {
  SparseCcaOptions,
  SparseCcaResult,
  SparsePcaOptions,
  SparsePcaResult,
} from './methods/sparse.js';
import type { SynthesizeMomentsOptions } from './synthesize.js';
import { withIntervals, type UncertaintyOptions, type UncertaintyResult } from './uncertainty.js';
import { analyse } from './analyst.js';
import { requireOptions } from '../base/check.js';
import { checkWorkers } from '../intake/read-options.js';
import type { RawDenoising, RawMoments } from '../core/raw.js';
import { asResult, type Result } from '../output/results.js';
import { Synthetic, type SyntheticParts } from '../synthesis/synthetic.js';

export interface InWorkerOptions {
  /** Cancels analyses that have no result yet. */
  signal?: AbortSignal;
  /**
   * Number of workers for the simulations behind intervals, 1 to 64; it does not change the result.
   * Default: as many as make it faster, at most four and at most the number of cores.
   */
  workers?: number;
}

/** The analyses of `Moments.uncertainty`, whose default level is that of the uncertainty. */
export type WithIntervalsInWorker = Pick<
  AnalysesInWorker<unknown>,
  'pca' | 'cca' | 'gcca' | 'factorAnalysis' | 'ridge'
>;

/**
 * The analyses of moments in worker threads. Options, results (to the last bit) and errors are the same,
 * with `cancelled` and `worker-failed` as additional errors. Analyses run one after another; long
 * simulations use several threads.
 */
export class AnalysesInWorker<Denoised> {
  readonly #question: Question;
  readonly #signal: AbortSignal | undefined;
  readonly #workers: number | null;
  readonly #denoised: (raw: RawMoments & RawDenoising) => Denoised;

  /** @internal Call `Moments.inWorker`. */
  constructor(
    question: Question,
    { signal, workers }: InWorkerOptions,
    denoised: (raw: RawMoments & RawDenoising) => Denoised,
  ) {
    this.#question = question;
    this.#signal = signal;
    checkWorkers(workers);
    this.#workers = workers ?? null;
    this.#denoised = denoised;
  }

  /** See `Moments.pca`. */
  async pca(options: PcaOptions = {}): Promise<PcaResult> {
    return this.#result('pca', options);
  }

  /** See `Moments.cca`. */
  async cca(options: CcaOfManyOptions): Promise<GccaResult>;
  async cca(options?: CcaOptions): Promise<CcaResult>;
  async cca(options: CcaOptions | CcaOfManyOptions = {}): Promise<CcaResult | GccaResult> {
    return isOfMany(options) ? this.gcca(options) : this.#result<CcaResult>('cca', options);
  }

  /** See `Moments.gcca`. */
  async gcca(options: GccaOptions = {}): Promise<GccaResult> {
    return this.#result('gcca', options);
  }

  /** See `Moments.factorAnalysis`. */
  async factorAnalysis(options: FactorOptions): Promise<FactorResult> {
    return this.#result('factorAnalysis', options);
  }

  /** See `Moments.ridge`. */
  async ridge(options: RidgeOptions): Promise<RidgeResult> {
    return this.#result('ridge', options);
  }

  /** See `Moments.lda`. */
  async lda(options: LdaOptions): Promise<LdaResult> {
    return this.#result('lda', options);
  }

  /** See `Moments.plsCorrelation`. */
  async plsCorrelation(options: PlsCorrelationOptions = {}): Promise<PlsCorrelationResult> {
    return this.#result('plsCorrelation', options);
  }

  /** See `Moments.plsRegression`. */
  async plsRegression(options: PlsRegressionOptions): Promise<PlsRegressionResult> {
    return this.#result('plsRegression', options);
  }

  /** See `Moments.sparsePca`. */
  async sparsePca(options: SparsePcaOptions = {}): Promise<SparsePcaResult> {
    return this.#result('sparsePca', options);
  }

  /** See `Moments.sparseCca`. */
  async sparseCca(options: SparseCcaOptions = {}): Promise<SparseCcaResult> {
    return this.#result('sparseCca', options);
  }

  /** See `Moments.denoise`. */
  async denoise(): Promise<Denoised> {
    return this.#denoised((await this.#analyse('denoise', {})) as RawMoments & RawDenoising);
  }

  /** See `Moments.synthesize`. The worker also computes what `preserves()` returns. */
  async synthesize(options: SynthesizeMomentsOptions): Promise<Synthetic> {
    const parts = (await this.#analyse('synthesize', options)) as SyntheticParts;
    return new Synthetic({ ...parts, study: this.#question.study });
  }

  /** See `Moments.uncertainty`. The analyses of the result return promises too. */
  async uncertainty(
    options: UncertaintyOptions = {},
  ): Promise<UncertaintyResult & WithIntervalsInWorker> {
    const result = await this.#result<UncertaintyResult>('uncertainty', options);
    return withIntervals<AnalysesInWorker<Denoised>>(result, this);
  }

  async #result<T extends Result>(method: Method, options: object): Promise<T> {
    return asResult((await this.#analyse(method, options)) as Result) as unknown as T;
  }

  async #analyse(method: Method, options: object): Promise<object> {
    requireOptions(options, null);
    return analyse({ method, question: this.#question, options }, this.#workers, this.#signal);
  }
}
