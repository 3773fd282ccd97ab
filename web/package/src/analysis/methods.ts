import type { RawDenoising, RawMoments } from '../raw.js';
import { unwrap } from '../unwrap.js';
import { cca } from './cca.js';
import type { Context } from './context.js';
import { gcca } from './gcca.js';
import { pca } from './pca.js';
import { ridge } from './ridge.js';
import { uncertainty } from './uncertainty.js';

/** @internal Takes the noise off. */
export function denoise({ core, covariance, sums }: Context): RawMoments & RawDenoising {
  return unwrap(core.denoiseMoments({ ...sums, bound: covariance.bound }));
}

/** @internal What can be computed of moments, in whichever thread. */
export const methods = { cca, denoise, gcca, pca, ridge, uncertainty };

export type Method = keyof typeof methods;
