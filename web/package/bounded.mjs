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
    // Sizes, counts and checksums of every page: web/package/src/data/parquet-pages.ts.
    [
      'const { type, element, schemaPath, codec, compressors } = columnDecoder\n',
      `const { type, element, schemaPath, codec, compressors } = columnDecoder
  columnDecoder.checkPage(header, reader, columnDecoder)
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
    // The width of fixed-length bytes is the file's.
    [
      'const bytes = new Uint8Array(count * width)\n',
      `if (!(count * width <= reader.view.byteLength - reader.offset)) throw new Error('parquet values too long')
  const bytes = new Uint8Array(count * width)
`,
    ],
  ],
  'scan.js': [
    // It would keep every column of the part that is read; each is asked for once.
    ['cache.set(column, { rowStart, rowEnd, data })\n', '\n'],
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
    if (!(copied <= 128 * count + reader.view.byteLength)) throw new Error('parquet texts too long')
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
    // A table of one weight takes no bits, for ever.
    ['hw[++wc] = fdt.s[st1];', 'if (wc > 253) err(0);\n            hw[++wc] = fdt.s[st1];'],
    // Sequences may copy any number of bytes to behind the block, and from before the frame.
    [
      'for (var i = 0; i < ll; ++i) {\n',
      'if (!(oubt + ll + ml <= buf.length)) err(0);\n                for (var i = 0; i < ll; ++i) {\n',
    ],
    [
      'var bs = st.e + stin;\n',
      'var bs = st.e + stin;\n                    if (!(bs >= 0)) err(4);\n',
    ],
    // A frame may end before its stated size, or after it.
    [
      'bt = st.b + (st.c * 4);\n',
      'bt = st.b + (st.c * 4);\n            if (buf && st.y != buf.length) err(0);\n',
    ],
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
    patch(/hyparquet\/src\/(thrift|column|encoding|delta|scan|snappy)\.js$/, HYPARQUET);
    patch(/fzstd\/esm\/index\.mjs$/, FZSTD);
    patch(/flatbuffers\/mjs\/byte-buffer\.js$/, FLATBUFFERS);
  },
};
