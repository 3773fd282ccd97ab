import type { PlanColumn } from './plan.js';

/** What a cell becomes when it is missing, unreadable or not finite. */
const MISSING = NaN;

/** A plain decimal number. No hexadecimal, no thousands separators, no words such as Infinity. */
const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Turns one cell into the number the core takes, or NaN. */
export type CellReader = (cell: unknown) => number;

export function cellReader(column: PlanColumn): CellReader {
  if (column.type === 'number') return readNumber;
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

function readNumber(cell: unknown): number {
  if (typeof cell === 'number') return Number.isFinite(cell) ? cell : MISSING;
  if (typeof cell === 'bigint') return Number(cell);
  if (typeof cell !== 'string') return MISSING;
  const text = cell.trim();
  if (!DECIMAL.test(text)) return MISSING;
  const value = Number(text);
  return Number.isFinite(value) ? value : MISSING;
}

function labelOf(cell: unknown): string | undefined {
  if (typeof cell === 'string') return cell.trim();
  if (['number', 'bigint', 'boolean'].includes(typeof cell)) return String(cell);
  return undefined;
}
