/**
 * One CSV file, read by several workers. The file is cut by its size alone, so a cut may lie within a
 * record, or within quotes, and nobody can tell from there. Every section but the first therefore
 * begins with a guess, and its sums count only if it began where the section before it ended: the
 * first begins at the header's end, which is known, so by induction every section that counts has
 * read exactly the records between its begin and its end, and together they are the whole file, each
 * row once. A section that guessed wrong is read again from the right place, its sums and errors
 * thrown away.
 */
import { fromWire, furtherDown } from '../base/errors.js';
import type { SectionOrder, SectionRead } from './protocol.js';

export class Sections {
  /** Where the sections end that are asked for; each begins where the one before it ends. */
  readonly #cuts: readonly number[];
  readonly #window: number;
  readonly #accept: (sums: Uint8Array) => void;
  readonly #read = new Map<number, SectionRead>();
  readonly #start: number;
  #ordered = 0;
  #accepted = 0;
  /** What the accepted sections have read up to. */
  #place: number;
  #rows = 0;
  #again: SectionOrder | undefined;

  /**
   * @param start of the first row, @param end of the file
   * @param window how many sections may wait for the one before them
   * @param accept takes the sums that count, in the order of the file
   */
  constructor(
    { start, end, count, window }: { start: number; end: number; count: number; window: number },
    accept: (sums: Uint8Array) => void,
  ) {
    const step = Math.max(1, Math.ceil((end - start) / count));
    this.#cuts = Array.from({ length: Math.max(1, Math.ceil((end - start) / step)) }, (_, index) =>
      Math.min(start + (index + 1) * step, end),
    );
    this.#start = start;
    this.#place = start;
    this.#window = window;
    this.#accept = accept;
  }

  get done(): boolean {
    return this.#accepted === this.#cuts.length;
  }

  /** What to read next; undefined where nothing is to do now. */
  order(): SectionOrder | undefined {
    const again = this.#again;
    if (again !== undefined) {
      this.#again = undefined;
      return again;
    }
    const index = this.#ordered;
    const stop = this.#cuts[index];
    if (stop === undefined || index >= this.#accepted + this.#window) return undefined;
    this.#ordered += 1;
    // From the byte before, which may be the end of a line.
    const cut = this.#cuts[index - 1];
    if (cut === undefined) return { index, at: this.#start, seek: false, stop };
    return { index, at: cut - 1, seek: true, stop };
  }

  /**
   * Takes what was read, in any order. Once all is `done` the rest does not count.
   * @throws PrivateMomentsError the first error in the order of the file, its row counted from there
   */
  take({ index }: SectionOrder, read: SectionRead): void {
    this.#read.set(index, read);
    for (;;) {
      const stop = this.#cuts[this.#accepted];
      if (stop === undefined) return;
      if (stop <= this.#place) {
        // Within the last record of the section before.
        this.#read.delete(this.#accepted);
        this.#accepted += 1;
        continue;
      }
      const next = this.#read.get(this.#accepted);
      if (next === undefined) return;
      this.#read.delete(this.#accepted);
      const { section, sums, error } = next;
      if (section.start !== this.#place) {
        this.#again = { index: this.#accepted, at: this.#place, seek: false, stop };
        return;
      }
      if (error !== null) throw fromWire(furtherDown(error, this.#rows));
      if (sums !== null) this.#accept(sums);
      this.#place = section.end;
      this.#rows += section.rows;
      this.#accepted += 1;
    }
  }
}
