import type { Forecast } from 'private-moments';

/** What is expected at one epsilon and one number of rows or sites. */
export interface ForecastPoint {
  /** Error of the covariance, divided by the error of answering 0. */
  ratio: number;
  /** The noise floor: the highest of those of all pairs. */
  floor: number;
  /** The assumed correlations, largest first. */
  pairs: {
    error: number;
    /** At least nine of ten estimates miss the truth by no more than this. */
    margin: number;
    /** Probability that the estimate is below its own noise floor. */
    risk: number;
    /** Probability that a test at level 5 % finds the pair. */
    power: number;
  }[];
}

/** 95 of 100 normal estimates lie within this many standard errors. */
const NORMAL_95 = 1.96;

/** The point of the surface that a forecast gives. */
export function pointOf({ covariance, correlations }: Forecast): ForecastPoint {
  return {
    ratio: covariance.ratio,
    floor: Math.max(0, ...correlations.map(({ noiseFloor }) => noiseFloor)),
    pairs: correlations.map(({ error, margin, chanceBelowFloor, power }) => ({
      error,
      margin: Math.max(margin ?? 0, NORMAL_95 * error),
      risk: chanceBelowFloor,
      power,
    })),
  };
}

const decade = (from: number, to: number): number[] =>
  Array.from({ length: (to - from) * 4 + 1 }, (_, i) =>
    Number((10 ** (from + i / 4)).toPrecision(4)),
  );

/** Epsilons of the grid: 0.1 to 10, four to a decade. */
export const EPSILONS: readonly number[] = decade(-1, 1);

/** Numbers of sites of the grid: up to 100, or a decade up and down if there are many. */
export function sitesAround(sites: number): number[] {
  return sites <= MANY_SITES
    ? FEW_SITES.filter((each) => each > 1 || sites < 2)
    : rowsAround(sites);
}

const FEW_SITES = [1, 2, 3, 5, 8, 13, 22, 37, 60, 100];
const MANY_SITES = 60;

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

/** Errors of one design over epsilon and a size, rows or sites, at the points computed so far. */
export class ForecastSurface {
  readonly #points = new Map<string, ForecastPoint | null>();

  /** @param point null if the study has no forecast */
  set(epsilon: number, size: number, point: ForecastPoint | null): void {
    this.#points.set(`${epsilon} ${size}`, point);
  }

  has(epsilon: number, size: number): boolean {
    return this.#points.has(`${epsilon} ${size}`);
  }

  /** The points along epsilon at one size; undefined where too few are computed. */
  alongEpsilon(size: number, grid: readonly number[]): (ForecastPoint | undefined)[] {
    const [low, high, t] = between(grid, size);
    return EPSILONS.map((epsilon) => this.#between([epsilon, low], [epsilon, high], t));
  }

  alongSize(epsilon: number, grid: readonly number[]): (ForecastPoint | undefined)[] {
    const [low, high, t] = between(EPSILONS, epsilon);
    return grid.map((size) => this.#between([low, size], [high, size], t));
  }

  #between(
    from: readonly [number, number],
    to: readonly [number, number],
    t: number,
  ): ForecastPoint | undefined {
    return blended(this.#at(from), this.#at(to), t);
  }

  #at([epsilon, size]: readonly [number, number]): ForecastPoint | undefined {
    return this.#points.get(`${epsilon} ${size}`) ?? undefined;
  }
}

/** The point at share `t` of the way from one to another, in logarithms where both are above 0. */
function blended(
  a: ForecastPoint | undefined,
  b: ForecastPoint | undefined,
  t: number,
): ForecastPoint | undefined {
  if (t === 0 || b === undefined) return t === 0 ? a : undefined;
  if (t === 1 || a === undefined) return t === 1 ? b : undefined;
  const mix = (x: number, y: number): number =>
    x > 0 && y > 0 ? Math.exp((1 - t) * Math.log(x) + t * Math.log(y)) : (1 - t) * x + t * y;
  return {
    ratio: mix(a.ratio, b.ratio),
    floor: mix(a.floor, b.floor),
    pairs: a.pairs.map((pair, i) => {
      const other = b.pairs[i] ?? pair;
      return {
        error: mix(pair.error, other.error),
        margin: mix(pair.margin, other.margin),
        risk: mix(pair.risk, other.risk),
        power: (1 - t) * pair.power + t * other.power,
      };
    }),
  };
}

/** The point of a curve at `x`; undefined where it is not computed. Beyond its ends, that of the nearest end. */
export function pointAt(
  grid: readonly number[],
  points: readonly (ForecastPoint | undefined)[],
  x: number,
): ForecastPoint | undefined {
  const [low, high, t] = between(grid, x);
  return blended(points[grid.indexOf(low)], points[grid.indexOf(high)], t);
}

/** A curve with one more point, which replaces one at the same place. */
export function withPoint(
  grid: readonly number[],
  points: readonly (ForecastPoint | undefined)[],
  x: number,
  point: ForecastPoint,
): { grid: number[]; points: (ForecastPoint | undefined)[] } {
  const all = grid.map((value, i) => [value, points[i]] as const).filter(([value]) => value !== x);
  const sorted = [...all, [x, point] as const].sort(([a], [b]) => a - b);
  return { grid: sorted.map(([value]) => value), points: sorted.map(([, each]) => each) };
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
