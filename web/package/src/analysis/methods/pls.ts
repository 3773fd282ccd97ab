import { didYouMean, requireOptions } from '../../base/check.js';
import { PrivateMomentsError } from '../../base/errors.js';
import type { RawPlsView } from '../../core/raw.js';
import { unwrap } from '../../core/unwrap.js';
import { asResult, type Result } from '../../output/results.js';
import type { Matrix } from '../../study/types.js';
import {
  centreOf,
  defaultComponents,
  deviationOf,
  hiddenOf,
  numbered,
  requireComponents,
  requireRows,
  type Context,
} from '../context.js';
import { matrixOf } from '../variates.js';
import { resolve, resolveTwo, type ViewChoice } from '../views.js';

/** What most tables need. */
const COMPONENTS_BY_DEFAULT = 2;

export interface PlsCorrelationOptions {
  /** The first view: its name, or a list of columns. Default: the study's two views, in alphabetical order. */
  x?: ViewChoice;
  /** The second view, like `x`. */
  y?: ViewChoice;
  /** The two views in one list, in place of `x` and `y`. */
  views?: readonly [ViewChoice, ViewChoice];
  /** Number of pairs, from 1 to the features of the smaller view. Default: the study's, else all. */
  components?: number;
}

export interface PlsRegressionOptions {
  /** What to predict: number columns, levels of categories as `column=level`, or a category for all its levels. */
  target: string | readonly string[];
  /** The predictors: a view's name, or a list of columns. Default: all columns but the targets'. */
  features?: ViewChoice;
  /** Number of components, from 1 to the predictors' features. Default 2. */
  components?: number;
}

/** A figure of partial least squares. */
export interface PlsEstimate {
  value: number;
  /** What privacy noise and few rows alone would show. */
  noiseFloor: number;
  /** True if they could have produced the value: do not interpret it. */
  belowNoiseFloor: boolean;
}

/** A view in a result of `plsCorrelation`: how its scores are made. */
export interface PlsViewResult {
  columns: string[];
  /** The means in original units, which are subtracted from a row to score it. */
  centre: Matrix;
  /** Standard deviations in original units; 0 if noise left no variance. */
  deviation: Matrix;
  /** features x components, for original units. */
  weights: Matrix;
  /** features x components: the weights of standardised features; columns of length 1, orthogonal to each other. */
  saliences: Matrix;
  /** features x components: correlation of each feature with the score of its view. */
  loadings: Matrix;
}

export interface PlsCorrelationResult extends Result {
  analysis: 'plsCorrelation';
  options: Omit<PlsCorrelationOptions, 'views'> &
    Required<Pick<PlsCorrelationOptions, 'x' | 'y' | 'components'>>;
  /**
   * The singular value of each pair, largest first: the covariance of its two scores. `share` is its part of
   * the sum of all squared correlations between the views, `correlation` that of the two scores.
   */
  pairs: (PlsEstimate & { share: number; correlation: number })[];
  /** The views by name; a list of columns is named `x` or `y`. */
  views: Record<string, PlsViewResult>;
  /** True if `hidden` is empty: every feature varies by more than its noise. */
  resolved: boolean;
  /** The number of features of each view whose variance noise hides, if there are any. */
  hidden: Record<string, number>;
  /** The largest singular value that noise and few rows alone would show. */
  noiseFloor: number;
  rows: number;
}

export interface PlsRegressionResult extends Result {
  analysis: 'plsRegression';
  options: { target: string[]; features: string[]; components: number };
  /**
   * The components in the order in which they were found. `value`: the largest covariance of standardised
   * predictors and targets that earlier components left; `shareOfFeatures` and `shareOfTargets`: the part of
   * their variances that the score explains. For exact moments floors are 0.
   */
  components: (PlsEstimate & { shareOfFeatures: number; shareOfTargets: number })[];
  /** How many leading components lie above their floors: the coefficients are of these alone. */
  used: number;
  /** The targets, in original units. `r2` is the share of variance explained, 0 to 1; `residualSd` has divisor n. */
  targets: { target: string; intercept: number; r2: number; residualSd: number }[];
  /** Features of the predictors. */
  columns: string[];
  /** The means in original units, which are subtracted from a row to score it. */
  centre: Matrix;
  /** Standard deviations in original units; 0 if noise left no variance. */
  deviation: Matrix;
  /** features x targets, original units; 0 if no component is used. */
  coefficients: Matrix;
  /** features x components, for original units: scores have variance 1 and are uncorrelated. */
  weights: Matrix;
  /** features x components: correlation of each feature with the score. */
  loadings: Matrix;
  /** targets x components: correlation of each target with the score. */
  targetLoadings: Matrix;
  /** As for `plsCorrelation`, with the names `features` (or the view's) and `targets`. */
  resolved: boolean;
  hidden: Record<string, number>;
  /** The floor of the first component. */
  noiseFloor: number;
  rows: number;
}

