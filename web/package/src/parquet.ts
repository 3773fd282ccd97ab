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
  GZIP: (input) => gunzipSync(input),
  ZSTD: (input, length) => decompress(input, new Uint8Array(length)),
};

const CODECS: readonly string[] = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(COMPRESSORS)];

/** Rows that are held at once where the file says where they are; else a whole row group. */
const RANGE_ROWS = 1 << 16;

interface ParquetColumn {
  name: string;
  read: CellReader;
}

/** One part of a row group at a time is held, of the plan's columns alone. */
export async function openParquet(bytes: Bytes, plan: Plan): Promise<EncodedFile> {
  const file: AsyncBuffer = {
    byteLength: bytes.size,
    slice: async (start, end = bytes.size) => (await bytes.read(start, end)).buffer,
  };
  const metadata = await ours(() => parquetMetadataAsync(file));
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
  const scan = await ours(() =>
    parquetScan({ file, metadata, columns: names, compressors: COMPRESSORS }),
  );
  const total = Number(metadata.num_rows);
  let rows = 0;
  const batches = async function* (): AsyncGenerator<Float64Array, void> {
    for (const [rowStart, rowEnd] of rangesOf(scan, hasPageIndex(metadata, names))) {
      const values = await readRange(scan, columns, rowStart, rowEnd);
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
    const cells = await ours(() => scan.readColumn({ column: name, rowStart, rowEnd }));
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
    if (error instanceof PrivateMomentsError) throw error;
    const message = 'this Parquet file could not be read: it is damaged, or of an unknown kind';
    throw new PrivateMomentsError('read-failed', message);
  }
}
