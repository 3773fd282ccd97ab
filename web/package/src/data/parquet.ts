/** Parquet files, read with hyparquet. Loaded on demand. */
import { gunzipSync } from 'fflate';
import {
  parquetMetadataAsync,
  parquetScan,
  parquetSchema,
  type AsyncBuffer,
  type Compressors,
  type FileMetaData,
  type ParquetScan,
  type SchemaTree,
} from 'hyparquet';
import type { Bytes } from '../base/bytes.js';
import type { CellReader } from './cells.js';
import { isWhole } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Plan } from '../core/plan.js';
import { CellBudget, UnpackedBudget } from './budget.js';
import { crc32 } from './crc32.js';
import { PageChecks, type CheckPage } from './parquet-pages.js';
import {
  inBatches,
  locate,
  putColumn,
  typedReader,
  type Content,
  type EncodedFile,
} from './typed.js';
import { unpackedFrame } from './zstd.js';

/** Codecs besides Snappy, which hyparquet has built in. */
const COMPRESSORS: Compressors = {
  GZIP: unzipped,
  ZSTD: unpackedFrame,
};

const CODECS: readonly string[] = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(COMPRESSORS)];

/** Rows in memory at once if the file has a page index; else a whole row group. */
const RANGE_ROWS = 1 << 16;
/** Parts of a row group: a page that lies in several is decoded for each. */
const MAX_RANGES = 16;

/** Levels of lists and records within one another. */
const MAX_DEPTH = 64;
/** Of what a file says about its columns and row groups. */
const MAX_FOOTER_BYTES = 1 << 26;

interface ParquetColumn {
  name: string;
  read: CellReader;
}

/** Opens a Parquet file. Memory holds one part of a row group at a time, of the plan's columns only. */
export function openParquet(bytes: Bytes, plan: Plan): Promise<EncodedFile> {
  return guarded(() => open(bytes, plan));
}

async function open(bytes: Bytes, plan: Plan): Promise<EncodedFile> {
  const slice = async (start: number, end: number): Promise<ArrayBuffer> => {
    // Node aborts the process if a Blob is sliced at NaN.
    if (!isWhole(start) || !isWhole(end) || start > end || end > bytes.size) throw damaged();
    return (await bytes.read(start, end)).buffer;
  };
  const file: AsyncBuffer = {
    byteLength: bytes.size,
    slice: (start, end = bytes.size) => {
      const part = slice(start, end);
      // The library requests parts ahead, and may stop before it awaits them.
      part.catch(() => undefined);
      return part;
    },
  };
  await requireFooter(bytes);
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  requireShallow(metadata);
  const { children } = parquetSchema(metadata);
  const { positions, ignored } = locate(
    plan,
    children.map(({ element }) => element.name),
  );
  const columns = plan.columns.map((column, index): ParquetColumn => {
    const tree = children[positions[index] ?? -1];
    const read = typedReader(column, contentOf(tree), plan);
    return { name: column.from, read: asDecimal(tree, read) };
  });
  for (const { name, from } of plan.columns) requireCodec(metadata, from, name);
  const names = columns.map(({ name }) => name);
  requirePossible(metadata, names, bytes.size);
  const unpacked = new UnpackedBudget(bytes.size);
  let checks: PageChecks | undefined;
  const checkPage: CheckPage = (...page) => checks?.check(...page);
  const options = { file, metadata, columns: names, compressors: COMPRESSORS, checkPage };
  const scan = await parquetScan(options);
  const total = Number(metadata.num_rows);
  let rows = 0;
  const batches = async function* (): AsyncGenerator<Float64Array, void> {
    for (const range of rangesOf(scan, hasPageIndex(metadata, names))) {
      const startColumn = (name: string): void => {
        checks = new PageChecks(name, range.group, unpacked);
      };
      const values = await guarded(() => readRange(scan, columns, range, startColumn));
      for (const batch of inBatches(values, columns.length)) {
        rows += batch.length / columns.length;
        yield batch;
      }
    }
  };
  return { batches: batches(), ignored, fractionRead: () => (total === 0 ? 1 : rows / total) };
}

