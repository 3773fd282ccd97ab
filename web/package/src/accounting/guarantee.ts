import { loadCore } from '../core/core.js';
import { pickGuarantee } from '../study/envelope.js';
import { specOf } from '../core/plan.js';
import { requireStudy, type Study } from '../study/study.js';
import type { Guarantee } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';

/**
 * The guarantee of a release of this study, computed without any data. If releases are summed behind masks,
 * it is the guarantee of the sum: `honest` is the number of releases it rests on, and `floor` what remains
 * if everyone else colludes.
 * @throws PrivateMomentsError if no release of this study is possible, such as `invalid-epsilon`.
 */
export async function guaranteeOf(study: Study): Promise<Guarantee> {
  const core = await loadCore();
  return pickGuarantee(unwrap(core.describe(specOf(requireStudy(study)))), study.federation);
}
