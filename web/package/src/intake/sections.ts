/**
 * One CSV file, read by several workers. The file is cut by its size alone, so a cut may be within a
 * record or within quotes, which cannot be seen from the bytes around it. Every section but the first
 * therefore guesses where its first record begins, and its sums count only if that is where the section
 * before it ended. The first section begins at the known end of the header, so by induction every
 * section that counts has read exactly the records between its start and its end, and together they
 * cover the whole file, each row once. A section that guessed wrong is read again from the right place,
 * and its first sums and errors are discarded.
 */
import { fromWire, furtherDown } from '../base/errors.js';
import type { RawCellsToCheck } from '../core/raw.js';
import type { SectionOrder, SectionRead } from './protocol.js';

type Accept = (
  sums: Uint8Array,
  toCheck: RawCellsToCheck[],
  rowsBefore: number,
  index: number,
) => void;

export class Sections {
  /** Where each section is to end. The next one begins there. */
  readonly #cuts: readonly number[];
  readonly #window: number;
  readonly #accept: Accept;
  readonly #read = new Map<number, SectionRead>();
  readonly #start: number;
  #ordered = 0;
  #accepted = 0;
  /** Where the last accepted section ended. */
  #place: number;
  #rows = 0;
  #again: SectionOrder | undefined;

  /**
   * @param start offset of the first row
   * @param end size of the file
   * @param count number of sections
   * @param window maximum number of sections that may wait for the one before them
   * @param accept receives the sections that count, in the order of the file
   */
  constructor(
    { start, end, count, window }: { start: number; end: number; count: number; window: number },
    accept: Accept,
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

  /** The section to read next; undefined if there is none at the moment. */
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
    // Starts one byte early, as that byte may end a line.
    const cut = this.#cuts[index - 1];
    if (cut === undefined) return { index, at: this.#start, seek: false, stop };
    return { index, at: cut - 1, seek: true, stop };
  }

  /**
   * Takes the result of a section; they may come in any order. Once `done`, further ones are ignored.
   * @throws PrivateMomentsError the first error in the order of the file, its row counted from the file's first
   */
  take({ index }: SectionOrder, read: SectionRead): void {
    this.#read.set(index, read);
    for (;;) {
      const stop = this.#cuts[this.#accepted];
      if (stop === undefined) return;
      if (stop <= this.#place) {
        // This section lies within the last record of the one before.
        this.#read.delete(this.#accepted);
        this.#accepted += 1;
        continue;
      }
      const next = this.#read.get(this.#accepted);
      if (next === undefined) return;
      this.#read.delete(this.#accepted);
      const { section, sums, error, toCheck } = next;
      if (section.start !== this.#place) {
        this.#again = { index: this.#accepted, at: this.#place, seek: false, stop };
        return;
      }
      if (error !== null) throw fromWire(furtherDown(error, this.#rows));
      if (sums !== null) this.#accept(sums, toCheck, this.#rows, this.#accepted);
      this.#place = section.end;
      this.#rows += section.rows;
      this.#accepted += 1;
    }
  }
}
