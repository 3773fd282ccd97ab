import { numbered } from './context.js';
import { halfWidths, midpoints } from '../study/features.js';
import type { Study } from '../study/study.js';
import { asResult, type Origin, type Result } from '../output/results.js';
import type { Guarantee, Matrix } from '../study/types.js';

/**
 * Directions in which the rows spread most around the public centre. (Those of `pca` are around the mean,
 * which such releases do not contain.)
 */
export interface Components extends Result {
  analysis: 'components';
  /** Names of the features. */
  columns: string[];
  /** The public centre in original units, which is subtracted from a row to score it. */
  centre: Matrix;
  /** Rows (or participants) in all releases together; null if their number is private. */
  rows: number | null;
  /** The guarantee of each release. */
  guarantee: Guarantee;
  /** Number of releases. */
  releases: number;
  /**
   * For each direction, largest first. `value`: the noisy mean square along it in scaled units (the sum of
   * squares if the number of rows is private); null if the mechanism releases no values, and then the
   * directions of a single release have no order. `share`: its share of the total; null unless all
   * directions have values.
   */
  explained: { value: number | null; share: number | null }[];
  /** features x components, for scaled units; columns of length 1 whose largest entry is positive. */
  loadings: Matrix;
  /** features x components, for original units. */
  weights: Matrix;
}

/** @internal Makes the result from the core's directions, in scaled units. */
export function componentsOf(
  study: Study,
  { loadings, values }: { loadings: Float64Array; values: Float64Array },
  about: { rows: number | null; origin: Origin; guarantee: Guarantee },
): Components {
  const columns = study.features.map(({ name }) => name);
  const size = columns.length;
  const count = loadings.length / size;
  const labels = numbered('PC', count);
  const total = values.reduce((sum, value) => sum + value, 0);
  const half = halfWidths(study);
  return asResult<Omit<Components, 'toJSON' | 'toCSV'>>({
    analysis: 'components',
    options: {},
    origin: about.origin,
    columns,
    centre: { rows: ['centre'], columns: [...columns], values: midpoints(study) },
    rows: about.rows,
    guarantee: about.guarantee,
    releases: about.origin.releases,
    explained: labels.map((_, index) => {
      const value = values[index];
      if (value === undefined) return { value: null, share: null };
      const isComplete = count === size && total > 0;
      return { value: value / (about.rows ?? 1), share: isComplete ? value / total : null };
    }),
    loadings: { rows: [...columns], columns: labels, values: loadings },
    weights: {
      rows: [...columns],
      columns: [...labels],
      values: loadings.map((value, index) => value / (half[Math.floor(index / count)] ?? 1)),
    },
  });
}
