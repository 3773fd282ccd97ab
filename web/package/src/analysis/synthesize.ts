import { checker } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import { rawColumns } from '../core/plan.js';
import { readRows, readSeed } from '../synthesis/draw.js';
import {
  drawnFigures,
  featurePairs,
  MAX_CANONICAL,
  PRESERVATION_LEVEL,
  INTERVAL_ERRORS,
  viewPairs,
  type Figures,
  type ReleasedFigure,
} from '../synthesis/preservation.js';
import type { SyntheticParts } from '../synthesis/synthetic.js';
import { unwrap } from '../core/unwrap.js';
import { cca } from './cca.js';
import { requireRows, type Context } from './context.js';
import { uncertainty } from './uncertainty.js';
import { resolve } from './views.js';

export interface SynthesizeMomentsOptions {
  /** Number of rows to draw; rows times columns must be at most 40 million. */
  rows: number;
  /**
   * Seed of the draw, a whole number: the same seed gives the same rows. It does not affect the noise in
   * the releases, which protects people and has no seed. Default: none; the rows are drawn with the
   * machine's random generator.
   */
  seed?: number;
  /**
   * A category whose classes get their own means. Without it, all rows are drawn from one normal
   * distribution.
   */
  label?: string;
}

const check = checker('unsupported-option');

/** @internal Draws synthetic rows. The released figures to compare them with are computed on demand. */
export function synthesize(
  context: Context,
  options: SynthesizeMomentsOptions,
): SyntheticParts & { released: () => Figures<ReleasedFigure> } {
  const { study, core, covariance, sums } = context;
  requireRows(context);
  const fields = check.object(options, 'options', ['rows'], ['seed', 'label']);
  const count = readRows(fields.rows, study.columns.length);
  const seed = readSeed(fields.seed);
  const raw = unwrap(
    core.synthesize({
      ...{ ...sums, bound: covariance.bound, columns: rawColumns(study.columns) },
      ...{ label: labelOf(context, fields.label), count, seed },
      ...{ viewPairs: featurePairs(study), components: MAX_CANONICAL },
    }),
  );
  return {
    study,
    guarantee: context.guarantee,
    origin: context.origin,
    options: { rows: count, seed, label: fields.label ?? null },
    values: raw.values,
    seed,
    narrowed: Array.from(raw.narrowed, (column) => study.columns[column]?.name ?? ''),
    released: () => releasedFigures(context),
    drawn: drawnFigures(raw),
  };
}

/** @internal Draws synthetic rows and computes everything, as plain data that can be posted. */
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
  const message = 'label must be the name of a category column';
  throw new PrivateMomentsError('unsupported-option', message, { field: 'label' });
}

/**
 * The released figures with intervals that include noise and sampling. Deviations are square roots of
 * variances; errors of correlations are to first order, for normal rows and independent noise.
 */
function releasedFigures(context: Context): Figures<ReleasedFigure> {
  const { columns, core, covariance, mean, released, rows, study, sums } = context;
  const errors = uncertainty(context, { level: PRESERVATION_LEVEL });
  const d = columns.length;
  const of = (values: Float64Array, at: number): number => values[at] ?? 0;
  const figures = (values: Float64Array, low: Float64Array, high: Float64Array): ReleasedFigure[] =>
    Array.from(values, (value, at) => ({ value, low: of(low, at), high: of(high, at) }));

  const rowOfMean = (row: number): Float64Array =>
    errors.mean.values.subarray(row * d, row * d + d);
  const root = (value: number): number => Math.sqrt(Math.max(0, value));
  const { low, high, standardError } = errors.covariance;
  const deviations = Array.from({ length: d }, (_, i): ReleasedFigure => {
    const at = i * (d + 1);
    return {
      value: root(of(released, at)),
      low: root(of(low.values, at)),
      high: root(of(high.values, at)),
    };
  });

  // Denoised variances: dividing by a released variance near 0 would inflate a correlation.
  const { covariance: clean } = unwrap(core.denoiseMoments({ ...sums, bound: covariance.bound }));
  const variance = (i: number): number => of(clean, i * (d + 1));
  /** Variance of the privacy noise alone, in units of both deviations. */
  const noise = (i: number, j: number): number => {
    const at = i * d + j;
    const [vi, vj] = [root(of(released, i * (d + 1))) ** 2, root(of(released, j * (d + 1))) ** 2];
    const sampling = (vi * vj + of(released, at) ** 2) / rows;
    return Math.max(0, of(standardError.values, at) ** 2 - sampling) / (variance(i) * variance(j));
  };
  const correlations = Array.from({ length: d * d }, (_, at): ReleasedFigure => {
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
      low: Math.max(-1, value - INTERVAL_ERRORS * error),
      high: Math.min(1, value + INTERVAL_ERRORS * error),
    };
  });

  const canonical = viewPairs(study).map(([x, y]) => {
    const max = Math.min(
      resolve(study, x, x).features.length,
      resolve(study, y, y).features.length,
    );
    const components = Math.min(max, MAX_CANONICAL);
    const { correlations: found } = cca(context, { x, y, components, level: PRESERVATION_LEVEL });
    return found.map(({ value, low: from, high: to }): ReleasedFigure => ({
      value,
      ...(from === undefined ? {} : { low: from }),
      ...(to === undefined ? {} : { high: to }),
    }));
  });
  return {
    means: figures(mean.values, rowOfMean(2), rowOfMean(3)),
    deviations,
    correlations,
    canonical,
  };
}
