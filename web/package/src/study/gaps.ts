import type { MissingRule } from './types.js';

/** Whether rows have one more feature for each column, which says where cells are missing. */
export function marksGaps(missing: MissingRule): boolean {
  return missing === 'pairwise';
}

/** Whether surveys of private centring count the missing cells of each column. */
export function countsGaps(missing: MissingRule): boolean {
  return missing === 'mean';
}

/** Whether rows with a gap count with the cells that they have. */
export function usesPartialRows(missing: MissingRule): boolean {
  return marksGaps(missing) || countsGaps(missing);
}
