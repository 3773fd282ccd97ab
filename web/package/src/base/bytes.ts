import type { UnsharedBytes } from './binary.js';
import { PrivateMomentsError } from './errors.js';
import { builtin } from './host.js';

/** Random access to the bytes of a file, wherever it is stored. */
export interface Bytes {
  readonly size: number;
  /** @throws PrivateMomentsError read-failed */
  readonly read: (start: number, end: number) => Promise<UnsharedBytes>;
  /**
   * The same bytes in pieces, present where that is faster than repeated `read`s. Requesting the next
   * piece overwrites the one before.
   */
  stream?(start: number, end: number): AsyncGenerator<Uint8Array, void>;
}

/** Node reads slices of a blob at 2200 MB/s and streams at 1100. */
const IS_NODE = builtin('node:worker_threads') !== undefined;

export function blobBytes(blob: Blob): Bytes {
  return {
    size: blob.size,
    async read(start, end) {
      try {
        return new Uint8Array(await blob.slice(start, end).arrayBuffer());
      } catch (cause) {
        throw readFailed(cause);
      }
    },
    ...(IS_NODE ? {} : { stream: (start, end) => blobStream(blob.slice(start, end)) }),
  };
}

/** Bytes in memory. Reads are copies: whoever has read a piece may overwrite it. */
export function memoryBytes(bytes: UnsharedBytes): Bytes {
  return {
    size: bytes.length,
    read: (start, end) => Promise.resolve(bytes.slice(start, end)),
  };
}

/** Size of the buffer offered to each read of a stream. */
const CHUNK_BYTES = 1 << 19;

/**
 * Keeps readers reachable while they read. Chromium garbage-collects an unreferenced reader and then
 * never settles its read; without this set, about one in twenty streams of 28 MB hangs.
 */
const reading = new Set<ReadableStreamBYOBReader>();

/**
 * Reads a blob into one buffer of ours, where the stream supports that. From a file on disk Chromium
 * reads 400 MB/s this way, 260 in chunks of its own and 310 in slices of 2 MB; from memory 1100, 310
 * and 140. The buffer is reused: allocating new ones took a sixth of the time of reading CSV.
 */
export async function* blobStream(blob: Blob): AsyncGenerator<Uint8Array, void> {
  const stream = blob.stream();
  let reader: ReadableStreamBYOBReader;
  try {
    reader = stream.getReader({ mode: 'byob' });
  } catch {
    yield* streamBytes(stream);
    return;
  }
  reading.add(reader);
  let room = new Uint8Array(CHUNK_BYTES);
  try {
    for (;;) {
      const { done, value } = await readChunk(() => reader.read(room));
      // The same memory: a read transfers the buffer to the stream and back.
      if (value !== undefined) room = new Uint8Array(value.buffer);
      if (done) return;
      yield value;
    }
  } finally {
    if (room.length > 0) room.fill(0);
    reading.delete(reader);
    reader.cancel().catch(() => undefined);
  }
}

/** Large enough that the cost of a request does not matter, small enough to hold two in memory. */
const SLICE_BYTES = 1 << 21;

/**
 * The bytes from `start` to `end` in pieces. It prefetches one piece, so two are in memory at any time.
 * Requesting the next piece may overwrite the one before.
 */
export async function* slicesOf(
  bytes: Bytes,
  start = 0,
  end = bytes.size,
  step = SLICE_BYTES,
): AsyncGenerator<Uint8Array, void> {
  if (bytes.stream !== undefined) {
    yield* bytes.stream(start, end);
    return;
  }
  const ask = (at: number): Promise<UnsharedBytes> => {
    const slice = bytes.read(at, Math.min(at + step, end));
    // It may never be awaited: the reader can stop early.
    slice.catch(() => undefined);
    return slice;
  };
  let next = start < end ? ask(start) : undefined;
  for (let at = start; next !== undefined;) {
    const slice = await next;
    at += slice.length;
    if (slice.length === 0) throw readFailed();
    next = at < end ? ask(at) : undefined;
    yield slice;
  }
}

/** The bytes of a stream of bytes or text. */
export async function* streamBytes(
  stream: ReadableStream<Uint8Array | string>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await readChunk(() => reader.read());
      if (done) return;
      if (typeof value === 'string') yield encoder.encode(value);
      else if (value instanceof Uint8Array) yield value;
      else {
        const message = 'the stream must carry bytes (Uint8Array) or text';
        throw new PrivateMomentsError('unsupported-data', message);
      }
    }
  } finally {
    // After an early end too, so that the producer stops; its errors no longer matter.
    reader.cancel().catch(() => undefined);
  }
}

async function readChunk<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw readFailed(cause);
  }
}

/** Names the kind of failure only: messages of other libraries may quote data. */
export function readFailed(cause?: unknown): PrivateMomentsError {
  const kind = cause instanceof Error ? cause.name : 'unknown failure';
  return new PrivateMomentsError(
    'read-failed',
    `reading the data failed before the end (${kind}); check the file or its connection, and try again`,
  );
}

export function joined(a: Uint8Array, b: Uint8Array): UnsharedBytes {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** The first `count` bytes, and a generator of all bytes including those. */
export async function peek(
  source: AsyncIterable<Uint8Array>,
  count: number,
): Promise<{ head: Uint8Array; all: AsyncGenerator<Uint8Array, void> }> {
  const pieces = source[Symbol.asyncIterator]();
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
      await pieces.return?.();
    }
  };
  return { head, all: all() };
}
