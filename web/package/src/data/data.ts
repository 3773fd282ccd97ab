import { isArrowTable, openArrowTable, type ArrowTable } from './arrow.js';
import type { UnsharedBytes } from '../base/binary.js';
import { blobBytes, memoryBytes, streamBytes } from '../base/bytes.js';
import { PrivateMomentsError } from '../base/errors.js';
import { kindOfFile, readFile, readStream, type OnRead } from './files.js';
import { encodeObjects, encodeTable, type Batches, type Room, type RowFeed } from './ingest.js';
import type { Plan } from '../core/plan.js';
import { locate, requireColumns } from './typed.js';

/** A row-major table of numbers: a category's cell is the index of its level from 0, a missing cell is NaN. */
export interface Table {
  columns: readonly string[];
  values: Float64Array;
}

/**
 * The data that `privatize` reads: a file or blob of CSV (with a header line, optionally gzipped), Parquet
 * or Arrow IPC, recognised by the first bytes; a stream of CSV (bytes or text) or of Arrow; CSV as a
 * string; an array of row objects; a table of numbers; or an apache-arrow table.
 */
export type Data =
  | Blob
  | ReadableStream<Uint8Array | string>
  | string
  | readonly Readonly<Record<string, unknown>>[]
  | Table
  | ArrowTable;

/** The data in one of the forms that the readers take. */
export type Source =
  | { kind: 'blob'; blob: Blob }
  | { kind: 'bytes'; bytes: UnsharedBytes }
  | { kind: 'stream'; stream: ReadableStream<Uint8Array | string> }
  | {
      kind: 'values';
      open: (room?: Room, batchCells?: number) => Batches;
      rows: number;
      ignored: string[];
    };

/** Text of up to this many characters is handed over as bytes: a blob of it takes longer to make and to read. */
const MAX_SHORT_TEXT = 1 << 20;

/**
 * Recognises the kind of data. For data in memory it checks the column names too; it reads no cells.
 * @throws PrivateMomentsError `unsupported-data`, `read-failed`, `missing-column`, `duplicate-header`, `no-rows`.
 */
export function openData(data: unknown, plan: Plan): Source {
  if (typeof data === 'string') {
    if (data.length > MAX_SHORT_TEXT) return { kind: 'blob', blob: new Blob([data]) };
    return { kind: 'bytes', bytes: new TextEncoder().encode(data) };
  }
  if (data instanceof Blob) return { kind: 'blob', blob: data };
  if (data instanceof ReadableStream) {
    if (data.locked) {
      throw new PrivateMomentsError(
        'read-failed',
        'the stream is locked by another reader; pass an unlocked stream',
      );
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
 * @param onRead called after each piece; an error that it throws stops the reading.
 */
export async function readInto(
  feed: RowFeed,
  plan: Plan,
  source: Source,
  onRead: OnRead = () => undefined,
): Promise<void> {
  switch (source.kind) {
    case 'blob':
    case 'bytes': {
      const bytes = source.kind === 'blob' ? blobBytes(source.blob) : memoryBytes(source.bytes);
      await readFile(await kindOfFile(bytes), bytes, plan, feed, onRead);
      return;
    }
    case 'stream':
      await readStream(streamBytes(source.stream), plan, feed, onRead);
      return;
    case 'values': {
      await feed.rows(async (push, room) => {
        let rows = 0;
        for (const batch of source.open(room)) {
          rows += batch.length / plan.columns.length;
          push(batch);
          await onRead(rows, rows / source.rows);
        }
      });
    }
  }
}

function openObjects(rows: readonly Readonly<Record<string, unknown>>[], plan: Plan): Source {
  requireRows(rows.length, plan);
  const isObject = (row: unknown): row is object => typeof row === 'object' && row !== null;
  const missing = plan.columns.filter(
    ({ from }) => !rows.some((row) => isObject(row) && Object.hasOwn(row, from)),
  );
  // Rows that are not objects are reported, with their number, by the encoder.
  if (rows.some(isObject)) requireColumns(missing);
  const used = new Set(plan.columns.map(({ from }) => from));
  const ignored = Object.keys(rows[0] ?? {}).filter((key) => !used.has(key));
  return { kind: 'values', open: () => encodeObjects(rows, plan), rows: rows.length, ignored };
}

function openTable(table: Table, plan: Plan): Source {
  const { columns, values } = table;
  if (columns.length === 0 || values.length % columns.length !== 0) {
    const message = `values has ${values.length} numbers, which is not a multiple of the ${columns.length} columns`;
    throw new PrivateMomentsError('unsupported-data', message);
  }
  const { ignored } = locate(plan, columns);
  requireRows(values.length, plan);
  return {
    kind: 'values',
    open: (room, batchCells) => encodeTable(table, plan, room, batchCells),
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
 * Under replace-one the number of rows is public, and empty data are an error. Under add-remove empty data
 * are valid: otherwise the existence of a release would show that there is at least one row.
 * @throws PrivateMomentsError `no-rows`
 */
export function requireRows(count: number, { spec }: Plan): void {
  if (count === 0 && spec.neighbours === 'replace-one') throw noRows();
}

export function noRows(): PrivateMomentsError {
  return new PrivateMomentsError(
    'no-rows',
    'the data have no rows; check that this is the right file',
  );
}

/**
 * If no cell can be read, this is probably the wrong file, and its release would spend budget for nothing.
 * @throws PrivateMomentsError `no-readable-cells`
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
    'columns are matched, and how decimals, units and levels are written';
  throw new PrivateMomentsError('no-readable-cells', message);
}
