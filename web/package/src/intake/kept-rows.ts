/** The rows of the first reading of private centring, kept for the second. */
import type { IngestCore, KeptRows } from '../core/raw.js';

/** Maximum number of cells that are kept of a stream: 256 MB of memory. */
const MAX_OF_STREAM = 1 << 25;

/** The same of a file, which can be read again, in each worker: 128 MB. */
export const MAX_OF_FILE = 1 << 24;

/** Bytes of a file whose rows may make a worker larger by a fifth, 8 MB: the memory of the core does not shrink. */
export const MANY_BYTES = 1 << 21;

/** Bytes of a cell of CSV, more than most have: a larger file is not begun to be kept. */
const CELL_BYTES = 10;

/** For the rows of a stream, which can be read only once: too many are an error. @param width cells of a row */
export function keptOfStream(core: IngestCore, width: number, maxCells = MAX_OF_STREAM): KeptRows {
  return core.createKeptRows(width, maxCells, true);
}

/** For the rows of a file, or none of them where they are too many. @returns null if they probably are */
export function keptOfFile(
  core: IngestCore,
  width: number,
  bytes: number,
  maxCells = MAX_OF_FILE,
): KeptRows | null {
  return bytes > CELL_BYTES * maxCells ? null : core.createKeptRows(width, maxCells, false);
}