/** Rows to read at once, and their row group as a person counts. */
interface Range {
  rowStart: number;
  rowEnd: number;
  group: number;
}

/** Ranges of rows to read at once. Without a page index, each part would decode those before it again. */
function* rangesOf(scan: ParquetScan, isIndexed: boolean): Generator<Range> {
  const groups = scan.metadata.row_groups;
  let group = 0;
  let groupEnd = 0;
  for (const { rowStart, rowEnd } of scan.ranges) {
    while (groupEnd <= rowStart) groupEnd += Number(groups[group++]?.num_rows ?? Infinity);
    const rows = rowEnd - rowStart;
    const step = isIndexed ? Math.max(RANGE_ROWS, Math.ceil(rows / MAX_RANGES)) : rows;
    for (let at = rowStart; at < rowEnd; at += step) {
      yield { rowStart: at, rowEnd: Math.min(at + step, rowEnd), group };
    }
  }
}

/** Reads column by column, so that only one at a time is in memory in the library's own form. */
async function readRange(
  scan: ParquetScan,
  columns: readonly ParquetColumn[],
  { rowStart, rowEnd }: Range,
  startColumn: (name: string) => void,
): Promise<Float64Array> {
  const width = columns.length;
  const values = new Float64Array((rowEnd - rowStart) * width);
  for (const [index, { name, read }] of columns.entries()) {
    startColumn(name);
    const cells = await scan.readColumn({ column: name, rowStart, rowEnd });
    if (cells.length !== rowEnd - rowStart) throw damaged();
    putColumn(values, width, index, rowStart, (row) => read(cells[row]));
  }
  return values;
}

/** Unpacks a page of one gzip member, and checks it by the checksum and the length at its end. */
function unzipped(input: Uint8Array, length: number): Uint8Array {
  const end = new DataView(input.buffer, input.byteOffset + input.length - 8, 8);
  if (end.getUint32(4, true) !== length) throw damaged();
  const output = gunzipSync(input, { out: new Uint8Array(length) });
  if (crc32(output) !== end.getUint32(0, true)) throw damaged();
  return output;
}

function contentOf(tree: SchemaTree | undefined): Content {
  if (tree === undefined) return 'values of another type';
  const { element, children } = tree;
  if (children.length > 0 || element.repetition_type === 'REPEATED') return 'lists or records';
  const { type, converted_type: converted, logical_type: logical } = element;
  switch (logical?.type ?? converted) {
    case undefined:
      break;
    case 'STRING':
    case 'ENUM':
    case 'UTF8':
      return 'text';
    case 'DECIMAL':
      // The library decodes decimals only with the older annotation.
      return converted === 'DECIMAL' ? 'decimals' : 'values of another type';
    case 'DATE':
    case 'TIMESTAMP':
    case 'TIMESTAMP_MILLIS':
    case 'TIMESTAMP_MICROS':
      return 'dates';
    case 'TIME':
    case 'TIME_MILLIS':
    case 'TIME_MICROS':
    case 'INTERVAL':
      return 'times';
    case 'INTEGER':
    case 'FLOAT16':
      return 'numbers';
    default:
      if (converted?.match(/^U?INT_/) == null) return 'values of another type';
  }
  switch (type) {
    case 'BOOLEAN':
      return 'booleans';
    case 'INT32':
    case 'INT64':
    case 'FLOAT':
    case 'DOUBLE':
      return 'numbers';
    case 'INT96':
      return 'dates';
    // Old writers do not mark text as such. Cells that are not numbers become missing.
    case 'BYTE_ARRAY':
      return 'text';
    default:
      return 'bytes';
  }
}

/** Undoes a rounding error: the library multiplies decimals by a power of ten. */
function asDecimal(tree: SchemaTree | undefined, read: CellReader): CellReader {
  if (contentOf(tree) !== 'decimals') return read;
  const scale = tree?.element.scale ?? 0;
  return (cell) => (typeof cell === 'number' ? read(Number(cell.toFixed(scale))) : NaN);
}

