import { joined } from './bytes.js';
import { cellReader, inRow, numericCellReader } from './cells.js';
import { PrivateMomentsError } from './errors.js';
import type { Plan } from './plan.js';
import type { CsvLayout, CsvReader, IngestCore, Raw, RawCounts, RowSink } from './raw.js';
import type { LocalCounts } from './types.js';
import { unwrap } from './unwrap.js';

/** Encoded rows; to `next` goes a buffer that is no longer needed, for the rows after these. */
export type Batches = Generator<Float64Array, void, ArrayBuffer | null | undefined>;

/** Half a megabyte: enough to hide the cost of handing it over, little to hold and to wait for. */
const BATCH_CELLS = 1 << 16;

/** How many rows of so many columns are handed to the core at once. */
export function batchRows(columns: number): number {
  return Math.max(1, Math.floor(BATCH_CELLS / columns));
}

/** What takes rows where they are wanted as numbers, not as sums. */
export interface RowTaker extends RowSink {
  /** Rows out of a reader, from more bytes or, without them, from the end of the file. */
  addCsv(reader: CsvReader, bytes: Uint8Array | undefined): Raw<object>;
}

/** Brings rows to where they are wanted. */
export class RowFeed {
  /** Of the same memory: it has the readers. */
  readonly core: IngestCore;
  readonly #into: RowSink | RowTaker;
  readonly #plan: Plan;

  constructor(into: RowSink | RowTaker, plan: Plan, core: IngestCore) {
    this.#into = into;
    this.#plan = plan;
    this.core = core;
  }

