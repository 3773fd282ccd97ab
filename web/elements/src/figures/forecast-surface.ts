import type { Forecast } from 'private-moments';

/** What is expected at one epsilon and one number of rows. */
export interface ForecastPoint {
  /** Error of the covariance, divided by the error of answering 0. */
  ratio: number;
  /** The error and the noise floor of each assumed correlation, largest first. */
  pairs: { error: number; floor: number }[];
}

/** The point of the surface that a forecast gives. */
export function pointOf({ covariance, correlations }: Forecast): ForecastPoint {
  return {
    ratio: covariance.ratio,
    pairs: correlations.map(({ error, noiseFloor }) => ({ error, floor: noiseFloor })),
  };
}

const decade = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) * 4 + 1 }, (_, i) =>
    Number((10 ** (from + i / 4)).toPrecision(4)),
  );

/** Epsilons of the grid: 0.1 to 10, four to a decade. */
export const EPSILONS: readonly number[] = decade(-1, 1);

/** Rows of the grid: a decade up and down from the power of ten nearest to `rows`. */
export function rowsAround(rows: number): number[] {
  const middle = Math.max(2, Math.round(Math.log10(rows)));
  return decade(middle - 1, middle + 1).map(Math.round);
}

/** The grid values around `value`, and its position between them on a log scale. */
function between(grid: readonly number[], value: number): [low: number, high: number, t: number] {
  const at = Math.max(
    1,
    grid.findIndex((each) => each >= value),
  );
  const [low, high] = value > (grid.at(-1) ?? 0) ? grid.slice(-2) : grid.slice(at - 1, at + 1);
  if (low === undefined || high === undefined) return [value, value, 0];
  const t = Math.log(value / low) / Math.log(high / low);
  return [low, high, Math.min(1, Math.max(0, t))];
}

/** The grid values that `value` is interpolated from. */
export function neighboursOf(grid: readonly number[], value: number): number[] {
  const [low, high, t] = between(grid, value);
  return t === 0 ? [low] : t === 1 ? [high] : [low, high];
}

/** Errors of one design, at the points of the grid computed so far. */
export class ForecastSurface {
  readonly #points = new Map<string, ForecastPoint | null>();

  /** @param point null if the study has no forecast */
  set(epsilon: number, rows: number, point: ForecastPoint | null): void {
    this.#points.set(`${epsilon} ${rows}`, point);
  }

  has(epsilon: number, rows: number): boolean {
    return this.#points.has(`${epsilon} ${rows}`);
  }

  /** The points along epsilon at a number of rows; undefined where too few are computed. */
  alongEpsilon(rows: number, grid: readonly number[]): (ForecastPoint | undefined)[] {
    const [low, high, t] = between(grid, rows);
    return EPSILONS.map((epsilon) => this.#between([epsilon, low], [epsilon, high], t));
  }

  alongRows(epsilon: number, grid: readonly number[]): (ForecastPoint | undefined)[] {
    const [low, high, t] = between(EPSILONS, epsilon);
    return grid.map((rows) => this.#between([low, rows], [high, rows], t));
  }

  #between(
    from: readonly [number, number],
    to: readonly [number, number],
    t: number,
  ): ForecastPoint | undefined {
    const [a, b] = [this.#at(from), this.#at(to)];
    if (t === 0 || b === undefined) return t === 0 ? a : undefined;
    if (t === 1 || a === undefined) return t === 1 ? b : undefined;
    const mix = (x: number, y: number): number =>
      x > 0 && y > 0 ? Math.exp((1 - t) * Math.log(x) + t * Math.log(y)) : (1 - t) * x + t * y;
    return {
      ratio: mix(a.ratio, b.ratio),
      pairs: a.pairs.map((pair, i) => ({
        error: mix(pair.error, b.pairs[i]?.error ?? pair.error),
        floor: mix(pair.floor, b.pairs[i]?.floor ?? pair.floor),
      })),
    };
  }

  #at([epsilon, rows]: readonly [number, number]): ForecastPoint | undefined {
    return this.#points.get(`${epsilon} ${rows}`) ?? undefined;
  }
}

/** The value of a curve at `x`, interpolated on a log scale; undefined where it is not computed. */
export function readOff(
  grid: readonly number[],
  values: readonly (number | undefined)[],
  x: number,
): number | undefined {
  const [low, high, t] = between(grid, x);
  const [a, b] = [values[grid.indexOf(low)], values[grid.indexOf(high)]];
  if (a === undefined || b === undefined) return t === 0 ? a : t === 1 ? b : undefined;
  return a > 0 && b > 0 ? Math.exp((1 - t) * Math.log(a) + t * Math.log(b)) : (1 - t) * a + t * b;
}
