// Parquet files written field by field, so that every size, count and checksum may be a lie.
import { gzipSync } from 'node:zlib';

const I32 = 5;
const I64 = 6;
const TEXT = 8;
const LIST = 9;
const STRUCT = 12;

const TYPES = { BOOLEAN: 0, INT32: 1, INT64: 2, DOUBLE: 5, BYTE_ARRAY: 6, FIXED: 7 };
/** Those that are marked as text, which a column of numbers may have. */
const TEXT_TYPES = ['BYTE_ARRAY', 'FIXED'];
export const CODECS = { UNCOMPRESSED: 0, SNAPPY: 1, GZIP: 2, ZSTD: 6 };
const ENCODINGS = {
  ...{ PLAIN: 0, RLE: 3, DELTA_BINARY_PACKED: 5, DELTA_LENGTH_BYTE_ARRAY: 6 },
  ...{ DELTA_BYTE_ARRAY: 7, RLE_DICTIONARY: 8, BYTE_STREAM_SPLIT: 9 },
};

/** An unsigned number of variable length, as an array of bytes. */
export function varint(value) {
  const bytes = [];
  let rest = BigInt(value);
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return [...bytes, Number(rest)];
}

function zigzag(value) {
  const number = BigInt(value);
  return varint(number < 0n ? -2n * number - 1n : 2n * number);
}

function element(type, value) {
  switch (type) {
    case TEXT:
      return [...varint(Buffer.byteLength(value)), ...Buffer.from(value)];
    case LIST: {
      const [of, items] = value;
      const parts = items.map((item) => element(of, item));
      return [[0xf0 | of], varint(items.length), ...parts].flat();
    }
    case STRUCT:
      return struct(value);
    default:
      return zigzag(value);
  }
}

/** A Thrift struct of fields `[id, type, value]`, in order; those without a value are left out. */
function struct(fields) {
  const bytes = [];
  let last = 0;
  for (const [id, type, value] of fields) {
    if (value === undefined) continue;
    bytes.push([((id - last) << 4) | type], element(type, value));
    last = id;
  }
  return [...bytes, [0]].flat();
}

/**
 * A page: `body` are its bytes in the file, `unpacked` the size that it states, `values` its number of
 * values or of entries, `kind` 'data', 'dictionary' or 'v2'.
 */
function page({ kind = 'data', body, values, encoding = 'PLAIN', unpacked, packed, crc }) {
  const of = [
    [1, I32, values],
    [2, I32, ENCODINGS[encoding]],
  ];
  const v1 = [...of, [3, I32, ENCODINGS.RLE], [4, I32, ENCODINGS.RLE]];
  const v2 = [
    [1, I32, values],
    [2, I32, 0],
    [3, I32, values],
    [4, I32, ENCODINGS[encoding]],
  ];
  const header = struct([
    [1, I32, { data: 0, dictionary: 2, v2: 3 }[kind]],
    [2, I32, unpacked ?? body.length],
    [3, I32, packed ?? body.length],
    [4, I32, crc === undefined ? undefined : crc | 0],
    [5, STRUCT, kind === 'data' ? v1 : undefined],
    [7, STRUCT, kind === 'dictionary' ? of : undefined],
    [8, STRUCT, kind === 'v2' ? [...v2, [5, I32, 0], [6, I32, 0]] : undefined],
  ]);
  return Buffer.concat([Buffer.from(header), Buffer.from(body)]);
}

/**
 * A file of required columns, each `{ name, type, codec, length, pages }`, and where they say that their pages
 * `start` and that these are `indexed`; with `groups` row groups of `rows`
 * rows that all have the same pages, and `extra` elements at the end of the schema, `[name, children]`.
 */
export function parquetFile({ columns, rows, groups = 1, extra = [] }) {
  const parts = [Buffer.from('PAR1')];
  let at = 4;
  const chunks = columns.map(({ pages }) => {
    const bytes = Buffer.concat(pages.map(page));
    const start = at;
    parts.push(bytes);
    at += bytes.length;
    return { start, size: bytes.length, first: page(pages[0]).length };
  });
  const group = [
    [
      1,
      LIST,
      [
        STRUCT,
        columns.map(({ name, type, codec = 'UNCOMPRESSED', pages, start, indexed }, at) => {
          const { size, first } = chunks[at];
          const begin = start ?? chunks[at].start;
          const hasDictionary = pages[0].kind === 'dictionary';
          const meta = [
            [1, I32, TYPES[type]],
            [2, LIST, [I32, [0]]],
            [3, LIST, [TEXT, [name]]],
            [4, I32, CODECS[codec]],
            [5, I64, rows],
            [6, I64, size],
            [7, I64, size],
            [9, I64, hasDictionary ? begin + first : begin],
            [11, I64, hasDictionary ? begin : undefined],
          ];
          return [
            [2, I64, begin],
            [3, STRUCT, meta],
            [4, I64, indexed],
            [5, I32, indexed && 100],
          ];
        }),
      ],
    ],
    [2, I64, at],
    [3, I64, rows],
  ];
  const schema = [
    [
      [4, TEXT, 'root'],
      [5, I32, columns.length + Math.min(1, extra.length)],
    ],
    ...columns.map(({ name, type, length }) => [
      [1, I32, TYPES[type]],
      [2, I32, length],
      [3, I32, 0],
      [4, TEXT, name],
      [6, I32, TEXT_TYPES.includes(type) ? 0 : undefined],
    ]),
    ...extra.map(([name, children]) => [
      [3, I32, 0],
      [4, TEXT, name],
      [5, I32, children],
    ]),
  ];
  const footer = struct([
    [1, I32, 1],
    [2, LIST, [STRUCT, schema]],
    [3, I64, rows * groups],
    [4, LIST, [STRUCT, Array.from({ length: groups }, () => group)]],
  ]);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(footer.length, 0);
  end.write('PAR1', 4);
  return Buffer.concat([...parts, Buffer.from(footer), end]);
}

/** The CRC-32 of a page, which gzip ends with. */
export function checksum(body) {
  return gzipSync(body).subarray(-8).readUInt32LE();
}
