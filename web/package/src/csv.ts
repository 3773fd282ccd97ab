import { PrivateMomentsError } from './errors.js';
import { RecordSplitter } from './records.js';

const DELIMITERS = [',', ';', '\t', '|'];

/** Longer than the header of any sensible file; what follows has no line breaks, or no quote's end. */
const LONGEST_HEADER = 1 << 24;

/** Receives the cells of the wanted columns, in the order asked for. */
export type RecordSink = (cells: readonly string[]) => void;

/** A column to find in the header: under the name `from`, reported as `name`. */
interface Wanted {
  name: string;
  from: string;
}

/**
 * Reads a CSV file that arrives in pieces of text, cut anywhere, and gives out its data rows. The
 * delimiter (comma, semicolon, tab or bar) is the one under which the header has most of the
 * wanted columns, so it depends on the header alone. Blank lines are no rows, except in files of
 * one column, where they are missing cells: skipping those would let the cells decide the number of
 * rows.
 */
export class CsvReader {
  /** Columns of the file nobody asked for; complete once the header is read. */
  ignored: string[] = [];
  /** Data rows read so far. */
  rows = 0;

  readonly #wanted: readonly Wanted[];
  readonly #sink: RecordSink;
  #head = '';
  #splitter: RecordSplitter | undefined;
  #width = 0;
  #positions: number[] = [];

  constructor(wanted: readonly Wanted[], sink: RecordSink) {
    this.#wanted = wanted;
    this.#sink = sink;
  }

  push(piece: string): void {
    if (this.#splitter !== undefined) {
      this.#split(piece);
      return;
    }
    this.#head = (this.#head + piece).replace(/^[\r\n]+/, '');
    const end = endOfRecord(this.#head);
    if (end >= 0) this.#open(this.#head.slice(0, end));
    else if (this.#head.length > LONGEST_HEADER) throw malformedHeader();
  }

  /** The text is complete: reads what is left. */
  end(): void {
    if (this.#splitter === undefined) this.#open(this.#head);
    this.#split();
  }

  /** With the header known, everything up to now is split from the start. */
  #open(header: string): void {
    if (header.trim() === '') {
      throw new PrivateMomentsError('empty-file', 'the file is empty: it has no header line');
    }
    const { delimiter, fields } = splitHeader(header, this.#wanted);
    this.#matchColumns(fields);
    this.#width = fields.length;
    let isHeader = true;
    this.#splitter = new RecordSplitter(delimiter, (record) => {
      if (isHeader) isHeader = false;
      else this.#take(record);
    });
    this.#split(this.#head);
    this.#head = '';
  }

  #matchColumns(fields: readonly string[]): void {
    const missing = this.#wanted.filter(({ from }) => !fields.includes(from));
    const [first] = missing;
    if (first !== undefined) {
      const names = missing.map(({ from }) => `"${from}"`).join(', ');
      const message = `the header has no column ${names}`;
      throw new PrivateMomentsError('missing-column', message, { column: first.name });
    }
    this.#positions = this.#wanted.map(({ name, from }) => {
      const position = fields.indexOf(from);
      if (fields.includes(from, position + 1)) {
        const message = `the header has the column "${from}" twice`;
        throw new PrivateMomentsError('duplicate-header', message, { column: name });
      }
      return position;
    });
    const used = new Set(this.#positions);
    this.ignored = fields.filter((_, position) => !used.has(position));
  }

  /** Without text: the end. */
  #split(text?: string): void {
    try {
      if (text === undefined) this.#splitter?.end();
      else this.#splitter?.push(text);
    } catch (error) {
      if (!(error instanceof PrivateMomentsError) || error.code !== 'csv-malformed') throw error;
      // The splitter counts blank lines, too; people count rows.
      const row = this.rows + 1;
      throw new PrivateMomentsError('csv-malformed', `row ${row}: ${error.message}`, { row });
    }
  }

  #take(record: readonly string[]): void {
    const blank = record.length === 1 && record[0]?.trim() === '';
    if (blank && this.#width > 1) return;
    this.rows += 1;
    if (record.length !== this.#width) {
      const message = `row ${this.rows} has ${record.length} fields and the header has ${this.#width}`;
      throw new PrivateMomentsError('ragged-row', message, { row: this.rows });
    }
    this.#sink(this.#positions.map((position) => record[position] ?? ''));
  }
}

/** Where the first record ends: at the first line break outside quotes; -1 if there is none yet. */
function endOfRecord(text: string): number {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === '\n' || character === '\r')) return at;
  }
  return -1;
}

function splitHeader(
  header: string,
  wanted: readonly Wanted[],
): { delimiter: string; fields: string[] } {
  const candidates = DELIMITERS.flatMap((delimiter) => {
    const fields = fieldsOf(header, delimiter);
    if (fields === undefined) return [];
    const found = wanted.filter(({ from }) => fields.includes(from)).length;
    return [{ delimiter, fields, found }];
  });
  candidates.sort((a, b) => b.found - a.found || b.fields.length - a.fields.length);
  const [best] = candidates;
  if (best === undefined) throw malformedHeader();
  return best;
}

/** The names in a header line; undefined where its quotes do not fit the delimiter. */
function fieldsOf(header: string, delimiter: string): string[] | undefined {
  let names: string[] = [];
  const splitter = new RecordSplitter(delimiter, (fields) => {
    names = fields.map((field) => field.trim());
  });
  try {
    splitter.push(header);
    splitter.end();
  } catch {
    return undefined;
  }
  return names;
}

function malformedHeader(): PrivateMomentsError {
  const message = 'the header has a quoted field that is not closed properly';
  return new PrivateMomentsError('csv-malformed', message);
}
