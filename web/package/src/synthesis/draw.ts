/** Options of every draw of synthetic rows. */
import { checker } from '../base/check.js';

/** The core's limit for one draw: rows times columns. */
const MAX_CELLS = 40_000_000;

const check = checker('unsupported-option');

export function readRows(value: unknown, columns: number): number {
  return check.wholeNumber(value, 'rows', 1, Math.floor(MAX_CELLS / columns));
}

/** @returns null if there is no seed */
export function readSeed(value: unknown, field = 'seed'): number | null {
  if (value === undefined) return null;
  return check.wholeNumber(value, field, 0, Number.MAX_SAFE_INTEGER);
}
