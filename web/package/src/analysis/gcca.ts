import { requireOptions } from '../base/check.js';
import type { Part, RawGccaOptions } from '../core/raw.js';
import { asResult, type Result } from '../output/results.js';
import type { Matrix } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';
import { adjustedViews, type Adjusted, type AdjustOptions } from './adjust.js';
import {
  hiddenOf,
  numbered,
  requireComponents,
  requireRows,
  defaultComponents,
  type Context,
  type Estimate,
} from './context.js';
import { drawsOf, figureOf, INTERVALS, simulationOf, type IntervalOptions } from './intervals.js';
import { tested, testOptions, type PairTest, type TestOptions } from './methods/tests.js';
import { viewOf, type GccaView } from './variates.js';
import { resolveAll, type ResolvedView, type ViewChoice } from './views.js';

export interface GccaOptions extends IntervalOptions, AdjustOptions, TestOptions {
  /** Two or more views, each a name or a list of columns. Default: all views of the study, in alphabetical order. */
  views?: readonly ViewChoice[];
  /** Number of components, from 1 to the features of the smallest view. Default: the study's, else all. */
  components?: number;
}

export interface GccaResult extends Result {
  analysis: 'gcca';
  options: GccaOptions & Required<Pick<GccaOptions, 'views' | 'components'>>;
  /**
   * How much the m views share in each component. `value`: 0 to 1, the mean correlation if all pairs of
   * views correlate equally. `eigenvalue` = 1 + (m - 1) value: the variance of the best sum of one variate
   * per view. `noiseFloor`: the value that noise and the small number of rows alone would show. With a
   * level, intervals of `value`. `resolved` and `hidden` as in `CcaResult`.
   */
  shared: (Estimate & { eigenvalue: number; noiseFloor: number })[];
  resolved: boolean;
  hidden: Record<string, number>;
  /** The views by name; a list of columns is named `view1` and so on, by its position. */
  views: Record<string, GccaView>;
  /** pairs of views x components: correlation between the variates of the two views. */
  pairs: Matrix;
  /** The largest value that noise alone would show. */
  noiseFloor: number;
  /** With `adjust`: all figures are of what it leaves of the views. */
  adjusted?: Adjusted;
  /** With `test`: how many of them are real. */
  test?: PairTest;
  rows: number;
}

interface Prepared {
  context: Context;
  adjusted: Adjusted | undefined;
  views: ResolvedView[];
  components: number;
  raw: RawGccaOptions;
}

function prepare(whole: Context, options: GccaOptions): Prepared {
  requireOptions(options, ['views', 'components', 'adjust', 'test', ...INTERVALS]);
  requireRows(whole);
  const { context, adjusted, views } = adjustedViews(
    whole,
    resolveAll(whole.study, options.views),
    options.adjust,
  );
  const max = Math.min(...views.map(({ features }) => features.length));
  const components = options.components ?? defaultComponents(context, max);
  requireComponents(components, max);
  const raw = {
    ...context.covariance,
    views: views.map(({ features }) => features),
    components,
  };
  return { context, adjusted, views, components, raw };
}

export function gccaDraws(whole: Context, options: GccaOptions, part: Part): Float64Array {
  const { context, raw } = prepare(whole, options);
  return drawsOf(context, options, raw, part, (all) => context.core.gccaDraws(all));
}

export function gcca(whole: Context, options: GccaOptions): GccaResult {
  const { context, adjusted, views, components, raw: question } = prepare(whole, options);
  const raw = unwrap(context.core.gcca(question));
  const simulation = simulationOf(context, options);
  const intervals =
    simulation && unwrap(context.core.gccaIntervals({ ...question, ...simulation.raw }));
  const labels = numbered('GC', components);
  return asResult<Omit<GccaResult, 'toJSON' | 'toCSV'>>({
    analysis: 'gcca',
    options: {
      views: options.views ?? views.map(({ name }) => name),
      components,
      ...(options.adjust !== undefined && { adjust: options.adjust }),
      ...simulation?.options,
      ...testOptions(options),
    },
    origin: context.origin,
    shared: raw.components.map(({ value, eigenvalue, noiseFloor, belowNoiseFloor }, j) => ({
      value,
      eigenvalue,
      noiseFloor,
      belowNoiseFloor,
      ...figureOf(intervals?.values[j]),
    })),
    ...hiddenOf(
      views.map(({ name }) => name),
      raw.hidden,
    ),
    views: Object.fromEntries(
      views.map(({ name, features }, v) => [
        name,
        viewOf(context, features, raw.views[v], labels, intervals?.views[v]),
      ]),
    ),
    pairs: pairsOf(
      views,
      raw.components.map(({ correlations }) => correlations),
      labels,
    ),
    noiseFloor: raw.noiseFloor,
    ...(adjusted && { adjusted }),
    ...tested(context, options, question, labels, (all) => context.core.gccaTests(all)),
    guarantee: context.guarantee,
    rows: context.rows,
  });
}

/** The correlations of every pair of views, in the order of the views. */
function pairsOf(
  views: readonly ResolvedView[],
  correlations: readonly Float64Array[],
  labels: readonly string[],
): Matrix {
  const rows: string[] = [];
  const values: number[] = [];
  for (const [v, { name }] of views.entries()) {
    for (const [w, other] of views.entries()) {
      if (w <= v) continue;
      rows.push(`${name} and ${other.name}`);
      values.push(...correlations.map((matrix) => matrix[v * views.length + w] ?? 0));
    }
  }
  return { rows, columns: [...labels], values: Float64Array.from(values) };
}
