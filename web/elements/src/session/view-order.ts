import type { Study } from 'private-moments';

/** Colours of views; after the last, the first is used again. */
const SERIES = 6;

/**
 * A study's views in the order of their first columns. The study itself has them in alphabetical order, so that
 * equal studies have equal ids; its columns are in the order in which they were written.
 */
export function viewNames({ columns, views = {} }: Pick<Study, 'columns' | 'views'>): string[] {
  const viewOf = (column: string): string | undefined =>
    Object.entries(views).find(([, members]) => members.includes(column))?.[0];
  return byFirstUse(
    Object.keys(views),
    columns.map(({ name }) => viewOf(name)),
  );
}

/** All in the order in which they first occur in `uses`; those that do not occur keep their order at the end. */
export function byFirstUse<T>(all: readonly T[], uses: readonly (T | undefined)[]): T[] {
  const place = (one: T): number => (uses.includes(one) ? uses.indexOf(one) : uses.length);
  return [...all].sort((a, b) => place(a) - place(b));
}

/** The colour of a view by its place in that order, from 1; the same in every room. */
export function seriesAt(place: number): number {
  return 1 + (place % SERIES);
}

/** The colour of a study's view; undefined if the study has no view of that name. */
export function viewSeries(
  study: Pick<Study, 'columns' | 'views'>,
  name: string,
): number | undefined {
  const place = viewNames(study).indexOf(name);
  return place < 0 ? undefined : seriesAt(place);
}
