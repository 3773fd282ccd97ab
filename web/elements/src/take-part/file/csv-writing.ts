import type { Column, CsvDecimal, Study } from 'private-moments';
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

/** Words that stand for a missing value in many files, in lower case. They are missing cells anyway. */
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
/** Numbers that stand for a missing value in many files. */
const NUMBERS = [
  ...[-1, -7, -8, -9, -77, -88, -98, -99, -777, -888, -998, -999, -9998, -9999, -99999],
  ...[9, 77, 88, 98, 99, 777, 888, 998, 999, 7777, 8888, 9998, 9999, 99999, 999999],
];

/** Common codes for a missing value in a file. Nothing but these few texts is taken from its cells. */
export interface FoundCodes {
  words: string[];
  /** Numbers far outside the range of a column, which may be values nevertheless. */
  numbers: { code: string; columns: string[] }[];
}

/** The codes of a file of which nobody has said yet what they mean. */
export function undecided(
  { numbers }: FoundCodes,
  decided: readonly string[],
): FoundCodes['numbers'] {
  return numbers.filter(({ code }) => !decided.includes(code));
}

export function findCodes(
  sample: CsvSample,
  header: readonly string[],
  study: Study,
  matching: Matching,
): FoundCodes {
  const words = new Set<string>();
  const numbers = new Map<string, string[]>();
  const columns = new Map<string, { inside: number; outside: number; codes: Set<string> }>();
  for (const { cell, column, place } of numberCells(sample, header, study, matching)) {
    if (WORDS.includes(cell.toLowerCase())) words.add(cell);
    const value = numberOf(cell);
    if (Number.isNaN(value)) continue;
    const seen = columns.get(place.column) ?? { inside: 0, outside: 0, codes: new Set() };
    columns.set(place.column, seen);
    if (isWithin(value, column)) seen.inside++;
    else {
      seen.outside++;
      if (NUMBERS.includes(value) && isFar(value, column)) seen.codes.add(String(value));
    }
  }
  for (const [name, { inside, outside, codes }] of columns) {
    // Where most values are outside, the unit is wrong, and 99 is one of them.
    if (outside > inside) continue;
    for (const code of codes) numbers.set(code, [...(numbers.get(code) ?? []), name]);
  }
  return {
    words: [...words].sort(),
    numbers: [...numbers].map(([code, found]) => ({ code, columns: found })),
  };
}

function isWithin(value: number, column: Column): boolean {
  return column.type === 'number' && value >= column.min && value <= column.max;
}

/** Farther from the range than it is wide, or negative where nothing is: 99 hours a week may be a value. */
function isFar(value: number, column: Column): boolean {
  if (column.type !== 'number') return false;
  const { min, max } = column;
  return (value < 0 && min >= 0) || Math.max(value - max, min - value) > max - min;
}

/** The number in a cell that has a decimal point or comma, or neither; NaN for anything else. */
function numberOf(cell: string): number {
  const text = cell.replace('\u2212', '-').replace(',', '.');
  return /^[-+]?\d+(?:\.\d*)?$/.test(text) ? Number(text) : NaN;
}

/** The cells of the columns that are matched to numbers of the study. */
function* numberCells(
  { rows }: CsvSample,
  header: readonly string[],
  study: Study,
  matching: Matching,
): Generator<{ cell: string; column: Column; place: Place }> {
  const columns = study.columns.flatMap((column) => {
    const from = column.type === 'number' ? matching[column.name] : undefined;
    const at = from === undefined ? -1 : header.indexOf(from);
    return from === undefined || at < 0 ? [] : [{ column, from, at }];
  });
  for (const [index, cells] of rows.entries()) {
    for (const { column, from, at } of columns) {
      const cell = cells[at] ?? '';
      if (cell !== '') yield { cell, column, place: { row: index + 1, column: from } };
    }
  }
}
