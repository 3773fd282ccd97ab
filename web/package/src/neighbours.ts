import type { Neighbours, Unit } from './types.js';

/** What a promise protects, and against which change. */
export interface Protection {
  unit: Unit;
  neighbours: Neighbours;
}

/**
 * What tells two neighbouring data sets apart: "one row replaced by any other". A participant is
 * seen to take part, so what may be added or left out is what they put in.
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
