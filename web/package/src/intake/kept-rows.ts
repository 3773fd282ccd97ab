import { PrivateMomentsError } from '../base/errors.js';
import type { RowCollector } from '../data/ingest.js';
import type { CsvReader, Raw, RowSink } from '../core/raw.js';

/** Maximum number of cells that are kept of a stream: 256 MB of memory. */
const MAX_OF_STREAM = 1 << 25;

/** The same of a file, which can be read again: 128 MB. */
const MAX_OF_FILE = 1 << 24;

/** Bytes of a cell of CSV, more than most have: a larger file is not begun to be kept. */
const CELL_BYTES = 10;

/** Passes rows on and keeps a copy, for the second reading of private centring. */
export class KeptRows implements RowCollector {
  readonly #sink: RowSink;
  readonly #kept: Float64Array[] = [];
  readonly #maxCells: number;
  readonly #isStream: boolean;
  #cells = 0;

  private constructor(sink: RowSink, isStream: boolean, maxCells: number) {
    this.#sink = sink;
    this.#isStream = isStream;
    this.#maxCells = maxCells;
  }

  /** Keeps the rows of a stream, which can be read only once: too many are an error. */
  static ofStream(sink: RowSink, maxCells = MAX_OF_STREAM): KeptRows {
    return new KeptRows(sink, true, maxCells);
  }

  /** Keeps the rows of a file, or none where they are too many. @returns undefined if they probably are */
  static ofFile(sink: RowSink, bytes: number, maxCells = MAX_OF_FILE): KeptRows | undefined {
    return bytes > CELL_BYTES * maxCells ? undefined : new KeptRows(sink, false, maxCells);
  }

  add(values: Float64Array): Raw<object> {
    this.#keep(values.length, () => values.slice());
    return this.#sink.add(values);
  }

  addCsv(reader: CsvReader, bytes: Uint8Array | undefined): Raw<object> {
    const sink = this.#sink;
    const isFull = this.#cells > this.#maxCells;
    if (isFull) return bytes === undefined ? reader.end(sink) : reader.push(sink, bytes);
    const read = bytes === undefined ? reader.endKeeping(sink) : reader.pushKeeping(sink, bytes);
    if (read.ok) this.#keep(read.values.length, () => read.values);
    return read;
  }

  /** The rows, in the pieces in which they came, if all of them are here. The receiver overwrites them. */
  pieces(cells: number): readonly Float64Array[] | undefined {
    return cells === this.#cells && cells <= this.#maxCells ? this.#kept : undefined;
  }

  wipe(): void {
    for (const piece of this.#kept.splice(0)) piece.fill(0);
  }

  #keep(cells: number, copy: () => Float64Array): void {
    this.#cells += cells;
    if (this.#cells <= this.#maxCells) {
      if (cells > 0) this.#kept.push(copy());
      return;
    }
    this.wipe();
    if (!this.#isStream) return;
    const message =
      'private centring reads rows twice, and this stream has too many to keep in memory: pass a file, or let the study name clipping adaptive or fixed';
    throw new PrivateMomentsError('unsupported-data', message);
  }
}
