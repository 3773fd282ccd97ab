import type { CcaResult, Moments, PcaResult } from 'private-moments';
import type { Component, Weight } from './results.js';

/** Everything the analyse page shows, computed once from the assembled moments. */
export interface AnalysisResult {
  moments: Moments;
  /** The two views compared; undefined when the study has none. */
  views: [string, string] | undefined;
  cca: CcaResult | undefined;
  pca: PcaResult;
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
  };
}

/** Weights of one view in one pair, in original units and per standard deviation. */
export function weightsOf(result: AnalysisResult, view: string, pair: number): Weight[] {
  const { moments, cca } = result;
  const found = cca?.views[view];
  if (found === undefined) return [];
  const { rows, columns, values } = found.weights;
  return rows.map((name, i) => {
    const original = values[i * columns.length + pair] ?? 0;
    return { name, original, perDeviation: original * deviation(moments, name) };
  });
}

/** What a high score means: the columns that weigh most, each called high or low. */
export function highScore(weights: readonly Weight[]): string {
  const sorted = [...weights].sort((a, b) => Math.abs(b.perDeviation) - Math.abs(a.perDeviation));
  const largest = Math.abs(sorted[0]?.perDeviation ?? 0);
  return sorted
    .filter((weight) => Math.abs(weight.perDeviation) > largest / 3)
    .slice(0, 3)
    .map(({ name, perDeviation }) => `${perDeviation > 0 ? 'high' : 'low'} ${name}`)
    .join(', ');
}

/** The principal components with the noise floor as a share of the same total. */
export function screeOf({ pca }: AnalysisResult): { components: Component[]; noiseFloor: number } {
  const first = pca.explained.find(({ share }) => share > 0);
  const total = first === undefined ? 0 : first.value / first.share;
  return { components: pca.explained, noiseFloor: total > 0 ? pca.noiseFloor / total : 0 };
}

/** Standard deviation of a feature in original units; noise can push its square below zero. */
function deviation(moments: Moments, name: string): number {
  const at = moments.columns.indexOf(name);
  const variance = moments.covariance.values[at * moments.columns.length + at] ?? 0;
  return Math.sqrt(Math.max(0, variance));
}

function sizes(moments: Moments, views: readonly string[]): number[] {
  return views.map((view) => {
    const members = moments.study.views?.[view] ?? [];
    return moments.study.features.filter(({ column }) => members.includes(column)).length;
  });
}
