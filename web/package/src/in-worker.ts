import type { CcaOptions, CcaResult } from './analysis/cca.js';
import type { Question } from './analysis/context.js';
import type { GccaOptions, GccaResult } from './analysis/gcca.js';
import type { Method } from './analysis/methods.js';
import type { PcaOptions, PcaResult } from './analysis/pca.js';
import type { RidgeOptions, RidgeResult } from './analysis/ridge.js';
import type { SynthesizeMomentsOptions } from './analysis/synthesize.js';
import {
  withIntervals,
  type UncertaintyOptions,
  type UncertaintyResult,
} from './analysis/uncertainty.js';
import { analyse } from './analyst.js';
import { requireKnown } from './check.js';
import type { Moments } from './moments.js';
import { checkWorkers } from './options.js';
import type { RawDenoising, RawMoments } from './raw.js';
import { asResult, type Result } from './results.js';
import { Synthetic, type SyntheticParts } from './synthesis/synthetic.js';

export interface InWorkerOptions {
  /** Cancels what was started here and has no result yet. */
  signal?: AbortSignal;
  /**
   * How many workers simulate what intervals rest on, 1 to 64; the result is the same. By default as
   * many as are worth starting, and not more than four or the cores there are.
   */
  workers?: number;
}

/** Analyses with a level of their own to begin with, as those of `Moments.uncertainty`. */
export type WithIntervalsInWorker = Pick<MomentsInWorker, 'pca' | 'cca' | 'gcca' | 'ridge'>;

/**
 * The analyses of moments in a thread of their own: the same options, results and errors, to the
 * last bit, and besides the errors `cancelled` and `worker-failed`. One runs after another; long
 * simulations are spread over several threads.
 */
export class MomentsInWorker {
  readonly #question: Question;
  readonly #signal: AbortSignal | undefined;
  readonly #workers: number | null;
  readonly #denoised: (raw: RawMoments & RawDenoising) => Moments;

  /** @internal Made by `Moments.inWorker`. */
  constructor(
    question: Question,
    { signal, workers }: InWorkerOptions,
    denoised: (raw: RawMoments & RawDenoising) => Moments,
  ) {
    this.#question = question;
    this.#signal = signal;
    checkWorkers(workers);
    this.#workers = workers ?? null;
    this.#denoised = denoised;
  }

  async pca(options: PcaOptions = {}): Promise<PcaResult> {
    return this.#result('pca', options);
  }

  async cca(options: CcaOptions = {}): Promise<CcaResult> {
    return this.#result('cca', options);
  }

  async gcca(options: GccaOptions = {}): Promise<GccaResult> {
    return this.#result('gcca', options);
  }

  async ridge(options: RidgeOptions): Promise<RidgeResult> {
    return this.#result('ridge', options);
  }

  async denoise(): Promise<Moments> {
    return this.#denoised((await this.#analyse('denoise', {})) as RawMoments & RawDenoising);
  }

  /** What the rows preserve is computed in the thread, too. */
  async synthesize(options: SynthesizeMomentsOptions): Promise<Synthetic> {
    const parts = (await this.#analyse('synthesize', options)) as SyntheticParts;
    return new Synthetic({ ...parts, study: this.#question.study });
  }

  /** Its `pca`, `cca`, `gcca` and `ridge` are promises, too. */
  async uncertainty(
    options: UncertaintyOptions = {},
  ): Promise<UncertaintyResult & WithIntervalsInWorker> {
    const result = await this.#result<UncertaintyResult>('uncertainty', options);
    return withIntervals<MomentsInWorker>(result, this);
  }

  async #result<T extends Result>(method: Method, options: object): Promise<T> {
    return asResult((await this.#analyse(method, options)) as Result) as unknown as T;
  }

  async #analyse(method: Method, options: object): Promise<object> {
    requireKnown(options, null);
    return analyse({ method, question: this.#question, options }, this.#workers, this.#signal);
  }
}
