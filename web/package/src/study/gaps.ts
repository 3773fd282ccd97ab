import type { MissingRule } from './types.js';

/** Whether rows have one more feature for each column, which says where cells are missing. */
export function marksGaps(missing: MissingRule): boolean {
  return missing === 'pairwise';
}
