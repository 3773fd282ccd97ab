import {
  directionWeights,
  hasDirections,
  type AnalysisResult,
  type DirectionsResult,
  type MomentsResult,
} from './analysis-result.js';
import { areUnordered } from '../base/mechanism.js';
import {
  bound,
  featureWords,
  highScore,
  pairsFinding,
  pairsInWords,
  plural,
  sizeInWords,
} from 'private-moments/words';

/** The finding in one sentence. */
export function finding(result: AnalysisResult): string {
  if (hasDirections(result)) {
    const { releases, explained, columns } = result.components;
    return `${plural(releases, 'release')} became ${plural(explained.length, 'direction')} of ${plural(columns.length, 'column')}. How far ${explained.length === 1 ? 'it is from the true one' : 'they are from the true ones'} is unknown.`;
  }
  const { cca, views, moments } = result;
  if (cca === undefined || views === undefined) {
    return `${plural(moments.noise.releases, 'release')} became one covariance of ${plural(moments.columns.length, 'column')}.`;
  }
  return pairsFinding(views, cca.correlations, cca.hidden);
}

/** The correlations and their limits in words, a paragraph each. */
export function words({ cca, moments }: MomentsResult): string[] {
  if (cca === undefined) return [];
  const { unit } = moments.study;
  return [
    ...pairsInWords(cca.correlations, { level: cca.options.level, hidden: cca.hidden }),
    `${sizeInWords(moments.rows, unit, moments.noise.releases)}.`,
  ];
}

export const NOT_CAUSES = '“Goes with” is not “causes”.';

/** What the numbers of an axis are: "canonical correlation, 95% interval". */
export function axisOf(name: string, level: number | undefined): string {
  return level === undefined ? name : `${name}, ${bound(level * 100)}% interval`;
}

/** What the intervals of a figure hold, for the end of its caption. */
export function intervalsInWords(level: number | undefined): string[] {
  if (level === undefined) return [];
  return [`${bound(level * 100)}% intervals include the privacy noise and the sampling error.`];
}

/** The directions in words, a paragraph each. */
export function directionWords(result: DirectionsResult): string[] {
  const { study, components } = result;
  const { rows, releases, explained } = components;
  const counted = study.unit === 'row' ? 'row' : 'participant';
  const from = rows === null ? '' : `${plural(rows, counted)} in `;
  const own = explained.length === 1 ? 'This is its direction.' : 'These are its own directions.';
  return [
    areUnordered(study.mechanism) && explained.length > 1
      ? 'This mechanism releases the space that the directions span. Read them together.'
      : `The first direction runs between ${highScore(directionWeights(result, 0), featureWords(study.columns))} and the opposite.`,
    releases === 1
      ? `${rows === null ? 'One' : `${from}one`} release. ${own}`
      : `${from}${plural(releases, 'release')}. These are the directions on which the releases agree most.`,
  ];
}

/** What releases of directions leave unknown, a sentence or two each. */
export function unknownOf({ study, components }: DirectionsResult): string[] {
  const { releases, explained, columns } = components;
  return [
    'How large the error is. This mechanism does not reveal it, so there is no noise floor, and no way to tell which directions are more than noise.',
    'Means, covariances and correlations. The releases do not contain them.',
    ...(releases > 1 && explained.length < columns.length
      ? ['What lies outside the directions of each release. It never left its computer.']
      : []),
    ...(areUnordered(study.mechanism) || explained.every(({ value }) => value !== null)
      ? []
      : ['How much the rows spread along each direction.']),
  ];
}
