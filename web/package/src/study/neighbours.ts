import type { Neighbours, Unit } from './types.js';

/** What a guarantee protects: the unit, and the change between neighbours. */
export interface Protection {
  unit: Unit;
  neighbours: Neighbours;
}

/**
 * How two neighbouring data sets differ, such as "one row replaced by any other". That a participant takes
 * part is visible, so add-remove of participants replaces the contents of their file.
 */
export function changeInWords({ unit, neighbours }: Protection): string {
  if (unit === 'row') {
    return neighbours === 'replace-one'
      ? 'one row replaced by any other'
      : 'one row added or left out';
  }
  return neighbours === 'replace-one'
    ? 'the file of one participant replaced by any other'
    : 'the file of one participant replaced by an empty one, or the other way round';
}