/** @throws PrivateMomentsError `unsupported-data` if the footer is too long to be held as objects. */
async function requireFooter(bytes: Bytes): Promise<void> {
  if (bytes.size < 12) throw damaged();
  const end = await bytes.read(bytes.size - 8, bytes.size);
  const length = new DataView(end.buffer, end.byteOffset).getUint32(0, true);
  if (length > bytes.size - 12) throw damaged();
  if (length <= MAX_FOOTER_BYTES) return;
  const message =
    'the footer of this Parquet file is longer than 64 MB; write it again with larger row groups or fewer columns';
  throw new PrivateMomentsError('unsupported-data', message);
}

/** The schema is a list in which each element says how many of the next are its children. */
function requireShallow({ schema }: FileMetaData): void {
  const open: number[] = [];
  for (const { num_children: children = 0 } of schema) {
    if (children > 0) open.push(children + 1);
    if (open.length > MAX_DEPTH) throw damaged();
    for (let at = open.length - 1; at >= 0; at--) {
      const left = (open[at] ?? 0) - 1;
      open[at] = left;
      if (left > 0) break;
      open.pop();
    }
  }
}

/**
 * Checks the metadata before memory is allocated by it: the row groups add up to the number of rows, each
 * column has one cell per row, and the column chunks do not exceed the file.
 * @throws PrivateMomentsError `read-failed`; `unsupported-data` if a row group is too large.
 */
function requirePossible(
  { num_rows, row_groups }: FileMetaData,
  names: readonly string[],
  size: number,
): void {
  const wanted = new Set(names);
  const budget = new CellBudget('Parquet', () => size);
  let rows = 0;
  let bytes = 0;
  for (const group of row_groups) {
    const count = Number(group.num_rows);
    const chunks = group.columns.filter(({ meta_data }) =>
      wanted.has(meta_data?.path_in_schema[0] ?? ''),
    );
    let groupBytes = 0;
    for (const { meta_data, file_path } of chunks) {
      const compressed = Number(meta_data?.total_compressed_size);
      const isFlat = meta_data?.path_in_schema.length === 1 && (file_path ?? '') === '';
      if (!isFlat || !isWhole(compressed) || Number(meta_data.num_values) !== count)
        throw damaged();
      groupBytes += compressed;
    }
    const columns = new Set(chunks.map(({ meta_data }) => meta_data?.path_in_schema[0]));
    if (!isWhole(count) || columns.size !== chunks.length || chunks.length !== names.length) {
      throw damaged();
    }
    budget.spend(count, names.length, groupBytes);
    rows += count;
    bytes += groupBytes;
  }
  if (rows !== Number(num_rows) || bytes > size) throw damaged();
}

function chunksOf(metadata: FileMetaData, column: string) {
  return metadata.row_groups.flatMap(({ columns }) =>
    columns.filter(({ meta_data }) => meta_data?.path_in_schema[0] === column),
  );
}

function requireCodec(metadata: FileMetaData, from: string, column: string): void {
  const codecs = chunksOf(metadata, from).map(({ meta_data }) => meta_data?.codec);
  const foreign = codecs.find((codec) => codec === undefined || !CODECS.includes(codec));
  if (foreign === undefined) return;
  const message =
    `the column "${from}" of this Parquet file is compressed with ${foreign}; write it again with ` +
    'Snappy, GZIP, ZSTD or without compression';
  throw new PrivateMomentsError('unsupported-data', message, { column });
}

function hasPageIndex(metadata: FileMetaData, names: readonly string[]): boolean {
  return names.every((name) =>
    chunksOf(metadata, name).every(({ offset_index_offset }) => offset_index_offset !== undefined),
  );
}

/** Replaces the library's errors by `damaged()`, because their messages may quote the file. */
async function guarded<T>(action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof PrivateMomentsError ? error : damaged();
  }
}

function damaged(): PrivateMomentsError {
  const message =
    'this Parquet file could not be read: it is damaged or of an unsupported kind; write it again';
  return new PrivateMomentsError('read-failed', message);
}
