/** Arrow IPC files and streams, read with apache-arrow. Loaded on demand. */
import { compressionRegistry, CompressionType, RecordBatchReader } from 'apache-arrow';
import { decompress } from 'fzstd';
import { arrowColumns, type ArrowBatch, type ArrowSchema } from './arrow.js';
import type { Bytes } from '../base/bytes.js';
import { isWhole } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Plan } from '../core/plan.js';
import type { EncodedFile } from './typed.js';

compressionRegistry.set(CompressionType.ZSTD, { decode: decompressFrame });

/** A batch may decompress to MAX_DECOMPRESSED bytes plus MAX_EXPANSION times its compressed size. */
const MAX_DECOMPRESSED = 1 << 28;
const MAX_EXPANSION = 256;

/** Maximum rows of a batch whose columns have no bytes, such as columns of nulls. */
const MAX_EMPTY_ROWS = 1 << 20;

/** Length of the prefix of a compressed buffer: its decompressed size, or -1 if it is stored uncompressed. */
const SIZE_BYTES = 8;

/** The library's internal methods that read a batch, which `bound` wraps. */
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

/** Opens an Arrow file or stream. Memory holds one record batch at a time, and the dictionaries. */
export async function openArrow(bytes: Bytes, plan: Plan): Promise<EncodedFile> {
  let reached = 0;
  let left = 2 * bytes.size + (1 << 16);
  const handle = {
    fd: 0,
    stat: () => Promise.resolve({ size: bytes.size }),
    async read(buffer: Uint8Array, offset: number, length: number, position: number) {
      // Limits the total, as overlapping batches could make a small file arbitrarily long.
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
  return { ...opened, fractionRead: () => reached / bytes.size };
}

/** Opens an Arrow stream, whose length is unknown until it ends. */
export async function openArrowStream(
  pieces: AsyncIterable<Uint8Array>,
  plan: Plan,
): Promise<EncodedFile> {
  const opened = await open(pieces, plan);
  return { ...opened, fractionRead: () => null };
}

async function open(source: object, plan: Plan): Promise<Pick<EncodedFile, 'ignored' | 'batches'>> {
  const reader = await guarded(async () => {
    const found = await RecordBatchReader.from(source as AsyncIterable<Uint8Array>);
    bound((found as unknown as { _impl: BatchReader })._impl);
    return found.open();
  });
  const columns = await guarded(() => arrowColumns(reader.schema as ArrowSchema, plan));
  const batches = async function* (): AsyncGenerator<Float64Array, void> {
    for (;;) {
      const next = (await guarded(() => reader.next())) as IteratorResult<ArrowBatch, undefined>;
      if (next.done === true) return;
      const encoded = columns.encode(next.value);
      for (;;) {
        // The library decodes cells on access, so this can fail too.
        const { done, value } = await guarded(() => encoded.next());
        if (done === true) break;
        yield value;
      }
    }
  };
  return { ignored: columns.ignored, batches: batches() };
}

/** Checks each batch before the library allocates memory according to its header. */
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

/** The buffers must lie inside the batch without overlap, and a row takes at least one bit. */
function requirePossible({ length, nodes, buffers, compression }: BatchHeader, body: Uint8Array) {
  let compressed = 0;
  let decompressed = 0;
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  for (const { offset, length: size } of buffers) {
    if (!isWhole(offset) || !isWhole(size) || offset + size > body.byteLength) throw damaged();
    compressed += size;
    if (compression === null || size === 0) decompressed += size;
    else if (size < SIZE_BYTES) throw damaged();
    else {
      const stated = Number(view.getBigInt64(offset, true));
      decompressed += stated === -1 ? size : stated;
      if (stated < -1) throw damaged();
    }
  }
  if (compressed > body.byteLength) throw damaged();
  if (compression !== null && decompressed > maxDecompressed(compressed)) throw damaged();
  const rows = 8 * decompressed + MAX_EMPTY_ROWS;
  for (const { length: count, nullCount } of [{ length, nullCount: 0 }, ...nodes]) {
    if (!isWhole(count) || count > rows || !(nullCount >= -1 && nullCount <= count))
      throw damaged();
  }
}

/** Decompresses a ZSTD frame, after a check of the size it states. */
function decompressFrame(frame: Uint8Array): Uint8Array {
  if (frameSize(frame) > maxDecompressed(frame.length)) throw damaged();
  return decompress(frame);
}

/** The content size of a ZSTD frame, or else its window size (RFC 8878, section 3.1.1.1). */
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

function maxDecompressed(compressed: number): number {
  return MAX_DECOMPRESSED + MAX_EXPANSION * compressed;
}

/** Replaces the library's errors by `damaged()`, because their messages may quote the file. */
async function guarded<T>(action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof PrivateMomentsError ? error : damaged();
  }
}

function damaged(): PrivateMomentsError {
  const message =
    'this Arrow file could not be read: it is damaged or compressed with LZ4; write it again ' +
    'with ZSTD or without compression';
  return new PrivateMomentsError('read-failed', message);
}
