import type { Study } from 'private-moments';
import { featureNames, featureWords, type FeatureNames } from 'private-moments/words';

/** What figures write for features whose column has words, by the feature's name: "Kind of work: office". */
export type FigureLabels = FeatureNames;

export function figureLabels(study: Pick<Study, 'columns'>): FigureLabels {
  return featureNames(study);
}

/** What figures write for each feature of the study, in its order. */
export function figureNames(study: Pick<Study, 'columns' | 'features'>): string[] {
  const labels = featureNames(study);
  return study.features.map(({ name }) => labels.get(name) ?? name);
}

/** What people call columns, by the name of those with a label. */
export function columnNames({ columns }: Pick<Study, 'columns'>): ReadonlyMap<string, string> {
  const words = featureWords(columns);
  return new Map(
    columns.flatMap((column): [string, string][] => {
      const { name } = column;
      const feature = column.type === 'number' ? name : `${name}=${column.levels[0] ?? ''}`;
      const own = Object.hasOwn(words, feature) ? words[feature] : undefined;
      return own === undefined ? [] : [[name, own.column]];
    }),
  );
}

/** The parts of a figure with the labels of those that have one. */
export function labelled<T extends { name: string }>(
  parts: readonly T[],
  labels: FigureLabels,
): (T & { label?: string })[] {
  return parts.map((part) => {
    const label = labels.get(part.name);
    return label === undefined ? part : { ...part, label };
  });
}
