import { didYouMean, requireOptions } from '../base/check.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { RawFigure } from '../core/raw.js';
import { asResult, type Result } from '../output/results.js';
import type { Matrix } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';
import { deviationOf, requireRows, type Context, type Estimate } from './context.js';
import { resolve, type ViewChoice } from './views.js';

export interface RidgeOptions {
  /** A number column, or one level of a category as `column=level`. */
  target: string;
  /** The predictors: a view's name, or a list of columns. Default: all columns but the target's. */
  features?: ViewChoice;
  /**
   * Penalty on the squared length of the weights w in scaled units, 0 or above. The fit minimises
   * (sum of squared residuals) / (2 n) + penalty |w|^2. Default 0, ordinary least squares.
   */
  penalty?: number;
  /** Confidence level of the intervals, between 0 and 1. Without it there are none. */
  level?: number;
}

/** An estimate with its noise floor, the value that noise alone would show, in the same unit. */
export interface RidgeEstimate extends Estimate {
  noiseFloor: number;
  /** Ends of the interval for the population from which the rows are a sample; present if a level was set. */
  low?: number;
  high?: number;
}

export interface RidgeResult extends Result {
  analysis: 'ridge';
  options: { target: string; features: string[]; penalty: number; level?: number };
  /** The target: the name of its feature. */
  target: string;
  /** In original units of the target. */
  intercept: number;
  /**
   * For each feature of the predictors: the change of the target per unit of the feature, with the others
   * held constant, in original units. The coefficients of all levels of a category sum to 0.
   */
  coefficients: (RidgeEstimate & {
    column: string;
    /** With a level, the p-value of the hypothesis that it is 0, under privacy noise and sampling together. */
    p?: number;
  })[];
  /** Standard deviations of the predictors, original units; 0 where noise left no variance. */
  deviation: Matrix;
  /** Share of the target's variance that is explained, 0 to 1. */
  r2: RidgeEstimate;
  /** Root mean square residual (divisor n), in original units. */
  residualSd: number;
  penalty: number;
  /** The share of variance that noise alone would seem to explain. */
  noiseFloor: number;
  rows: number;
}

export function ridge(context: Context, options: RidgeOptions): RidgeResult {
  requireOptions(options, ['target', 'features', 'penalty', 'level']);
  requireRows(context);
  const { columns, completeRows, guarantee, origin, rows, study, sums } = context;
  const { sampledRows, excess } = sums;
  const { penalty = 0, level } = options;
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
  if (!(typeof penalty === 'number' && Number.isFinite(penalty) && penalty >= 0)) {
    const message = 'penalty must be a finite number of at least 0';
    throw new PrivateMomentsError('invalid-alpha', message, { field: 'penalty' });
  }
  const raw = unwrap(
    context.core.ridge({
      ...context.covariance,
      mean: context.mean.values,
      target,
      features,
      alpha: penalty,
      rows: completeRows,
      ...(sampledRows === undefined || excess === undefined ? {} : { sampledRows, excess }),
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
      penalty,
      ...(level === undefined ? {} : { level }),
    },
    origin,
    target: name,
    intercept: raw.intercept,
    coefficients: raw.coefficients.map((figure, i) => ({
      column: names[i] ?? '',
      ...estimate(figure),
      ...(level === undefined ? {} : { p: figure.p }),
    })),
    deviation: deviationOf(context, features),
    r2: estimate(raw.r2),
    residualSd: raw.residualSd,
    penalty,
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
    ? `the target "${String(target)}" is a category: choose one of its levels, as column=level`
    : `target must be a number column of the study, or a level of a category as column=level${didYouMean(String(target), columns)}`;
  throw new PrivateMomentsError('invalid-view', message, { field: 'target' });
}
