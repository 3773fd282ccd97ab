import { didYouMean, requireOptions } from '../../base/check.js';
import { PrivateMomentsError } from '../../base/errors.js';
import type { Part, RawCcaOptions } from '../../core/raw.js';
import { asResult, type Result } from '../../output/results.js';
import type { Estimates, Matrix } from '../../study/types.js';
import { unwrap } from '../../core/unwrap.js';
import {
  centreOf,
  defaultComponents,
  deviationOf,
  hiddenOf,
  numbered,
  requireComponents,
  requireRows,
  type Context,
  type Estimate,
} from '../context.js';
import { drawsOf, figureOf, INTERVALS, simulationOf, type IntervalOptions } from '../intervals.js';
import { matrixOf } from '../variates.js';
import { resolve, type ResolvedView, type ViewChoice } from '../views.js';

export interface LdaOptions extends IntervalOptions {
  /** A category column, whose levels are the classes. */
  target: string;
  /** What discriminates: a view's name, or a list of columns. Default: all columns but the target. */
  features?: ViewChoice;
  /** Number of discriminants, at most one less than classes. Default: the study's, else all. */
  components?: number;
}

export interface LdaResult extends Result {
  analysis: 'lda';
  options: { target: string; features: string[]; components: number } & IntervalOptions;
  /**
   * The correlation r of each discriminant with the classes, largest first: r^2 is the share of its variance
   * that lies between classes. `noiseFloor` as for `cca`. With a level, intervals for the population.
   */
  correlations: (Estimate & { noiseFloor: number })[];
  /**
   * The levels of the target, and the share of the rows in each. A class is below its noise floor if it has
   * fewer than two rows or more noise in its means than a quarter of the range of a column (with private
   * centring: half a unit of `coordinates`); `means` are then those of all rows.
   */
  classes: { level: string; share: number; belowNoiseFloor: boolean }[];
  /** classes x features, original units. */
  means: Matrix;
  /** classes x components: mean score of each class. */
  centroids: Matrix;
  /** Features of the predictors. */
  columns: string[];
  /** The means of all rows in original units, which are subtracted from a row to score it. */
  centre: Matrix;
  /** Standard deviations in original units; 0 if noise left no variance. */
  deviation: Matrix;
  /** features x components, for original units: scores have variance 1 within classes. */
  weights: Matrix;
  /** features x components: correlation of each feature with the score. With a level, intervals. */
  loadings: Estimates;
  /** True if `hidden` is empty: in no direction of the features does noise exceed the variance. */
  resolved: boolean;
  /** The number of directions of `features` and of the classes that are hidden by noise, as for `cca`. */
  hidden: Record<string, number>;
  /** The largest correlation that noise alone would show. */
  noiseFloor: number;
  rows: number;
}

interface Prepared {
  features: ResolvedView;
  target: string;
  levels: string[];
  raw: RawCcaOptions;
}

function prepare(context: Context, options: LdaOptions): Prepared {
  requireOptions(options, ['target', 'features', 'components', ...INTERVALS]);
  requireRows(context);
  const { study } = context;
  const target = targetOf(context, options.target);
  const others = study.columns.map(({ name }) => name).filter((name) => name !== target);
  const features = resolve(study, 'features', options.features ?? others);
  if (features.features.some((feature) => study.features[feature]?.column === target)) {
    const message = `the column "${target}" is the target: it cannot be among the features too`;
    throw new PrivateMomentsError('invalid-view', message, { field: 'features', column: target });
  }
  const classes = study.features.flatMap(({ column }, index) => (column === target ? [index] : []));
  const most = Math.min(features.features.length, classes.length - 1);
  const { components = defaultComponents(context, most) } = options;
  requireComponents(components, most);
  const levels = classes.map((index) => (context.columns[index] ?? '').slice(target.length + 1));
  const raw = { ...context.covariance, x: features.features, y: classes, components };
  return { features, target, levels, raw };
}

export function ldaDraws(context: Context, options: LdaOptions, part: Part): Float64Array {
  const { raw } = prepare(context, options);
  return drawsOf(context, options, raw, part, (all) => context.core.ccaDraws(all));
}

export function lda(context: Context, options: LdaOptions): LdaResult {
  const { features: view, target, levels, raw: question } = prepare(context, options);
  const { guarantee, mean, origin, rows, study } = context;
  const { x: features, y: classes, components } = question;
  const sample = { mean: mean.values, rows: context.completeRows };
  const raw = unwrap(context.core.lda({ ...question, ...sample, features, classes }));
  const simulation = simulationOf(context, options);
  const intervals =
    simulation && unwrap(context.core.ccaIntervals({ ...question, ...simulation.raw }));
  const columns = features.map((feature) => context.columns[feature] ?? '');
  const labels = numbered('LD', components);
  const own = intervals?.views[0];
  return asResult<Omit<LdaResult, 'toJSON' | 'toCSV'>>({
    analysis: 'lda',
    options: {
      target,
      features: [...new Set(features.map((feature) => study.features[feature]?.column ?? ''))],
      components,
      ...simulation?.options,
    },
    origin,
    correlations: raw.correlations.map(({ value, noiseFloor, belowNoiseFloor }, j) => ({
      value,
      noiseFloor,
      belowNoiseFloor,
      ...figureOf(intervals?.values[j]),
    })),
    classes: raw.classes.map(({ share, belowNoiseFloor }, c) => ({
      level: levels[c] ?? '',
      share,
      belowNoiseFloor,
    })),
    means: matrixOf(levels, columns, raw.means),
    centroids: matrixOf(levels, labels, raw.centroids),
    columns,
    centre: centreOf(context, features),
    deviation: deviationOf(context, features),
    weights: matrixOf(columns, labels, raw.weights),
    loadings: {
      ...matrixOf(columns, labels, raw.loadings),
      ...(own && { low: own.loadingsLow, high: own.loadingsHigh }),
    },
    ...hiddenOf([view.name, target], raw.hidden),
    noiseFloor: raw.noiseFloor,
    guarantee,
    rows,
  });
}

function targetOf({ study }: Context, target: unknown): string {
  const names = study.columns.flatMap((column) => ('levels' in column ? [column.name] : []));
  const found = names.find((name) => name === target);
  if (found !== undefined) return found;
  const near = didYouMean(String(target), names);
  const message = `target must be a category column of the study (${names.join(', ') || 'it has none'})${near}`;
  throw new PrivateMomentsError('invalid-view', message, { field: 'target' });
}
