import { loadCore } from './core.js';
import { guaranteeOf } from './envelope.js';
import { specOf } from './plan.js';
import { requireStudy, type Study } from './study.js';
import type { Guarantee } from './types.js';
import { unwrap } from './unwrap.js';

/**
 * What a release of this study promises, before anything is made of any data. Where releases are
 * summed behind masks it is the promise of the sum: with `honest`, on how many it rests, and `floor`,
 * what is left if everyone else colludes.
 * @throws PrivateMomentsError where no release could be made, as `invalid-epsilon`
 */
export async function promiseOf(study: Study): Promise<Guarantee> {
  const core = await loadCore();
  return guaranteeOf(unwrap(core.describe(specOf(requireStudy(study)))), study.federation);
}
