import { requireKnown } from '../check.js';
import { PrivateMomentsError } from '../errors.js';
import type { RawFigure } from '../raw.js';
import { asResult, type Result } from '../results.js';
import type { Matrix } from '../types.js';
import { unwrap } from '../unwrap.js';
import { deviationOf, requireRows, type Context, type Estimate } from './context.js';
import { resolve, type ViewChoice } from './views.js';

export interface RidgeOptions {
  /** A number column, or one level of a category as `column=level`. */
  target: string;
  /** The predictors: a view's name, or a list of columns. Default: all columns but the target's. */
  features?: ViewChoice;
  /**
   * Penalty on the squared length of the weights, in scaled units: (1/n) sum of squared residuals
   * / 2 + alpha |w|^2. Default 0, ordinary least squares.
   */
  alpha?: number;
  /** Of the intervals, between 0 and 1. Without it there are none. */
  level?: number;
}

/** `noiseFloor`: what the noise alone would show, same unit. */
export interface RidgeEstimate extends Estimate {
  noiseFloor: number;
  /** An interval for the population that the rows are a sample of, where a level was asked for. */
  low?: number;
  high?: number;
}

export interface RidgeResult extends Result {
  analysis: 'ridge';
  options: { target: string; features: string[]; alpha: number; level?: number };
  /** Name of the target's feature. */
  target: string;
  /** Original units of the target. */
  intercept: number;
  /**
   * For each feature of the predictors: by how much the target is larger for one unit more of it,
   * the others held. Those of a category's indicators, all given, sum to 0.
   */
  coefficients: (RidgeEstimate & { column: string })[];
  /** Standard deviations of the predictors, original units; 0 where noise left no variance. */
  deviation: Matrix;
  /** Share of the target's variance that is explained, in [0, 1]. */
  r2: RidgeEstimate;
  /** Root mean square residual (divisor n), original units. */
  residualSd: number;
  alpha: number;
  /** The share that the noise alone would seem to explain. */
  noiseFloor: number;
  rows: number;
}

export function ridge(context: Context, options: RidgeOptions): RidgeResult {
  requireKnown(options, ['target', 'features', 'alpha', 'level']);
  requireRows(context);
  const { columns, guarantee, origin, rows, study } = context;
  const { alpha = 0, level } = options;
  const target = targetOf(context, options.target);
  const own = study.features[target]?.column;
  const others = study.columns.map(({ name }) => name).filter((name) => name !== own);
  const { features } = resolve(study, 'features', options.features ?? others);
  if (features.some((feature) => study.features[feature]?.column === own)) {
    const message = `the column "${own ?? ''}" is the target: it cannot be a predictor too`;
    throw new PrivateMomentsError('invalid-view', message, { field: 'features', column: own });
  }
  if (level !== undefined && !(level > 0 && level < 1)) {
    const message = 'level must be a number between 0 and 1';
    throw new PrivateMomentsError('invalid-interval', message, { field: 'level' });
  }
  const raw = unwrap(
    context.core.ridge({
      ...context.covariance,
      mean: context.mean.values,
      target,
      features,
      alpha,
      rows,
      level: level ?? 0,
    }),
  );
  const estimate = ({ value, low, high, noiseFloor, belowNoiseFloor }: RawFigure) => ({
    value,
    ...(level === undefined ? {} : { low, high }),
    noiseFloor,
    belowNoiseFloor,
  });
  const name = columns[target] ?? '';
  const names = features.map((feature) => columns[feature] ?? '');
  return asResult<Omit<RidgeResult, 'toJSON' | 'toCSV'>>({
    analysis: 'ridge',
    options: {
      target: name,
      features: [...new Set(features.map((feature) => study.features[feature]?.column ?? ''))],
      alpha,
      ...(level === undefined ? {} : { level }),
    },
    origin,
    target: name,
    intercept: raw.intercept,
    coefficients: raw.coefficients.map((figure, i) => ({
      column: names[i] ?? '',
      ...estimate(figure),
    })),
    deviation: deviationOf(context, features),
    r2: estimate(raw.r2),
    residualSd: raw.residualSd,
    alpha,
    noiseFloor: raw.r2.noiseFloor,
    guarantee,
    rows,
  });
}

function targetOf({ columns, study }: Context, target: unknown): number {
  const index = columns.indexOf(target as string);
  if (index >= 0) return index;
  const category = study.columns.some(({ name }) => name === target);
  const message = category
    ? `the target "${String(target)}" is a category: name one level, as column=level`
    : `the target must be a number column or one level, column=level, of the study`;
  throw new PrivateMomentsError('invalid-view', message, { field: 'target' });
}
