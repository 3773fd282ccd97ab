/** Whole files and streams, of whatever kind, read by one thread. */
import { joined, slicesOf, streamBytes, type Bytes } from './bytes.js';
import { PrivateMomentsError } from './errors.js';
import { feedCsv, type RowFeed } from './ingest.js';
import { kindOf, LONGEST_SIGNATURE, type FileKind } from './kinds.js';
import type { Plan } from './plan.js';
import type { EncodedFile } from './typed.js';

/** Hears of the rows so far and of their part of all, null where nobody knows, and is waited for. */
export type OnRead = (rows: number, part: number | null) => void | Promise<void>;

/** @throws PrivateMomentsError unsupported-data, read-failed */
export async function kindOfFile(bytes: Bytes): Promise<FileKind> {
  const head = Math.min(LONGEST_SIGNATURE, bytes.size);
  return kindOf(head === 0 ? new Uint8Array(0) : await bytes.read(0, head));
}

/** @returns the columns of the file the study does not use */
export async function readFile(
  kind: FileKind,
  bytes: Bytes,
  plan: Plan,
  feed: RowFeed,
  onRead: OnRead,
): Promise<string[]> {
  switch (kind) {
    case 'parquet': {
      const { openParquet } = await import('./parquet.js');
      return readEncoded(await openParquet(bytes, plan), plan, feed, onRead);
    }
    case 'arrow-file':
    case 'arrow-stream': {
      const { openArrow } = await import('./arrow-file.js');
      return readEncoded(await openArrow(bytes, plan), plan, feed, onRead);
    }
    case 'gzip':
    case 'text': {
      let read = 0;
      const slices = async function* (): AsyncGenerator<Uint8Array, void> {
        for await (const slice of slicesOf(bytes)) {
          read += slice.length;
          // What is packed may still wait to be unpacked when the next piece comes.
          yield kind === 'gzip' ? slice.slice() : slice;
        }
      };
      const text = kind === 'gzip' ? unzipped(slices()) : slices();
      return readCsv(text, plan, feed, (rows) => onRead(rows, read / bytes.size));
    }
  }
}

/** Bytes that come once and in order. */
export async function readStream(
  pieces: AsyncGenerator<Uint8Array, void>,
  plan: Plan,
  feed: RowFeed,
  onRead: OnRead,
): Promise<string[]> {
  const { head, all } = await peek(pieces, LONGEST_SIGNATURE);
  const kind = kindOf(head);
  switch (kind) {
    case 'parquet':
    case 'arrow-file': {
      const message =
        `${kind === 'parquet' ? 'Parquet' : 'Arrow'} files are not read from beginning to end; ` +
        'give the file itself, or a Blob, in place of a stream';
      throw new PrivateMomentsError('unsupported-data', message);
    }
    case 'arrow-stream': {
      const { openArrowStream } = await import('./arrow-file.js');
      return readEncoded(await openArrowStream(all, plan), plan, feed, onRead);
    }
    case 'gzip':
    case 'text':
      return readCsv(kind === 'gzip' ? unzipped(all) : all, plan, feed, (rows) =>
        onRead(rows, null),
      );
  }
}

async function readEncoded(
  { batches, ignored, reached }: EncodedFile,
  plan: Plan,
  feed: RowFeed,
  onRead: OnRead,
): Promise<string[]> {
  let rows = 0;
  for await (const batch of batches) {
    rows += batch.length / plan.columns.length;
    feed.rows(batch);
    await onRead(rows, reached());
  }
  return ignored;
}

const LARGEST_PIECE = 1 << 16;

/** In small pieces, between which others have their turn. */
async function readCsv(
  pieces: AsyncIterable<Uint8Array>,
  plan: Plan,
  feed: RowFeed,
  onRead: (rows: number) => void | Promise<void>,
): Promise<string[]> {
  let rows = 0;
  const small = async function* (): AsyncGenerator<Uint8Array, void> {
    for await (const piece of pieces) {
      for (let at = 0; at < piece.length; at += LARGEST_PIECE) {
        yield piece.subarray(at, at + LARGEST_PIECE);
        await onRead(rows);
      }
    }
  };
  return feedCsv(small(), plan, feed, (_, count) => {
    rows = count;
  });
}

/** Memory stays constant: pieces come when there is room for them. */
async function* unzipped(
  pieces: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  const zipped = new ReadableStream<BufferSource>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value as Uint8Array<ArrayBuffer>);
      },
      async cancel() {
        await pieces.return();
      },
    },
    { highWaterMark: 0 },
  );
  yield* streamBytes(zipped.pipeThrough(new DecompressionStream('gzip')));
}

/** The first bytes, and all of them. */
async function peek(
  pieces: AsyncGenerator<Uint8Array, void>,
  count: number,
): Promise<{ head: Uint8Array; all: AsyncGenerator<Uint8Array, void> }> {
  let head = new Uint8Array(0);
  let isEnd = false;
  while (head.length < count && !isEnd) {
    const next = await pieces.next();
    if (next.done === true) isEnd = true;
    else head = joined(head, next.value);
  }
  const all = async function* (): AsyncGenerator<Uint8Array, void> {
    try {
      yield head;
      while (!isEnd) {
        const next = await pieces.next();
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      await pieces.return();
    }
  };
  return { head, all: all() };
}
