import type { RawDenoising, RawMoments } from '../raw.js';
import { unwrap } from '../unwrap.js';
import { cca, ccaDraws } from './cca.js';
import type { Context } from './context.js';
import { gcca, gccaDraws } from './gcca.js';
import { pca, pcaDraws } from './pca.js';
import { ridge } from './ridge.js';
import { synthesizeWhole } from './synthesize.js';
import { uncertainty } from './uncertainty.js';

/** @internal Takes the noise off. */
export function denoise({ core, covariance, sums }: Context): RawMoments & RawDenoising {
  return unwrap(core.denoiseMoments({ ...sums, bound: covariance.bound }));
}

/** @internal What can be computed of moments, in whichever thread. */
export const methods = {
  cca,
  denoise,
  gcca,
  pca,
  ridge,
  synthesize: synthesizeWhole,
  uncertainty,
};

/** @internal A part of the draws of those whose intervals are simulated. */
export const simulations = { cca: ccaDraws, gcca: gccaDraws, pca: pcaDraws };

export type Method = keyof typeof methods;
export type Simulated = keyof typeof simulations;
