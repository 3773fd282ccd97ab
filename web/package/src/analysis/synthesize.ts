import { checker } from '../check.js';
import { PrivateMomentsError } from '../errors.js';
import { rawColumns } from '../plan.js';
import { readRows, readSeed } from '../synthesis/draw.js';
import {
  drawnFigures,
  featurePairs,
  MOST_CANONICAL,
  PRESERVATION_LEVEL,
  REACH,
  viewPairs,
  type Figures,
  type Known,
} from '../synthesis/preservation.js';
import type { SyntheticParts } from '../synthesis/synthetic.js';
import { unwrap } from '../unwrap.js';
import { cca } from './cca.js';
import { requireRows, type Context } from './context.js';
import { uncertainty } from './uncertainty.js';
import { resolve } from './views.js';

export interface SynthesizeMomentsOptions {
  /** How many rows to draw: rows times columns at most 40 million. */
  rows: number;
  /**
   * Of the draw alone, a whole number: the same seed gives the same rows. It has nothing to do with
   * the noise in the releases, which protects people and has no seed. Default: none, and the rows
   * are drawn with the machine's randomness.
   */
  seed?: number;
  /**
   * A category that is a class label: rows of each class are drawn around that class's own means.
   * Without it one normal law, whose other columns follow the label by a linear regression.
   */
  label?: string;
}

const check = checker('unsupported-option');

/** @internal What synthetic rows are made of: drawn now, and what was released compared when asked for. */
export function synthesize(
  context: Context,
  options: SynthesizeMomentsOptions,
): SyntheticParts & { released: () => Figures<Known> } {
  const { study, core, covariance, sums } = context;
  requireRows(context);
  const given = check.object(options, 'options', ['rows'], ['seed', 'label']);
  const count = readRows(given.rows, study.columns.length);
  const seed = readSeed(given.seed);
  const raw = unwrap(
    core.synthesize({
      ...{ ...sums, bound: covariance.bound, columns: rawColumns(study.columns) },
      ...{ label: labelOf(context, given.label), count, seed },
      ...{ viewPairs: featurePairs(study), components: MOST_CANONICAL },
    }),
  );
  return {
    study,
    guarantee: context.guarantee,
    origin: context.origin,
    options: { rows: count, seed, label: given.label ?? null },
    values: raw.values,
    seed,
    narrowed: Array.from(raw.narrowed, (column) => study.columns[column]?.name ?? ''),
    released: () => releasedFigures(context),
    drawn: drawnFigures(raw),
  };
}

/** @internal The same with nothing left to compute: what can be posted. */
export function synthesizeWhole(
  context: Context,
  options: SynthesizeMomentsOptions,
): SyntheticParts {
  const parts = synthesize(context, options);
  return { ...parts, released: parts.released() };
}

function labelOf({ study }: Context, label: unknown): number {
  if (label === undefined) return -1;
  const index = study.columns.findIndex(({ name }) => name === label);
  if (study.columns[index]?.type === 'category') return index;
  const message = 'label must be the name of a category; numbers are drawn with all others anyway';
  throw new PrivateMomentsError('unsupported-option', message, { field: 'label' });
}

/**
 * Released figures with intervals for the noise and the rows as a sample. Deviations are roots of
 * variances; errors of correlations are to first order, of normal rows and of independent noise.
 */
function releasedFigures(context: Context): Figures<Known> {
  const { columns, core, covariance, mean, released, rows, study, sums } = context;
  const errors = uncertainty(context, { level: PRESERVATION_LEVEL });
  const d = columns.length;
  const of = (values: Float64Array, at: number): number => values[at] ?? 0;
  const known = (values: Float64Array, low: Float64Array, high: Float64Array): Known[] =>
    Array.from(values, (value, at) => ({ value, low: of(low, at), high: of(high, at) }));

  const rowOfMean = (row: number): Float64Array =>
    errors.mean.values.subarray(row * d, row * d + d);
  const root = (value: number): number => Math.sqrt(Math.max(0, value));
  const { low, high, standardError } = errors.covariance;
  const deviations = Array.from({ length: d }, (_, i): Known => {
    const at = i * (d + 1);
    return {
      value: root(of(released, at)),
      low: root(of(low.values, at)),
      high: root(of(high.values, at)),
    };
  });

  // Denoised variances: what a released one lost to noise would make a correlation of nothing.
  const { covariance: clean } = unwrap(core.denoiseMoments({ ...sums, bound: covariance.bound }));
  const variance = (i: number): number => of(clean, i * (d + 1));
  /** Of the privacy noise alone, in the units of both deviations. */
  const noise = (i: number, j: number): number => {
    const at = i * d + j;
    const [vi, vj] = [root(of(released, i * (d + 1))) ** 2, root(of(released, j * (d + 1))) ** 2];
    const sampling = (vi * vj + of(released, at) ** 2) / rows;
    return Math.max(0, of(standardError.values, at) ** 2 - sampling) / (variance(i) * variance(j));
  };
  const correlations = Array.from({ length: d * d }, (_, at): Known => {
    const [i, j] = [Math.floor(at / d), at % d];
    const both = Math.sqrt(variance(i) * variance(j));
    if (!(both > 0)) return { value: 0, low: -1, high: 1 };
    const value = Math.min(1, Math.max(-1, of(released, at) / both));
    const error = Math.sqrt(
      (1 - value * value) ** 2 / rows +
        noise(i, j) +
        ((value * value) / 4) * (noise(i, i) + noise(j, j)),
    );
    return {
      value,
      low: Math.max(-1, value - REACH * error),
      high: Math.min(1, value + REACH * error),
    };
  });

  const canonical = viewPairs(study).map(([x, y]) => {
    const most = Math.min(
      resolve(study, x, x).features.length,
      resolve(study, y, y).features.length,
    );
    const components = Math.min(most, MOST_CANONICAL);
    const { correlations: found } = cca(context, { x, y, components, level: PRESERVATION_LEVEL });
    return found.map(({ value, low: from, high: to }): Known => ({
      value,
      ...(from === undefined ? {} : { low: from }),
      ...(to === undefined ? {} : { high: to }),
    }));
  });
  return {
    means: known(mean.values, rowOfMean(2), rowOfMean(3)),
    deviations,
    correlations,
    canonical,
  };
}
