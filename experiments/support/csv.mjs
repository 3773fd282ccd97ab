// Results as CSV: a header, then one line a case; cells need no quotes.
import { readFileSync, writeFileSync } from 'node:fs';

/** A cell as a number if it is one, as null if it is empty. */
function valueOf(cell) {
  if (cell === '') return null;
  const number = Number(cell);
  return Number.isNaN(number) ? cell : number;
}

/** Rows as objects by column name. */
export function parseCsv(text) {
  const [names, ...lines] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  return lines.map((cells) => {
    if (cells.length !== names.length) throw new Error(`${cells} has not the columns ${names}`);
    return Object.fromEntries(names.map((name, i) => [name, valueOf(cells[i])]));
  });
}

export const readCsv = (file) => parseCsv(readFileSync(file, 'utf8'));

/** Writes objects that all have the columns of the first. Numbers have six significant digits. */
export function writeCsv(file, rows) {
  const names = Object.keys(rows[0]);
  const cell = (value) => {
    if (value === null || value === undefined) return '';
    return typeof value === 'number' ? String(Number(value.toPrecision(6))) : String(value);
  };
  const lines = rows.map((row) => names.map((name) => cell(row[name])).join(','));
  writeFileSync(file, `${[names.join(','), ...lines].join('\n')}\n`);
}
