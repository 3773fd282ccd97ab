import { PrivateMomentsError, type Guarantee, type Neighbours } from 'private-moments';
import { nextTask } from 'private-moments/internal';
import { requireOptions, unwrap } from 'private-moments/internal/core';
import type { AuditCore, AuditNorm, RawAudit } from '../core/raw.js';
import type { AuditLaw, AuditLook } from '../generated/raw.js';
import type { Table } from './synthesizers.js';

export type { AuditLaw, AuditLook };

export interface AuditOptions {
  /** One of `auditable()`. */
  mechanism: string;
  epsilon: number;
  /** Delta of the bound, unless the promise has none. Default 1e-6. */
  delta?: number;
  /** Default `replace-one`. */
  neighbours?: Neighbours;
  /** Confidence of all bounds of the audit together. Default 0.95. */
  confidence?: number;
  /** Factor on the mechanism's noise, at least 0.01; below 1 makes a mutant that must fail. Default 1. */
  noise?: number;
}

export interface AuditProgress {
  runs: number;
  /** The number of runs requested. */
  of: number;
  looks: readonly AuditLook[];
}

export interface AuditRunOptions {
  onProgress?: (progress: AuditProgress) => void;
  /** Stops the audit; its results so far stay. */
  signal?: AbortSignal;
}

export interface AuditSensitivity {
  /** Largest distance found between the exact sums of two neighbours. */
  measured: number;
  /** Sensitivity that the noise is calibrated to, in the same norm and unit. */
  calibrated: number;
  norm: AuditNorm;
}

/** Pairs of neighbours drawn at random, besides the audited pair. */
const PAIRS = 1000;
/** Target time between two checks of the signal. */
const SLICE_MS = 25;
const MOST_RUNS = 10_000_000;

/** An audit, which may be watched, stopped and continued; its bounds stay valid. */
export class Audit {
  readonly mechanism: string;
  readonly neighbours: Neighbours;
  readonly confidence: number;
  /** The promise or claim; null if there is none. With `gdp` if the noise is normal. */
  readonly promised: { epsilon: number; delta: number; gdp?: number } | null;
  /** The guarantee by this library's own analysis; null if none holds. */
  readonly guarantee: Guarantee | null;
  /** Delta of the bound. */
  readonly delta: number;
  /** The two neighbouring data sets. */
  readonly dataSets: readonly [Table, Table];
  /**
   * `counts`: the bound comes from counts alone. `normal`: the noise is normal, so mu is bounded, and
   * epsilon follows from its curve at delta.
   */
  readonly reads: 'counts' | 'normal';
  /** Whether the exact law is known, which `law` tests against. */
  readonly hasLaw: boolean;

  readonly #raw: RawAudit;
  readonly #sensitivity: number;
  readonly #norm: AuditNorm;
  #looks: AuditLook[] = [];
  #runs = 0;

  /** @internal */
  constructor(core: AuditCore, options: AuditOptions) {
    requireOptions(options, [
      ...['mechanism', 'epsilon', 'delta', 'neighbours', 'confidence', 'noise'],
    ]);
    const { mechanism, epsilon, delta = 1e-6, neighbours = 'replace-one' } = options;
    const { confidence = 0.95, noise = 1 } = options;
    const raw = unwrap(
      core.openAudit({ mechanism, epsilon, delta, neighbours, noise, alpha: 1 - confidence }),
    );
    this.#raw = raw.audit;
    this.#sensitivity = raw.sensitivity;
    this.#norm = raw.norm;
    this.mechanism = mechanism;
    this.neighbours = neighbours;
    this.confidence = confidence;
    this.delta = raw.delta;
    this.promised =
      raw.epsilon === null
        ? null
        : {
            epsilon: raw.epsilon,
            delta: raw.delta,
            ...(raw.isNormal ? { gdp: raw.gdp } : {}),
          };
    this.guarantee = raw.guarantee;
    this.dataSets = [raw.first, raw.second];
    this.reads = raw.isNormal ? 'normal' : 'counts';
    this.hasLaw = raw.hasLaw;
  }

  /** One for each update of the bound, after 10, 15, 20, 30, 50, 70, 100, ... runs. */
  get looks(): readonly AuditLook[] {
    return this.#looks;
  }

  /** Attacks so far on each of the two data sets. */
  get runs(): number {
    return this.#runs;
  }

  /** Whether no attack so far has broken the promise. An audit cannot prove one. */
  get passes(): boolean {
    const { promised } = this;
    return promised === null || (this.#looks.at(-1)?.epsilon ?? 0) <= promised.epsilon;
  }

  /**
   * Attacks more releases of each data set, until there are `runs`, in slices on this thread.
   * @throws PrivateMomentsError `cancelled`; the results so far stay
   */
  async run(runs: number, options: AuditRunOptions = {}): Promise<void> {
    requireOptions(options, ['onProgress', 'signal']);
    const { onProgress, signal } = options;
    if (!Number.isInteger(runs) || runs < 1 || runs > MOST_RUNS) {
      const message = `runs must be a whole number from 1 to ${MOST_RUNS}`;
      throw new PrivateMomentsError('invalid-interval', message, { field: 'runs' });
    }
    let slice = 10;
    while (this.#runs < runs) {
      if (signal?.aborted) {
        throw new PrivateMomentsError('cancelled', 'the audit was stopped', {}, signal.reason);
      }
      const since = performance.now();
      const count = Math.min(slice, runs - this.#runs);
      const made = unwrap(this.#raw.run(count));
      this.#runs = made.runs;
      this.#looks = [...this.#looks, ...made.looks];
      const took = performance.now() - since;
      slice = Math.max(1, Math.min(2 * slice, Math.round((slice * SLICE_MS) / Math.max(took, 1))));
      onProgress?.({ runs: made.runs, of: runs, looks: this.#looks });
      await nextTask();
    }
  }

  /**
   * Tests draws of the real code against their exact law or, with `noise` below 1, draws of a mutant,
   * which must fail. Null if the exact law is not known.
   * @param noise from 0.01 to 1
   * @throws PrivateMomentsError `invalid-interval` (noise)
   */
  law(noise = 1): AuditLaw | null {
    if (!this.hasLaw) return null;
    const { draws, p, agrees } = unwrap(this.#raw.law(noise));
    return { draws, p, agrees };
  }

  /** Compares measured and calibrated sensitivity; null if the mechanism has no calibration. */
  sensitivity(): AuditSensitivity | null {
    if (this.#sensitivity === 0) return null;
    const { measured } = unwrap(this.#raw.sensitivity(PAIRS));
    return { measured, calibrated: this.#sensitivity, norm: this.#norm };
  }

  /** Frees its memory; call nothing else afterwards. */
  close(): void {
    this.#raw.delete();
  }
}
