import { gzipSync } from 'node:zlib';
import { defineStudy, inspect } from 'private-moments';
import { describe, expect, it } from 'vitest';
import {
  checksum,
  parquetFile,
  varint,
  type HostileColumn,
  type HostilePage,
} from '../../attacks/support/data-files/parquet-file.mjs';
import {
  block,
  CHECKED,
  CHECKED_DAMAGED,
  COMPRESSED,
  ENDLESS,
  frame,
  UNCHECKED,
  zeros,
} from '../../attacks/support/data-files/zstd-frame.mjs';
import { failure } from '../support.js';

type Expected = Parameters<typeof failure>[1];
type Study = ReturnType<typeof defineStudy>;

const study = defineStudy({
  title: 'One number',
  columns: [{ name: 'age', type: 'number', min: 0, max: 90 }],
  clipping: 'adaptive',
  privacy: { epsilon: 1, delta: 1e-6 },
});

const ten = defineStudy({
  title: 'Ten numbers',
  columns: [...Array.from({ length: 9 }, (_, i) => `c${i}`), 'age'].map((name) => ({
    name,
    type: 'number' as const,
    min: 0,
    max: 90,
  })),
  clipping: 'adaptive',
  privacy: { epsilon: 1, delta: 1e-6 },
});

function file(pages: HostilePage[], rows: number, column: Partial<HostileColumn> = {}): Blob {
  const columns = [{ name: 'age', type: 'DOUBLE', pages, ...column }];
  return new Blob([Uint8Array.from(parquetFile({ columns, rows }))]);
}

const FORTY = Buffer.alloc(8);
FORTY.writeDoubleLE(40);
const DICTIONARY = { kind: 'dictionary', body: FORTY, values: 1 } as const;
/** Rows that all have the dictionary's first entry, in indices of no bits. */
const same = (values: number): HostilePage => ({
  body: [0],
  values,
  encoding: 'RLE_DICTIONARY',
});
const zipped = (packed: Uint8Array, unpacked: number, values: number): HostilePage => ({
  body: packed,
  unpacked,
  values,
});

const ZSTD = { codec: 'ZSTD' };
const TEXTS = { codec: 'ZSTD', type: 'BYTE_ARRAY' };
const damaged = { code: 'read-failed', message: /damaged.*write it again/ };
const tooMuch = { code: 'unsupported-data', message: /write it again/ };

