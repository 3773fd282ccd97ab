import type { Study } from 'private-moments';
import { DELIMITERS, records, withoutMark } from './csv-text.js';

/** Study column to column of the file; undefined where no column of the file fits. */
export type Matching = Record<string, string | undefined>;

/** A header line longer than this is not one a person could match by hand. */
const HEADER_BYTES = 1 << 18;
/** How Parquet, Arrow and gzip files begin. */
const NO_TEXT = ['PAR1', 'ARROW1', '\xff\xff\xff\xff', '\x1f\x8b'];

/**
 * The column names of a CSV file, only to offer them for matching: the package reads the file itself
 * and by its own rules. Empty when the first line holds none; undefined of a file that is no text, whose
 * columns are known once it is read.
 */
export async function readHeader(file: Blob, study: Study): Promise<string[] | undefined> {
  const start = new Uint8Array(await file.slice(0, 6).arrayBuffer());
  if (NO_TEXT.some((signature) => String.fromCharCode(...start).startsWith(signature))) {
    return undefined;
  }
  const text = withoutMark(await file.slice(0, HEADER_BYTES).text());
  const wanted = new Set(study.columns.map((column) => plain(column.name)));
  const splits = DELIMITERS.map((delimiter) => firstRecord(text, delimiter));
  const fits = (names: string[]): number => names.filter((name) => wanted.has(plain(name))).length;
  const best = splits.sort((a, b) => fits(b) - fits(a) || b.length - a.length)[0] ?? [];
  return [...new Set(best.filter((name) => name !== ''))];
}

/** Same name first, then the same letters and digits if only one column has them. */
export function guessMatching(study: Study, header: readonly string[]): Matching {
  const entries = study.columns.map(({ name }): [string, string | undefined] => {
    if (header.includes(name)) return [name, name];
    const alike = header.filter((other) => plain(other) === plain(name));
    return [name, alike.length === 1 ? alike[0] : undefined];
  });
  return Object.fromEntries(entries);
}

/** The matching in the form the package takes, or undefined while a column is unmatched. */
export function completeMatching(
  study: Study,
  matching: Matching,
): Record<string, string> | undefined {
  const complete: Record<string, string> = {};
  for (const { name } of study.columns) {
    const from = matching[name];
    if (from === undefined) return undefined;
    complete[name] = from;
  }
  return complete;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

function firstRecord(text: string, delimiter: string): string[] {
  for (const record of records(text, delimiter)) return record;
  return [];
}
