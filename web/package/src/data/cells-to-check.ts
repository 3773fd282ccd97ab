import type { Plan } from '../core/plan.js';
import type { RawCellsToCheck } from '../core/raw.js';
import { UNREADABLE } from './cells.js';

/** How many rows are named of those with a cell that could not be read. */
const SHOWN_ROWS = 3;

/**
 * What the owner of the data should check in each column: cells that are not empty and could not be read, and
 * numbers that may stand for a missing value. They may be a wrong column or unit, or a code that nobody named.
 */
export class CellsToCheck {
  readonly #plan: Pick<Plan, 'columns'>;
  readonly #found: RawCellsToCheck[];

  constructor(plan: Pick<Plan, 'columns'>) {
    this.#plan = plan;
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

  /** Adds those among encoded rows, column by column: an iterator over cells would take longer than their sums. */
  addEncoded(values: Float64Array, rowsBefore: number): void {
    const width = this.#found.length;
    const found = this.#plan.columns.map((column, index) => {
      const own = none();
      const codes = new Set<number>();
      const [min, max] = column.type === 'number' ? [column.min, column.max] : [0, Infinity];
      for (let at = index; at < values.length; at += width) {
        const value = values[at] ?? NaN;
        if (value >= min && value <= max && value !== UNREADABLE) continue;
        if (Math.abs(value) === UNREADABLE) {
          own.unreadable += 1;
          if (own.rows.length < SHOWN_ROWS) own.rows.push(Math.floor(at / width));
        } else if (column.codes.includes(value)) codes.add(value);
      }
      return { ...own, codes: Float64Array.from(codes) };
    });
    this.add(found, rowsBefore);
  }
}

function none(): RawCellsToCheck {
  return { unreadable: 0, rows: [], codes: new Float64Array() };
}
