import type { Figure, Weight } from 'private-moments/words';

/** The parts of the package's results that the figures draw. */
export type { PairFigure as Pair, Weight } from 'private-moments/words';

/** A weight with the label of its column, if it has one. */
export interface Bar extends Weight {
  label?: string;
}

/** The longest bar first; those without a bar last. */
export function longestFirst<T extends Pick<Weight, 'comparable' | 'belowNoiseFloor'>>(
  bars: readonly T[],
): T[] {
  const lengthOf = ({ comparable, belowNoiseFloor }: T): number =>
    belowNoiseFloor === true ? -1 : Math.abs(comparable);
  return [...bars].sort((a, b) => lengthOf(b) - lengthOf(a));
}

/** What a figure writes for a column: its label, or its name. */
export function written({ name, label }: { name: string; label?: string }): string {
  return label ?? name;
}

/** Length of the longest of these names, as figures write them. */
export function longestOf(parts: readonly { name: string; label?: string }[]): number {
  return Math.max(0, ...parts.map((part) => written(part).length));
}

/** What a pair means, with what must be said before it and after it. */
export interface PairWords {
  before?: string;
  sentence: string;
  detail: string;
}

export interface Component extends Figure {
  share: number;
  shareLow?: number;
  shareHigh?: number;
}

/** The correlations of a column with the two axes of a biplot. */
export interface Arrow {
  name: string;
  /** What is drawn in place of the name. */
  label?: string;
  x: number;
  y: number;
  /** The colour of the column's view, if there are two, else 1. */
  series: number;
}
