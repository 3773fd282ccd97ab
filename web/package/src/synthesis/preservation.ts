import type { RawFigures } from '../generated/raw.js';
import type { Study } from '../study/study.js';

/** A figure of the released data beside the same figure of synthetic rows. */
export interface Preserved {
  /** What the releases, or the released model, say. */
  released: number;
  /**
   * Where the figure of the synthetic rows can be expected: privacy noise, the study's rows as a
   * sample, and the synthetic rows as another. Null where nothing is known of the first two.
   */
  low: number | null;
  high: number | null;
  synthetic: number;
  /** Whether it is between them; null where they are not known. */
  inside: boolean | null;
}

/** What synthetic rows keep of the data they stand for; original units. */
export interface Preservation {
  /** Of the intervals. */
  level: number;
  /** One for each feature; for a level of a category its share of the rows. */
  means: ({ column: string } & Preserved)[];
  /** Of numbers: the share of a level says how it varies. */
  deviations: ({ column: string } & Preserved)[];
  /** One for each pair of features of different columns. */
  correlations: ({ columns: [string, string] } & Preserved)[];
  /** The leading ones, at most three, between each two views of the study. */
  canonicalCorrelations: ({ views: [string, string]; component: number } & Preserved)[];
  /** In a sentence. */
  summary: string;
}

/** A figure and, where it is known, its interval without the chance of the draw. */
export interface Known {
  value: number;
  low?: number;
  high?: number;
}

/**
 * The figures of a study's features, in original units: means, deviations and correlations
 * (features x features) in their order, and canonical correlations of each pair of `viewPairs`, at
 * most `MOST_CANONICAL`, those of the first pair first.
 */
export interface Figures<Figure> {
  means: readonly Figure[];
  deviations: readonly Figure[];
  correlations: readonly Figure[];
  canonical: readonly (readonly Figure[])[];
}

/** A figure of drawn rows and the standard error that the draw gives it. */
export interface Drawn {
  value: number;
  error: number;
}

export function drawnFigures(raw: RawFigures): Figures<Drawn> {
  const paired = (values: Float64Array, errors: Float64Array | undefined): Drawn[] =>
    Array.from(values, (value, i) => ({ value, error: errors?.[i] ?? NaN }));
  return {
    means: paired(raw.means, raw.meanErrors),
    deviations: paired(raw.deviations, raw.deviationErrors),
    correlations: paired(raw.correlations, raw.correlationErrors),
    canonical: raw.canonical.map((values, pair) => paired(values, raw.canonicalErrors[pair])),
  };
}

/** What the rows have: the columns of a study, or coordinates without names of their own. */
export type RowShape = Pick<Study, 'columns' | 'features' | 'views'>;

export const PRESERVATION_LEVEL = 0.95;
/** Standard errors of the level. */
export const REACH = 1.959963984540054;
export const MOST_CANONICAL = 3;

/** Each two views of a study, in alphabetical order. */
export function viewPairs({ views = {} }: Pick<RowShape, 'views'>): [string, string][] {
  const names = Object.keys(views);
  return names.flatMap((x, i) => names.slice(i + 1).map((y): [string, string] => [x, y]));
}

/** The same as lists of features. */
export function featurePairs({ features, views = {} }: RowShape): { x: number[]; y: number[] }[] {
  const featuresOf = (view: string): number[] =>
    features.flatMap(({ column }, i) => (views[view]?.includes(column) === true ? [i] : []));
  return viewPairs({ views }).map(([x, y]) => ({ x: featuresOf(x), y: featuresOf(y) }));
}

/** Figures of a released model, with intervals where their standard errors are known. */
export function knownFigures(raw: RawFigures): Figures<Known> {
  const { means, deviations, correlations, canonical } = drawnFigures(raw);
  const known = ({ value, error }: Drawn): Known =>
    error < Infinity
      ? { value, low: value - REACH * error, high: value + REACH * error }
      : { value };
  const within = (figure: Drawn): Known => {
    const { value, low = NaN, high = NaN } = known(figure);
    return Number.isNaN(low)
      ? { value }
      : { value, low: Math.max(-1, low), high: Math.min(1, high) };
  };
  return {
    means: means.map(known),
    deviations: deviations.map(known),
    correlations: correlations.map(within),
    canonical: canonical.map((figures) => figures.map(within)),
  };
}

/** Compares figures of released data with those of synthetic rows. */
export function preservationOf(
  shape: RowShape,
  released: Figures<Known>,
  drawn: Figures<Drawn>,
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
    (released.canonical[pair] ?? []).map((known, k) => ({
      views,
      component: k + 1,
      ...preserved(known, drawn.canonical[pair]?.[k]),
    })),
  );
  const figures = { means, deviations, correlations, canonicalCorrelations };
  return { level: PRESERVATION_LEVEL, ...figures, summary: summaryOf(figures) };
}

function preserved(known: Known | undefined, drawn: Drawn | undefined): Preserved {
  const { value: released, low, high } = known ?? { value: NaN };
  const { value: synthetic, error } = drawn ?? { value: NaN, error: NaN };
  if (low === undefined || high === undefined) {
    return { released, low: null, high: null, synthetic, inside: null };
  }
  const reach = REACH * error;
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
    return 'How far these figures may be off is not known, so they are shown without a verdict.';
  }
  const last = counted.pop() ?? '';
  const list = counted.length === 0 ? last : `${counted.join(', ')} and ${last}`;
  return `${list} of the synthetic rows are where ${100 * PRESERVATION_LEVEL} % intervals expect them.`;
}
