import { cellReader, numericCellReader } from './cells.js';
import { CsvReader } from './csv.js';
import { PrivateMomentsError } from './errors.js';
import type { Plan } from './plan.js';
import type { Raw, RawCounts } from './raw.js';
import type { LocalCounts } from './types.js';
import { unwrap } from './unwrap.js';

/** Rows handed to the core at once: enough to hide the cost of the call, little to hold. */
export const BATCH_ROWS = 4096;

/** The part of an intake that both modules share. */
interface Adder {
  add(values: Float64Array): Raw<{ rows: number }>;
  counts(): RawCounts;
}

/** Collects encoded rows and hands them to the core in batches. */
export class RowFeed {
  readonly #intake: Adder;
  readonly #plan: Plan;
  readonly #batch: Float64Array;
  #filled = 0;

  constructor(intake: Adder, plan: Plan) {
    this.#intake = intake;
    this.#plan = plan;
    this.#batch = new Float64Array(BATCH_ROWS * plan.columns.length);
  }

  /** One cell of the next row; rows are complete after as many cells as the study has columns. */
  cell(value: number): void {
    this.#batch[this.#filled++] = value;
    if (this.#filled === this.#batch.length) this.flush();
  }

  flush(): void {
    if (this.#filled === 0) return;
    this.rows(this.#batch.subarray(0, this.#filled));
    this.#filled = 0;
  }

  /** Whole rows, encoded already; overwritten once they are in the sums. */
  rows(values: Float64Array): void {
    const added = this.#intake.add(values);
    values.fill(0);
    unwrap(added, this.#plan.columns);
  }

  counts(ignored: readonly string[]): LocalCounts {
    const { columns, ...rest } = this.#intake.counts();
    return {
      rows: rest.rows,
      // The core counts centred rows as used: they are in the sums.
      used: rest.used - rest.centred,
      centred: rest.centred,
      dropped: rest.dropped,
      shortened: rest.shortened,
      columns: this.#plan.columns.map(({ name, from }, index) => ({
        name,
        from,
        missing: columns[index]?.missing ?? 0,
        outside: columns[index]?.outside ?? 0,
      })),
      ignored: [...ignored],
    };
  }
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
  const readers = plan.columns.map(cellReader);
  const csv = new CsvReader(plan.columns, (cells) => {
    for (const [index, read] of readers.entries()) feed.cell(read(cells[index]));
  });
  const decode = utf8Decoder();
  let start: Uint8Array | undefined = new Uint8Array(0);
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (start === undefined) {
      csv.push(decode(piece));
    } else {
      start = joined(start, piece);
      if (start.length >= LONGEST_SIGNATURE) {
        requireText(start);
        csv.push(decode(start));
        start = undefined;
      }
    }
    onPiece(bytes, csv.rows);
  }
  if (start !== undefined) csv.push(decode(start));
  csv.push(decode());
  csv.end();
  feed.flush();
  return csv.ignored;
}

/** Row objects as encoded values: one batch after another. */
export function* encodeObjects(
  rows: readonly Readonly<Record<string, unknown>>[],
  plan: Plan,
): Generator<Float64Array> {
  const columns = plan.columns.map((column) => ({ from: column.from, read: cellReader(column) }));
  for (let start = 0; start < rows.length; start += BATCH_ROWS) {
    const part = rows.slice(start, start + BATCH_ROWS);
    const values = new Float64Array(part.length * columns.length);
    let at = 0;
    for (const [index, row] of part.entries()) {
      if (typeof (row as unknown) !== 'object' || (row as unknown) === null) {
        const number = start + index + 1;
        throw new PrivateMomentsError('invalid-row', `row ${number} is not an object`, {
          row: number,
        });
      }
      for (const { from, read } of columns) {
        values[at++] = Object.hasOwn(row, from) ? read(row[from]) : NaN;
      }
    }
    yield values;
  }
}

/** A table of numbers as encoded values: one batch after another. */
export function* encodeTable(
  table: { columns: readonly string[]; values: Float64Array },
  plan: Plan,
): Generator<Float64Array> {
  const width = table.columns.length;
  const columns = plan.columns.map((column) => ({
    position: table.columns.indexOf(column.from),
    read: numericCellReader(column),
  }));
  const rows = table.values.length / width;
  for (let start = 0; start < rows; start += BATCH_ROWS) {
    const count = Math.min(BATCH_ROWS, rows - start);
    const values = new Float64Array(count * columns.length);
    let at = 0;
    for (let row = start; row < start + count; row++) {
      for (const { position, read } of columns) {
        values[at++] = read(table.values[row * width + position] ?? NaN);
      }
    }
    yield values;
  }
}

const LONGEST_SIGNATURE = 4;
const SIGNATURES: readonly [kind: string, start: string][] = [
  ['Parquet', 'PAR1'],
  ['Arrow', 'ARRO'],
  ['Excel or zip', 'PK\x03\x04'],
  ['gzip', '\x1f\x8b'],
];

/** Well-known binary formats get their own words instead of "not UTF-8". */
function requireText(start: Uint8Array): void {
  const head = String.fromCharCode(...start.subarray(0, LONGEST_SIGNATURE));
  const found = SIGNATURES.find(([, signature]) => head.startsWith(signature));
  if (found === undefined) return;
  const message = `this is a ${found[0]} file; this version reads CSV text`;
  throw new PrivateMomentsError('unsupported-data', message);
}

/** A byte order mark is dropped; a character may be cut by the end of a piece. */
function utf8Decoder(): (piece?: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return (piece) => {
    try {
      return piece === undefined ? decoder.decode() : decoder.decode(piece, { stream: true });
    } catch (cause) {
      const message = 'the file is not UTF-8 text; save it again as "CSV UTF-8"';
      throw new PrivateMomentsError('csv-encoding', message, {}, cause);
    }
  };
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
