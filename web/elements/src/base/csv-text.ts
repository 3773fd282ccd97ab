export const DELIMITERS = [',', ';', '\t', '|'];

/** The records of a CSV text, split as spreadsheets split them; cells are trimmed. */
export function* records(text: string, delimiter: string): Generator<string[]> {
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