describe('a Parquet file', () => {
  it('of four million equal rows in a few bytes is read', async () => {
    expect((await inspect(study, file([DICTIONARY, same(1 << 22)], 1 << 22))).rows).toBe(1 << 22);
  });

  it.each<[string, Expected, () => Blob, Study?]>([
    [
      'whose pages and their index are both said to lie behind its end',
      damaged,
      () => file([DICTIONARY, same(1 << 17)], 1 << 17, { start: 1e6, indexed: 2e6 }),
    ],
    ['of 2^26 rows in a few bytes', tooMuch, () => file([DICTIONARY, same(2 ** 26)], 2 ** 26)],
    [
      'of two thousand row groups that all have the same million rows',
      tooMuch,
      () => {
        const columns = [{ name: 'age', type: 'DOUBLE', pages: [DICTIONARY, same(1 << 20)] }];
        const bytes = parquetFile({ columns, rows: 1 << 20, groups: 2000 });
        return new Blob([Uint8Array.from(bytes)]);
      },
    ],
    [
      'with three million empty texts in a kilobyte',
      { ...tooMuch, column: 'age' },
      () => file([zipped(zeros(12e6), 12e6, 3e6)], 3e6, TEXTS),
    ],
    [
      'with a dictionary of three million texts for ten rows',
      { ...tooMuch, column: 'age' },
      () => file([{ ...zipped(zeros(12e6), 12e6, 3e6), kind: 'dictionary' }, same(10)], 10, TEXTS),
    ],
    [
      'whose pages unpack to 60 MB for a row each',
      damaged,
      () =>
        file(
          Array.from({ length: 40 }, () => zipped(zeros(60e6), 60e6, 1)),
          40,
          ZSTD,
        ),
    ],
    [
      'whose columns unpack to 60 MB each, of which nothing is left',
      damaged,
      () => {
        const pages = [zipped(zeros(60e6), 60e6, 1)];
        const columns = Array.from({ length: 9 }, (_, i) => ({ name: `c${i}`, pages }));
        const all = [...columns, { name: 'age', pages }].map((one) => ({
          ...one,
          type: 'DOUBLE',
          ...ZSTD,
        }));
        return new Blob([Uint8Array.from(parquetFile({ columns: all, rows: 1 }))]);
      },
      ten,
    ],
    [
      'whose Snappy page states 4 GB',
      damaged,
      () => file([zipped(FORTY, 0x7fffffff, 1)], 1, { codec: 'SNAPPY' }),
    ],
    [
      'whose gzip page is longer than it states',
      damaged,
      () => file([zipped(gzipSync(Buffer.alloc(1 << 20)), 8, 1)], 1, { codec: 'GZIP' }),
    ],
    [
      'whose gzip page does not have its checksum',
      damaged,
      () => {
        const page = gzipSync(FORTY);
        page.writeUInt32LE((page.readUInt32LE(page.length - 8) ^ 1) >>> 0, page.length - 8);
        return file([zipped(page, 8, 1)], 1, { codec: 'GZIP' });
      },
    ],
    [
      'whose ZSTD page is shorter than it states',
      damaged,
      () => file([zipped(zeros(4, 8), 8, 1)], 1, ZSTD),
    ],
    ...Object.entries(ENDLESS).map(([what, body]): [string, Expected, () => Blob] => [
      `whose ZSTD page has ${what} without an end`,
      damaged,
      () => file([zipped(frame([block(COMPRESSED, body.length, body)], 8), 8, 1)], 1, ZSTD),
    ]),
    [
      'with bytes of a length of 2^30 each',
      damaged,
      () =>
        file([{ body: FORTY, values: 4, encoding: 'BYTE_STREAM_SPLIT' }], 4, {
          type: 'FIXED',
          length: 2 ** 30,
        }),
    ],
    [
      'with a text that begins with 256 MB of the one before',
      damaged,
      () => {
        const deltas = (...bytes: number[]) => [...varint(128), 4, 2, 0, ...bytes, 0, 0, 0, 0];
        const body = [...deltas(...varint(2 ** 29 - 2)), ...deltas(0)];
        return file([{ body, values: 2, encoding: 'DELTA_BYTE_ARRAY' }], 2, { type: 'BYTE_ARRAY' });
      },
    ],
    [
      'of 5000 records within one another',
      damaged,
      () => {
        const columns = [{ name: 'age', type: 'DOUBLE', pages: [{ body: FORTY, values: 1 }] }];
        const extra = Array.from({ length: 5000 }, () => ['deep', 1] as const);
        return new Blob([Uint8Array.from(parquetFile({ columns, rows: 1, extra }))]);
      },
    ],
  ])('%s is refused', async (_, expected, make, own = study) => {
    await failure(() => inspect(own, make()), expected);
  });

  it('with checksums of its pages is read, and one flipped bit is found with its place', async () => {
    const sound = { body: FORTY, values: 1, crc: checksum(FORTY) };
    expect((await inspect(study, file([sound, sound], 2))).rows).toBe(2);
    const flipped = Uint8Array.from(FORTY);
    flipped[3] = 1;
    await failure(() => inspect(study, file([sound, { ...sound, body: flipped }], 2)), {
      code: 'read-failed',
      column: 'age',
      message: /"age".*page 2 of it in row group 1 does not have its checksum/,
    });
    // Without a checksum the format cannot tell.
    expect((await inspect(study, file([{ body: flipped, values: 1 }], 1))).rows).toBe(1);
  });

  it('with a ZSTD page of no values and no frame is read', async () => {
    const none: HostilePage = { kind: 'v2', body: [], unpacked: 0, values: 0 };
    expect((await inspect(study, file([none, zipped(CHECKED, 512, 64)], 64, ZSTD))).rows).toBe(64);
  });

  it('whose ZSTD pages have checksums is read, and refused if one is not that of its content', async () => {
    const rows = async (page: Uint8Array) =>
      (await inspect(study, file([zipped(page, 512, 64)], 64, ZSTD))).rows;
    expect(await rows(CHECKED)).toBe(64);
    for (const page of Object.values(CHECKED_DAMAGED)) await failure(() => rows(page), damaged);
    // Without a checksum the format cannot tell.
    for (const page of UNCHECKED) expect(await rows(page)).toBe(64);
  });
});
