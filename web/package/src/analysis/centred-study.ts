import { requireOptions } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import { specOf } from '../core/plan.js';
import type { Core } from '../core/raw.js';
import { unwrap } from '../core/unwrap.js';
import { MECHANISM_FACTS } from '../generated/mechanisms.js';
import { halfWidths, midpoints } from '../study/features.js';
import { defineStudy, type Study } from '../study/study.js';
import type { Column, Privacy } from '../study/types.js';

/** Options of `Moments.centredStudy`. */
export interface CentredStudyOptions {
  /** The privacy of the new study, in addition to that of these moments. */
  privacy: Privacy;
  /** Default: the title of these moments' study. */
  title?: string;
}

/** Moments in original units, with their noise, for each feature. */
export interface NoisyMoments {
  rows: number;
  releases: number;
  mean: Float64Array;
  meanSd: Float64Array;
  variance: Float64Array;
  varianceSd: Float64Array;
}

/** The smallest and largest clip radius, in roots of the number of columns, and the steps between them. */
const SHORTEST = 0.35;
const STEPS = 14;
const STEP = Math.sqrt(Math.SQRT2);

/** The smallest variance that coordinates can have, in scaled units. */
const LEAST_VARIANCE = 2 ** -40;
/** The typical squared length of a row is taken to be at least this share of the number of columns. */
const LEAST_TYPICAL = 0.25;

/** The study of a second round, in coordinates that follow from noisy moments. docs/federation.md */
export function centredStudy(
  core: Core,
  study: Study,
  moments: NoisyMoments,
  options: CentredStudyOptions,
): Study {
  requireOptions(options, ['privacy', 'title']);
  const { privacy, title = study.title } = options;
  const { columns, typical, longest } = coordinatesFrom(study, moments);
  const { mechanism, ...terms } = study.toJSON();
  const { centring, pure } = MECHANISM_FACTS[mechanism.name];
  const keepsMechanism =
    centring && (pure || (privacy as Partial<Privacy> | undefined)?.delta !== 0);
  const about = (rowNorm: number): Study =>
    defineStudy({
      ...terms,
      ...(keepsMechanism ? { mechanism } : {}),
      ...{ title, columns, clipping: 'fixed', privacy, rowNorm },
    });
  const { noise } = unwrap(core.describe(specOf(about(1))));
  const sd = (noise.sdOffDiagonal * Math.sqrt(moments.releases)) / moments.rows;
  const radius = Math.min(longest, radiusFor(study, typical, sd));
  return about(Number(radius.toPrecision(4)));
}

interface Coordinates {
  columns: Column[];
  /** The squared length of a typical row, as a share of the number of columns. */
  typical: number;
  /** The length of the longest possible row. */
  longest: number;
}

function coordinatesFrom(study: Study, moments: NoisyMoments): Coordinates {
  const [middle, half] = [midpoints(study), halfWidths(study)];
  const names = study.features.map(({ name }) => name);
  const numbers = study.columns.flatMap((column) => {
    if (column.type === 'category') return [];
    const j = names.indexOf(column.name);
    const unit = half[j] ?? 1;
    const at = (values: Float64Array, power: number): number => (values[j] ?? 0) / unit ** power;
    const mean = ((moments.mean[j] ?? 0) - (middle[j] ?? 0)) / unit;
    const centre = shrunk(mean, at(moments.meanSd, 1));
    const variance = at(moments.variance, 2) + (mean - centre) ** 2;
    return [{ column, unit, centre, variance, sd: at(moments.varianceSd, 2) }];
  });
  const count = numbers.length;
  if (count === 0) {
    const message = 'the study has no number column, and others have no centre or spread';
    throw new PrivateMomentsError('unsupported-data', message);
  }
  const average = (values: number[]): number => values.reduce((a, b) => a + b, 0) / count;
  const pooled = average(numbers.map(({ variance }) => variance));
  const noise = average(numbers.map(({ sd }) => sd ** 2));
  const differences = average(numbers.map(({ variance }) => (variance - pooled) ** 2));
  // How far a variance of its own can be told from that of all columns.
  const own = differences > noise ? (differences - noise) / differences : 0;
  const common = Math.max(pooled, Math.sqrt(noise / count));

  const all = study.columns.length;
  let typical = all - count;
  let doubt = 0;
  let longest = all - count;
  const stated = new Map<string, Column>();
  for (const { column, unit, centre, variance, sd } of numbers) {
    const likely = Math.max(common + own * (variance - common), Math.min(sd, common));
    const scale = Math.min(1, Math.max(LEAST_VARIANCE, likely));
    typical += variance / scale;
    doubt += (sd / scale) ** 2;
    longest += (1 + Math.abs(centre)) ** 2 / scale;
    const { min, max } = column;
    const digits = Math.min(20, Math.max(0, 4 - Math.floor(Math.log10(unit))));
    const original = Number((min / 2 + max / 2 + centre * unit).toFixed(digits));
    const spread = Number((Math.sqrt(scale) * unit).toPrecision(4));
    stated.set(column.name, {
      ...column,
      centre: Math.min(max, Math.max(min, original)),
      spread: Math.min(unit, Math.max(unit * Math.sqrt(LEAST_VARIANCE), spread)),
    });
  }
  return {
    columns: study.columns.map((column) => stated.get(column.name) ?? column),
    typical: Math.min(1, Math.max(LEAST_TYPICAL, (typical + Math.sqrt(doubt) / 2) / all)),
    longest: Math.sqrt(longest),
  };
}

/** A mean, moved towards the middle of the bounds as far as it may be noise. */
function shrunk(mean: number, sd: number): number {
  const signal = mean ** 2 - sd ** 2;
  const centre = signal > 0 ? (mean * signal) / (signal + sd ** 2) : 0;
  return Math.min(1, Math.max(-1, centre));
}

/**
 * The clip radius with the least expected error: what clipping loses, for an assumed distribution of the
 * lengths of rows with a heavy tail, against the noise, which grows with the square of the radius. As in the
 * rule of private centring, a loss counts as the geometric mean of its Frobenius norm in one direction and
 * spread over all.
 * @param sd of the noise in an entry of the second moments divided by the rows, for a radius of 1
 */
function radiusFor({ columns, features }: Study, typical: number, sd: number): number {
  const all = columns.length;
  const d = features.length;
  const errors = Array.from({ length: STEPS }, (_, step) => {
    const k = SHORTEST * STEP ** step;
    const lost = all * typical * Math.exp((-2 * k) / Math.sqrt(typical));
    return { k, error: lost ** 2 / Math.sqrt(d) + (k * k * all * sd) ** 2 * d * (d + 1) };
  });
  const { k } = errors.reduce((best, next) => (next.error < best.error ? next : best));
  return k * Math.sqrt(all);
}
