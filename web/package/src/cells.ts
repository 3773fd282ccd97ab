import { PrivateMomentsError } from './errors.js';
import type { PlanColumn } from './plan.js';

/** What a cell becomes when it is missing, unreadable or not finite. */
const MISSING = NaN;

/** A plain decimal number. No hexadecimal, no thousands separators, no words such as Infinity. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The same with a comma in place of the point: as in CSV, no missing cell but a mistake. */
const WITH_COMMA = /^[+-]?(?:\d+,\d*|,\d+)(?:[eE][+-]?\d+)?$/;

/** As `isGroupedNumber` in core/ingest/text.hpp: with thousands separators, whatever the decimals follow. */
const GROUPED =
  /^[+-]?[1-9]\d{0,2}([.,'\u2019 \u00a0\u2009\u202f])(?:\d{2,3}\1)*\d{3}(?:(?!\1)[.,]\d*)?$/;

/**
 * Turns one cell into the number the core takes, or NaN.
 * @throws PrivateMomentsError decimal-mark with the column
 */
export type CellReader = (cell: unknown) => number;

export function cellReader(column: PlanColumn): CellReader {
  if (column.type === 'number') return (cell) => readNumber(cell, column);
  const indices = new Map(column.levels.map((level, index) => [level, index]));
  return (cell) => {
    const text = labelOf(cell);
    return text === undefined ? MISSING : (indices.get(text) ?? MISSING);
  };
}

/** For cells that are numbers already: a category's cell is the index of its level, from 0. */
export function numericCellReader(column: PlanColumn): (cell: number) => number {
  if (column.type === 'number') return (cell) => cell;
  const levels = column.levels.length;
  return (cell) => (Number.isInteger(cell) && cell >= 0 && cell < levels ? cell : MISSING);
}

function readNumber(cell: unknown, { name }: PlanColumn): number {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : MISSING;
  if (typeof cell === 'bigint') return Number(cell);
  if (typeof cell !== 'string') return MISSING;
  const text = cell.trim();
  if (!DECIMAL.test(text)) {
    if (WITH_COMMA.test(text) || GROUPED.test(text)) throw inOtherForm(name);
    return MISSING;
  }
  const value = Number(text);
  return Number.isFinite(value) ? value : MISSING;
}

function inOtherForm(column: string, row?: number): PrivateMomentsError {
  const where = `${row === undefined ? '' : `row ${row}, `}column "${column}"`;
  const message = `${where}: the number has a comma or thousands separators; write it with a decimal point and no separators`;
  return new PrivateMomentsError('decimal-mark', message, { column, row });
}

/** The same error, in a row. */
export function inRow(error: unknown, row: number): unknown {
  const isPlaceable = error instanceof PrivateMomentsError && error.code === 'decimal-mark';
  return isPlaceable && error.column !== undefined ? inOtherForm(error.column, row) : error;
}

function labelOf(cell: unknown): string | undefined {
  if (typeof cell === 'string') return cell.trim();
  if (['number', 'bigint', 'boolean'].includes(typeof cell)) return String(cell);
  return undefined;
}
