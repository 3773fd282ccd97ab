import type { Study } from 'private-moments';
import { DELIMITERS, records, withoutByteOrderMark } from '../base/csv-text.js';

/** Maps each column of the study to a column of the file, or to undefined if none fits. */
export type Matching = Record<string, string | undefined>;

/** A header line longer than this has too many columns to match by hand. */
const HEADER_BYTES = 1 << 18;
/** The first bytes of Parquet, Arrow and gzip files. */
const BINARY_SIGNATURES = ['PAR1', 'ARROW1', '\xff\xff\xff\xff', '\x1f\x8b'];

/**
 * The column names of a CSV file, to offer them for matching; the package itself reads the file by its
 * own rules. Empty if the first line has no names; undefined for a binary file, whose columns are found
 * when it is read.
 */
export async function readHeader(file: Blob, study: Study): Promise<string[] | undefined> {
  const start = new Uint8Array(await file.slice(0, 6).arrayBuffer());
  if (BINARY_SIGNATURES.some((signature) => String.fromCharCode(...start).startsWith(signature))) {
    return undefined;
  }
  const text = withoutByteOrderMark(await file.slice(0, HEADER_BYTES).text());
  const columnNames = new Set(study.columns.map((column) => plain(column.name)));
  const splits = DELIMITERS.map((delimiter) => firstRecord(text, delimiter));
  const fits = (names: string[]): number =>
    names.filter((name) => columnNames.has(plain(name))).length;
  const best = splits.sort((a, b) => fits(b) - fits(a) || b.length - a.length)[0] ?? [];
  return [...new Set(best.filter((name) => name !== ''))];
}

/** Matches equal names first, then names with the same letters and digits if exactly one has them. */
export function guessMatching(study: Study, header: readonly string[]): Matching {
  const entries = study.columns.map(({ name }): [string, string | undefined] => {
    if (header.includes(name)) return [name, name];
    const alike = header.filter((other) => plain(other) === plain(name));
    return [name, alike.length === 1 ? alike[0] : undefined];
  });
  return Object.fromEntries(entries);
}

/** The matching in the form that the package takes; undefined while a column is unmatched. */
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