  /** The bytes of a section of CSV, or without bytes the end of the file. */
  csv(reader: CsvReader, bytes?: Uint8Array): void {
    const into = this.#into;
    let read: Raw<object>;
    if ('addCsv' in into) read = into.addCsv(reader, bytes);
    else read = bytes === undefined ? reader.end(into) : reader.push(into, bytes);
    unwrap(read, this.#plan.columns);
  }

  /** Whole rows, encoded already; overwritten once they are there. */
  rows(values: Float64Array): void {
    const added = this.#into.add(values);
    values.fill(0);
    unwrap(added, this.#plan.columns);
  }
}

/** What was found in the data, for whoever's they are; `ignored` are columns the study does not use. */
export function localCounts(
  { columns, ...rest }: RawCounts,
  plan: Plan,
  ignored: readonly string[],
): LocalCounts {
  const counts = {
    rows: rest.rows,
    // The core counts centred rows as used: they are in the sums.
    used: rest.used - rest.centred,
    centred: rest.centred,
    dropped: rest.dropped,
    shortened: rest.shortened,
    columns: plan.columns.map(({ name, from }, index) => ({
      name,
      from,
      missing: columns[index]?.missing ?? 0,
      outside: columns[index]?.outside ?? 0,
    })),
    ignored: [...ignored],
  };
  return { ...counts, warnings: warningsOf(counts) };
}

/** Columns that make the data useless for the study, though they could be read. */
function warningsOf({ rows, columns }: Omit<LocalCounts, 'warnings'>): string[] {
  const unreadable = columns.filter(({ missing }) => rows > 0 && missing === rows);
  return unreadable.map(
    ({ name, from }) =>
      `no cell of the column "${from}" could be read as ${name}: check that it is the right column, and how it writes decimals, units and levels`,
  );
}

/**
 * Reads the bytes of a CSV file, in pieces, into the feed.
 * @returns the columns of the file the study does not use.
 */
export async function feedCsv(
  pieces: AsyncIterable<Uint8Array>,
  plan: Plan,
  feed: RowFeed,
  onPiece: (bytes: number, rows: number) => void,
): Promise<string[]> {
  const file = new CsvFile(plan, feed);
  let bytes = 0;
  try {
    for await (const piece of pieces) {
      bytes += piece.length;
      file.push(piece);
      onPiece(bytes, file.rows);
    }
    return file.end();
  } finally {
    file.delete();
  }
}

/** What the header says, from the first bytes of a file; null where it goes on after them. */
export function csvLayout(
  core: IngestCore,
  plan: Plan,
  head: Uint8Array,
  isWhole: boolean,
): CsvLayout | null {
  return unwrap(core.csvLayout(head, isWhole, plan.columns, plan.csv), plan.columns).layout;
}

/** A CSV file from its first byte to its last. */
class CsvFile {
  readonly #plan: Plan;
  readonly #feed: RowFeed;
  #head = new Uint8Array(0);
  /** The header is looked for once there are so many bytes, twice as many each time. */
  #enough = 1;
  #ignored: string[] = [];
  #reader: CsvReader | undefined;

  constructor(plan: Plan, feed: RowFeed) {
    this.#plan = plan;
    this.#feed = feed;
  }

  get rows(): number {
    return this.#reader?.section().rows ?? 0;
  }

  push(piece: Uint8Array): void {
    if (this.#reader !== undefined) {
      this.#feed.csv(this.#reader, piece);
      return;
    }
    this.#head = joined(this.#head, piece);
    if (this.#head.length < this.#enough) return;
    this.#open(false);
    this.#enough = 2 * this.#head.length;
  }

  end(): string[] {
    if (this.#reader === undefined) this.#open(true);
    if (this.#reader !== undefined) this.#feed.csv(this.#reader);
    return this.#ignored;
  }

  delete(): void {
    this.#head.fill(0);
    this.#reader?.delete();
  }

  #open(isWhole: boolean): void {
    const { core } = this.#feed;
    const { columns } = this.#plan;
    const layout = csvLayout(core, this.#plan, this.#head, isWhole);
    if (layout === null) return;
    this.#ignored = layout.ignored;
    this.#reader = unwrap(core.createCsvReader(layout, columns)).reader;
    this.#reader.begin({ at: layout.headerBytes, seek: false, stop: Infinity });
    this.#feed.csv(this.#reader, this.#head.subarray(layout.headerBytes));
    this.#head.fill(0);
  }
}

/** Row objects as encoded values: one batch after another. */
export function* encodeObjects(
  rows: readonly Readonly<Record<string, unknown>>[],
  plan: Plan,
): Batches {
  const columns = plan.columns.map((column) => ({ from: column.from, read: cellReader(column) }));
  const step = batchRows(columns.length);
  for (let start = 0; start < rows.length; start += step) {
    const part = rows.slice(start, start + step);
    const values = new Float64Array(part.length * columns.length);
    let at = 0;
    for (const [index, row] of part.entries()) {
      if (typeof (row as unknown) !== 'object' || (row as unknown) === null) {
        const number = start + index + 1;
        throw new PrivateMomentsError('invalid-row', `row ${number} is not an object`, {
          row: number,
        });
      }
      try {
        for (const { from, read } of columns) {
          values[at++] = Object.hasOwn(row, from) ? read(row[from]) : NaN;
        }
      } catch (error) {
        throw inRow(error, start + index + 1);
      }
    }
    yield values;
  }
}

/** A table of numbers as encoded values: one batch after another. */
export function* encodeTable(
  table: { columns: readonly string[]; values: Float64Array },
  plan: Plan,
): Batches {
  const width = table.columns.length;
  const columns = plan.columns.map((column) => ({
    position: table.columns.indexOf(column.from),
    read: column.type === 'number' ? undefined : numericCellReader(column),
  }));
  // The page's part, for which workers wait: 64 MB take 8 ms like that, 50 cell by cell in buffers
  // that are new.
  const isEncoded =
    columns.length === width &&
    columns.every(({ position, read }, index) => position === index && read === undefined);
  const rows = table.values.length / width;
  const step = batchRows(columns.length);
  let spare: ArrayBuffer | null | undefined;
  for (let start = 0; start < rows; start += step) {
    const cells = table.values.subarray(start * width, (start + step) * width);
    const length = (cells.length / width) * columns.length;
    const values =
      spare?.byteLength === length * Float64Array.BYTES_PER_ELEMENT
        ? new Float64Array(spare)
        : new Float64Array(length);
    if (isEncoded) values.set(cells);
    else encodeCells(cells, width, columns, values);
    spare = yield values;
  }
}

/** Column by column, which takes half of the time: numbers need no call for each. */
function encodeCells(
  cells: Float64Array,
  width: number,
  columns: readonly { position: number; read: ((cell: number) => number) | undefined }[],
  values: Float64Array,
): void {
  for (const [index, { position, read }] of columns.entries()) {
    let at = position;
    for (let to = index; to < values.length; to += columns.length, at += width) {
      const cell = cells[at] ?? NaN;
      values[to] = read === undefined ? cell : read(cell);
    }
  }
}
