/** Common codes for a missing value, which nobody may have named. */
import type { Column } from './types.js';

/** Numbers that stand for a missing value in many files. */
const NUMBERS = [
  ...[-1, -7, -8, -9, -77, -88, -98, -99, -777, -888, -998, -999, -9998, -9999, -99999],
  ...[9, 77, 88, 98, 99, 777, 888, 998, 999, 7777, 8888, 9998, 9999, 99999, 999999],
];

/** The numbers that, in this column, seem to stand for a missing value rather than for themselves. */
export function codesFor(column: Column): number[] {
  return column.type === 'number' ? NUMBERS.filter((code) => isFar(code, column)) : [];
}

/** Farther from the range than it is wide, or negative where nothing is: 99 hours a week may be a value. */
function isFar(value: number, { min, max }: { min: number; max: number }): boolean {
  return (value < 0 && min >= 0) || Math.max(value - max, min - value) > max - min;
}
