import { PrivateMomentsError } from '../base/errors.js';
import type { RowCollector } from '../data/ingest.js';
import type { CsvReader, Raw, RowSink } from '../core/raw.js';
import { inBatches } from '../data/typed.js';

/** Maximum number of cells that are kept of a stream: 256 MB of memory. */
const MAX_OF_STREAM = 1 << 25;

/** The same of a file, which can be read again, in each worker: 128 MB. */
export const MAX_OF_FILE = 1 << 24;

/** Bytes of a cell of CSV, more than most have: a larger file is not begun to be kept. */
const CELL_BYTES = 10;

/** Cells of a block of memory, at first and at most; each new one is as large as all before it. */
const FIRST_BLOCK = 1 << 13;
const LARGEST_BLOCK = 1 << 19;

/** Passes rows on and keeps a copy, for the second reading of private centring. */
export class KeptRows implements RowCollector {
  readonly #sink: RowSink;
  readonly #width: number;
  readonly #isStream: boolean;
  readonly #maxCells: number;
  readonly #blocks: Float64Array[] = [];
  /** Cells in the last block. */
  #filled = 0;
  #cells = 0;

  private constructor(sink: RowSink, width: number, isStream: boolean, maxCells: number) {
    this.#sink = sink;
    this.#width = width;
    this.#isStream = isStream;
    this.#maxCells = maxCells;
  }

  /** Keeps the rows of a stream, which can be read only once: too many are an error. @param width cells of a row */
  static ofStream(sink: RowSink, width: number, maxCells = MAX_OF_STREAM): KeptRows {
    return new KeptRows(sink, width, true, maxCells);
  }

  /** Keeps the rows of a file, or none where they are too many. @returns undefined if they probably are */
  static ofFile(
    sink: RowSink,
    width: number,
    bytes: number,
    maxCells = MAX_OF_FILE,
  ): KeptRows | undefined {
    return bytes > CELL_BYTES * maxCells ? undefined : new KeptRows(sink, width, false, maxCells);
  }

  add(values: Float64Array): Raw<object> {
    this.#keep(values);
    return this.#sink.add(values);
  }

  addCsv(reader: CsvReader, bytes: Uint8Array | undefined): Raw<{ done: boolean }> {
    const sink = this.#sink;
    if (this.#cells > this.#maxCells) {
      return bytes === undefined ? reader.end(sink) : reader.push(sink, bytes);
    }
    const read =
      bytes === undefined ? reader.endCollecting(sink) : reader.pushCollecting(sink, bytes);
    if (read.ok) this.#keep(reader.collected());
    return read;
  }

  /** The rows, in batches. The receiver overwrites them. */
  *batches(): Generator<Float64Array, void> {
    for (const [index, block] of this.#blocks.entries()) {
      const isLast = index === this.#blocks.length - 1;
      yield* inBatches(isLast ? block.subarray(0, this.#filled) : block, this.#width);
    }
  }

  get cells(): number {
    return this.#cells;
  }

  /** Whether this number of rows was read, and all of them are here. */
  has(rows: number): boolean {
    return rows * this.#width === this.#cells && this.#cells <= this.#maxCells;
  }

  wipe(): void {
    for (const block of this.#blocks.splice(0)) block.fill(0);
  }

  #keep(values: Float64Array): void {
    this.#cells += values.length;
    if (this.#cells <= this.#maxCells) {
      for (let at = 0; at < values.length;) at += this.#copy(values.subarray(at));
      return;
    }
    this.wipe();
    if (!this.#isStream) return;
    const message =
      'private centring reads rows twice, and this stream has too many to keep in memory: pass a file, or let the study name clipping adaptive or fixed';
    throw new PrivateMomentsError('unsupported-data', message);
  }

  /** @returns how many of the cells went into the last block, or a new one */
  #copy(values: Float64Array): number {
    let block = this.#blocks.at(-1);
    if (block === undefined || this.#filled === block.length) {
      const cells = Math.min(Math.max(this.#cells, FIRST_BLOCK), LARGEST_BLOCK);
      block = new Float64Array(Math.ceil(cells / this.#width) * this.#width);
      this.#blocks.push(block);
      this.#filled = 0;
    }
    const part = values.subarray(0, block.length - this.#filled);
    block.set(part, this.#filled);
    this.#filled += part.length;
    return part.length;
  }
}
