/**
 * What bindings/ adds for sums behind masks: plain objects and typed arrays, failures as values, as in
 * ../raw.ts. Nothing outside this package's own files sees these.
 */
import type { RawCape, RawMasked } from '../generated/raw.js';
import type { Raw, Spec } from './call.js';

/** What an intake of a study behind masks has; `release` fails there with `invalid-federation`. */
export interface MaskedIntake {
  /**
   * Modes split and ring, single use: total + own noise + mask, modulo 2^64. `mask`: the keystreams
   * added up, 8 bytes an entry; the caller wipes it. Fails with `wrong-length`, and for a mask of zeros
   * with `no-entropy`, before anything was read.
   */
  releaseMasked(mask: Uint8Array): Raw<RawMasked>;
  /**
   * Mode correlated, single use. `keys`: 32 bytes for each other site; `signs`: 1 where its mask is
   * added and -1 where it is taken off.
   */
  releaseCorrelated(keys: Uint8Array, signs: Int8Array | number[]): Raw<RawMasked>;
}

/** A sum of payloads and keystreams modulo 2^64 that begins at zero. */
export interface RawMaskSum {
  /** Fails with `wrong-length`, and has then added nothing. */
  add(bytes: Uint8Array, sign: 1 | -1): Raw<object>;
  bytes(): Uint8Array;
  /**
   * The sum in units of the noise's `unit`, when no mask is left in it. `rows`: all messages' added up,
   * or null where they are private. Fails with `sum-overflow` where it is no sum of this study.
   */
  unmask(spec: Spec, rows: number | null): Raw<{ values: Float64Array }>;
  delete(): void;
}

export interface MaskCore {
  createMaskSum(length: number): Raw<{ sum: RawMaskSum }>;
}

/** In the research module. */
export interface CapeCore {
  /** `matrices`: means of x x^T of the sites, d x d each, one after the other. */
  simulateCape(options: {
    matrices: Float64Array;
    dimension: number;
    rows: number[];
    epsilon: number;
    delta: number;
    weights: 'sites' | 'rows';
    dropped: number[];
  }): Raw<RawCape>;
  /** NaN for sites that there cannot be. */
  capeKappa(sites: number, honest: number): number;
}
