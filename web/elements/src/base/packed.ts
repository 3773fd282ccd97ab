import { packedLength } from 'private-moments/internal';

/**
 * The packed second-moment matrix: (D+1)(D+2)/2 numbers, upper triangle row by row, the constant
 * coordinate first.
 */

/** Position of entry (i, j), in either order, both 0 (the constant) to `dimension`. */
export function packedIndex(dimension: number, i: number, j: number): number {
  const row = Math.min(i, j);
  const column = Math.max(i, j);
  return row * (dimension + 1) - (row * (row - 1)) / 2 + (column - row);
}

/** How many noisy numbers a release of this dimension holds: all that are not public beforehand. */
export function noisyCount(dimension: number, rowsArePublic: boolean): number {
  return packedLength(dimension) - (rowsArePublic ? 1 : 0);
}
