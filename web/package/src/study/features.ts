import type { Study } from './study.js';
import { marksGaps } from './gaps.js';

/** The names of the coordinates of a released row: the features and, where gaps are marked, those of the marks. */
export function releasedNames({
  features,
  columns,
  missing,
}: Pick<Study, 'features' | 'columns' | 'missing'>): string[] {
  const names = features.map(({ name }) => name);
  return marksGaps(missing)
    ? [...names, ...columns.map(({ name }) => `${name} is missing`)]
    : names;
}

/** Number of coordinates of a released row. */
export function releasedFeatures(study: Pick<Study, 'features' | 'columns' | 'missing'>): number {
  return study.features.length + (marksGaps(study.missing) ? study.columns.length : 0);
}

/** Length of packed second moments: the upper triangle of a (features + 1) x (features + 1) matrix. */
export function packedLength(features: number): number {
  return ((features + 1) * (features + 2)) / 2;
}

/** The middle of each feature's range, in original units; 0 for an indicator, which is not scaled. */
export function midpoints(study: Study): Float64Array {
  return perFeature(study, (min, max) => min / 2 + max / 2, 0);
}

/** Half of each feature's range: one scaled unit in original units; 1 for an indicator. */
export function halfWidths(study: Study): Float64Array {
  return perFeature(study, (min, max) => max / 2 - min / 2, 1);
}

function perFeature(
  study: Study,
  ofBounds: (min: number, max: number) => number,
  ofIndicator: number,
): Float64Array {
  return Float64Array.from(
    study.columns.flatMap((column) =>
      column.type === 'number'
        ? [ofBounds(column.min, column.max)]
        : column.levels.map(() => ofIndicator),
    ),
  );
}
