import type { Column } from '../types.js';

/** Decimals beyond the leading digit of a column's range. */
const DIGITS = 6;
/** More than `toFixed` takes: such numbers are written in full. */
const MOST_DECIMALS = 100;

/** @param values rows x columns, row by row; a category's cell is its level's index */
export function csvOfRows(columns: readonly Column[], values: Float64Array): string {
  const writers = columns.map(writerOf);
  const lines = [columns.map(({ name }) => field(name)).join(',')];
  for (let start = 0; start < values.length; start += columns.length) {
    lines.push(writers.map((write, j) => write(values[start + j] ?? NaN)).join(','));
  }
  return lines.join('\r\n') + '\r\n';
}

function writerOf(column: Column): (cell: number) => string {
  if (column.type === 'category') {
    const labels = column.levels.map(field);
    return (cell) => labels[cell] ?? '';
  }
  const { min, max } = column;
  const decimals = Math.max(0, DIGITS - Math.floor(Math.log10(max - min)));
  if (!(decimals <= MOST_DECIMALS)) return String;
  return (cell) => String(Math.min(max, Math.max(min, Number(cell.toFixed(decimals)))));
}

function field(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
