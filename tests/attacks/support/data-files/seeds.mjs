// Small files of every kind that is read, of the same rows.
import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import { generator } from './damage.mjs';
import { checksum, parquetFile } from './parquet-file.mjs';
import { stored } from './zstd-frame.mjs';

/** Number of rows in each file. */
export const ROWS = 60;

/** Compressed by the program zstd where it is installed, else stored in a frame. */
function zstandard(bytes) {
  const sized = ['-q', '-c', '-19', '--no-check', `--stream-size=${bytes.length}`];
  const { status, stdout } = spawnSync('zstd', sized, { input: bytes });
  return status === 0 ? new Uint8Array(stdout) : stored(bytes);
}

/** @returns the files by name */
export async function dataFiles() {
  return new Map([...(await parquetFiles()), ...(await arrowFiles()), ...textFiles()]);
}

function textFiles() {
  const rows = cells().map(({ age, sleep, work, mood }) => [age, sleep, work, mood].join(','));
  const text = Buffer.from(`age,sleep,work,mood\n${rows.join('\n')}\n`);
  const half = text.indexOf('\n', text.length >> 1) + 1;
  const two = [text.subarray(0, half), text.subarray(half)].map((part) => gzipSync(part));
  return [
    ['csv', Uint8Array.from(text)],
    ['csv, gzip', Uint8Array.from(gzipSync(text))],
    ['csv, gzip of two members', Uint8Array.from(Buffer.concat(two))],
  ];
}

function cells() {
  const random = generator(7);
  return Array.from({ length: ROWS }, (_, i) => ({
    age: i % 17 === 3 ? null : 18 + random(72),
    sleep: random(1200) / 100,
    work: ['day', 'night', 'none', null][random(4)],
    mood: random(1000) / 100 - 5,
    well: random(2) === 1,
    note: `of row ${i}`,
  }));
}

async function parquetFiles() {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const rows = cells();
  const column = (name, type, more = {}) => ({
    ...{ name, type, data: rows.map((row) => row[name]) },
    ...more,
  });
  const columnData = [
    column('age', 'INT32'),
    column('sleep', 'DOUBLE'),
    column('work', 'STRING'),
    column('mood', 'DOUBLE'),
    column('well', 'BOOLEAN'),
    column('note', 'STRING'),
  ];
  const whole = rows.map((row, i) => ({ ...row, age: row.age ?? 40, mood: (i % 11) - 5 }));
  const encoded = [
    ...[{ name: 'age', type: 'INT32', encoding: 'DELTA_BINARY_PACKED' }],
    { name: 'sleep', type: 'DOUBLE', encoding: 'BYTE_STREAM_SPLIT' },
    { name: 'work', type: 'STRING', encoding: 'DELTA_BYTE_ARRAY' },
    { name: 'mood', type: 'INT64', encoding: 'DELTA_BINARY_PACKED' },
    { name: 'note', type: 'STRING', encoding: 'DELTA_LENGTH_BYTE_ARRAY' },
  ].map((one) => ({
    ...one,
    data: whole.map((row) => {
      const cell = row[one.name] ?? 'none';
      return one.type === 'INT64' ? BigInt(cell) : cell;
    }),
  }));
  const nested = { name: 'list', data: rows.map((_, i) => [i, i + 1]) };
  const gzip = { codec: 'GZIP', compressors: { GZIP: (input) => gzipSync(input) } };
  const zstd = { codec: 'ZSTD', compressors: { ZSTD: zstandard } };
  const files = Object.entries({
    'parquet, plain': { columnData, codec: 'UNCOMPRESSED' },
    'parquet, snappy': { columnData },
    'parquet, gzip': { columnData, ...gzip },
    'parquet, zstd': { columnData, ...zstd },
    'parquet, row groups': { columnData, rowGroupSize: 20 },
    'parquet, page index': {
      ...{ pageSize: 100, codec: 'UNCOMPRESSED' },
      columnData: columnData.map((one) => ({ ...one, offsetIndex: true, columnIndex: true })),
    },
    'parquet, encodings': { columnData: encoded, codec: 'UNCOMPRESSED' },
    'parquet, nested': { columnData: [...columnData, nested] },
  }).map(([name, options]) => [name, new Uint8Array(parquetWriteBuffer(options))]);
  return [
    ...files,
    ['parquet, checksums', fileOfPages(true)],
    ['parquet, no checksums', fileOfPages(false)],
  ];
}

/** A file of two pages a column, with checksums of the pages or without. */
function fileOfPages(hasChecksums) {
  const rows = cells();
  const pagesOf = (bytesOf) =>
    [rows.slice(0, 30), rows.slice(30)].map((part) => {
      const body = Buffer.concat(part.map(bytesOf));
      return { body, values: part.length, ...(hasChecksums ? { crc: checksum(body) } : {}) };
    });
  const double = (name) => ({
    name,
    type: 'DOUBLE',
    pages: pagesOf((row) => Buffer.from(Float64Array.of(row[name] ?? 40).buffer)),
  });
  const work = pagesOf(({ work }) => {
    const text = Buffer.from(work ?? 'none');
    return Buffer.concat([Buffer.from(Uint32Array.of(text.length).buffer), text]);
  });
  const columns = [
    ...['age', 'sleep', 'mood'].map(double),
    { name: 'work', type: 'BYTE_ARRAY', pages: work },
  ];
  return Uint8Array.from(parquetFile({ columns, rows: ROWS }));
}

async function arrowFiles() {
  const arrow = await import('apache-arrow');
  arrow.compressionRegistry.set(arrow.CompressionType.ZSTD, { encode: zstandard });
  const rows = cells();
  const column = (name, type) =>
    arrow.vectorFromArray(
      rows.map((row) => row[name]),
      type,
    );
  const words = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  const table = new arrow.Table({
    age: column('age', new arrow.Int32()),
    sleep: column('sleep', new arrow.Float64()),
    work: column('work', words),
    mood: column('mood', new arrow.Float64()),
    well: column('well', new arrow.Bool()),
    note: column('note', new arrow.Utf8()),
  });
  const plain = new arrow.Table({
    age: column('age', new arrow.Float64()),
    sleep: column('sleep', new arrow.Float32()),
    work: column('work', new arrow.Utf8()),
    mood: column('mood', new arrow.Float64()),
  });
  const parts = table.slice(0, 25).concat(table.slice(25));
  const written = (Writer) => {
    const writer = new Writer({ compressionType: arrow.CompressionType.ZSTD });
    return writer.writeAll(table).finish().toUint8Array(true);
  };
  return [
    ['arrow file', arrow.tableToIPC(table, 'file')],
    ['arrow stream', arrow.tableToIPC(table, 'stream')],
    ['arrow file, plain', arrow.tableToIPC(plain, 'file')],
    ['arrow stream, batches', arrow.tableToIPC(parts, 'stream')],
    ['arrow file, batches', arrow.tableToIPC(parts, 'file')],
    ['arrow stream, zstd', written(arrow.RecordBatchStreamWriter)],
    ['arrow file, zstd', written(arrow.RecordBatchFileWriter)],
  ];
}
