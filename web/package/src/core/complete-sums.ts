import type {
  Core,
  RawCountedGaps,
  RawFrame,
  RawGapSampling,
  RawMomentSums,
  RawNoise,
} from './raw.js';
import type { RawWithoutGaps } from '../generated/raw.js';
import { unwrap } from './unwrap.js';
import { marksGaps } from '../study/gaps.js';
import type { Study } from '../study/study.js';

/** What was missing in all releases together, as estimated from their noisy counts. */
export interface MomentsMissing {
  /** For each column the rows without a value in it, from 0 to all, and the standard deviation of the noise in that. */
  columns: { name: string; rows: number; share: number; sd: number }[];
  /**
   * The two columns that the fewest rows have both of, and their number; with `mean` as if gaps were independent of
   * each other. A study of one column has it alone.
   */
  fewest: { columns: string[]; rows: number; sd: number };
  /**
   * As many complete rows as have the same information, the harmonic mean of the rows over all pairs of
   * columns. `secondMoments` are theirs, and floors count with them.
   */
  completeRows: number;
}

/** What changes where sums of complete rows take the place of those of rows that mark their gaps. */
export interface CompleteSums {
  sums: Float64Array;
  rows: number | null;
  bound: number;
  frame: Required<RawFrame>;
  noise: RawNoise;
  gapSampling?: RawGapSampling;
  traceLost: number;
  /** Number of all rows, and what was missing. */
  allRows: number;
  missing: MomentsMissing;
}

/**
 * Sums of complete rows in place of those of rows that mark their gaps or whose gaps were counted; nothing for other
 * studies.
 * @param of the position of each feature's column
 */
export function withoutGaps(
  core: Core,
  study: Study,
  sums: RawMomentSums,
  { of, bound, traceLost = 0, counted }: GapsOfSums,
): CompleteSums | undefined {
  if (counted !== undefined) {
    const complete = unwrap(core.withMeans({ ...sums, columns: of, bound, counted }));
    return completeSums(study, sums, complete, traceLost);
  }
  if (!marksGaps(study.missing)) return undefined;
  const complete = unwrap(core.withoutGaps({ ...sums, columns: of, bound }));
  return completeSums(study, sums, complete, traceLost);
}

interface GapsOfSums {
  of: number[];
  bound: number;
  traceLost?: number | undefined;
  /** What surveys counted, where the sums are corrected for that. */
  counted?: RawCountedGaps | undefined;
}

function completeSums(
  { columns }: Study,
  sums: RawMomentSums,
  complete: RawWithoutGaps,
  traceLost: number,
): CompleteSums {
  const { cells, cellsSd, first, second, fewest, fewestSd, rows } = complete.gaps;
  const pair = [...new Set([first, second])].map((index) => columns[index]?.name ?? '');
  const { diagonal, offDiagonal, linear, count, sampledRows, excess } = complete;
  return {
    sums: complete.sums,
    rows: sums.rows === null ? null : complete.rows,
    bound: complete.bound,
    frame: { centre: complete.centre, units: complete.units, noiseCentres: complete.noiseCentres },
    noise: { ...sums.noise, diagonal, offDiagonal, linear, count },
    ...(excess.length === 0 ? {} : { gapSampling: { sampledRows, excess } }),
    traceLost: traceLost * complete.inflation,
    allRows: rows,
    missing: {
      columns: columns.map(({ name }, index) => {
        const empty = cells[index] ?? 0;
        return { name, rows: empty, share: empty / rows, sd: cellsSd };
      }),
      fewest: { columns: pair, rows: fewest, sd: fewestSd },
      completeRows: complete.rows,
    },
  };
}
