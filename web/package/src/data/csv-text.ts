const DELIMITERS = [',', ';', '\t', '|'];

/** The delimiter that splits the first line into the most cells. */
export function delimiterOf(text: string): string {
  const first = text.slice(0, Math.max(0, text.search(/[\r\n]|$/)));
  const cells = (delimiter: string): number => first.split(delimiter).length;
  return DELIMITERS.reduce((best, each) => (cells(each) > cells(best) ? each : best));
}

/** The records of a CSV text, split as spreadsheets split them; cells are trimmed. */
export function* csvRecords(text: string, delimiter: string): Generator<string[]> {
  let cells: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '"') {
      if (quoted && text.charAt(at + 1) === '"') {
        cell += '"';
        at++;
      } else quoted = !quoted;
    } else if (!quoted && (character === '\n' || character === '\r')) {
      if (character === '\r' && text.charAt(at + 1) === '\n') at++;
      yield [...cells, cell.trim()];
      cells = [];
      cell = '';
    } else if (!quoted && character === delimiter) {
      cells.push(cell.trim());
      cell = '';
    } else cell += character;
  }
  if (cell !== '' || cells.length > 0) yield [...cells, cell.trim()];
}

/** The text without a byte order mark or empty lines at its start. */
export function withoutByteOrderMark(text: string): string {
  return text.replace(/^\uFEFF?[\r\n]*/, '');
}
