import type { Estimates, Matrix } from '../types.js';
import type { Plain } from '../results.js';
import type { Weight } from './words.js';

/** A matrix with typed numbers, or with a list of them. */
export type AnyMatrix = Matrix | Plain<Matrix>;

/** The same of estimates, which may have intervals. */
export type AnyEstimates = Estimates | Plain<Estimates>;

/** The entry in row i and column j; 0 beyond the end. */
export function at({ columns, values }: AnyMatrix, i: number, j: number): number {
  return values[i * columns.length + j] ?? 0;
}

/** The interval of that entry, where there is one. */
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

/** The weights of component k, in original units and for one standard deviation. */
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

/** Correlations of columns with score k, as bars take them. */
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

/** What a scale from -limit to limit must hold to draw these: bars and intervals. */
export function extentOf(weights: readonly Weight[]): number {
  return Math.max(
    0,
    ...weights.flatMap(({ comparable, interval, belowNoiseFloor }) =>
      belowNoiseFloor === true ? [] : [comparable, ...(interval?.comparable ?? [])].map(Math.abs),
    ),
  );
}
