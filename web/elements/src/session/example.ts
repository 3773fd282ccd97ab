import type { Column } from 'private-moments';

/** The middle of a number's range, as round as the range allows; the first level of a category. */
export function exampleOf(column: Column): string {
  if (column.type === 'category') return column.levels[0] ?? '';
  const { min, max } = column;
  const middle = min / 2 + max / 2;
  // The usual coding of yes or no, for which a half would mislead.
  if (min === 0 && max === 1) return '1';
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(max / 2 - min / 2)));
  const isWhole = Number.isInteger(min) && Number.isInteger(max) && max - min >= 2;
  const rounded = isWhole ? Math.round(middle) : Number(middle.toFixed(Math.min(20, decimals)));
  return String(rounded >= min && rounded <= max ? rounded : middle);
}
