/** Whole files and streams of any kind, read by one thread. */
import type { UnsharedBytes } from '../base/binary.js';
import { peek, slicesOf, streamBytes, type Bytes } from '../base/bytes.js';
import { inUtf8 } from './encoding.js';
import { PrivateMomentsError } from '../base/errors.js';
import { feedCsv, type RowFeed } from './ingest.js';
import { kindOf, SIGNATURE_BYTES, type FileKind } from './kinds.js';
import type { Plan } from '../core/plan.js';
import type { EncodedFile } from './typed.js';

const parquet = (): Promise<typeof import('./parquet.js')> => import('./parquet.js');
const arrow = (): Promise<typeof import('./arrow-file.js')> => import('./arrow-file.js');

/** Loads what reads other files than text, which otherwise is loaded with the first such file. */
export async function loadReaders(): Promise<void> {
  await Promise.all([parquet(), arrow()]);
}

/** Called and awaited after each piece, with the rows so far and the fraction read (null if unknown). */
export type OnRead = (rows: number, fraction: number | null) => void | Promise<void>;

/** @throws PrivateMomentsError unsupported-data, read-failed */
export async function kindOfFile(bytes: Bytes): Promise<FileKind> {
  const head = Math.min(SIGNATURE_BYTES, bytes.size);
  return kindOf(head === 0 ? new Uint8Array(0) : await bytes.read(0, head));
}

/** @returns the columns of the file that the study does not use */
export async function readFile(
  kind: FileKind,
  bytes: Bytes,
  plan: Plan,
  feed: RowFeed,
  onRead: OnRead,
): Promise<string[]> {
  switch (kind) {
    case 'parquet': {
      const { openParquet } = await parquet();
      return readEncoded(await openParquet(bytes, plan), plan, feed, onRead);
    }
    case 'arrow-file':
    case 'arrow-stream': {
      const { openArrow } = await arrow();
      return readEncoded(await openArrow(bytes, plan), plan, feed, onRead);
    }
    case 'gzip':
    case 'text': {
      let read = 0;
      const slices = async function* (): AsyncGenerator<Uint8Array, void> {
        for await (const slice of slicesOf(bytes)) {
          read += slice.length;
          // A copy: the decompressor may still hold this piece when the next one overwrites it.
          yield kind === 'gzip' ? slice.slice() : slice;
        }
      };
      const readText = kind === 'gzip' ? readGzip : readCsv;
      return readText(slices(), plan, feed, (rows) => onRead(rows, read / bytes.size));
    }
  }
}

/** Reads bytes that come once and in order. @returns the columns that the study does not use */
export async function readStream(
  pieces: AsyncGenerator<Uint8Array, void>,
  plan: Plan,
  feed: RowFeed,
  onRead: OnRead,
): Promise<string[]> {
  const { head, all } = await peek(pieces, SIGNATURE_BYTES);
  const kind = kindOf(head);
  switch (kind) {
    case 'parquet':
    case 'arrow-file': {
      const message =
        `${kind === 'parquet' ? 'Parquet' : 'Arrow'} files cannot be read from a stream; ` +
        'pass the file itself or a Blob';
      throw new PrivateMomentsError('unsupported-data', message);
    }
    case 'arrow-stream': {
      const { openArrowStream } = await arrow();
      return readEncoded(await openArrowStream(all, plan), plan, feed, onRead);
    }
    case 'gzip':
    case 'text': {
      const readText = kind === 'gzip' ? readGzip : readCsv;
      return readText(all, plan, feed, (rows) => onRead(rows, null));
    }
  }
}

async function readEncoded(
  { batches, ignored, fractionRead }: EncodedFile,
  plan: Plan,
  feed: RowFeed,
  onRead: OnRead,
): Promise<string[]> {
  let rows = 0;
  await feed.rows(async (push) => {
    for await (const batch of batches) {
      rows += batch.length / plan.columns.length;
      push(batch);
      await onRead(rows, fractionRead());
    }
  });
  return ignored;
}

const MAX_PIECE_BYTES = 1 << 16;

/** Reads in small pieces, so that other tasks can run in between. */
async function readCsv(
  pieces: AsyncIterable<Uint8Array>,
  plan: Plan,
  feed: RowFeed,
  onRead: (rows: number) => void | Promise<void>,
): Promise<string[]> {
  let rows = 0;
  const small = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const piece of inUtf8(pieces, plan.csv.encoding)) {
      for (let at = 0; at < piece.length; at += MAX_PIECE_BYTES) {
        yield piece.subarray(at, at + MAX_PIECE_BYTES);
        await onRead(rows);
      }
    }
  };
  return feedCsv(small(), plan, feed, (_, count) => {
    rows = count;
  });
}

/** Bytes of text after an error in a row that are unpacked to see whether the file is damaged. */
const MAX_CHECKED_BYTES = 1 << 28;

/**
 * Reads compressed CSV. Damage turns text into other text, and the checksum comes last: so what is wrong with
 * a row is said only of a file that is whole.
 */
async function readGzip(
  pieces: AsyncGenerator<Uint8Array, void>,
  plan: Plan,
  feed: RowFeed,
  onRead: (rows: number) => void | Promise<void>,
): Promise<string[]> {
  const text = unzipped(pieces);
  const open = { [Symbol.asyncIterator]: () => ({ next: () => text.next() }) };
  try {
    return await readCsv(open, plan, feed, onRead);
  } catch (error) {
    if (error instanceof PrivateMomentsError && error.code !== 'cancelled') {
      for (let left = MAX_CHECKED_BYTES; left > 0;) {
        const { done, value } = await text.next();
        if (done === true) break;
        left -= value.length;
      }
    }
    throw error;
  } finally {
    await text.return();
  }
}

/** Decompresses gzip in constant memory: pieces are pulled when there is room for them. */
async function* unzipped(
  pieces: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  let failure: [unknown] | undefined;
  const zipped = new ReadableStream<BufferSource>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next();
          if (done === true) controller.close();
          else controller.enqueue(value as UnsharedBytes);
        } catch (error) {
          failure = [error];
          throw error;
        }
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
  try {
    yield* streamBytes(zipped.pipeThrough(new DecompressionStream('gzip')));
  } catch {
    if (failure !== undefined) throw failure[0];
    const message =
      'this gzip file could not be read to its end: it is damaged, incomplete, or has more after its end; ' +
      'get it again, or unpack it and choose the CSV file';
    throw new PrivateMomentsError('read-failed', message);
  }
}
