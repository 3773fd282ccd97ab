/** Arrow IPC files and streams, read with apache-arrow. Loaded on demand. */
import { compressionRegistry, CompressionType, RecordBatchReader } from 'apache-arrow';
import { arrowColumns, type ArrowBatch, type ArrowSchema } from './arrow.js';
import type { Bytes } from '../base/bytes.js';
import { isWhole } from '../base/check.js';
import { CellBudget, maxUnpacked } from './budget.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { Plan } from '../core/plan.js';
import type { EncodedFile } from './typed.js';
import { frameSize, unpackedFrame } from './zstd.js';

compressionRegistry.set(CompressionType.ZSTD, { decode: decompressFrame });

/** Of one message of a stream, whose size nobody knows. */
const MAX_MESSAGE_BYTES = 2 ** 31;

/** Length of the prefix of a compressed buffer: its decompressed size, or -1 if it is stored uncompressed. */
const SIZE_BYTES = 8;

/** The library's internal methods that read a batch, which `bound` wraps. */
interface BatchReader {
  _reader: { readMessageBody(bytes: number): Promise<Uint8Array> };
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
  const opened = await open(handle, plan, bytes.size);
  return { ...opened, fractionRead: () => reached / bytes.size };
}

/** Opens an Arrow stream, whose length is unknown until it ends. */
export async function openArrowStream(
  pieces: AsyncIterable<Uint8Array>,
  plan: Plan,
): Promise<EncodedFile> {
  const opened = await open(pieces, plan, null);
  return { ...opened, fractionRead: () => null };
}

/** @param size of the source in bytes, if it is known */
async function open(
  source: object,
  plan: Plan,
  size: number | null,
): Promise<Pick<EncodedFile, 'ignored' | 'batches'>> {
  const reader = await guarded(async () => {
    const found = await RecordBatchReader.from(source as AsyncIterable<Uint8Array>);
    bound((found as unknown as { _impl: BatchReader })._impl, plan.columns.length, size);
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
function bound(reader: BatchReader, columns: number, size: number | null): void {
  const load = reader._loadRecordBatch.bind(reader);
  const loadDictionary = reader._loadDictionaryBatch.bind(reader);
  const messages = reader._reader;
  const readBody = messages.readMessageBody.bind(messages);
  let bodies = 0;
  /** Of all dictionaries, which stay in memory. */
  const dictionaries = { packed: 0, unpacked: 0 };
  messages.readMessageBody = (bytes) => {
    if (!(bytes <= (size ?? MAX_MESSAGE_BYTES))) throw damaged();
    bodies += Math.max(0, bytes);
    return readBody(bytes);
  };
  const budget = new CellBudget('Arrow', () => size ?? bodies);
  reader._loadRecordBatch = (header, body, ...rest) => {
    requirePossible(header, body);
    budget.spend(header.length, columns, body.length);
    return load(header, body, ...rest);
  };
  reader._loadDictionaryBatch = (header, body) => {
    dictionaries.unpacked += requirePossible(header.data, body);
    dictionaries.packed += body.length;
    if (dictionaries.unpacked > maxUnpacked(dictionaries.packed)) throw damaged();
    return loadDictionary(header, body);
  };
}

/**
 * The buffers must lie inside the batch without overlap, and no column has more rows than the batch, or than
 * bits. Returns the bytes that they unpack to.
 */
function requirePossible(
  { length, nodes, buffers, compression }: BatchHeader,
  body: Uint8Array,
): number {
  let packed = 0;
  let unpacked = 0;
  for (const { offset, length: size } of buffers) {
    if (!isWhole(offset) || !isWhole(size) || offset + size > body.byteLength) throw damaged();
    packed += size;
    if (compression === null || size === 0) unpacked += size;
    else if (size < SIZE_BYTES) throw damaged();
    else {
      const stated = statedSize(body.subarray(offset));
      const frame = body.subarray(offset + SIZE_BYTES, offset + size);
      if (stated < -1) throw damaged();
      unpacked += stated === -1 ? size : (frameSize(frame) ?? stated);
    }
  }
  if (packed > body.byteLength || unpacked > maxUnpacked(packed)) throw damaged();
  const cells = Math.max(length, 8 * unpacked);
  for (const { length: count, nullCount } of [{ length, nullCount: 0 }, ...nodes]) {
    if (!isWhole(count) || count > cells || !(nullCount >= -1 && nullCount <= count)) {
      throw damaged();
    }
  }
  return unpacked;
}

/** The decompressed size at the start of a compressed buffer; -1 if it is stored uncompressed. */
function statedSize({ buffer, byteOffset }: Uint8Array): number {
  return Number(new DataView(buffer, byteOffset, SIZE_BYTES).getBigInt64(0, true));
}

/**
 * Decompresses the rest of a buffer to exactly the size that is stated: by the frame, before the buffer, for which
 * apache-arrow 21 writes the compressed size.
 */
function decompressFrame(frame: Uint8Array): Uint8Array {
  const { buffer, byteOffset } = frame;
  const stated = statedSize(new Uint8Array(buffer, byteOffset - SIZE_BYTES));
  return unpackedFrame(frame, frameSize(frame) ?? stated);
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
