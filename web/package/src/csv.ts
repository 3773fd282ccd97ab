import Papa from 'papaparse';
import { PrivateMomentsError } from './errors.js';

/** The part of papaparse used here: its parser of complete text, without workers or network. */
interface RecordParser {
  parse(
    text: string,
    baseIndex: number,
    ignoreLastRow: boolean,
  ): { data: string[][]; errors: { row?: number }[]; meta: { cursor: number } };
}
type RecordParserClass = new (options: {
  delimiter: string;
  newline: string;
  quoteChar: string;
}) => RecordParser;
const { Parser } = Papa as unknown as { Parser: RecordParserClass };

const DELIMITERS = [',', ';', '\t', '|'];

/** A record this long is a quote that was never closed; without a limit it would fill the memory. */
const LONGEST_RECORD = 1 << 24;

/** Receives the cells of the wanted columns, in the order asked for. `row` counts from 1. */
export type RecordSink = (cells: readonly string[], row: number) => void;

/** A column to find in the header: under the name `from`, reported as `name`. */
interface Wanted {
  name: string;
  from: string;
}

/**
 * Reads CSV text that arrives in pieces, cut anywhere. Quoted fields may contain delimiters, line
 * breaks and doubled quotes. The delimiter (comma, semicolon, tab or bar) is the one under which
 * the header has most of the wanted columns, so it depends on the header alone. Lines end in LF,
 * CRLF or CR. Blank lines are no rows, except in files of one column, where they are missing cells:
 * skipping those would let the cells decide the number of rows.
 */
export class CsvReader {
  /** Columns of the file nobody asked for; complete once the header is read. */
  ignored: string[] = [];
  /** Data rows read so far. */
  rows = 0;

  readonly #wanted: readonly Wanted[];
  readonly #sink: RecordSink;
  #pending = '';
  #parser: RecordParser | undefined;
  #stripReturn = false;
  #width = 0;
  #positions: number[] = [];

  constructor(wanted: readonly Wanted[], sink: RecordSink) {
    this.#wanted = wanted;
    this.#sink = sink;
  }

  push(text: string): void {
    this.#pending += text;
    if (this.#parser === undefined && !this.#readHeader(false)) return;
    this.#readRecords(false);
  }

  /** The text is complete: reads what is left. */
  end(): void {
    if (this.#parser === undefined) this.#readHeader(true);
    this.#readRecords(true);
  }

  #readHeader(complete: boolean): boolean {
    this.#pending = this.#pending.replace(/^[\r\n]+/, '');
    let end = endOfRecord(this.#pending);
    if (end === undefined) {
      if (!complete) {
        this.#requireShort(0);
        return false;
      }
      end = { at: this.#pending.length, newline: '\n' };
    }
    const header = this.#pending.slice(0, end.at).replace(/\r$/, '');
    if (header.trim() === '') {
      throw new PrivateMomentsError('empty-file', 'the file is empty: it has no header line');
    }
    const { delimiter, fields } = splitHeader(header, this.#wanted);
    this.#matchColumns(fields);
    this.#parser = new Parser({ delimiter, newline: end.newline, quoteChar: '"' });
    this.#stripReturn = end.newline === '\n';
    this.#width = fields.length;
    this.#pending = this.#pending.slice(end.at + end.newline.length);
    return true;
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

  #readRecords(complete: boolean): void {
    const parser = this.#parser;
    if (parser === undefined || this.#pending === '') return;
    const text = this.#pending;
    const { data, errors, meta } = parser.parse(text, 0, !complete);
    for (const [index, record] of data.entries()) {
      // An error in the last, incomplete record may be cured by the text still to come.
      if (errors.some(({ row }) => row === index)) throw this.#malformed();
      this.#take(record);
    }
    this.#pending = complete ? '' : text.slice(meta.cursor);
    this.#requireShort(this.rows);
  }

  #take(record: string[]): void {
    const last = record.length - 1;
    const lastCell = record[last] ?? '';
    if (this.#stripReturn && lastCell.endsWith('\r')) record[last] = lastCell.slice(0, -1);
    const blank = record.length === 1 && record[0]?.trim() === '';
    if (blank && this.#width > 1) return;
    this.rows += 1;
    if (record.length !== this.#width) {
      const message = `row ${this.rows} has ${record.length} fields and the header has ${this.#width}`;
      throw new PrivateMomentsError('ragged-row', message, { row: this.rows });
    }
    this.#sink(
      this.#positions.map((position) => record[position] ?? ''),
      this.rows,
    );
  }

  #malformed(): PrivateMomentsError {
    const row = this.rows + 1;
    const message = `row ${row} has a quoted field that is not closed properly`;
    return new PrivateMomentsError('csv-malformed', message, { row });
  }

  #requireShort(row: number): void {
    if (this.#pending.length <= LONGEST_RECORD) return;
    const message = `row ${row + 1} does not end: a quoted field is not closed`;
    throw new PrivateMomentsError('csv-malformed', message, { row: row + 1 });
  }
}

/**
 * Where the first record ends and how: the first line break outside quotes. Undefined while more
 * text could still decide it, which after a CR takes one more character.
 */
function endOfRecord(text: string): { at: number; newline: '\n' | '\r' } | undefined {
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    if (quoted) continue;
    if (character === '\n') return { at, newline: '\n' };
    if (character === '\r') {
      if (at + 1 === text.length) return undefined;
      if (text[at + 1] !== '\n') return { at, newline: '\r' };
    }
  }
  return undefined;
}

function splitHeader(
  header: string,
  wanted: readonly Wanted[],
): { delimiter: string; fields: string[] } {
  const candidates = DELIMITERS.map((delimiter) => {
    const parser = new Parser({ delimiter, newline: '\n', quoteChar: '"' });
    const { data, errors } = parser.parse(header, 0, false);
    const fields = (data[0] ?? []).map((field) => field.trim());
    const found = wanted.filter(({ from }) => fields.includes(from)).length;
    return { delimiter, fields, found, broken: errors.length > 0 };
  });
  const usable = candidates.filter(({ broken }) => !broken);
  const best = usable.sort((a, b) => b.found - a.found || b.fields.length - a.fields.length)[0];
  if (best !== undefined) return best;
  const message = 'the header has a quoted field that is not closed properly';
  throw new PrivateMomentsError('csv-malformed', message);
}
