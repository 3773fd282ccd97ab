import { PrivateMomentsError } from './errors.js';
import { encodeObjects, encodeTable, feedCsv, type RowFeed } from './ingest.js';
import type { Plan } from './plan.js';

/** Numbers row by row; a category's cell is the index of its level, NaN a missing cell. */
export interface Table {
  columns: readonly string[];
  values: Float64Array;
}

/**
 * What `privatize` reads. CSV as a file, blob, stream of bytes or text, or text itself (with a
 * header line); row objects; or a table of numbers.
 */
export type Data =
  | Blob
  | ReadableStream<Uint8Array | string>
  | string
  | readonly Readonly<Record<string, unknown>>[]
  | Table;

/** The data in one of three forms the readers take. */
export type Source =
  | { kind: 'blob'; blob: Blob }
  | { kind: 'stream'; stream: ReadableStream<Uint8Array | string> }
  | { kind: 'values'; batches: Iterable<Float64Array>; rows: number; ignored: string[] };

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
  throw new PrivateMomentsError(
    'unsupported-data',
    'the data must be CSV (a File, Blob, stream or text), an array of row objects, or ' +
      '{ columns, values } with a Float64Array',
  );
}

const LARGEST_PIECE = 1 << 16;

/**
 * Reads a source to its end in this thread.
 * @param onPiece hears of the rows so far and of their part of all, null where nobody knows; the
 * next piece waits for it, and what it throws ends the reading.
 */
export async function readInto(
  feed: RowFeed,
  plan: Plan,
  source: Source,
  onPiece: (rows: number, fraction: number | null) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  if (source.kind === 'values') {
    let rows = 0;
    for (const values of source.batches) {
      feed.rows(values);
      rows += values.length / plan.columns.length;
      await onPiece(rows, rows / source.rows);
    }
    return;
  }
  const stream = source.kind === 'blob' ? source.blob.stream() : source.stream;
  const size = source.kind === 'blob' ? source.blob.size : null;
  let read = { bytes: 0, rows: 0 };
  const pieces = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const piece of streamBytes(stream)) {
      // Some streams give out a whole file at once.
      for (let at = 0; at < piece.length; at += LARGEST_PIECE) {
        yield piece.subarray(at, at + LARGEST_PIECE);
        await onPiece(read.rows, size === null ? null : read.bytes / size);
      }
    }
  };
  await feedCsv(pieces(), plan, feed, (bytes, rows) => {
    read = { bytes, rows };
  });
}

/** The bytes of a stream of bytes or text. */
export async function* streamBytes(
  stream: ReadableStream<Uint8Array | string>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await readChunk(reader);
      if (done) return;
      if (typeof value === 'string') yield encoder.encode(value);
      else if (value instanceof Uint8Array) yield value;
      else {
        const message = 'the stream must carry bytes (Uint8Array) or text';
        throw new PrivateMomentsError('unsupported-data', message);
      }
    }
  } finally {
    // Also after an early end: the producer should stop, and its complaints no longer matter.
    reader.cancel().catch(() => undefined);
  }
}

/** Foreign messages may quote data, so only the kind of failure is passed on. */
async function readChunk(
  reader: ReadableStreamDefaultReader<unknown>,
): Promise<ReadableStreamReadResult<unknown>> {
  try {
    return await reader.read();
  } catch (cause) {
    const kind = cause instanceof Error ? cause.name : 'unknown failure';
    const message = `the data could not be read to their end (${kind})`;
    throw new PrivateMomentsError('read-failed', message);
  }
}

function openObjects(rows: readonly Readonly<Record<string, unknown>>[], plan: Plan): Source {
  requireRows(rows.length);
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
  requireColumns(plan.columns.filter(({ from }) => !columns.includes(from)));
  for (const { name, from } of plan.columns) {
    if (columns.indexOf(from) !== columns.lastIndexOf(from)) {
      const message = `the data have the column "${from}" twice`;
      throw new PrivateMomentsError('duplicate-header', message, { column: name });
    }
  }
  requireRows(values.length);
  const used = new Set(plan.columns.map(({ from }) => from));
  return {
    kind: 'values',
    batches: encodeTable(table, plan),
    rows: values.length / columns.length,
    ignored: columns.filter((name) => !used.has(name)),
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

function requireRows(count: number): void {
  if (count === 0) throw noRows();
}

export function noRows(): PrivateMomentsError {
  return new PrivateMomentsError('no-rows', 'the data have no rows');
}

function requireColumns(missing: readonly { name: string; from: string }[]): void {
  const [first] = missing;
  if (first === undefined) return;
  const names = missing.map(({ from }) => `"${from}"`).join(', ');
  throw new PrivateMomentsError('missing-column', `the data have no column ${names}`, {
    column: first.name,
  });
}
