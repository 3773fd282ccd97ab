import type { Study } from 'private-moments';
import { plain } from './file/csv-sample.js';

/** Maps each column of the study to a column of the file, or to undefined if none fits. */
export type Matching = Record<string, string | undefined>;

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
