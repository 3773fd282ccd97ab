import { loadCore } from '../core/core.js';
import { specOf } from '../core/plan.js';
import { unwrap } from '../core/unwrap.js';
import { square } from './arithmetic.js';
import { ASSUMPTIONS } from './assumptions.js';
import { isStated } from '../study/coordinates.js';
import { contentOf } from '../study/mechanism.js';
import { checker } from '../base/check.js';
import { requireStudy, type Study } from '../study/study.js';

/**
 * About how large the noise of one release is in a correlation between two columns, at least: the standard
 * deviation of the noise in a sum of products, over the number of rows and the variance of a column in scaled
 * units. The variance is that of the forecast's usual spread. It is 1 in stated coordinates and for releases
 * that choose coordinates or a shorter radius, whose noise is no larger than that. Computed without any data.
 *
 * @param rows of the release, at least 1
 * @returns undefined where one release says nothing by itself, or holds no sums of products
 * @throws PrivateMomentsError `unsupported-option` if `rows` is not a whole number of at least 1, or what
 * makes a release of this study impossible
 */
export async function correlationNoise(study: Study, rows: number): Promise<number | undefined> {
  const { federation, mechanism, unit, clipping, columns } = requireStudy(study);
  checker('unsupported-option').wholeNumber(rows, 'rows', 1);
  const isAlone = federation.mode === 'independent' && unit === 'row';
  if (!isAlone || contentOf(mechanism) !== 'moments') return undefined;
  const core = await loadCore();
  const { noise } = unwrap(core.describe({ ...specOf(study), clipping: 'fixed' }));
  const isScaled = clipping !== 'fixed' || columns.some(isStated);
  const spread = isScaled ? 1 : 2 * ASSUMPTIONS.spread;
  return noise.sdOffDiagonal / (rows * square(spread));
}
