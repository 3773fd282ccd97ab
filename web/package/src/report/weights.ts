import type { Matrix } from '../types.js';
import type { Plain } from '../results.js';
import type { Weight } from './words.js';

/** A matrix with typed numbers, or with a list of them. */
export type AnyMatrix = Matrix | Plain<Matrix>;

/** The entry in row i and column j; 0 beyond the end. */
export function at({ columns, values }: AnyMatrix, i: number, j: number): number {
  return values[i * columns.length + j] ?? 0;
}

/** The weights of component k, in original units and for one standard deviation. */
export function weightsOf(
  { weights, deviation }: { weights: AnyMatrix; deviation: AnyMatrix },
  k: number,
): Weight[] {
  return weights.rows.map((name, i) => {
    const original = at(weights, i, k);
    return { name, original, comparable: original * at(deviation, 0, i) };
  });
}
