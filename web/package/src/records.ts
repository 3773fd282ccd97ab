import { PrivateMomentsError } from './errors.js';

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** A record this long is a quote that was never closed; without a limit it would fill the memory. */
const LONGEST_RECORD = 1 << 24;

/** Where in a field the next character is. */
type Place = 'start' | 'plain' | 'quoted' | 'quote' | 'closed';

/**
 * Splits CSV text into records (RFC 4180, with LF, CRLF or CR as line ends), whatever pieces it
 * arrives in: all state is kept from one character to the next. A field that starts with a quote
 * goes to the closing quote, after which only spaces may come; two quotes within it are one. A
 * quote anywhere else is a character like any other.
 */
export class RecordSplitter {
  readonly #delimiter: number;
  readonly #take: (fields: string[]) => void;
  /** Records given out so far. */
  #records = 0;
  #fields: string[] = [];
  /** The current field as far as earlier pieces and doubled quotes had it. */
  #text = '';
  #place: Place = 'start';
  #length = 0;
  #swallowLineFeed = false;

  constructor(delimiter: string, take: (fields: string[]) => void) {
    this.#delimiter = delimiter.charCodeAt(0);
    this.#take = take;
  }

  push(piece: string): void {
    let at = 0;
    while (at < piece.length) {
      if (this.#place === 'quoted') at = this.#readQuoted(piece, at);
      else if (this.#place === 'plain') at = this.#readPlain(piece, at);
      else at = this.#readEdge(piece, at);
    }
  }

  /** The text is complete; its last line need not end in a line break. */
  end(): void {
    if (this.#place === 'quoted') throw this.#malformed();
    if (this.#place !== 'start' || this.#fields.length > 0) this.#endRecord();
  }

  #readPlain(piece: string, start: number): number {
    let at = start;
    for (; at < piece.length; at++) {
      const code = piece.charCodeAt(at);
      if (code === this.#delimiter || code === LINE_FEED || code === CARRIAGE_RETURN) break;
    }
    this.#append(piece.slice(start, at));
    return at < piece.length ? this.#readEdge(piece, at) : at;
  }

  #readQuoted(piece: string, start: number): number {
    const quote = piece.indexOf('"', start);
    const end = quote < 0 ? piece.length : quote;
    this.#append(piece.slice(start, end));
    if (quote < 0) return end;
    this.#place = 'quote';
    return end + 1;
  }

  /** One character before a field's text, or after it. */
  #readEdge(piece: string, at: number): number {
    const code = piece.charCodeAt(at);
    const swallow = this.#swallowLineFeed && code === LINE_FEED;
    this.#swallowLineFeed = false;
    if (swallow) return at + 1;
    if (code === this.#delimiter) {
      this.#endField();
    } else if (code === LINE_FEED || code === CARRIAGE_RETURN) {
      this.#swallowLineFeed = code === CARRIAGE_RETURN;
      this.#endRecord();
    } else if (this.#place === 'start') {
      this.#place = code === QUOTE ? 'quoted' : 'plain';
      return code === QUOTE ? at + 1 : at;
    } else if (this.#place === 'quote' && code === QUOTE) {
      this.#append('"');
      this.#place = 'quoted';
    } else if (piece.charAt(at).trim() === '') {
      this.#place = 'closed';
    } else {
      throw this.#malformed();
    }
    return at + 1;
  }

  #append(text: string): void {
    this.#text += text;
    this.#grow(text.length);
  }

  #grow(by: number): void {
    this.#length += by;
    if (this.#length > LONGEST_RECORD) throw this.#malformed();
  }

  #endField(): void {
    this.#grow(1);
    this.#fields.push(this.#text);
    this.#text = '';
    this.#place = 'start';
  }

  #endRecord(): void {
    this.#endField();
    const fields = this.#fields;
    this.#fields = [];
    this.#length = 0;
    this.#records += 1;
    this.#take(fields);
  }

  #malformed(): PrivateMomentsError {
    const message = 'a quoted field is not closed properly';
    return new PrivateMomentsError('csv-malformed', message, { row: this.#records + 1 });
  }
}
