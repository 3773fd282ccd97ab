import { PrivateMomentsError } from './errors.js';
import { builtin } from './host.js';

/** Bytes that can be read in any order; those of a file, wherever it is. */
export interface Bytes {
  readonly size: number;
  /** @throws PrivateMomentsError read-failed */
  readonly read: (start: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;
  /**
   * The same in pieces, where that is faster than one `read` after another. A piece is overwritten
   * once the next one is asked for.
   */
  stream?(start: number, end: number): AsyncGenerator<Uint8Array, void>;
}

/** It gives slices at 2200 MB/s, and streams at 1100. */
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

/** What one read of a stream is offered. */
const CHUNK_BYTES = 1 << 19;

/**
 * Held until their end: Chromium collects a reader that nobody holds, and then its read is never
 * answered; in one of some twenty streams of 28 MB, where this is left out.
 */
const reading = new Set<ReadableStreamBYOBReader>();

/**
 * In a buffer of this side where the stream takes it: of a file on disk Chromium gives 400 MB/s so,
 * 260 in chunks of its own, and 310 in slices of 2 MB; of one in memory 1100, 310 and 140. Always in
 * the same one: new ones were a sixth of the time of reading CSV.
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
      // The same memory, handed there and back.
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

/** Large enough that asking costs nothing beside reading, small enough to hold two of them. */
const SLICE_BYTES = 1 << 21;

/**
 * The bytes from `start` to `end` in pieces. The next piece is on its way while one is looked at,
 * so two are held at any time. It may be overwritten once the next one is asked for.
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
  const ask = (at: number): Promise<Uint8Array<ArrayBuffer>> => {
    const slice = bytes.read(at, Math.min(at + step, end));
    // Awaited later, or never where the reader has seen enough.
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
    // Also after an early end: the producer should stop, and its complaints no longer matter.
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

/** Foreign messages may quote data, so only the kind of failure is passed on. */
export function readFailed(cause?: unknown): PrivateMomentsError {
  const kind = cause instanceof Error ? cause.name : 'unknown failure';
  return new PrivateMomentsError(
    'read-failed',
    `the data could not be read to their end (${kind})`,
  );
}

export function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
