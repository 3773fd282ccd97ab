import type { Column, NumberColumn } from './types.js';

/** Coordinates z of rows in the study's scaled units x: x = centre + units z, for each feature. */
export interface RowFrame {
  centre: Float64Array;
  units: Float64Array;
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
  const plain = { ...column };
  delete plain.centre;
  delete plain.spread;
  return plain;
}

/**
 * The coordinates in which the rows of a study with stated centres and spreads are encoded: numbers as
 * (x - centre) / spread, indicators as they are. Undefined for other studies, whose rows are in scaled units.
 */
export function frameOf({
  columns,
}: {
  readonly columns: readonly Column[];
}): RowFrame | undefined {
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