export function plsCorrelation(
  context: Context,
  options: PlsCorrelationOptions,
): PlsCorrelationResult {
  requireOptions(options, ['x', 'y', 'views', 'components']);
  requireRows(context);
  const [x, y] = resolveTwo(context.study, options);
  const most = Math.min(x.features.length, y.features.length);
  const { components = defaultComponents(context, most) } = options;
  requireComponents(components, most);
  const raw = unwrap(
    context.core.plsCorrelation({
      ...context.covariance,
      x: x.features,
      y: y.features,
      components,
      rows: context.completeRows,
    }),
  );
  const labels = numbered('PLS', components);
  return asResult<Omit<PlsCorrelationResult, 'toJSON' | 'toCSV'>>({
    analysis: 'plsCorrelation',
    options: {
      x: options.x ?? options.views?.[0] ?? x.name,
      y: options.y ?? options.views?.[1] ?? y.name,
      components,
    },
    origin: context.origin,
    pairs: raw.pairs.map(({ value, share, correlation, noiseFloor, belowNoiseFloor }) => ({
      value,
      noiseFloor,
      belowNoiseFloor,
      share,
      correlation,
    })),
    views: {
      [x.name]: plsViewOf(context, x.features, labels, raw.x, raw.saliencesX),
      [y.name]: plsViewOf(context, y.features, labels, raw.y, raw.saliencesY),
    },
    ...hiddenOf([x.name, y.name], raw.hidden),
    noiseFloor: raw.noiseFloor,
    guarantee: context.guarantee,
    rows: context.rows,
  });
}

function plsViewOf(
  context: Context,
  features: readonly number[],
  labels: readonly string[],
  { weights, loadings }: RawPlsView,
  saliences: Float64Array,
): PlsViewResult {
  const columns = features.map((feature) => context.columns[feature] ?? '');
  return {
    columns,
    centre: centreOf(context, features),
    deviation: deviationOf(context, features),
    weights: matrixOf(columns, labels, weights),
    saliences: matrixOf(columns, labels, saliences),
    loadings: matrixOf(columns, labels, loadings),
  };
}

export function plsRegression(
  context: Context,
  options: PlsRegressionOptions,
): PlsRegressionResult {
  requireOptions(options, ['target', 'features', 'components']);
  requireRows(context);
  const { columns, study } = context;
  const columnOf = (feature: number): string => study.features[feature]?.column ?? '';
  const targets = targetsOf(context, options.target);
  const taken = new Set(targets.map(columnOf));
  const others = study.columns.map(({ name }) => name).filter((name) => !taken.has(name));
  const view = resolve(study, 'features', options.features ?? others);
  const both = view.features.map(columnOf).find((name) => taken.has(name));
  if (both !== undefined) {
    const message = `the column "${both}" is a target: it cannot be a predictor too`;
    throw new PrivateMomentsError('invalid-view', message, { field: 'features', column: both });
  }
  const most = view.features.length;
  const { components = Math.min(COMPONENTS_BY_DEFAULT, most) } = options;
  requireComponents(components, most);
  const raw = unwrap(
    context.core.plsRegression({
      ...context.covariance,
      mean: context.mean.values,
      features: view.features,
      targets,
      components,
      rows: context.completeRows,
    }),
  );
  const names = view.features.map((feature) => columns[feature] ?? '');
  const targetNames = targets.map((feature) => columns[feature] ?? '');
  const labels = numbered('PLS', components);
  return asResult<Omit<PlsRegressionResult, 'toJSON' | 'toCSV'>>({
    analysis: 'plsRegression',
    options: {
      target: targetNames,
      features: [...new Set(view.features.map(columnOf))],
      components,
    },
    origin: context.origin,
    components: raw.components.map(
      ({ value, noiseFloor, belowNoiseFloor, shareOfFeatures, shareOfTargets }) => ({
        value,
        noiseFloor,
        belowNoiseFloor,
        shareOfFeatures,
        shareOfTargets,
      }),
    ),
    used: raw.used,
    targets: targetNames.map((target, j) => ({
      target,
      intercept: raw.intercepts[j] ?? NaN,
      r2: raw.r2[j] ?? NaN,
      residualSd: raw.residualSd[j] ?? NaN,
    })),
    columns: names,
    centre: centreOf(context, view.features),
    deviation: deviationOf(context, view.features),
    coefficients: matrixOf(names, targetNames, raw.coefficients),
    weights: matrixOf(names, labels, raw.features.weights),
    loadings: matrixOf(names, labels, raw.features.loadings),
    targetLoadings: matrixOf(targetNames, labels, raw.targetLoadings),
    ...hiddenOf([view.name, 'targets'], raw.hidden),
    noiseFloor: raw.noiseFloor,
    guarantee: context.guarantee,
    rows: context.rows,
  });
}

/** The features of the targets: those of a column, or one level of a category. */
function targetsOf({ columns, study }: Context, target: unknown): number[] {
  const chosen: unknown[] = Array.isArray(target) ? target : [target];
  const found = chosen.flatMap((name) => {
    const level = columns.indexOf(name as string);
    if (level >= 0) return [level];
    const own = study.features.flatMap(({ column }, index) => (column === name ? [index] : []));
    if (own.length > 0) return own;
    const near = didYouMean(String(name), [...study.columns.map((column) => column.name)]);
    const message = `target must be columns of the study, or levels of categories as column=level${near}`;
    throw new PrivateMomentsError('invalid-view', message, { field: 'target' });
  });
  if (found.length > 0 && new Set(found).size === found.length) return found;
  const message = 'target must name at least one column, and none twice';
  throw new PrivateMomentsError('invalid-view', message, { field: 'target' });
}
