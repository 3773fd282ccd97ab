import type { RawFigures } from '../generated/raw.js';
import type { Study } from '../study/study.js';

/** A figure of the released data and the same figure of synthetic rows. */
export interface Preserved {
  /** The figure in the releases or in the released model. */
  released: number;
  /**
   * The interval in which the figure of the synthetic rows can be expected. It includes privacy noise, the
   * sampling of the study's rows, and that of the synthetic rows. Null if the first two are not known.
   */
  low: number | null;
  high: number | null;
  synthetic: number;
  /** Whether `synthetic` is in the interval; null without one. */
  inside: boolean | null;
}

/** How well synthetic rows preserve the figures of the data they stand for, in original units. */
export interface Preservation {
  /** The level of the intervals. */
  level: number;
  /** One for each feature. The mean of a level is its share of the rows. */
  means: ({ column: string } & Preserved)[];
  /** One for each number column; the deviation of a level follows from its share. */
  deviations: ({ column: string } & Preserved)[];
  /** One for each pair of features of different columns. */
  correlations: ({ columns: [string, string] } & Preserved)[];
  /** The largest, at most three, between each two views of the study. */
  canonicalCorrelations: ({ views: [string, string]; component: number } & Preserved)[];
  /** All of the above in a sentence. */
  summary: string;
}

/** A released figure with its interval, if known. The interval excludes the randomness of the draw. */
export interface ReleasedFigure {
  value: number;
  low?: number;
  high?: number;
}

/**
 * The figures of a study's features in original units: means, deviations and correlations (features x
 * features) in the order of the features, and for each pair of `viewPairs` at most `MAX_CANONICAL`
 * canonical correlations.
 */
export interface Figures<Figure> {
  means: readonly Figure[];
  deviations: readonly Figure[];
  correlations: readonly Figure[];
  canonical: readonly (readonly Figure[])[];
}

/** A figure of drawn rows and its standard error due to the draw. */
export interface DrawnFigure {
  value: number;
  error: number;
}

export function drawnFigures(raw: RawFigures): Figures<DrawnFigure> {
  const paired = (values: Float64Array, errors: Float64Array | undefined): DrawnFigure[] =>
    Array.from(values, (value, i) => ({ value, error: errors?.[i] ?? NaN }));
  return {
    means: paired(raw.means, raw.meanErrors),
    deviations: paired(raw.deviations, raw.deviationErrors),
    correlations: paired(raw.correlations, raw.correlationErrors),
    canonical: raw.canonical.map((values, pair) => paired(values, raw.canonicalErrors[pair])),
  };
}

/** The columns of the rows: those of a study, or numbered components. */
export type RowShape = Pick<Study, 'columns' | 'features' | 'views'>;

export const PRESERVATION_LEVEL = 0.95;
/** Half the width of an interval of this level in standard errors: the normal quantile. */
export const INTERVAL_ERRORS = 1.959963984540054;
export const MAX_CANONICAL = 3;

/** All pairs of a study's views, in alphabetical order. */
export function viewPairs({ views = {} }: Pick<RowShape, 'views'>): [string, string][] {
  const names = Object.keys(views);
  return names.flatMap((x, i) => names.slice(i + 1).map((y): [string, string] => [x, y]));
}

/** The same pairs as lists of features. */
export function featurePairs({ features, views = {} }: RowShape): { x: number[]; y: number[] }[] {
  const featuresOf = (view: string): number[] =>
    features.flatMap(({ column }, i) => (views[view]?.includes(column) === true ? [i] : []));
  return viewPairs({ views }).map(([x, y]) => ({ x: featuresOf(x), y: featuresOf(y) }));
}

/** Figures of a released model, with intervals if their standard errors are known. */
export function releasedFigures(raw: RawFigures): Figures<ReleasedFigure> {
  const { means, deviations, correlations, canonical } = drawnFigures(raw);
  const withInterval = ({ value, error }: DrawnFigure): ReleasedFigure =>
    error < Infinity
      ? { value, low: value - INTERVAL_ERRORS * error, high: value + INTERVAL_ERRORS * error }
      : { value };
  const clamped = (figure: DrawnFigure): ReleasedFigure => {
    const { value, low = NaN, high = NaN } = withInterval(figure);
    return Number.isNaN(low)
      ? { value }
      : { value, low: Math.max(-1, low), high: Math.min(1, high) };
  };
  return {
    means: means.map(withInterval),
    deviations: deviations.map(withInterval),
    correlations: correlations.map(clamped),
    canonical: canonical.map((figures) => figures.map(clamped)),
  };
}

/** Compares figures of released data with those of synthetic rows. */
export function preservationOf(
  shape: RowShape,
  released: Figures<ReleasedFigure>,
  drawn: Figures<DrawnFigure>,
): Preservation {
  const { features } = shape;
  const pick = (kind: Exclude<keyof Figures<unknown>, 'canonical'>, index: number): Preserved =>
    preserved(released[kind][index], drawn[kind][index]);
  const isNumber = new Set(
    shape.columns.flatMap(({ name, type }) => (type === 'number' ? [name] : [])),
  );
  const means = features.map(({ name }, i) => ({ column: name, ...pick('means', i) }));
  const deviations = features.flatMap(({ name, column }, i) =>
    isNumber.has(column) ? [{ column: name, ...pick('deviations', i) }] : [],
  );
  const correlations = features.flatMap((a, i) =>
    features.slice(i + 1).flatMap((b, j) => {
      if (a.column === b.column) return [];
      const columns: [string, string] = [a.name, b.name];
      return [{ columns, ...pick('correlations', i * features.length + i + 1 + j) }];
    }),
  );
  const canonicalCorrelations = viewPairs(shape).flatMap((views, pair) =>
    (released.canonical[pair] ?? []).map((figure, k) => ({
      views,
      component: k + 1,
      ...preserved(figure, drawn.canonical[pair]?.[k]),
    })),
  );
  const figures = { means, deviations, correlations, canonicalCorrelations };
  return { level: PRESERVATION_LEVEL, ...figures, summary: summaryOf(figures) };
}

function preserved(figure: ReleasedFigure | undefined, drawn: DrawnFigure | undefined): Preserved {
  const { value: released, low, high } = figure ?? { value: NaN };
  const { value: synthetic, error } = drawn ?? { value: NaN, error: NaN };
  if (low === undefined || high === undefined) {
    return { released, low: null, high: null, synthetic, inside: null };
  }
  const reach = INTERVAL_ERRORS * error;
  const lowest = released - Math.hypot(released - low, reach);
  const highest = released + Math.hypot(high - released, reach);
  const inside = synthetic >= lowest && synthetic <= highest;
  return { released, low: lowest, high: highest, synthetic, inside };
}

function summaryOf(figures: Omit<Preservation, 'level' | 'summary'>): string {
  const parts: [string, readonly Preserved[]][] = [
    ['means', figures.means],
    ['standard deviations', figures.deviations],
    ['correlations', figures.correlations],
    ['canonical correlations', figures.canonicalCorrelations],
  ];
  const counted = parts.flatMap(([name, all]) => {
    const judged = all.filter(({ inside }) => inside !== null);
    if (judged.length === 0) return [];
    return [`${judged.filter(({ inside }) => inside).length} of ${judged.length} ${name}`];
  });
  if (counted.length === 0) {
    return 'The errors of these figures are not known, so they are shown without a verdict.';
  }
  const last = counted.pop() ?? '';
  const list = counted.length === 0 ? last : `${counted.join(', ')} and ${last}`;
  return `${list} of the synthetic rows are within their ${100 * PRESERVATION_LEVEL} % intervals.`;
}
