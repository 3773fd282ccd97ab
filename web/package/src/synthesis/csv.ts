import { csvText, type CsvCell } from '../output/csv.js';
import type { Column } from '../study/types.js';

/** Digits after the leading digit of a column's range. */
const DIGITS = 6;
/** The limit of `toFixed`. Numbers that need more decimals are written in full. */
const MAX_DECIMALS = 100;

/** @param values rows x columns, row by row; the cell of a category is the index of its level */
export function csvOfRows(columns: readonly Column[], values: Float64Array): string {
  return csvText(
    columns.map(({ name }) => name),
    linesOf(columns, values),
  );
}

function* linesOf(columns: readonly Column[], values: Float64Array): Generator<CsvCell[]> {
  const writers = columns.map(writerOf);
  for (let start = 0; start < values.length; start += columns.length) {
    yield writers.map((write, j) => write(values[start + j] ?? NaN));
  }
}

function writerOf(column: Column): (cell: number) => CsvCell {
  if (column.type === 'category') {
    return (cell) => column.levels[cell];
  }
  const { min, max } = column;
  const decimals = Math.max(0, DIGITS - Math.floor(Math.log10(max - min)));
  if (!(decimals <= MAX_DECIMALS)) return (cell) => cell;
  return (cell) => Math.min(max, Math.max(min, Number(cell.toFixed(decimals))));
}
