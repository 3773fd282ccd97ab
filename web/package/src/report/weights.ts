import type { Estimates, Matrix } from '../study/types.js';
import type { Plain } from '../output/results.js';
import type { Figure, Weight } from './words.js';

/** A matrix, or its JSON. */
export type AnyMatrix = Matrix | Plain<Matrix>;

/** Estimates, or their JSON. */
export type AnyEstimates = Estimates | Plain<Estimates>;

/** The entry in row i and column j; 0 beyond the end. */
export function at({ columns, values }: AnyMatrix, i: number, j: number): number {
  return values[i * columns.length + j] ?? 0;
}

/** The interval of the entry in row i and column j, if there is one. */
export function intervalAt(
  { columns, low, high }: AnyEstimates,
  i: number,
  j: number,
): readonly [number, number] | undefined {
  const entry = i * columns.length + j;
  const from = low?.[entry];
  const to = high?.[entry];
  return from === undefined || to === undefined ? undefined : [from, to];
}

/** The weights of component k, per original unit and per standard deviation. */
export function weightsOf(
  { weights, deviation }: { weights: AnyEstimates; deviation: AnyMatrix },
  k: number,
): Weight[] {
  return weights.rows.map((name, i) => {
    const original = at(weights, i, k);
    const one = at(deviation, 0, i);
    const weight = { name, original, comparable: original * one };
    const interval = intervalAt(weights, i, k);
    if (interval === undefined) return weight;
    const [low, high] = interval;
    return { ...weight, interval: { original: interval, comparable: [low * one, high * one] } };
  });
}

/** The correlations of columns with score k, in the form of weights. */
export function correlationsOf(loadings: AnyEstimates, k: number): Weight[] {
  return loadings.rows.map((name, i) => {
    const value = at(loadings, i, k);
    const weight = { name, original: value, comparable: value };
    const interval = intervalAt(loadings, i, k);
    return interval === undefined
      ? weight
      : { ...weight, interval: { original: interval, comparable: interval } };
  });
}

/** The largest magnitude among bars and intervals, for the limit of a scale. */
export function extentOf(weights: readonly Weight[]): number {
  return Math.max(
    0,
    ...weights.flatMap(({ comparable, interval, belowNoiseFloor }) =>
      belowNoiseFloor === true ? [] : [comparable, ...(interval?.comparable ?? [])].map(Math.abs),
    ),
  );
}

/** Of a direction of length 1, the part along levels that add up to one which makes it that direction. */
const CONSTANT = 0.9;

/**
 * For each component below the floor that is a direction in which a row without gaps cannot vary, since the
 * levels of a category add up to one: the columns of these categories. Undefined for all others.
 *
 * @param sources for each feature its column; a column with several features is a category with all its levels.
 */
export function constantsOf(
  components: readonly Figure[],
  loadings: AnyMatrix,
  sources: readonly string[],
): (string[] | undefined)[] {
  const categories = [...new Set(sources)]
    .map((name) => ({ name, own: [...sources.keys()].filter((i) => sources[i] === name) }))
    .filter(({ own }) => own.length > 1);
  return components.map(({ belowNoiseFloor }, k) => {
    if (!belowNoiseFloor) return undefined;
    const along = categories.map(({ name, own }) => {
      const sum = own.reduce((all, i) => all + at(loadings, i, k), 0);
      return { name, part: (sum * sum) / own.length };
    });
    if (along.reduce((all, { part }) => all + part, 0) < CONSTANT) return undefined;
    return along.filter(({ part }) => part > 1 - CONSTANT).map(({ name }) => name);
  });
}
