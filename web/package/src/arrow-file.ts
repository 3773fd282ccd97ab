/** Arrow IPC files and streams, through apache-arrow; loaded when such data come. */
import { compressionRegistry, CompressionType, RecordBatchReader } from 'apache-arrow';
import { decompress } from 'fzstd';
import { arrowColumns, type ArrowBatch, type ArrowSchema } from './arrow.js';
import type { Bytes } from './bytes.js';
import { isWhole } from './check.js';
import { PrivateMomentsError } from './errors.js';
import type { Plan } from './plan.js';
import type { EncodedFile } from './typed.js';

compressionRegistry.set(CompressionType.ZSTD, { decode: unpacked });

/** How much a batch may unpack to: so many bytes, and more where there are more to unpack. */
const MOST_UNPACKED = 1 << 28;
const UNPACKED_FROM_A_BYTE = 256;

/** Of a batch of columns without bytes, as those of nulls alone have none. */
const MOST_EMPTY_ROWS = 1 << 20;

/** What stands before the bytes of a buffer that is packed: its size unpacked, or -1 where it is not. */
const SIZE_BYTES = 8;

/** What this looks at, of how the library reads a batch before it makes vectors of it. */
interface BatchReader {
  _loadRecordBatch(header: BatchHeader, body: Uint8Array, ...rest: unknown[]): unknown;
  _loadDictionaryBatch(header: { data: BatchHeader }, body: Uint8Array): unknown;
}

interface BatchHeader {
  length: number;
  nodes: readonly { length: number; nullCount: number }[];
  buffers: readonly { offset: number; length: number }[];
  compression: object | null;
}

/** One record batch at a time is held, and the dictionaries. */
export async function openArrow(bytes: Bytes, plan: Plan): Promise<EncodedFile> {
  let reached = 0;
  let left = 2 * bytes.size + (1 << 16);
  const handle = {
    fd: 0,
    stat: () => Promise.resolve({ size: bytes.size }),
    async read(buffer: Uint8Array, offset: number, length: number, position: number) {
      // Batches that overlap would make a small file a long one.
      left -= length;
      if (left < 0) throw damaged();
      const piece = await bytes.read(position, Math.min(position + length, bytes.size));
      buffer.set(piece, offset);
      reached = position + piece.length;
      return { bytesRead: piece.length, buffer };
    },
    close: () => Promise.resolve(),
  };
  const opened = await open(handle, plan);
  return { ...opened, reached: () => reached / bytes.size };
}

/** The stream format, of which the end is not known before it comes. */
export async function openArrowStream(
  pieces: AsyncIterable<Uint8Array>,
  plan: Plan,
): Promise<EncodedFile> {
  const opened = await open(pieces, plan);
  return { ...opened, reached: () => null };
}

async function open(source: object, plan: Plan): Promise<Pick<EncodedFile, 'ignored' | 'batches'>> {
  const reader = await ours(async () => {
    const found = await RecordBatchReader.from(source as AsyncIterable<Uint8Array>);
    bound((found as unknown as { _impl: BatchReader })._impl);
    return found.open();
  });
  const columns = await ours(() => arrowColumns(reader.schema as ArrowSchema, plan));
  const batches = async function* (): AsyncGenerator<Float64Array, void> {
    for (;;) {
      const next = (await ours(() => reader.next())) as IteratorResult<ArrowBatch, undefined>;
      if (next.done === true) return;
      const encoded = columns.encode(next.value);
      for (;;) {
        // Cells are read where they are asked for.
        const { done, value } = await ours(() => encoded.next());
        if (done === true) break;
        yield value;
      }
    }
  };
  return { ignored: columns.ignored, batches: batches() };
}

/** A batch is looked at before anything is reserved or read by what it says of itself. */
function bound(reader: BatchReader): void {
  const load = reader._loadRecordBatch.bind(reader);
  const loadDictionary = reader._loadDictionaryBatch.bind(reader);
  reader._loadRecordBatch = (header, body, ...rest) => {
    requirePossible(header, body);
    return load(header, body, ...rest);
  };
  reader._loadDictionaryBatch = (header, body) => {
    requirePossible(header.data, body);
    return loadDictionary(header, body);
  };
}

/** Buffers lie in the batch, one after the other, and every row takes a bit of one at least. */
function requirePossible({ length, nodes, buffers, compression }: BatchHeader, body: Uint8Array) {
  let packed = 0;
  let unpacked = 0;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  for (const { offset, length: size } of buffers) {
    if (!isWhole(offset) || !isWhole(size) || offset + size > body.byteLength) throw damaged();
    packed += size;
    if (compression === null || size === 0) unpacked += size;
    else if (size < SIZE_BYTES) throw damaged();
    else {
      const said = Number(view.getBigInt64(offset, true));
      unpacked += said === -1 ? size : said;
      if (said < -1) throw damaged();
    }
  }
  if (packed > body.byteLength) throw damaged();
  if (compression !== null && unpacked > mostUnpacked(packed)) throw damaged();
  const rows = 8 * unpacked + MOST_EMPTY_ROWS;
  for (const { length: count, nullCount } of [{ length, nullCount: 0 }, ...nodes]) {
    if (!isWhole(count) || count > rows || !(nullCount >= -1 && nullCount <= count))
      throw damaged();
  }
}

/** A frame says how long it is, or else how far it looks back. */
function unpacked(frame: Uint8Array): Uint8Array {
  if (frameSize(frame) > mostUnpacked(frame.length)) throw damaged();
  return decompress(frame);
}

/** As RFC 8878, 3.1.1.1 has it. */
function frameSize(frame: Uint8Array): number {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  const flags = view.getUint8(4);
  const isSingle = (flags & 0x20) !== 0;
  const dictionary = [0, 1, 2, 4][flags & 3] ?? 0;
  const at = (isSingle ? 5 : 6) + dictionary;
  switch (flags >> 6) {
    case 1:
      return view.getUint16(at, true) + 256;
    case 2:
      return view.getUint32(at, true);
    case 3:
      return Number(view.getBigUint64(at, true));
    default: {
      if (isSingle) return view.getUint8(at);
      const window = view.getUint8(5);
      return 2 ** (10 + (window >> 3)) * (1 + (window & 7) / 8);
    }
  }
}

function mostUnpacked(packed: number): number {
  return MOST_UNPACKED + UNPACKED_FROM_A_BYTE * packed;
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
  const message =
    'this Arrow file could not be read: it is damaged, or compressed with LZ4; write it again ' +
    'with ZSTD or without compression';
  return new PrivateMomentsError('read-failed', message);
}
