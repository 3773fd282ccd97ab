/** What can be asked of a draw, whatever it is made from. */
import { checker } from '../base/check.js';

/** As many as the core draws at once, for all columns. */
const MOST_CELLS = 40_000_000;

const check = checker('unsupported-option');

export function readRows(value: unknown, columns: number): number {
  return check.wholeNumber(value, 'rows', 1, Math.floor(MOST_CELLS / columns));
}

/** @returns null where none was given */
export function readSeed(value: unknown, field = 'seed'): number | null {
  if (value === undefined) return null;
  return check.wholeNumber(value, field, 0, Number.MAX_SAFE_INTEGER);
}
