import { joined } from '../base/bytes.js';
import { cellReader, numericCellReader } from './cells.js';
import { errorAt, inRow } from '../base/errors.js';
import type { Plan } from '../core/plan.js';
import type {
  CsvLayout,
  CsvReader,
  IngestCore,
  KeptRows,
  Raw,
  RawCellsToCheck,
  RawCounts,
  RowSink,
  TableReader,
} from '../core/raw.js';
import type { RawColumnCounts } from '../generated/raw.js';
import type { LocalColumnCounts, LocalCounts, LocalWarning } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';
import { CellsToCheck } from './cells-to-check.js';

/** Batches of encoded rows. */
export type Batches = Generator<Float64Array, void>;

/** Gives memory for a batch of so many cells, which may be that of the batch before. */
export type Room = (cells: number) => Float64Array;

/** Half a megabyte: enough to hide the cost of a call into the core, and small in memory and latency. */
const BATCH_CELLS = 1 << 16;

/** For a table of numbers that is posted to workers: copying it takes little, so fewer messages take less. */
export const POSTED_BATCH_CELLS = 1 << 18;

/** Rows of `columns` columns in one batch. */
export function batchRows(columns: number, cells = BATCH_CELLS): number {
  return Math.max(1, Math.floor(cells / columns));
}

/** A destination that takes rows as numbers, not as sums. */
export interface RowCollector extends RowSink {
  /** Adds the rows of more bytes, or (without bytes) the last row at the end of the file. */
  addCsv(reader: CsvReader, bytes: Uint8Array | undefined): Raw<object>;
}

/** Feeds rows from files or tables into a destination. */
export class RowFeed {
  /** The core that created the destination, and in whose memory the readers must be. */
  readonly core: IngestCore;
  readonly toCheck: CellsToCheck;
  readonly #sink: RowSink | RowCollector;
  readonly #plan: Plan;
  readonly #kept: KeptRows | null;

  /**
   * @param toCheck receives what there is to check in the cells
   * @param kept keeps copies of the rows, of a sink in the core
   */
  constructor(
    sink: RowSink | RowCollector,
    plan: Plan,
    core: IngestCore,
    toCheck = new CellsToCheck(plan),
    kept: KeptRows | null = null,
  ) {
    this.#sink = sink;
    this.#kept = kept;
    this.#plan = plan;
    this.core = core;
    this.toCheck = toCheck;
  }

