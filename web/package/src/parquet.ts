/** Parquet files, through hyparquet; loaded when such data come. */
import { gunzipSync } from 'fflate';
import { decompress } from 'fzstd';
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
import type { Bytes } from './bytes.js';
import type { CellReader } from './cells.js';
import { isWhole } from './check.js';
import { PrivateMomentsError } from './errors.js';
import type { Plan } from './plan.js';
import {
  inBatches,
  locate,
  putColumn,
  typedReader,
  type Content,
  type EncodedFile,
} from './typed.js';

/** Besides no compression and Snappy, which hyparquet has itself. */
const COMPRESSORS: Compressors = {
  GZIP: (input, length) => gunzipSync(input, { out: new Uint8Array(length) }),
  ZSTD: (input, length) => decompress(input, new Uint8Array(length)),
};

const CODECS: readonly string[] = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(COMPRESSORS)];

/**
 * Cells of a part of the file that are held at once: so many, and more where there are more bytes of
 * them. Bytes that repeat can say as many as they like.
 */
const MOST_CELLS = 1 << 25;
const CELLS_IN_A_BYTE = 64;

/** Rows that are held at once where the file says where they are; else a whole row group. */
const RANGE_ROWS = 1 << 16;

interface ParquetColumn {
  name: string;
  read: CellReader;
}

/** One part of a row group at a time is held, of the plan's columns alone. */
export function openParquet(bytes: Bytes, plan: Plan): Promise<EncodedFile> {
  return ours(() => open(bytes, plan));
}

async function open(bytes: Bytes, plan: Plan): Promise<EncodedFile> {
  const file: AsyncBuffer = {
    byteLength: bytes.size,
    slice: async (start, end = bytes.size) => {
      // A place that is no number ends the process in Node, where it reaches a Blob.
      if (!isWhole(start) || !isWhole(end) || start > end || end > bytes.size) throw damaged();
      return (await bytes.read(start, end)).buffer;
    },
  };
  const metadata = await parquetMetadataAsync(file, { geoparquet: false });
  const { children } = parquetSchema(metadata);
  const { positions, ignored } = locate(
    plan,
    children.map(({ element }) => element.name),
  );
  const columns = plan.columns.map((column, index): ParquetColumn => {
    const tree = children[positions[index] ?? -1];
    const read = typedReader(column, contentOf(tree));
    return { name: column.from, read: asDecimal(tree, read) };
  });
  for (const { name, from } of plan.columns) requireCodec(metadata, from, name);
  const names = columns.map(({ name }) => name);
  requirePossible(metadata, names, bytes.size);
  const scan = await parquetScan({ file, metadata, columns: names, compressors: COMPRESSORS });
  const total = Number(metadata.num_rows);
  let rows = 0;
  const batches = async function* (): AsyncGenerator<Float64Array, void> {
    for (const [rowStart, rowEnd] of rangesOf(scan, hasPageIndex(metadata, names))) {
      const values = await ours(() => readRange(scan, columns, rowStart, rowEnd));
      for (const batch of inBatches(values, columns.length)) {
        rows += batch.length / columns.length;
        yield batch;
      }
    }
  };
  return { batches: batches(), ignored, reached: () => (total === 0 ? 1 : rows / total) };
}

/** Parts of row groups: without an index of pages every part would decode those before it again. */
function* rangesOf(scan: ParquetScan, isIndexed: boolean): Generator<[start: number, end: number]> {
  for (const { rowStart, rowEnd } of scan.ranges) {
    const step = isIndexed ? RANGE_ROWS : rowEnd - rowStart;
    for (let at = rowStart; at < rowEnd; at += step) yield [at, Math.min(at + step, rowEnd)];
  }
}

/** Column by column, so that no more than one is held in the library's own form. */
async function readRange(
  scan: ParquetScan,
  columns: readonly ParquetColumn[],
  rowStart: number,
  rowEnd: number,
): Promise<Float64Array> {
  const width = columns.length;
  const values = new Float64Array((rowEnd - rowStart) * width);
  for (const [index, { name, read }] of columns.entries()) {
    const cells = await scan.readColumn({ column: name, rowStart, rowEnd });
    if (cells.length !== rowEnd - rowStart) throw damaged();
    putColumn(values, width, index, rowStart, (row) => read(cells[row]));
  }
  return values;
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
      // The library needs the older of the two annotations.
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
    // Old writers do not say that their bytes are text, and what is no number is a missing cell.
    case 'BYTE_ARRAY':
      return 'text';
    default:
      return 'bytes';
  }
}

/** The library multiplies by a power of ten, which is one rounding too many. */
function asDecimal(tree: SchemaTree | undefined, read: CellReader): CellReader {
  if (contentOf(tree) !== 'decimals') return read;
  const scale = tree?.element.scale ?? 0;
  return (cell) => (typeof cell === 'number' ? read(Number(cell.toFixed(scale))) : NaN);
}

/**
 * What the file says of itself, before anything is read or reserved by it: its rows are those of its
 * row groups, each column has a cell in each, and its bytes belong to one chunk each.
 * @throws PrivateMomentsError read-failed, unsupported-data where row groups are too large
 */
function requirePossible(
  { num_rows, row_groups }: FileMetaData,
  names: readonly string[],
  size: number,
): void {
  let rows = 0;
  let bytes = 0;
  for (const group of row_groups) {
    const count = Number(group.num_rows);
    const chunks = group.columns.filter(({ meta_data }) =>
      names.includes(meta_data?.path_in_schema[0] ?? ''),
    );
    let own = 0;
    for (const { meta_data, file_path } of chunks) {
      const packed = Number(meta_data?.total_compressed_size);
      const isOne = meta_data?.path_in_schema.length === 1 && (file_path ?? '') === '';
      if (!isOne || !isWhole(packed) || Number(meta_data.num_values) !== count) throw damaged();
      own += packed;
    }
    const columns = new Set(chunks.map(({ meta_data }) => meta_data?.path_in_schema[0]));
    if (!isWhole(count) || columns.size !== chunks.length || chunks.length !== names.length) {
      throw damaged();
    }
    if (count * names.length > MOST_CELLS + CELLS_IN_A_BYTE * own) {
      const message = `a row group of this Parquet file has ${count} rows: write it with smaller ones`;
      throw new PrivateMomentsError('unsupported-data', message);
    }
    rows += count;
    bytes += own;
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

/** What the library complains of is a file that it cannot read; its message may quote the file. */
async function ours<T>(action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof PrivateMomentsError ? error : damaged();
  }
}

function damaged(): PrivateMomentsError {
  const message = 'this Parquet file could not be read: it is damaged, or of an unknown kind';
  return new PrivateMomentsError('read-failed', message);
}
