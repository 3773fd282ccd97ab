import { PrivateMomentsError } from '../base/errors.js';
import { unwrap } from '../core/unwrap.js';
import { usesPartialRows } from '../study/gaps.js';
import type { Matrix } from '../study/types.js';
import { centreOf, type Context } from './context.js';
import { matrixOf } from './variates.js';
import { resolve, type ResolvedView, type ViewChoice } from './views.js';

/** The option of analyses that adjusts features for covariates. */
export interface AdjustOptions {
  /**
   * Covariates to adjust for: a list of columns, or the name of a view. The analysis is then of what is left
   * of the other columns after a linear regression on these: partial PCA or partial CCA. Views of the study
   * are taken without them. Costs no privacy.
   */
  adjust?: ViewChoice;
}

/** What an analysis was adjusted for. */
export interface Adjusted {
  /** The covariates: columns of the study. */
  columns: string[];
  /** The means of the covariates' features in original units; one row. */
  centre: Matrix;
  /**
   * features x covariates, original units: the change of a feature per unit of the covariate, the others
   * fixed. For a category they are differences from the mean of its levels, with sum 0.
   */
  coefficients: Matrix;
  /**
   * The number of directions of the covariates with less variance than the noise. What depends on these is
   * still in the results, at least in part. 0: everything linear is taken out.
   */
  hidden: number;
}

/** A context whose features are residuals, in the order of `kept`, features of the study. */
interface AdjustedContext {
  context: Context;
  adjusted: Adjusted;
  kept: number[];
}

/** The context of an analysis of views, with their features in it; covariates leave the study's views. */
export function adjustedViews<Views extends ResolvedView[]>(
  context: Context,
  views: Views,
  adjust: ViewChoice | undefined,
): { context: Context; adjusted: Adjusted | undefined; views: Views } {
  if (adjust === undefined) return { context, adjusted: undefined, views };
  const covariates = resolve(context.study, 'adjust', adjust).features;
  const left = views.map((view) =>
    view.isNamed
      ? { ...view, features: view.features.filter((feature) => !covariates.includes(feature)) }
      : view,
  );
  const empty = left.find(({ features }) => features.length === 0);
  if (empty !== undefined) {
    const message = `nothing is left of the view "${empty.name}": adjust names all of its columns`;
    throw new PrivateMomentsError('invalid-view', message, { field: 'adjust' });
  }
  const lists = left.map(({ features }) => features);
  const { kept, ...residuals } = adjustedContext(context, lists, covariates);
  const moved = left.map((view) => ({
    ...view,
    features: view.features.map((feature) => kept.indexOf(feature)),
  }));
  return { ...residuals, views: moved as Views };
}

/** The context of an analysis of all features that are not covariates. */
export function adjustedWhole(
  context: Context,
  adjust: ViewChoice | undefined,
): { context: Context; adjusted: Adjusted | undefined } {
  if (adjust === undefined) return { context, adjusted: undefined };
  const covariates = resolve(context.study, 'adjust', adjust).features;
  const others = context.columns.flatMap((_, j) => (covariates.includes(j) ? [] : [j]));
  if (others.length === 0) {
    const message = 'no columns are left to analyse: adjust names all of them';
    throw new PrivateMomentsError('invalid-view', message, { field: 'adjust' });
  }
  return adjustedContext(context, [others], covariates);
}

/** @param views lists of features to adjust, each in coordinates of its own */
function adjustedContext(
  context: Context,
  views: number[][],
  covariates: number[],
): AdjustedContext {
  const { core, covariance, sums, columns, study } = context;
  if (usesPartialRows(study.missing)) {
    const message = `features cannot be adjusted in a study with missing ${study.missing}, where their rows differ: leave adjust out`;
    throw new PrivateMomentsError('unsupported-option', message, { field: 'adjust' });
  }
  const kept = views.flat();
  requireApart(context, kept, covariates);
  const raw = unwrap(
    core.adjust({
      ...sums,
      views,
      covariates,
      columns: covariance.columns,
      ...(covariance.centreSpread && { centreSpread: covariance.centreSpread }),
    }),
  );
  const pick = (values: Float64Array): Float64Array =>
    Float64Array.from(kept, (feature) => values[feature] ?? 0);
  const { centre, units, mix, unmix, noiseMap } = raw;
  const frame = { centre, units, mix, unmix };
  const adjustedSums = {
    ...{ sums: raw.sums, dimension: kept.length, constant: sums.constant, rows: sums.rows },
    ...{ noise: sums.noise, mid: pick(sums.mid), half: pick(sums.half) },
    ...{ ...frame, noiseMap },
    ...(raw.noiseCentres.length > 0 && { noiseCentres: raw.noiseCentres }),
  };
  const moments = unwrap(core.assembleMoments(adjustedSums));
  const names = kept.map((feature) => columns[feature] ?? '');
  const others = covariates.map((feature) => columns[feature] ?? '');
  const { betweenViews } = raw;
  const { rows, mean } = context;
  return {
    context: {
      ...context,
      columns: names,
      mean: { rows: mean.rows, columns: names, values: pick(mean.values) },
      released: moments.covariance,
      sums: adjustedSums,
      covariance: {
        ...covariance,
        ...frame,
        scaledCovariance: moments.scaledCovariance,
        dimension: kept.length,
        sdDiagonal: moments.covarianceSdDiagonal,
        sdOffDiagonal: moments.covarianceSdOffDiagonal,
        // The traces of two views' residuals overlap by what both share with the covariates.
        bound: covariance.bound * (1 + Math.sqrt(betweenViews ** 2 - 1)),
        half: pick(covariance.half),
        columns: kept.map((feature) => covariance.columns[feature] ?? -1),
        meanNoise: moments.meanNoise,
        rows: covariance.rows && Math.max(1, rows - covariates.length),
        betweenViews,
        ...(covariance.centreSpread && { centreSpread: raw.centreSpread }),
      },
    },
    adjusted: {
      columns: [...new Set(covariates.map((feature) => sourceOf(context, feature)))],
      centre: centreOf(context, covariates),
      coefficients: matrixOf(names, others, raw.coefficients),
      hidden: raw.hidden,
    },
    kept,
  };
}

function sourceOf({ study }: Context, feature: number): string {
  return study.features[feature]?.column ?? '';
}

function requireApart(
  context: Context,
  kept: readonly number[],
  covariates: readonly number[],
): void {
  const both = kept.find((feature) => covariates.includes(feature));
  if (both === undefined) return;
  const column = sourceOf(context, both);
  const message = `the column "${column}" is to be analysed and adjusted for: take it out of one of the two`;
  throw new PrivateMomentsError('invalid-view', message, { field: 'adjust', column });
}
