import type { ClipChoice } from './types.js';

/** Counts of a release are in units of so many rows. */
export const COUNT_UNIT = 2 ** -16;

/** What adaptive clipping did to the rows, as far as the releases tell. */
export interface MomentsClipping {
  /** How many rows were shortened, by the releases' noisy counts; not negative. */
  shortened: number;
  /** Standard deviation of the noise in `shortened`. */
  sd: number;
  /** The clip radii, scaled units, longest first, and how many releases chose each. */
  radii: { radius: number; releases: number }[];
}

/** Adds up what releases say of the rows they shortened. */
export class ClipTally {
  readonly #releases = new Map<number, number>();
  #shortened = 0;
  #noisy = 0;

  add({ level, counts }: ClipChoice, radius: number): void {
    this.addSum(level, counts[level - 1] ?? 0, 1, radius);
  }

  /** @param count the sum of what `releases` releases of this level say of it */
  addSum(level: number, count: number, releases: number, radius: number): void {
    this.#releases.set(radius, (this.#releases.get(radius) ?? 0) + releases);
    // At the whole radius no count says anything, and rows are shortened by rounding at most.
    if (level === 0) return;
    this.#shortened += count * COUNT_UNIT;
    this.#noisy += releases;
  }

  /** @param sdOfOne standard deviation of one count */
  result(sdOfOne: number): MomentsClipping | null {
    if (this.#releases.size === 0) return null;
    return {
      shortened: Math.max(0, this.#shortened),
      sd: sdOfOne * Math.sqrt(this.#noisy),
      radii: [...this.#releases]
        .map(([radius, releases]) => ({ radius, releases }))
        .sort((a, b) => b.radius - a.radius),
    };
  }
}
