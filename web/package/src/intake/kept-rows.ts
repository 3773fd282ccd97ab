import { PrivateMomentsError } from '../base/errors.js';
import type { RowCollector } from '../data/ingest.js';
import type { CsvReader, Raw, RowSink } from '../core/raw.js';

/** Maximum number of cells that are kept: 256 MB of memory. */
const MAX_CELLS = 1 << 25;

/** Passes rows on and keeps a copy, for a second reading of a stream, which can be read only once. */
export class KeptRows implements RowCollector {
  readonly #sink: RowSink;
  readonly #kept: Float64Array[] = [];
  readonly #maxCells: number;
  #cells = 0;

  constructor(sink: RowSink, maxCells = MAX_CELLS) {
    this.#sink = sink;
    this.#maxCells = maxCells;
  }

  add(values: Float64Array): Raw<object> {
    this.#cells += values.length;
    if (this.#cells > this.#maxCells) {
      this.wipe();
      const message =
        'private centring reads rows twice, and this stream has too many to keep in memory: pass a file, or let the study name clipping adaptive or fixed';
      throw new PrivateMomentsError('unsupported-data', message);
    }
    this.#kept.push(values.slice());
    return this.#sink.add(values);
  }

  addCsv(reader: CsvReader, bytes: Uint8Array | undefined): Raw<object> {
    const read = bytes === undefined ? reader.lastRows() : reader.rows(bytes);
    if (!read.ok) return read;
    const added = this.add(read.values);
    read.values.fill(0);
    return added;
  }

  /** The rows, in the pieces in which they came. The receiver overwrites them. */
  get pieces(): readonly Float64Array[] {
    return this.#kept;
  }

  wipe(): void {
    for (const piece of this.#kept.splice(0)) piece.fill(0);
  }
}
