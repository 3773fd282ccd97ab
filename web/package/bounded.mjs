// What the readers of Parquet and Arrow do not bound by themselves, and a damaged file can make
// endless: each piece of text is in the library's file once, or the build ends.
import { readFileSync } from 'node:fs';

const HYPARQUET = {
  'thrift.js': [
    // An offset that is no number is before no end.
    [
      'if (reader.offset >= reader.view.byteLength) throw',
      'if (!(reader.offset < reader.view.byteLength)) throw',
    ],
    // Every element takes a byte at least.
    [
      'const values = new Array(listSize)',
      `if (!(listSize <= reader.view.byteLength - reader.offset)) throw new Error('thrift list too long')
    const values = new Array(listSize)`,
    ],
    ['shift += 7\n', `if ((shift += 7) > 63) throw new Error('thrift number too long')\n`],
    ['shift += 7n\n', `if ((shift += 7n) > 63n) throw new Error('thrift number too long')\n`],
  ],
  'column.js': [
    [
      'const { type, element, schemaPath, codec, compressors } = columnDecoder\n',
      `const { type, element, schemaPath, codec, compressors } = columnDecoder
  const packed = header.compressed_page_size
  const most = Math.min({ UNCOMPRESSED: 1, SNAPPY: 24, GZIP: 1040, ZSTD: 1 << 16 }[codec] * packed + 64, 256 * packed + 2 ** 26)
  const counts = [header.data_page_header, header.data_page_header_v2].map(one => one?.num_values ?? 0)
  const entries = header.dictionary_page_header?.num_values ?? 0
  const v2 = header.data_page_header_v2
  const levels = v2 === undefined ? 0 : v2.definition_levels_byte_length + v2.repetition_levels_byte_length
  if (
    !(packed >= 0 && packed <= reader.view.byteLength - reader.offset) ||
    !(header.uncompressed_page_size >= 0 && header.uncompressed_page_size <= most) ||
    !(levels >= 0 && levels <= packed && levels <= header.uncompressed_page_size) ||
    (v2 !== undefined && !(
      v2.definition_levels_byte_length >= 0 && v2.repetition_levels_byte_length >= 0 &&
      v2.num_nulls >= 0 && v2.num_nulls <= v2.num_values && v2.num_rows >= 0
    )) ||
    !counts.every(count => count >= 0 && count <= columnDecoder.num_values) ||
    !(entries >= 0 && entries <= 8 * header.uncompressed_page_size)
  ) throw new Error('parquet page of impossible size')
`,
    ],
  ],
  'encoding.js': [
    [
      'const count = header >>> 1\n',
      'const count = Math.min(header >>> 1, output.length - seen)\n',
    ],
    [
      'let count = header >> 1 << 3 // values to read\n',
      'let count = Math.min((header >>> 1) * 8, output.length - seen)\n',
    ],
  ],
  'snappy.js': [
    // Four bytes of length, taken for a negative number, lead back in the input.
    ['if (pos + len > inputLength) {\n', 'if (!(len > 0 && pos + len <= inputLength)) {\n'],
  ],
  'delta.js': [
    [
      'const valuesPerMiniblock = blockSize / miniblockPerBlock\n',
      `const valuesPerMiniblock = blockSize / miniblockPerBlock
  if (!(miniblockPerBlock > 0 && miniblockPerBlock <= reader.view.byteLength && valuesPerMiniblock > 0 && valuesPerMiniblock % 8 === 0)) {
    throw new Error('parquet delta block of impossible size')
  }
`,
      2,
    ],
    [
      'if (prefixData[i]) {\n',
      `copied += prefixData[i]
    if (!(copied <= 1 << 28)) throw new Error('parquet texts too long')
    if (prefixData[i]) {\n`,
    ],
    [
      'deltaBinaryUnpack(reader, count, suffixData)\n',
      'deltaBinaryUnpack(reader, count, suffixData)\n  let copied = 0\n',
    ],
  ],
};

const FLATBUFFERS = {
  'byte-buffer.js': [
    // Elements take a byte at least; and a table may be pointed at many times over, in a tree of such.
    [
      'return this.readInt32(offset + this.readInt32(offset));',
      `const length = this.readInt32(offset + this.readInt32(offset));
        this.listed_ = (this.listed_ ?? 0) + length + 1;
        if (!(length >= 0 && length <= this.capacity() && this.listed_ <= 16 * this.capacity() + 1024)) {
            throw new Error('flatbuffer list too long');
        }
        return length;`,
    ],
  ],
};

const FZSTD = {
  'index.mjs': [
    // A frame to skip may say that it ends before it begins; no file of columns has any.
    ['return b4(dat, 4) + 8;', 'err(0);'],
  ],
};

/** For esbuild: the libraries' readers, with bounds. */
export const boundedReaders = {
  name: 'bounded-readers',
  setup({ onLoad }) {
    const patch = (filter, patches) => {
      onLoad({ filter }, ({ path }) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        let contents = readFileSync(path, 'utf8');
        for (const [from, to, times = 1] of patches[name]) {
          if (contents.split(from).length !== times + 1) {
            throw new Error(
              `${path} is another version: update its patches in web/package/bounded.mjs`,
            );
          }
          contents = contents.replaceAll(from, () => to);
        }
        return { contents };
      });
    };
    patch(/hyparquet\/src\/(thrift|column|encoding|delta|snappy)\.js$/, HYPARQUET);
    patch(/fzstd\/esm\/index\.mjs$/, FZSTD);
    patch(/flatbuffers\/mjs\/byte-buffer\.js$/, FLATBUFFERS);
  },
};
