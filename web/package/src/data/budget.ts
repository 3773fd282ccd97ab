/**
 * What a part of a Parquet or Arrow file, a row group or record batch, may hold in memory before it is refused.
 * Files state their sizes and counts themselves, and a few bytes can state any; docs/known-limits.md has the
 * limits in words.
 */
import { PrivateMomentsError } from '../base/errors.js';

/** Cells of the study's columns in a part: MAX_CELLS, and MAX_CELLS_PER_BYTE for each byte of them in the file. */
const MAX_CELLS = 1 << 22;
const MAX_CELLS_PER_BYTE = 256;
/** The same of the whole file, so that many small parts are no way around it. */
const MAX_CELLS_PER_FILE_BYTE = 1024;
/** In any row group; record batches are read in place. */
const MOST_CELLS = 2 ** 28;

/** Bytes that a part unpacks to: MAX_UNPACKED, and MAX_EXPANSION for each packed byte. */
const MAX_UNPACKED = 1 << 26;
const MAX_EXPANSION = 256;
const MOST_UNPACKED = 2 ** 31;

/** Counts the cells of a file's parts, before memory is reserved for them. */
export class CellBudget {
  readonly #format: string;
  readonly #fileBytes: () => number;
  #cells = 0;

  /** @param fileBytes size of the file, or what has been read of a stream */
  constructor(format: 'Parquet' | 'Arrow', fileBytes: () => number) {
    this.#format = format;
    this.#fileBytes = fileBytes;
  }

  /** @throws PrivateMomentsError `unsupported-data` if a part of so many bytes states too many rows. */
  spend(rows: number, columns: number, bytes: number): void {
    const cells = rows * columns;
    this.#cells += cells;
    const most = this.#format === 'Parquet' ? MOST_CELLS : Infinity;
    const ofPart = Math.min(most, MAX_CELLS + MAX_CELLS_PER_BYTE * bytes);
    if (cells <= ofPart && this.#cells <= MAX_CELLS + MAX_CELLS_PER_FILE_BYTE * this.#fileBytes()) {
      return;
    }
    const part = this.#format === 'Parquet' ? 'row group' : 'record batch';
    const message =
      `a ${part} of this ${this.#format} file states ${rows} rows, more than can be held at once or than ` +
      `its bytes make likely; write it again with smaller ones, or as CSV`;
    throw new PrivateMomentsError('unsupported-data', message);
  }
}

/** Bytes that so many packed bytes may unpack to. */
export function maxUnpacked(packed: number): number {
  return Math.max(packed, Math.min(MOST_UNPACKED, MAX_UNPACKED + MAX_EXPANSION * packed));
}

/** Bytes that a whole file unpacks to: twice MAX_UNPACKED, and MAX_EXPANSION_OF_FILE for each of its bytes. */
const MAX_EXPANSION_OF_FILE = 1024;

/** Counts the bytes that the pages of a file unpack to, which takes time where it takes no memory. */
export class UnpackedBudget {
  #left: number;

  constructor(fileBytes: number) {
    this.#left = 2 * MAX_UNPACKED + MAX_EXPANSION_OF_FILE * fileBytes;
  }

  /** Returns whether there was room for so many more. */
  spend(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }
}
