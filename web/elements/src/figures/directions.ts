import type { Components, Release } from 'private-moments';

/** Directions are released in multiples of this. */
const DIRECTION_UNIT = 2 ** -16;

export interface Direction {
  /** The spread along it; null if the mechanism does not release it. */
  value: number | null;
  /** One entry for each feature. */
  entries: readonly number[];
}

/** The directions in a release, in its order; values are sums of squares, scaled units. */
export function releasedDirections(
  { values, noise, mechanism }: Release,
  features: number,
): Direction[] {
  const count = mechanism.components ?? 0;
  const length = values.length / count;
  // Each direction is released alone, or after its value.
  const valued = length > features;
  return Array.from({ length: count }, (_, k) => {
    const numbers = values.slice(k * length, (k + 1) * length);
    const value = valued ? (numbers.shift() ?? 0) * noise.unit : null;
    return { value, entries: numbers.map((entry) => entry * DIRECTION_UNIT) };
  });
}

/** The directions of a result; values are mean squares (sums if the count is private). */
export function resultDirections({ explained, loadings }: Components): Direction[] {
  const count = loadings.columns.length;
  return explained.map(({ value }, k) => ({
    value,
    entries: loadings.rows.map((_, i) => loadings.values[i * count + k] ?? 0),
  }));
}
