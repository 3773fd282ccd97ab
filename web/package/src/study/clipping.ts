import type { ClipChoice } from './types.js';

/** The counts of a release are in units of this many rows. */
export const COUNT_UNIT = 2 ** -16;

/** What adaptive clipping or private centring did to the rows, as estimated from the releases' noisy counts. */
export interface MomentsClipping {
  /** Estimated number of rows that were shortened; not negative. */
  shortened: number;
  /** Standard deviation of the noise in `shortened`. */
  sd: number;
  /**
   * The clip radii in scaled units, longest first, and how many releases chose each. Empty with private
   * centring, where each release has units of its own.
   */
  radii: { radius: number; releases: number }[];
}

/** Adds up the releases' noisy counts of shortened rows. */
export class ClipTally {
  readonly #releases = new Map<number, number>();
  #shortened = 0;
  /** Number of noisy counts in the sum, and of releases. */
  #noisy = 0;
  #added = 0;

  add({ level, counts }: ClipChoice, radius: number): void {
    this.addSum(level, counts[level - 1] ?? 0, 1, radius);
  }

  /** With private centring, where the counts are of rows between one radius and the next. */
  addCentred({ level, counts }: ClipChoice): void {
    this.#added += 1;
    for (const count of counts.slice(0, level)) this.#shortened += count * COUNT_UNIT;
    this.#noisy += level;
  }

  /** @param count the sum of the counts of `releases` releases that chose this level */
  addSum(level: number, count: number, releases: number, radius: number): void {
    this.#added += releases;
    this.#releases.set(radius, (this.#releases.get(radius) ?? 0) + releases);
    // At the full radius no row is shortened (beyond rounding), and no count applies.
    if (level === 0) return;
    this.#shortened += count * COUNT_UNIT;
    this.#noisy += releases;
  }

  /** @param sdOfOne standard deviation of one count */
  result(sdOfOne: number): MomentsClipping | null {
    if (this.#added === 0) return null;
    return {
      shortened: Math.max(0, this.#shortened),
      sd: sdOfOne * Math.sqrt(this.#noisy),
      radii: [...this.#releases]
        .map(([radius, releases]) => ({ radius, releases }))
        .sort((a, b) => b.radius - a.radius),
    };
  }
}

/**
 * What clipping may add to the covariance of several releases with private centring. Clipped rows move
 * towards the centre of their own release, which has the noise of its survey, so all of them move together:
 * the sum over releases of rows / all rows * (share of rows clipped)^2 * d d', d the distance of the centres.
 */
export class CentreSpread {
  readonly #dimension: number;
  readonly #products: Float64Array;
  readonly #centres: Float64Array;
  #weight = 0;

  constructor(dimension: number) {
    this.#dimension = dimension;
    this.#products = new Float64Array(dimension * dimension);
    this.#centres = new Float64Array(dimension);
  }

  add(centre: readonly number[], rows: number, { level, counts }: ClipChoice): void {
    const longer = counts.slice(0, level).reduce((sum, count) => sum + count * COUNT_UNIT, 0);
    const weight = rows * Math.min(1, Math.max(0, longer / rows)) ** 2;
    if (weight === 0) return;
    this.#weight += weight;
    for (const [i, own] of centre.entries()) {
      this.#centres[i] = (this.#centres[i] ?? 0) + weight * own;
      for (const [j, other] of centre.entries()) {
        const at = i * this.#dimension + j;
        this.#products[at] = (this.#products[at] ?? 0) + weight * own * other;
      }
    }
  }

  /** The sum in the coordinates that all releases were moved to, as a D x D matrix. */
  about(
    { centre, units }: { centre: Float64Array; units: Float64Array },
    rows: number,
  ): Float64Array {
    return this.#products.map((product, at) => {
      const [i, j] = [Math.floor(at / this.#dimension), at % this.#dimension];
      const [ci = 0, cj = 0, ui = 1, uj = 1] = [centre[i], centre[j], units[i], units[j]];
      const moved = ci * (this.#centres[j] ?? 0) + cj * (this.#centres[i] ?? 0);
      return (product - moved + this.#weight * ci * cj) / (rows * ui * uj);
    });
  }
}
