import type { Origin } from '../output/results.js';
import { featureWords, type FeatureWords } from '../study/feature-words.js';
import type { CategoryColumn, Column } from '../study/types.js';

/** What tables and figures write for features that a study gives words, by the feature's name. */
export type FeatureNames = ReadonlyMap<string, string>;

/** The names in a result. */
export function namesIn({ study }: Pick<Origin, 'study'>): FeatureNames {
  return namesOf(study.words ?? {});
}

/** The names that a study gives its features. */
export function featureNames({ columns }: { columns: readonly Column[] }): FeatureNames {
  return namesOf(featureWords(columns));
}

function namesOf(words: Record<string, FeatureWords>): FeatureNames {
  return new Map(Object.entries(words).map(([feature, { name }]) => [feature, name]));
}

/** Writes a feature of the result as tables and figures do: "Age", "Sex: female". */
export function namer({ study: { words = {} } }: Origin): (feature: string) => string {
  return (feature) => (Object.hasOwn(words, feature) ? (words[feature]?.name ?? feature) : feature);
}

/** The same with the unit of its column: "Age (years)". */
export function namerWithUnit(origin: Origin): (feature: string) => string {
  const named = namer(origin);
  return (feature) => {
    const unit = unitOf(origin, feature);
    return unit === '' ? named(feature) : `${named(feature)} (${unit})`;
  };
}

/** The unit of a feature's column; empty if the study states none. */
export function unitOf({ study: { words = {} } }: Origin, feature: string): string {
  return Object.hasOwn(words, feature) ? (words[feature]?.unit ?? '') : '';
}

/** For each of these features of the moments, by default all, what people call its column: the label, or the name. */
export function sourceNames(
  {
    columns,
    sources,
    origin,
  }: {
    columns: readonly string[];
    sources: readonly string[];
    origin: Origin;
  },
  features: readonly string[] = columns,
): string[] {
  const { words = {} } = origin.study;
  return features.map((feature) => {
    const source = sources[columns.indexOf(feature)] ?? feature;
    return Object.hasOwn(words, feature) ? (words[feature]?.column ?? source) : source;
  });
}

/** What people call a column: its label, or its name. */
export function columnName({ words = {} }: Origin['study'], column: string): string {
  const [, own] =
    Object.entries(words).find(
      ([feature]) => feature === column || feature.startsWith(`${column}=`),
    ) ?? [];
  return own?.column ?? own?.name ?? column;
}

/** Levels as the cells have them, each with its name in brackets if it has one. */
export function namedLevels({ levels, levelLabels = {} }: CategoryColumn): string[] {
  return levels.map((level) =>
    Object.hasOwn(levelLabels, level) ? `${level} (${levelLabels[level] ?? ''})` : level,
  );
}
