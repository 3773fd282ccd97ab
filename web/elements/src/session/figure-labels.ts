import type { Study } from 'private-moments';

/** A longer label would hide what a sentence or a figure says; the column's name stands for it. */
export const LONGEST_LABEL = 60;

/** What figures write for features whose column has a label, by the feature's name: "Kind of work=office". */
export type FigureLabels = ReadonlyMap<string, string>;

export function figureLabels({ columns }: Pick<Study, 'columns'>): FigureLabels {
  return new Map(
    columns.flatMap((column): [string, string][] => {
      const { name, label } = column;
      if (label === undefined || label.length > LONGEST_LABEL) return [];
      return column.type === 'category'
        ? column.levels.map((level) => [`${name}=${level}`, `${label}=${level}`])
        : [[name, label]];
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
