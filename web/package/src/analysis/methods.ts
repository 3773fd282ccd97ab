import type { RawDenoising, RawMoments } from '../core/raw.js';
import { unwrap } from '../core/unwrap.js';
import { cca, ccaDraws } from './cca.js';
import type { Context } from './context.js';
import { gcca, gccaDraws } from './gcca.js';
import { factorAnalysis, factorDraws } from './methods/factors.js';
import { lda, ldaDraws } from './methods/lda.js';
import { plsCorrelation, plsRegression } from './methods/pls.js';
import { pca, pcaDraws } from './pca.js';
import { ridge } from './ridge.js';
import { sparseCca, sparsePca } from './methods/sparse.js';
import { synthesizeWhole } from './synthesize.js';
import { uncertainty } from './uncertainty.js';

/** @internal See `Moments.denoise`. */
export function denoise({ core, covariance, sums }: Context): RawMoments & RawDenoising {
  return unwrap(core.denoiseMoments({ ...sums, bound: covariance.bound }));
}

/** @internal The analyses of moments, by name, for any thread. */
export const methods = {
  cca,
  denoise,
  factorAnalysis,
  gcca,
  lda,
  pca,
  plsCorrelation,
  plsRegression,
  ridge,
  sparseCca,
  sparsePca,
  synthesize: synthesizeWhole,
  uncertainty,
};

/** @internal The analyses with simulated intervals: functions that make one part of the draws. */
export const simulations = {
  cca: ccaDraws,
  factorAnalysis: factorDraws,
  gcca: gccaDraws,
  lda: ldaDraws,
  pca: pcaDraws,
};

export type Method = keyof typeof methods;
export type Simulated = keyof typeof simulations;
