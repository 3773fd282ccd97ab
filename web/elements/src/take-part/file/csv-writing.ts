import type { CsvDecimal, LocalCounts, Study } from 'private-moments';
import type { CsvSample } from './csv-sample.js';
import type { Matching } from '../matching.js';

/** A cell of the file, by its row (the first after the header is 1) and its column there. */
export interface Place {
  row: number;
  column: string;
}

/**
 * The decimal mark of a file's numbers: found, or unclear. `thousands`: all numbers with a comma have three
 * digits after it, so the comma may separate thousands. `both`: some numbers have a comma and others a point.
 *
 * A file is then read with one mark, and any number with the other is an error. So whatever is found here,
 * a cell either has one fixed value or stops the file: how a row counts does not depend on other rows.
 */
export type FoundDecimal =
  | { decimal: CsvDecimal }
  | { unclear: 'thousands'; comma: Place }
  | { unclear: 'both'; comma: Place; point: Place };

const WITH_COMMA = /^[-+\u2212]?\d*,\d+(?:[eE][-+]?\d+)?$/;
const LIKE_THOUSANDS = /^[-+\u2212]?[1-9]\d{0,2},\d{3}$/;
const WITH_POINT = /^[-+\u2212]?\d*\.\d+(?:[eE][-+]?\d+)?$/;

/** @param header the names of the file's columns, in its order */
export function findDecimal(
  sample: CsvSample,
  header: readonly string[],
  study: Study,
  matching: Matching,
): FoundDecimal {
  let comma: Place | undefined;
  let point: Place | undefined;
  let areLikeThousands = true;
  for (const { cell, place } of numberCells(sample, header, study, matching)) {
    if (WITH_COMMA.test(cell)) {
      comma ??= place;
      areLikeThousands &&= LIKE_THOUSANDS.test(cell);
    } else if (WITH_POINT.test(cell)) point ??= place;
  }
  if (comma === undefined) return { decimal: '.' };
  if (point !== undefined) return { unclear: 'both', comma, point };
  return areLikeThousands ? { unclear: 'thousands', comma } : { decimal: ',' };
}

/** Words that stand for a missing value in many files, in lower case. */
const WORDS = [
  'na',
  'n/a',
  '#n/a',
  'nan',
  'null',
  'none',
  'nil',
  'missing',
  'unknown',
  '.',
  '?',
  '-',
];
/** Those words, as they are written in the cells of a file. Nothing but these few texts is taken from its cells. */
export function findWords(
  sample: CsvSample,
  header: readonly string[],
  study: Study,
  matching: Matching,
): string[] {
  const words = new Set<string>();
  for (const { cell } of numberCells(sample, header, study, matching)) {
    if (WORDS.includes(cell.toLowerCase())) words.add(cell);
  }
  return [...words].sort();
}

/** A number far outside the range of some columns, which is a common code for a missing value. */
export interface FoundCode {
  code: string;
  columns: string[];
}

/** The codes of a file of which nobody has said yet what they mean. */
export function undecided(counts: LocalCounts, decided: readonly string[]): FoundCode[] {
  const codes = new Map<string, string[]>();
  for (const { from, codes: found } of counts.columns) {
    for (const code of found.map(String)) codes.set(code, [...(codes.get(code) ?? []), from]);
  }
  return [...codes]
    .filter(([code]) => !decided.includes(code))
    .map(([code, columns]) => ({ code, columns }));
}

/** The cells of the columns that are matched to numbers of the study. */
function* numberCells(
  { rows }: CsvSample,
  header: readonly string[],
  study: Study,
  matching: Matching,
): Generator<{ cell: string; place: Place }> {
  const columns = study.columns.flatMap((column) => {
    const from = column.type === 'number' ? matching[column.name] : undefined;
    const at = from === undefined ? -1 : header.indexOf(from);
    return from === undefined || at < 0 ? [] : [{ from, at }];
  });
  for (const [index, cells] of rows.entries()) {
    for (const { from, at } of columns) {
      const cell = cells[at] ?? '';
      if (cell !== '') yield { cell, place: { row: index + 1, column: from } };
    }
  }
}