  /** Feeds bytes of CSV; without bytes, the end of the file. */
  csv(reader: CsvReader, bytes?: Uint8Array): void {
    const sink = this.#sink;
    let read: Raw<object>;
    if ('addCsv' in sink) read = sink.addCsv(reader, bytes);
    else if (bytes === undefined) read = reader.end(sink, this.#kept);
    else read = reader.push(sink, bytes, this.#kept);
    unwrap(read, this.#plan.columns);
  }

  /**
   * Lets `read` feed whole encoded rows with the function it is given, which overwrites them.
   * That takes the number of rows of the data before these, by default of those fed so far. Rows in
   * the given room, mostly memory of the core, are not copied; nothing else may call the core between
   * filling the room and feeding it.
   */
  async rows(read: (push: PushRows, room: Room) => Promise<void> | void): Promise<void> {
    const reader = this.core.createTableReader(this.#plan.columns, this.#plan.codes);
    let fed = 0;
    try {
      const push: PushRows = (values, rowsBefore = fed) => {
        // Afterwards it may be empty, as the core's memory may have grown and moved.
        const rows = values.length / this.#plan.columns.length;
        this.#push(reader, values, rowsBefore);
        fed += rows;
      };
      const isCollected = 'addCsv' in this.#sink;
      await read(push, (cells) => (isCollected ? new Float64Array(cells) : reader.room(cells)));
      this.toCheck.add(reader.toCheck(), 0);
    } finally {
      reader.delete();
    }
  }

  #push(reader: TableReader, values: Float64Array, rowsBefore: number): void {
    const sink = this.#sink;
    let isInRoom = false;
    try {
      const room = reader.room(values.length);
      isInRoom = values.buffer === room.buffer;
      if (!isInRoom) room.set(values);
      reader.check(rowsBefore);
      if ('addCsv' in sink) {
        // As they are now without what stands for a missing cell.
        values.set(reader.room(values.length));
        unwrap(sink.add(values), this.#plan.columns);
      } else {
        unwrap(reader.pushTo(sink, this.#kept), this.#plan.columns);
      }
    } finally {
      if (!isInRoom) values.fill(0);
    }
  }
}

/** Feeds rows and overwrites them. */
export type PushRows = (values: Float64Array, rowsBefore?: number) => void;

/** What was found in the data, for their owner. @param ignored columns that the study does not use */
export function localCounts(
  { columns, ...rest }: RawCounts,
  plan: Plan,
  ignored: readonly string[],
  toCheck: CellsToCheck,
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
      ...checksOf(toCheck.columns[index], rest.rows, columns[index]),
    })),
    ignored: [...ignored],
  };
  return { ...counts, warnings: warningsOf(counts, plan) };
}

function checksOf(
  found: Readonly<RawCellsToCheck> | undefined,
  rows: number,
  { missing, outside }: RawColumnCounts = { missing: 0, outside: 0 },
): Pick<LocalColumnCounts, 'unreadable' | 'unreadableRows' | 'codes'> {
  const { unreadable = 0, rows: unreadableRows = [], codes = [] } = found ?? {};
  return {
    unreadable,
    unreadableRows: unreadableRows.map((row) => row + 1),
    // Where most values are outside, the unit is wrong, and 99 is one of them.
    codes: 2 * outside > rows - missing ? [] : [...codes],
  };
}

/** At most one of a kind for each column. On a column without a readable cell the study's results will say nothing. */
function warningsOf({ rows, columns }: Omit<LocalCounts, 'warnings'>, plan: Plan): LocalWarning[] {
  return columns.flatMap((counts, index): LocalWarning[] => {
    const { name: column, from, missing, unreadable, codes } = counts;
    if (rows > 0 && missing === rows) {
      const message = `no cell of the column "${from}" could be read as ${column}: check that it is the right column, and how decimals, units and levels are written`;
      return [{ code: 'unreadable-column', column, message }];
    }
    const warnings: LocalWarning[] = [];
    if (codes.length > 0) {
      const message = `the column "${from}" has ${codes.join(', ')} among the numbers far outside its bounds, which often stands for a missing value: if so, name it in missingValues; otherwise it counts as the nearest bound`;
      warnings.push({ code: 'possible-codes', column, message });
    }
    if (unreadable === 0) return warnings;
    const isNumber = plan.columns[index]?.type === 'number';
    const wanted = isNumber
      ? ['is not a number', 'are not numbers']
      : ['is not a level', 'are not levels'];
    const odd =
      unreadable === 1 ? `1 cell that ${wanted[0]}` : `${unreadable} cells that ${wanted[1]}`;
    const empty = missing - unreadable;
    const message = `the column "${from}" has ${odd} (${placesOf(counts)}), and ${empty} empty ${empty === 1 ? 'one' : 'ones'}; they count as missing: correct the file, or name in missingValues what stands for a missing value`;
    return [...warnings, { code: 'unreadable-cells', column, message }];
  });
}

/** "rows 3, 7, 12 and others" */
function placesOf({ unreadable, unreadableRows }: LocalColumnCounts): string {
  const rows = `${unreadable === 1 ? 'row' : 'rows'} ${unreadableRows.join(', ')}`;
  return unreadable > unreadableRows.length ? `${rows} and others` : rows;
}

/**
 * Feeds the bytes of a CSV file, in pieces.
 * @returns the columns of the file that the study does not use.
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

/** The layout stated by the header in the first bytes of a file; null if the header is longer than `head`. */
export function csvLayout(
  core: IngestCore,
  plan: Plan,
  head: Uint8Array,
  isWhole: boolean,
): CsvLayout | null {
  return unwrap(core.csvLayout(head, isWhole, plan.columns, plan.csv), plan.columns).layout;
}

/** Reads a CSV file from beginning to end. */
class CsvFile {
  readonly #plan: Plan;
  readonly #feed: RowFeed;
  #head = new Uint8Array(0);
  /** Bytes needed before the next attempt to read the header; doubles each time. */
  #minHead = 1;
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
    if (this.#head.length < this.#minHead) return;
    this.#open(false);
    this.#minHead = 2 * this.#head.length;
  }

  end(): string[] {
    if (this.#reader === undefined) this.#open(true);
    if (this.#reader !== undefined) {
      this.#feed.csv(this.#reader);
      this.#feed.toCheck.add(this.#reader.toCheck(), 0);
    }
    return this.#ignored;
  }

  delete(): void {
    this.#head.fill(0);
    this.#reader?.delete();
  }

  #open(isWhole: boolean): void {
    const { core } = this.#feed;
    const { columns, codes, words } = this.#plan;
    const layout = csvLayout(core, this.#plan, this.#head, isWhole);
    if (layout === null) return;
    this.#ignored = layout.ignored;
    this.#reader = unwrap(core.createCsvReader(layout, columns, codes, words)).reader;
    this.#reader.begin({ at: layout.headerBytes, seek: false, stop: Infinity });
    this.#feed.csv(this.#reader, this.#head.subarray(layout.headerBytes));
    this.#head.fill(0);
  }
}

/** Encodes row objects in batches. @throws PrivateMomentsError `invalid-row`, `decimal-mark` */
export function* encodeObjects(
  rows: readonly Readonly<Record<string, unknown>>[],
  plan: Plan,
): Batches {
  const columns = plan.columns.map((column) => ({
    from: column.from,
    read: cellReader(column, plan.words),
  }));
  const step = batchRows(columns.length);
  for (let start = 0; start < rows.length; start += step) {
    const part = rows.slice(start, start + step);
    const values = new Float64Array(part.length * columns.length);
    let at = 0;
    for (const [index, row] of part.entries()) {
      if (typeof (row as unknown) !== 'object' || (row as unknown) === null) {
        throw errorAt('invalid-row', 'it must be an object with a property for each column', {
          row: start + index + 1,
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

/**
 * Encodes a table of numbers in batches.
 * @param room called before each batch; by default memory of its own
 * @param batchCells maximum number of cells in a batch of more than one row
 */
export function* encodeTable(
  table: { columns: readonly string[]; values: Float64Array },
  plan: Plan,
  room: Room = (cells) => new Float64Array(cells),
  batchCells?: number,
): Batches {
  const width = table.columns.length;
  const columns = plan.columns.map((column) => ({
    position: table.columns.indexOf(column.from),
    read: column.type === 'number' ? undefined : numericCellReader(column),
  }));
  // Workers wait for this part, which runs on the page: copying 64 MB takes 8 ms, encoding it cell by
  // cell into new buffers 50.
  const isEncoded =
    columns.length === width &&
    columns.every(({ position, read }, index) => position === index && read === undefined);
  const rows = table.values.length / width;
  const step = batchRows(columns.length, batchCells);
  for (let start = 0; start < rows; start += step) {
    const cells = table.values.subarray(start * width, (start + step) * width);
    const values = room((cells.length / width) * columns.length);
    if (isEncoded) values.set(cells);
    else encodeCells(cells, width, columns, values);
    yield values;
  }
}

/** Encodes column by column, in half the time of row by row: numbers need no function call. */
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
