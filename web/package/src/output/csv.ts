/** What a cell of a CSV file can hold; null, undefined and NaN are written as an empty cell. */
export type CsvCell = string | number | boolean | null | undefined;

/** How spreadsheets begin a formula, in full-width characters and after spaces, too. */
const FORMULA = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/;
/** What begins like one but is not: a number, or a sign alone. */
const NUMBER = /^\s*[+-](?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)?$/;

/**
 * One cell. A text that a spreadsheet would run as a formula gets an apostrophe in front; quotes
 * as in RFC 4180, and around semicolons and tabs, which some spreadsheets split at.
 */
export function csvField(cell: CsvCell): string {
  if (typeof cell !== 'string') return Number.isNaN(cell) ? '' : String(cell ?? '');
  const text = FORMULA.test(cell) && !NUMBER.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A whole file, RFC 4180: the header, then the lines, each ended by CR LF. */
export function csvText(header: readonly string[], lines: Iterable<readonly CsvCell[]>): string {
  const text = [header, ...lines].map((line) => line.map(csvField).join(','));
  return `${text.join('\r\n')}\r\n`;
}
