import { requireOptions } from '../../base/check.js';
import { PrivateMomentsError } from '../../base/errors.js';
import { asResult, type Result } from '../../output/results.js';
import type { Matrix } from '../../study/types.js';
import { unwrap } from '../../core/unwrap.js';
import {
  centreOf,
  defaultComponents,
  deviationOf,
  numbered,
  requireComponents,
  requireRows,
  type Context,
} from '../context.js';
import { matrixOf, viewOf, weightsAndLoadings, type GccaView } from '../variates.js';
import { resolveTwo, type ViewChoice } from '../views.js';

/** Every component takes a convex programme of all features, and few are read. */
const MOST_BY_DEFAULT = 3;

export interface SparsePcaOptions {
  /** Number of components. Default: the study's, and at most 3. */
  components?: number;
  /**
   * Multiplies the penalty, 0 or above. At 1, the default, the penalty is the level that no entry's noise and
   * sampling error exceed in 19 of 20 releases. At 0 all features have weights, as in `pca`.
   */
  sparsity?: number;
}

export interface SparseCcaOptions extends Pick<SparsePcaOptions, 'sparsity'> {
  /** The first view: its name, or a list of columns. Default: the study's two views, in alphabetical order. */
  x?: ViewChoice;
  /** The second view, like `x`. */
  y?: ViewChoice;
  /** The two views in one list, in place of `x` and `y`. */
  views?: readonly [ViewChoice, ViewChoice];
  /** Number of pairs, from 1 to the features of the smaller view. Default 1. */
  components?: number;
}

/** A figure of sparse weights. */
export interface SparseEstimate {
  value: number;
  /** What noise alone would show along the same features; for correlations sampling counts too. */
  noiseFloor: number;
  /** True if noise alone could have produced the value: do not interpret it. */
  belowNoiseFloor: boolean;
}

export interface SparsePcaResult extends Result {
  analysis: 'sparsePca';
  options: Required<SparsePcaOptions>;
  /**
   * Variance along each component in scaled units, its share of the total, and the number of features with
   * a weight, in the order in which components were found.
   */
  explained: (SparseEstimate & { share: number; nonzeros: number })[];
  columns: string[];
  /** The means in original units, which are subtracted from a row to score it. */
  centre: Matrix;
  /** Standard deviations in original units; 0 if noise left no variance. */
  deviation: Matrix;
  /** features x components, for original units; exactly 0 for features that do not take part. */
  weights: Matrix;
  /** features x components, for scaled units; columns of length 1, orthogonal to each other. */
  loadings: Matrix;
  /** features x components: correlation of every feature with the score. */
  correlations: Matrix;
  /** Variance in scaled units that noise alone produces along any direction. */
  noiseFloor: number;
  rows: number;
}

export interface SparseCcaResult extends Result {
  analysis: 'sparseCca';
  options: Omit<SparseCcaOptions, 'views'> &
    Required<Pick<SparseCcaOptions, 'x' | 'y' | 'components' | 'sparsity'>>;
  /**
   * The correlation of each pair, and the number of features with a weight in each view, by its name. Both
   * are 0 if nothing between the views exceeds its noise.
   */
  correlations: (SparseEstimate & { nonzeros: Record<string, number> })[];
  /** The views by name; a list of columns is named `x` or `y`. */
  views: Record<string, GccaView>;
  /** The largest noise floor of a pair. */
  noiseFloor: number;
  rows: number;
}

function sparsityOf({ sparsity = 1 }: SparsePcaOptions): number {
  if (typeof sparsity === 'number' && Number.isFinite(sparsity) && sparsity >= 0) return sparsity;
  const message = 'sparsity must be a finite number of at least 0';
  throw new PrivateMomentsError('invalid-alpha', message, { field: 'sparsity' });
}

export function sparsePca(context: Context, options: SparsePcaOptions): SparsePcaResult {
  requireOptions(options, ['components', 'sparsity']);
  requireRows(context);
  const { columns, guarantee, origin, rows } = context;
  const most = Math.min(columns.length, MOST_BY_DEFAULT);
  const { components = defaultComponents(context, most) } = options;
  requireComponents(components, columns.length);
  const sparsity = sparsityOf(options);
  const sample = { rows: context.completeRows };
  const raw = unwrap(
    context.core.sparsePca({ ...context.covariance, components, sparsity, ...sample }),
  );
  const all = columns.map((_, feature) => feature);
  const labels = numbered('SPC', components);
  return asResult<Omit<SparsePcaResult, 'toJSON' | 'toCSV'>>({
    analysis: 'sparsePca',
    options: { components, sparsity },
    origin,
    explained: raw.explained,
    columns: [...columns],
    centre: centreOf(context, all),
    deviation: deviationOf(context, all),
    ...weightsAndLoadings(columns, labels, raw, undefined),
    correlations: matrixOf(columns, labels, raw.correlations),
    noiseFloor: raw.noiseFloor,
    guarantee,
    rows,
  });
}

export function sparseCca(context: Context, options: SparseCcaOptions): SparseCcaResult {
  requireOptions(options, ['x', 'y', 'views', 'components', 'sparsity']);
  requireRows(context);
  const { guarantee, origin, rows } = context;
  const [x, y] = resolveTwo(context.study, options);
  const { components = 1 } = options;
  requireComponents(components, Math.min(x.features.length, y.features.length));
  const sparsity = sparsityOf(options);
  const raw = unwrap(
    context.core.sparseCca({
      ...context.covariance,
      x: x.features,
      y: y.features,
      components,
      sparsity,
      rows: context.completeRows,
    }),
  );
  const labels = numbered('SCC', components);
  return asResult<Omit<SparseCcaResult, 'toJSON' | 'toCSV'>>({
    analysis: 'sparseCca',
    options: {
      x: options.x ?? options.views?.[0] ?? x.name,
      y: options.y ?? options.views?.[1] ?? y.name,
      components,
      sparsity,
    },
    origin,
    correlations: raw.correlations.map(
      ({ value, noiseFloor, belowNoiseFloor, nonzerosX, nonzerosY }) => ({
        value,
        noiseFloor,
        belowNoiseFloor,
        nonzeros: { [x.name]: nonzerosX, [y.name]: nonzerosY },
      }),
    ),
    views: Object.fromEntries([
      [x.name, viewOf(context, x.features, raw.x, labels, undefined)],
      [y.name, viewOf(context, y.features, raw.y, labels, undefined)],
    ]),
    noiseFloor: Math.max(...raw.correlations.map(({ noiseFloor }) => noiseFloor)),
    guarantee,
    rows,
  });
}
