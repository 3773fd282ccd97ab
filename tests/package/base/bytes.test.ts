import { gzipSync } from 'node:zlib';
import { defineStudy } from 'private-moments';
import { beforeAll, describe, expect, it } from 'vitest';
import { blobBytes, blobStream, type Bytes } from '../../../web/package/src/base/bytes.js';
import { kindOfFile, readFile } from '../../../web/package/src/data/files.js';
import { RowFeed } from '../../../web/package/src/data/ingest.js';
import { intakeOptions, planOf } from '../../../web/package/src/core/plan.js';
import type { ReleaseCore } from '../../../web/package/src/core/raw.js';
import { unwrap } from '../../../web/package/src/core/unwrap.js';
import { builtCore } from '../core-support.js';
import { definition, seeded } from '../support.js';

const random = seeded(23);

describe('the bytes of a blob as a stream', () => {
  const bytes = Uint8Array.from({ length: 1_300_007 }, () => 1 + Math.floor(255 * random()));
  const blob = new Blob([bytes]);

  it('are those of the blob', async () => {
    const pieces: Uint8Array<ArrayBuffer>[] = [];
    for await (const piece of blobStream(blob)) pieces.push(piece.slice());
    expect(pieces.length).toBeGreaterThan(1);
    const all = new Uint8Array(await new Blob(pieces).arrayBuffer());
    expect(Buffer.compare(all, bytes)).toBe(0);
  });

  it('are wiped from the buffer once they have been read', async () => {
    const buffers = new Set<ArrayBufferLike>();
    for await (const piece of blobStream(blob)) {
      buffers.add(piece.buffer);
      if (buffers.size > 1) break;
    }
    const [before, last] = [...buffers];
    // The second piece is in the memory of the first.
    expect(before?.byteLength).toBe(0);
    expect(last?.byteLength).toBeGreaterThan(0);
    expect(new Uint8Array(last ?? bytes.buffer).every((byte) => byte === 0)).toBe(true);
  });
});

describe('a file whose pieces are overwritten when the next one is read', () => {
  const plan = planOf(defineStudy({ ...definition(), clipping: 'fixed' }));
  const rows = Array.from({ length: 20_000 }, () =>
    [18 + 60 * random(), 12 * random(), 'day', 5 * random()].join(','),
  );
  const text = ['age,sleep,work,mood', ...rows].join('\n');
  let core: ReleaseCore;

  beforeAll(async () => {
    core = await builtCore<ReleaseCore>('private-moments');
  });

  async function exact(bytes: Bytes) {
    const { intake } = unwrap(core.createIntake(intakeOptions(plan)));
    const feed = new RowFeed(intake, plan, core);
    await readFile(await kindOfFile(bytes), bytes, plan, feed, () => undefined);
    const { rows } = intake.counts();
    return { rows, ...unwrap(intake.part()) };
  }

  function overwritten(bytes: Bytes): Bytes {
    return {
      ...bytes,
      async *stream(start, end) {
        const room = new Uint8Array(10_007);
        for (let at = start; at < end; at += room.length) {
          const piece = await bytes.read(at, Math.min(end, at + room.length));
          room.set(piece);
          yield room.subarray(0, piece.length);
          room.fill(0x2c);
        }
      },
    };
  }

  it.each([
    ['as text', new Blob([text])],
    ['packed', new Blob([gzipSync(text)])],
  ])('is read to the end %s', async (_, blob) => {
    const expected = await exact(blobBytes(new Blob([text])));
    expect(expected.rows).toBe(rows.length);
    expect(await exact(overwritten(blobBytes(blob)))).toEqual(expected);
  });
});
