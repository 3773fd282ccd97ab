/** Columns whose type is known before their cells: those of Parquet and Arrow. */
import { cellReader, inRow, type CellReader } from './cells.js';
import { PrivateMomentsError } from './errors.js';
import { batchRows } from './ingest.js';
import type { Plan, PlanColumn } from './plan.js';

/** The rows of a file as encoded values. */
export interface EncodedFile {
  batches: AsyncIterable<Float64Array>;
  /** How much of the file was read up to now, of 1; null where nobody knows. */
  reached: () => number | null;
  /** Columns the study does not use. */
  ignored: string[];
}

/** What the cells of a column are. */
export type Content =
  | 'numbers'
  | 'decimals'
  | 'text'
  | 'booleans'
  | 'dates'
  | 'times'
  | 'bytes'
  | 'lists or records'
  | 'values of another type';

const READABLE: Record<PlanColumn['type'], readonly Content[]> = {
  number: ['numbers', 'decimals', 'text'],
  category: ['text', 'booleans', 'numbers'],
};

/**
 * The reader for a study column's cells, where their type allows it. A whole column of the wrong
 * type is a mistake of whoever made the file and no column of missing cells.
 * @throws PrivateMomentsError unsupported-data with the column
 */
export function typedReader(column: PlanColumn, content: Content): CellReader {
  if (READABLE[column.type].includes(content)) return cellReader(column);
  const wanted = column.type === 'number' ? 'numbers' : 'text, booleans or whole numbers';
  const message = `the column "${column.from}" of the data holds ${content}; it needs ${wanted}`;
  throw new PrivateMomentsError('unsupported-data', message, { column: column.name });
}

/**
 * Where the plan's columns are among the names of the data.
 * @throws PrivateMomentsError missing-column, duplicate-header
 */
export function locate(
  plan: Plan,
  names: readonly string[],
): { positions: number[]; ignored: string[] } {
  requireColumns(plan.columns.filter(({ from }) => !names.includes(from)));
  const positions = plan.columns.map(({ name, from }) => {
    const position = names.indexOf(from);
    if (names.includes(from, position + 1)) {
      const message = `the data have the column "${from}" twice`;
      throw new PrivateMomentsError('duplicate-header', message, { column: name });
    }
    return position;
  });
  const used = new Set(positions);
  return { positions, ignored: names.filter((_, position) => !used.has(position)) };
}

/** @throws PrivateMomentsError missing-column where there are any */
export function requireColumns(missing: readonly { name: string; from: string }[]): void {
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ from }) => `"${from}"`).join(', ');
  throw new PrivateMomentsError('missing-column', `the data have no column ${names}`, {
    column: first.name,
  });
}

/**
 * Puts a column's cells into rows of `width` values, as the one at `index`.
 * @param first how many rows of the data are before these, for errors
 */
export function putColumn(
  values: Float64Array,
  width: number,
  index: number,
  first: number,
  cell: (row: number) => number,
): void {
  const rows = values.length / width;
  let row = 0;
  try {
    for (; row < rows; row++) values[row * width + index] = cell(row);
  } catch (error) {
    throw inRow(error, first + row + 1);
  }
}

/** Whole rows in pieces of the usual size, each a part of `values`. */
export function* inBatches(values: Float64Array, width: number): Generator<Float64Array, void> {
  const step = batchRows(width) * width;
  for (let at = 0; at < values.length; at += step) yield values.subarray(at, at + step);
}
