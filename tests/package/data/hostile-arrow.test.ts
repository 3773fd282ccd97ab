import {
  compressionRegistry,
  CompressionType,
  Dictionary,
  Float64,
  Int32,
  RecordBatchFileWriter,
  RecordBatchStreamWriter,
  Table,
  tableToIPC,
  Utf8,
  vectorFromArray,
} from 'apache-arrow';
import { defineStudy, inspect } from 'private-moments';
import { describe, expect, it } from 'vitest';
import {
  block,
  CHECKED,
  CHECKED_DAMAGED,
  COMPRESSED,
  ENDLESS,
  frame,
  stored,
  UNCHECKED,
  zeros,
} from '../../attacks/support/data-files/zstd-frame.mjs';
import { failure } from '../support.js';

const study = defineStudy({
  title: 'One number',
  columns: [{ name: 'age', type: 'number', min: 0, max: 90 }],
  clipping: 'adaptive',
  privacy: { epsilon: 1, delta: 1e-6 },
});
const ages = (count: number) =>
  new Table({ age: vectorFromArray(Array(count).fill(40), new Float64()) });

/** A file whose buffers are compressed by `encode`, each with its decompressed size before it. */
function packed(table: Table, encode: (bytes: Uint8Array) => Uint8Array, stream = false): Blob {
  compressionRegistry.set(CompressionType.ZSTD, { encode });
  const Writer = stream ? RecordBatchStreamWriter : RecordBatchFileWriter;
  const writer = new Writer({ compressionType: CompressionType.ZSTD });
  return new Blob([Uint8Array.from(writer.writeAll(table).finish().toUint8Array(true))]);
}

/** Texts of which every second one is the whole buffer. */
function overlapping(rows: number, length: number): Blob {
  const texts = Array.from({ length: rows }, (_, i) =>
    i === 0 ? ' '.repeat(length - 1) + '1' : '',
  );
  const bytes = Uint8Array.from(tableToIPC(new Table({ age: vectorFromArray(texts, new Utf8()) })));
  const ends = Buffer.from(Int32Array.of(0, length, length, length).buffer);
  const at = Buffer.from(bytes).indexOf(ends);
  const view = new DataView(bytes.buffer);
  for (let i = 2; i < rows; i += 2) view.setInt32(at + 4 * i, 0, true);
  return new Blob([bytes]);
}

const damaged = { code: 'read-failed', message: /damaged/ };

describe('an Arrow file', () => {
  it.each([false, true])('with ZSTD is read, as a stream: %s', async (stream) => {
    expect((await inspect(study, packed(ages(30), stored, stream))).rows).toBe(30);
    // The library's writer states the compressed size in place of the other.
    const small = packed(
      new Table({ age: vectorFromArray(Array(1000).fill(0), new Float64()) }),
      ({ length }) => zeros(length),
      stream,
    );
    expect((await inspect(study, small)).rows).toBe(1000);
  });

  it.each<[string, () => Blob]>([
    [
      'whose buffer unpacks to 100 MB in place of 80 kB',
      () => packed(ages(10_000), (bytes) => zeros(1e8, bytes.length)),
    ],
    [
      'whose frame states no size and unpacks to 1 GB',
      () =>
        packed(ages(10_000), () => {
          const blocks = zeros(1e9).subarray(9);
          return Buffer.concat([Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0, 0), blocks]);
        }),
    ],
    [
      'whose buffer is shorter than it states',
      () => packed(ages(30), ({ length }) => zeros(length - 8)),
    ],
    ...Object.entries(ENDLESS).map(([what, body]): [string, () => Blob] => [
      `whose buffer has ${what} without an end`,
      () => packed(ages(30), ({ length }) => frame([block(COMPRESSED, body.length, body)], length)),
    ]),
    ['whose texts lie on one another, each as long as the whole', () => overlapping(2e5, 2e5)],
  ])('%s is refused', async (_, make) => {
    await failure(() => inspect(study, make()), damaged);
  });

  it('whose ZSTD buffers have checksums is read, and refused if one is not that of its content', async () => {
    const rows = async (buffer: Uint8Array) =>
      (
        await inspect(
          study,
          packed(ages(64), (bytes) => (bytes.length === 512 ? buffer : stored(bytes))),
        )
      ).rows;
    expect(await rows(CHECKED)).toBe(64);
    for (const buffer of Object.values(CHECKED_DAMAGED)) await failure(() => rows(buffer), damaged);
    // Without a checksum the format cannot tell.
    for (const buffer of UNCHECKED) expect(await rows(buffer)).toBe(64);
  });

  it('whose dictionary is of dictionaries is refused by the type of the column', async () => {
    const inner = new Dictionary(new Utf8(), new Int32());
    const column = vectorFromArray(['40', '50'], inner);
    expect((await inspect(study, new Table({ age: column }))).rows).toBe(2);
    const outer = new Dictionary(inner as never, new Int32());
    const table = {
      schema: { fields: [{ name: 'age', type: outer }] },
      batches: [{ numRows: 2, getChildAt: () => column }],
      numRows: 2,
    };
    await failure(() => inspect(study, table), {
      code: 'unsupported-data',
      column: 'age',
    });
  });

  it('of more rows than its bytes make likely is refused', async () => {
    const bytes = Uint8Array.from(tableToIPC(ages(77), 'file'));
    const view = new DataView(bytes.buffer);
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      if (view.getBigInt64(at, true) === 77n) view.setBigInt64(at, 1n << 23n, true);
    }
    await failure(() => inspect(study, new Blob([bytes])), {
      code: 'unsupported-data',
      message: /8388608 rows.*write it again/,
    });
  });
});
