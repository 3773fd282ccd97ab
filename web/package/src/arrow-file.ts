/** Arrow IPC files and streams, through apache-arrow; loaded when such data come. */
import { compressionRegistry, CompressionType, RecordBatchReader } from 'apache-arrow';
import { decompress } from 'fzstd';
import { arrowColumns, type ArrowBatch, type ArrowSchema } from './arrow.js';
import type { Bytes } from './bytes.js';
import { PrivateMomentsError } from './errors.js';
import type { Plan } from './plan.js';
import type { EncodedFile } from './typed.js';

compressionRegistry.set(CompressionType.ZSTD, { decode: (data) => decompress(data) });

/** One record batch at a time is held, and the dictionaries. */
export async function openArrow(bytes: Bytes, plan: Plan): Promise<EncodedFile> {
  let reached = 0;
  const handle = {
    fd: 0,
    stat: () => Promise.resolve({ size: bytes.size }),
    async read(buffer: Uint8Array, offset: number, length: number, position: number) {
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
    return found.open();
  });
  const columns = arrowColumns(reader.schema as ArrowSchema, plan);
  const batches = async function* (): AsyncGenerator<Float64Array, void> {
    for (;;) {
      const next = (await ours(() => reader.next())) as IteratorResult<ArrowBatch, undefined>;
      if (next.done === true) return;
      yield* columns.encode(next.value);
    }
  };
  return { ignored: columns.ignored, batches: batches() };
}

/** What the library complains of is a file that it cannot read; its message may quote the file. */
async function ours<T>(action: () => T | Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof PrivateMomentsError) throw error;
    const message =
      'this Arrow file could not be read: it is damaged, or compressed with LZ4; write it again ' +
      'with ZSTD or without compression';
    throw new PrivateMomentsError('read-failed', message);
  }
}
