/** Columns with a declared type, as those of Parquet and Arrow. */
import { cellReader, type CellReader } from './cells.js';
import { inRow, PrivateMomentsError } from '../base/errors.js';
import { batchRows } from './ingest.js';
import type { Plan, PlanColumn } from '../core/plan.js';

/** The rows of a file as encoded values. */
export interface EncodedFile {
  batches: AsyncIterable<Float64Array>;
  /** The fraction of the file that has been read, 0 to 1; null if its size is unknown. */
  fractionRead: () => number | null;
  /** Columns that the study does not use. */
  ignored: string[];
}

/** The type of a column's cells. */
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
 * The reader of a column's cells. A column of an incompatible type is an error and not a column of missing
 * cells, because it can only be a mistake.
 * @throws PrivateMomentsError `unsupported-data` with the column.
 */
export function typedReader(column: PlanColumn, content: Content, { words }: Plan): CellReader {
  if (READABLE[column.type].includes(content)) return cellReader(column, words);
  const wanted = column.type === 'number' ? 'numbers' : 'text, booleans or whole numbers';
  const message = `the column "${column.from}" of the data has ${content}; the study needs ${wanted}`;
  throw new PrivateMomentsError('unsupported-data', message, { column: column.name });
}

/**
 * The positions of the plan's columns among the names of the data.
 * @throws PrivateMomentsError missing-column, duplicate-header
 */
export function locate(
  plan: Plan,
  names: readonly string[],
): { positions: number[]; ignored: string[] } {
  const missing = plan.columns.filter(({ from }) => !names.includes(from));
  requireColumns(missing, names);
  const positions = plan.columns.map(({ name, from }) => {
    const position = names.indexOf(from);
    if (names.includes(from, position + 1)) {
      const message = `the data have two columns "${from}"; rename or remove one`;
      throw new PrivateMomentsError('duplicate-header', message, { column: name });
    }
    return position;
  });
  const used = new Set(positions);
  return { positions, ignored: names.filter((_, position) => !used.has(position)) };
}

/**
 * @param available the columns that the data have, if they name them
 * @throws PrivateMomentsError `missing-column` if the list is not empty.
 */
export function requireColumns(
  missing: readonly { name: string; from: string }[],
  available?: readonly string[],
): void {
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ from }) => `"${from}"`).join(', ');
  throw new PrivateMomentsError(
    'missing-column',
    `the data have no column ${names}; pass columns to match other names`,
    { column: first.name, available },
  );
}

/**
 * Writes a column's cells into `values`, rows of `width`, at position `index` of each row.
 * @param first number of rows of the data before these, for error messages.
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

/** Splits rows into batches of the usual size, each a subarray of `values`. */
export function* inBatches(values: Float64Array, width: number): Generator<Float64Array, void> {
  const step = batchRows(width) * width;
  for (let at = 0; at < values.length; at += step) yield values.subarray(at, at + step);
}
