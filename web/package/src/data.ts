import { isArrowTable, openArrowTable, type ArrowTable } from './arrow.js';
import { blobBytes, streamBytes } from './bytes.js';
import { PrivateMomentsError } from './errors.js';
import { kindOfFile, readFile, readStream, type OnRead } from './files.js';
import { encodeObjects, encodeTable, type Batches, type RowFeed } from './ingest.js';
import type { Plan } from './plan.js';
import { locate, requireColumns } from './typed.js';

/** Numbers row by row; a category's cell is the index of its level, NaN a missing cell. */
export interface Table {
  columns: readonly string[];
  values: Float64Array;
}

/**
 * What `privatize` reads. A file or blob of CSV (with a header line; may be compressed with gzip),
 * Parquet or Arrow IPC, told apart by their first bytes; CSV or an Arrow stream as a stream of bytes
 * or text; CSV as text; row objects; a table of numbers; or a table of apache-arrow.
 */
export type Data =
  | Blob
  | ReadableStream<Uint8Array | string>
  | string
  | readonly Readonly<Record<string, unknown>>[]
  | Table
  | ArrowTable;

/** The data in one of three forms the readers take. */
export type Source =
  | { kind: 'blob'; blob: Blob }
  | { kind: 'stream'; stream: ReadableStream<Uint8Array | string> }
  | { kind: 'values'; batches: Batches; rows: number; ignored: string[] };

/** Looks at the kind of the data and its column names, not at its cells. */
export function openData(data: unknown, plan: Plan): Source {
  if (typeof data === 'string') return { kind: 'blob', blob: new Blob([data]) };
  if (data instanceof Blob) return { kind: 'blob', blob: data };
  if (data instanceof ReadableStream) {
    if (data.locked) {
      throw new PrivateMomentsError('read-failed', 'the stream is being read by someone else');
    }
    return { kind: 'stream', stream: data as ReadableStream<Uint8Array | string> };
  }
  if (Array.isArray(data)) return openObjects(data as Readonly<Record<string, unknown>>[], plan);
  if (isTable(data)) return openTable(data, plan);
  if (isArrowTable(data)) {
    requireRows(data.numRows, plan);
    return { kind: 'values', ...openArrowTable(data, plan) };
  }
  throw new PrivateMomentsError(
    'unsupported-data',
    'the data must be a file (File, Blob or stream of CSV, Parquet or Arrow), CSV text, an array ' +
      'of row objects, an Arrow table, or { columns, values } with a Float64Array',
  );
}

/**
 * Reads a source to its end in this thread.
 * @param onRead what it throws ends the reading
 */
export async function readInto(
  feed: RowFeed,
  plan: Plan,
  source: Source,
  onRead: OnRead = () => undefined,
): Promise<void> {
  switch (source.kind) {
    case 'blob': {
      const bytes = blobBytes(source.blob);
      await readFile(await kindOfFile(bytes), bytes, plan, feed, onRead);
      return;
    }
    case 'stream':
      await readStream(streamBytes(source.stream), plan, feed, onRead);
      return;
    case 'values': {
      let rows = 0;
      for (const values of source.batches) {
        feed.rows(values);
        rows += values.length / plan.columns.length;
        await onRead(rows, rows / source.rows);
      }
    }
  }
}

function openObjects(rows: readonly Readonly<Record<string, unknown>>[], plan: Plan): Source {
  requireRows(rows.length, plan);
  const isObject = (row: unknown): row is object => typeof row === 'object' && row !== null;
  const missing = plan.columns.filter(
    ({ from }) => !rows.some((row) => isObject(row) && Object.hasOwn(row, from)),
  );
  // Rows that are no objects at all are reported as such, with their number, by the encoder.
  if (rows.some(isObject)) requireColumns(missing);
  const used = new Set(plan.columns.map(({ from }) => from));
  const ignored = Object.keys(rows[0] ?? {}).filter((key) => !used.has(key));
  return { kind: 'values', batches: encodeObjects(rows, plan), rows: rows.length, ignored };
}

function openTable(table: Table, plan: Plan): Source {
  const { columns, values } = table;
  if (columns.length === 0 || values.length % columns.length !== 0) {
    const message = `${values.length} values cannot be rows of ${columns.length} columns`;
    throw new PrivateMomentsError('unsupported-data', message);
  }
  const { ignored } = locate(plan, columns);
  requireRows(values.length, plan);
  return {
    kind: 'values',
    batches: encodeTable(table, plan),
    rows: values.length / columns.length,
    ignored,
  };
}

function isTable(data: unknown): data is Table {
  if (typeof data !== 'object' || data === null) return false;
  const { columns, values } = data as Partial<Record<keyof Table, unknown>>;
  return (
    Array.isArray(columns) &&
    columns.every((name) => typeof name === 'string') &&
    values instanceof Float64Array
  );
}

/**
 * Where the number of rows is public, none are no data set. Under add-remove they are one, and a
 * release that nobody could make from them would show that there is a row in it.
 * @throws PrivateMomentsError `no-rows`
 */
export function requireRows(count: number, { spec }: Plan): void {
  if (count === 0 && spec.neighbours === 'replace-one') throw noRows();
}

export function noRows(): PrivateMomentsError {
  return new PrivateMomentsError('no-rows', 'the data have no rows');
}

/**
 * A file of which no cell could be read is another file than its participant meant: what is made of it
 * says nothing, and spends the budget all the same.
 * @throws PrivateMomentsError no-readable-cells
 */
export function requireReadable({
  rows,
  columns,
}: {
  rows: number;
  columns: readonly { missing: number }[];
}): void {
  if (rows === 0 || columns.some(({ missing }) => missing < rows)) return;
  const message =
    `none of the cells in ${rows} rows could be read: check that this is the right file, which ` +
    'columns are matched, and how it writes decimals, units and levels';
  throw new PrivateMomentsError('no-readable-cells', message);
}
