import { numbered } from './analysis/context.js';
import { halfWidths, midpoints } from './features.js';
import type { Study } from './study.js';
import { asResult, type Origin, type Result } from './results.js';
import type { Guarantee, Matrix } from './types.js';

/**
 * Directions in which the rows spread most about the public centre: unlike those of `pca`, not
 * about the mean, which such a release does not hold.
 */
export interface Components extends Result {
  analysis: 'components';
  /** Names of the features. */
  columns: string[];
  /** The public centre, original units: a score is of a row less this. */
  centre: Matrix;
  /** Rows (or participants) in all releases; null where their number is private. */
  rows: number | null;
  /** What each release promised to those in it. */
  guarantee: Guarantee;
  /** How many releases were put together. */
  releases: number;
  /**
   * For each direction, largest value first: the mean square along it, scaled units, with noise (the
   * sum of squares where the number of rows is private), and its share of the total. `value` is null
   * where the mechanism releases none (and one release then has no order), `share` also where not
   * every direction was released.
   */
  explained: { value: number | null; share: number | null }[];
  /** features x components, on scaled units; columns of length 1, largest entry positive. */
  loadings: Matrix;
  /** features x components, on original units. */
  weights: Matrix;
}

/** @internal From what the core put together: sums, and directions in scaled units. */
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
      const known = count === size && total > 0;
      return { value: value / (about.rows ?? 1), share: known ? value / total : null };
    }),
    loadings: { rows: [...columns], columns: labels, values: loadings },
    weights: {
      rows: [...columns],
      columns: [...labels],
      values: loadings.map((value, index) => value / (half[Math.floor(index / count)] ?? 1)),
    },
  });
}
