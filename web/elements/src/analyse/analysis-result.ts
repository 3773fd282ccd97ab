import type {
  CcaResult,
  GccaResult,
  Moments,
  RidgeResult,
  RotationMethod,
  Study,
} from 'private-moments';
import type { ReportInput } from 'private-moments/report';
import { constantsOf, sourceNames } from 'private-moments/words';
import type { Component, Pair, Weight } from '../figures/figure-data.js';
import type { DirectionsResult, MethodResult, MomentsResult } from '../contract/elements.js';

/** Everything that the Analyse page shows, computed once from the assembled releases. */
export type AnalysisResult = MomentsResult | DirectionsResult;

export type { DirectionsResult, MomentsResult };

/** Confidence level of the intervals. */
export const LEVEL = 0.95;

/** Limits on what is shown, so that it stays readable. */
const MOST_COMPONENTS = 10;
const MOST_PAIRS = 5;

export function hasDirections(result: AnalysisResult): result is DirectionsResult {
  return 'components' in result;
}

/** The correlations of pairs, or of the components that more views share. */
export function figuresOf(result: CcaResult | GccaResult): readonly Pair[] {
  return result.analysis === 'cca' ? result.correlations : result.shared;
}

/** How many releases and rows are in a result of either kind; `rows` is null if unknown. */
export function sizeOf(result: AnalysisResult): {
  study: Study;
  releases: number;
  rows: number | null;
} {
  if (hasDirections(result)) {
    const { study, components } = result;
    return { study, releases: components.releases, rows: components.rows };
  }
  const { study, noise, rows } = result.moments;
  return { study, releases: noise.releases, rows };
}

/**
 * Analyses the moments in a worker, with as many components and pairs as the study names, else as many
 * as stay readable, adjusted for covariates. `signal` ends it.
 */
export async function analyse(
  moments: Moments,
  views: [string, string] | undefined,
  { covariates, rotation }: { covariates: readonly string[]; rotation: RotationMethod | undefined },
  signal: AbortSignal,
): Promise<MomentsResult> {
  const { study, sources } = moments;
  const columns = sources.filter((source) => !covariates.includes(source));
  const adjust = covariates.length === 0 ? {} : { adjust: covariates };
  const { components } = study.mechanism;
  const names = Object.keys(study.views ?? {});
  const most = (of: readonly string[]): number =>
    Math.min(components ?? MOST_PAIRS, ...sizes(moments, of, covariates));
  const isLeft = (view: string): boolean =>
    study.views?.[view]?.some((column) => !covariates.includes(column)) === true;
  const worker = moments.inWorker({ signal });
  const [cca, gcca, pca] = await Promise.all([
    views &&
      worker.cca({ x: views[0], y: views[1], components: most(views), level: LEVEL, ...adjust }),
    names.length < 3 || !names.every(isLeft)
      ? undefined
      : worker.gcca({ components: most(names), level: LEVEL, ...adjust }),
    worker.pca({
      components: Math.min(components ?? MOST_COMPONENTS, columns.length),
      level: LEVEL,
      ...adjust,
      ...(rotation && { rotation }),
    }),
  ]);
  return { moments, views, cca, gcca, pca };
}

/** All results of the page, for files and code. */
export function resultsOf(
  result: AnalysisResult,
  fit?: RidgeResult,
  other?: MethodResult,
): ReportInput[] {
  if (hasDirections(result)) return [result.components];
  const { cca, gcca, pca, moments } = result;
  return [cca, gcca, fit, pca, other, moments].filter((each) => each !== undefined);
}

/** Weights of one direction, per original unit and per half the width of a column's bounds. */
export function directionWeights({ components }: DirectionsResult, direction: number): Weight[] {
  const { loadings, weights } = components;
  const at = (matrix: typeof loadings, i: number): number =>
    matrix.values[i * matrix.columns.length + direction] ?? 0;
  return components.columns.map((name, i) => ({
    name,
    original: at(weights, i),
    comparable: at(loadings, i),
  }));
}

/** The principal components with the noise floor as a share of the same total. */
export function screeOf({ pca }: MomentsResult): { components: Component[]; noiseFloor: number } {
  const first = pca.explained.find(({ share }) => share > 0);
  const total = first === undefined ? 0 : first.value / first.share;
  return { components: pca.explained, noiseFloor: total > 0 ? pca.noiseFloor / total : 0 };
}

/** For each component that cannot vary, the labels of the categories whose levels add up to one. */
export function constantsIn({ pca, moments }: MomentsResult): (string[] | undefined)[] {
  return constantsOf(pca.explained, pca.loadings, sourceNames(moments, pca.loadings.rows));
}

/**
 * How many directions each view can have without the covariates. The levels of a category add up to one, so it
 * has one less.
 */
export function sizes(
  { study }: Pick<Moments, 'study'>,
  views: readonly string[],
  covariates: readonly string[] = [],
): number[] {
  return views.map((view) => {
    const members = study.views?.[view] ?? [];
    const own = study.columns.filter(
      ({ name }) => members.includes(name) && !covariates.includes(name),
    );
    const directions = own.map((column) =>
      column.type === 'category' ? column.levels.length - 1 : 1,
    );
    return Math.max(
      1,
      directions.reduce((all, each) => all + each, 0),
    );
  });
}
