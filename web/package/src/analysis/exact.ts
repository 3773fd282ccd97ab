import { Moments, statedFrame } from './moments.js';
import type { Core } from '../core/raw.js';
import type { Study } from '../study/study.js';

/**
 * Moments of exact sums: what `assemble` estimates. `guarantee` is null because there is none: results
 * may reveal any row.
 * @param constant the coordinate that every row has besides, in the units of the rows
 * @param sums packed, in scaled units or, if the study states them, its own coordinates
 */
export function exactMomentsOf(
  core: Core,
  study: Study,
  constant: number,
  { values, rows }: { values: Float64Array; rows: number },
): Moments {
  return Moments.fromSums(core, study, {
    ...statedFrame(study),
    sums: values,
    constant,
    rows,
    bound: study.rowNorm ** 2,
    clipping: null,
    noise: {
      distribution: 'none',
      releases: 0,
      freedom: 0,
      diagonal: 0,
      offDiagonal: 0,
      linear: 0,
      count: 0,
    },
    guarantee: null,
  });
}
