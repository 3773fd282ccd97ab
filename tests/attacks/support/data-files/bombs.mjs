// Small Parquet files whose parts agree with one another, and whose sizes and counts are lies.
import { gzipSync } from 'node:zlib';
import { parquetFile, varint } from './parquet-file.mjs';
import { block, COMPRESSED, ENDLESS, frame, stored, zeros } from './zstd-frame.mjs';

const DOUBLE = Buffer.from(Float64Array.of(5).buffer);

/** A file made by a generator of random integers below its argument. */
export function lying(random) {
  const of = (list) => list[random(list.length)];
  /** Mostly near powers of two, as bounds are. */
  const number = () => Math.max(0, 2 ** random(28) + random(5) - 2);
  const rows = random(3) === 0 ? 2 ** 20 + random(2 ** 22) : number();
  const type = of(['DOUBLE', 'INT32', 'INT64', 'BYTE_ARRAY', 'FIXED', 'BOOLEAN']);
  const encoding = of([
    ...['PLAIN', 'RLE', 'RLE_DICTIONARY', 'BYTE_STREAM_SPLIT', 'DELTA_BINARY_PACKED'],
    ...['DELTA_LENGTH_BYTE_ARRAY', 'DELTA_BYTE_ARRAY', 'RLE_DICTIONARY'],
  ]);
  const codec = of(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'ZSTD', 'ZSTD']);

  const packed = (plain) => {
    const unpacked = random(4) === 0 ? number() : plain.length;
    switch (codec) {
      case 'SNAPPY': {
        const copies = Array.from({ length: random(200) }, () => [0xfe, 1, 0]).flat();
        return { body: [...varint(unpacked), 0, 0, ...copies], unpacked: 1 + copies.length * 21 };
      }
      case 'GZIP':
        return {
          body: gzipSync(random(3) === 0 ? Buffer.alloc(random(1 << 20)) : plain),
          unpacked,
        };
      case 'ZSTD': {
        const size = random(2) === 0 ? number() : unpacked;
        const endless = of(Object.values(ENDLESS)).map(
          (byte) => byte ^ (random(20) === 0 ? random(256) : 0),
        );
        return of([
          { body: zeros(Math.min(size, 2 ** 25)), unpacked: size },
          { body: stored(plain), unpacked },
          { body: frame([block(COMPRESSED, endless.length, endless)], unpacked), unpacked },
        ]);
      }
      default:
        return { body: plain };
    }
  };
  const plain = () => {
    const bits = random(33);
    return Buffer.from([
      ...of([
        [0],
        [bits, ...varint(2 * number()), 0, 0, 0, 0],
        [bits, ...varint(2 * number() + 1), ...Array(random(64)).fill(255)],
        [
          ...varint(128),
          4,
          ...varint(rows),
          ...varint(number()),
          ...Array(random(64)).fill(random(9)),
        ],
        [
          ...varint(number()),
          ...varint(number()),
          ...varint(rows),
          ...Array(random(64)).fill(random(9)),
        ],
        [...DOUBLE],
        [...Array(random(200)).fill(random(3))],
      ]),
    ]);
  };
  const values = random(4) === 0 ? number() : rows;
  const page = (kind) => ({ kind, ...packed(plain()), values, encoding });
  const dictionary = {
    ...{ kind: 'dictionary', ...packed(random(2) === 0 ? DOUBLE : plain()) },
    values: random(2) === 0 ? 1 : number(),
  };
  const pages = [
    ...(random(2) === 0 ? [dictionary] : []),
    ...Array.from({ length: 1 + random(3) }, () => page(random(3) === 0 ? 'v2' : 'data')),
  ];
  const column = { type, codec, length: random(2) === 0 ? 8 : number(), pages };
  const columns = ['age', 'sleep', 'work', 'mood'].map((name) => ({ ...column, name }));
  const extra = random(8) === 0 ? Array.from({ length: random(3000) }, () => ['deep', 1]) : [];
  const groups = random(4) === 0 ? 1 + random(100) : 1;
  return Uint8Array.from(parquetFile({ columns, rows, groups, extra }));
}
