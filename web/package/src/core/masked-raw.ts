/**
 * The raw functions of bindings/ for masked sums: plain objects and typed arrays, failures as values, as
 * in raw.ts. Not public.
 */
import type { RawMasked } from '../generated/raw.js';
import type { Raw, Spec } from './call.js';

/** An intake of a study with masks, whose `release` fails with `invalid-federation`. */
export interface MaskedIntake {
  /**
   * Modes split and ring, single use: total + own noise + mask, modulo 2^64. `mask`: the sum of the
   * keystreams, 8 bytes for each entry; the caller wipes it. Fails with `wrong-length`, and for a mask
   * of zeros with `no-entropy`, before anything is read.
   */
  releaseMasked(mask: Uint8Array): Raw<RawMasked>;
  /**
   * Mode correlated, single use. `keys`: 32 bytes for each other site; `signs`: 1 if its mask is added,
   * -1 if it is subtracted.
   */
  releaseCorrelated(keys: Uint8Array, signs: Int8Array | number[]): Raw<RawMasked>;
}

/** A sum of payloads and keystreams modulo 2^64, initially zero. */
export interface RawMaskSum {
  /** Fails with `wrong-length`, without adding anything. */
  add(bytes: Uint8Array, sign: 1 | -1): Raw<object>;
  bytes(): Uint8Array;
  /**
   * The sum in units of the noise's `unit`, once all masks have cancelled. `rows`: the total of all
   * messages, or null if they are private. Fails with `sum-overflow` if this cannot be a sum of the
   * study.
   */
  unmask(spec: Spec, rows: number | null): Raw<{ values: Float64Array }>;
  delete(): void;
}

export interface MaskCore {
  createMaskSum(length: number): Raw<{ sum: RawMaskSum }>;
}
