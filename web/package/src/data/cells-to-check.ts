import type { Plan } from '../core/plan.js';
import type { RawCellsToCheck } from '../core/raw.js';

/** How many rows are named of those with a cell that could not be read. */
const SHOWN_ROWS = 3;

/**
 * What the owner of the data should check in each column: cells that are not empty and could not be read, and
 * numbers that may stand for a missing value. They may be a wrong column or unit, or a code that nobody named.
 */
export class CellsToCheck {
  readonly #found: RawCellsToCheck[];

  constructor(plan: Pick<Plan, 'columns'>) {
    this.#found = plan.columns.map(none);
  }

  /** For each column. Rows from 0. */
  get columns(): readonly Readonly<RawCellsToCheck>[] {
    return this.#found;
  }

  /** Adds those of other rows. @param rowsBefore rows of the data before these */
  add(columns: readonly Readonly<RawCellsToCheck>[], rowsBefore: number): void {
    for (const [index, own] of this.#found.entries()) {
      const { unreadable, rows, codes } = columns[index] ?? none();
      own.unreadable += unreadable;
      own.rows.push(...rows.map((row) => row + rowsBefore));
      own.rows.sort((a, b) => a - b);
      own.rows.splice(SHOWN_ROWS);
      own.codes = Float64Array.from(new Set([...own.codes, ...codes])).sort();
    }
  }
}

function none(): RawCellsToCheck {
  return { unreadable: 0, rows: [], codes: new Float64Array() };
}
