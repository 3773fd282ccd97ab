import type { CcaResult, Moments, PcaResult } from 'private-moments';
import type { Component, Weight } from './results.js';

/** Everything the analyse page shows, computed once from the assembled moments. */
export interface AnalysisResult {
  moments: Moments;
  /** The two views compared; undefined when the study has none. */
  views: [string, string] | undefined;
  cca: CcaResult | undefined;
  pca: PcaResult;
  /** Standard deviation of each feature, original units. */
  deviations: number[];
}

/** More than these are too many to look at. */
const MOST_COMPONENTS = 10;
const MOST_PAIRS = 5;

export function analyse(moments: Moments, views: [string, string] | undefined): AnalysisResult {
  const features = moments.columns.length;
  const [x, y] = views ?? [];
  const cca =
    x === undefined || y === undefined
      ? undefined
      : moments.cca({ x, y, components: Math.min(MOST_PAIRS, ...sizes(moments, [x, y])) });
  return {
    moments,
    views,
    cca,
    pca: moments.pca({ components: Math.min(MOST_COMPONENTS, features) }),
    deviations: deviationsOf(moments),
  };
}

/** Weights of one view in one pair, in original units and per standard deviation. */
export function weightsOf(result: AnalysisResult, view: string, pair: number): Weight[] {
  const { moments, cca, deviations } = result;
  const found = cca?.views[view];
  if (found === undefined) return [];
  const { rows, columns, values } = found.weights;
  return rows.map((name, i) => {
    const original = values[i * columns.length + pair] ?? 0;
    const deviation = deviations[moments.columns.indexOf(name)] ?? 0;
    return { name, original, perDeviation: original * deviation };
  });
}

/** What a high score means: the columns that weigh most, each called high or low. */
export function highScore(weights: readonly Weight[]): string {
  const sorted = [...weights].sort((a, b) => Math.abs(b.perDeviation) - Math.abs(a.perDeviation));
  const largest = Math.abs(sorted[0]?.perDeviation ?? 0);
  return sorted
    .filter((weight) => Math.abs(weight.perDeviation) > largest / 3)
    .slice(0, 3)
    .map(({ name, perDeviation }) => direction(name, perDeviation > 0))
    .join(', ');
}

/** "high hours", "low hours", "occupation office", "occupation not office". */
function direction(feature: string, up: boolean): string {
  const at = feature.indexOf('=');
  if (at < 0) return `${up ? 'high' : 'low'} ${feature}`;
  return `${feature.slice(0, at)} ${up ? '' : 'not '}${feature.slice(at + 1)}`;
}

/** The principal components with the noise floor as a share of the same total. */
export function screeOf({ pca }: AnalysisResult): { components: Component[]; noiseFloor: number } {
  const first = pca.explained.find(({ share }) => share > 0);
  const total = first === undefined ? 0 : first.value / first.share;
  return { components: pca.explained, noiseFloor: total > 0 ? pca.noiseFloor / total : 0 };
}

/** From the denoised covariance, because noise can push a variance below zero. */
function deviationsOf(moments: Moments): number[] {
  const { rows, values } = moments.denoise().covariance;
  return rows.map((_, i) => Math.sqrt(Math.max(0, values[i * rows.length + i] ?? 0)));
}

function sizes(moments: Moments, views: readonly string[]): number[] {
  return views.map((view) => {
    const members = moments.study.views?.[view] ?? [];
    return moments.study.features.filter(({ column }) => members.includes(column)).length;
  });
}
