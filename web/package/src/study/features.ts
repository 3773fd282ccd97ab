import type { RowFrame } from '../core/call.js';
import type { Study } from './study.js';
import type { Column, NumberColumn } from './types.js';

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

/** A number column that says where its rows are encoded. */
export type StatedColumn = NumberColumn & { centre: number; spread: number };

/** Whether the study states centres and spreads, which its number columns have all or none of. */
export function isStated(column: Column): column is StatedColumn {
  return column.type === 'number' && column.centre !== undefined;
}

/** The column without a centre and a spread. */
export function withoutCoordinates(column: Column): Column {
  if (column.type === 'category') return column;
  const { name, type, min, max } = column;
  return { name, type, min, max };
}

/**
 * The coordinates in which the rows of a study with stated centres and spreads are encoded: numbers as
 * (x - centre) / spread, indicators as they are. Undefined for other studies, whose rows are in scaled units.
 */
export function frameOf({ columns }: Pick<Study, 'columns'>): RowFrame | undefined {
  if (!columns.some(isStated)) return undefined;
  const frame = columns.flatMap((column): { centre: number; unit: number }[] => {
    if (column.type === 'category') return column.levels.map(() => ({ centre: 0, unit: 1 }));
    const middle = column.min / 2 + column.max / 2;
    const half = column.max / 2 - column.min / 2;
    const { centre = middle, spread = half } = column;
    // Rounding must not move a centre beyond its bounds.
    const scaled = Math.max(-1, Math.min(1, (centre - middle) / half));
    return [{ centre: scaled, unit: spread / half }];
  });
  return {
    centre: Float64Array.from(frame, ({ centre }) => centre),
    units: Float64Array.from(frame, ({ unit }) => unit),
  };
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
