import type { ClipChoice } from './types.js';

/** The counts of a release are in units of this many rows. */
export const COUNT_UNIT = 2 ** -16;

/** The radius of adaptive clipping at a level: rowNorm times 1, 5/7, 1/2, 5/14, 1/4, 5/28 or 1/8. */
export function adaptiveRadius(rowNorm: number, level: number): number {
  return (rowNorm * (level % 2 === 0 ? 1 : 5 / 7)) / 2 ** Math.floor(level / 2);
}

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
 * With private centring, where the counts are of rows between one radius and the next: the number of rows
 * longer than the chosen radius, negative by noise.
 */
export function shortenedRows({ level, counts }: ClipChoice): number {
  return counts.slice(0, level).reduce((sum, count) => sum + count * COUNT_UNIT, 0);
}
