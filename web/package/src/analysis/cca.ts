import { part, requireOptions } from '../base/check.js';
import type { Part, RawCcaOptions, RawCcaView } from '../core/raw.js';
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
import type { GccaOptions } from './gcca.js';
import { matrixOf, viewOf, type GccaView } from './variates.js';
import { resolveTwo, type ResolvedView, type ViewChoice } from './views.js';

export interface CcaOptions extends IntervalOptions, AdjustOptions, TestOptions {
  /** The first view: its name, or a list of columns. Default: the study's two views, in alphabetical order. */
  x?: ViewChoice;
  /** The second view, like `x`. */
  y?: ViewChoice;
  /** The two views in one list, in place of `x` and `y`. */
  views?: readonly [ViewChoice, ViewChoice];
  /** Number of pairs, from 1 to the features of the smaller view. Default: the study's, else all. */
  components?: number;
}

/** Options of `cca` for three or more views, which computes what `gcca` does. */
export interface CcaOfManyOptions extends GccaOptions {
  views: readonly [ViewChoice, ViewChoice, ViewChoice, ...ViewChoice[]];
}

export interface CcaView extends GccaView {
  /** features x components: correlation of each feature with the other view's canonical variate. */
  crossLoadings: Matrix;
  /**
   * Shares, 0 to 1, of the variance of this view's standardised features, one column per component. Row
   * `extracted`: explained by the view's own canonical variate; `redundancy`: by the other view's
   * (Stewart & Love 1968).
   */
  variance: Matrix;
}

export interface CcaResult extends Result {
  analysis: 'cca';
  options: Omit<CcaOptions, 'views'> & Required<Pick<CcaOptions, 'x' | 'y' | 'components'>>;
  /**
   * The canonical correlations, largest first. `noiseFloor`: the correlation that noise and the small number
   * of rows alone would show along this pair's directions. With a level, intervals for the population from
   * which the rows are a sample.
   */
  correlations: (Estimate & { noiseFloor: number })[];
  /** True if `hidden` is empty: in no direction of a view does noise exceed the variance. */
  resolved: boolean;
  /**
   * The number of directions of each view that are hidden by noise, by the view's name. They may have any
   * correlation: with h hidden directions in all, each of the first h correlations may be as high as 1, and
   * a later one as high as the h-th before it. The upper ends of intervals include this.
   */
  hidden: Record<string, number>;
  /** The views by name; a list of columns is named `x` or `y`. */
  views: Record<string, CcaView>;
  /** The largest correlation that noise alone would show. */
  noiseFloor: number;
  /** With `adjust`: correlations are partial, and all other figures are of residuals, too. */
  adjusted?: Adjusted;
  /** With `test`: how many of them are real. */
  test?: PairTest;
  rows: number;
}

/** Whether these options of `cca` are for more (or fewer) views than two. */
export function isOfMany(options: CcaOptions | CcaOfManyOptions): options is CcaOfManyOptions {
  const views = part(options, 'views');
  return Array.isArray(views) && views.length !== 2;
}

interface Prepared {
  context: Context;
  adjusted: Adjusted | undefined;
  x: ResolvedView;
  y: ResolvedView;
  components: number;
  raw: RawCcaOptions;
}

function prepare(whole: Context, options: CcaOptions): Prepared {
  requireOptions(options, ['x', 'y', 'views', 'components', 'adjust', 'test', ...INTERVALS]);
  requireRows(whole);
  const { context, adjusted, views } = adjustedViews(
    whole,
    resolveTwo(whole.study, options),
    options.adjust,
  );
  const [x, y] = views;
  const max = Math.min(x.features.length, y.features.length);
  const components = options.components ?? defaultComponents(context, max);
  requireComponents(components, max);
  const raw = {
    ...context.covariance,
    x: x.features,
    y: y.features,
    components,
  };
  return { context, adjusted, x, y, components, raw };
}

export function ccaDraws(whole: Context, options: CcaOptions, part: Part): Float64Array {
  const { context, raw } = prepare(whole, options);
  return drawsOf(context, options, raw, part, (all) => context.core.ccaDraws(all));
}

export function cca(whole: Context, options: CcaOptions): CcaResult {
  const { context, adjusted, x, y, components, raw: question } = prepare(whole, options);
  const raw = unwrap(context.core.cca(question));
  const simulation = simulationOf(context, options);
  const intervals =
    simulation && unwrap(context.core.ccaIntervals({ ...question, ...simulation.raw }));
  const labels = numbered('CC', components);
  const view = ({ features }: ResolvedView, of: RawCcaView, v: number): CcaView => {
    const own = viewOf(context, features, of, labels, intervals?.views[v]);
    const shares = Float64Array.of(...of.varianceExtracted, ...of.redundancy);
    return {
      ...own,
      crossLoadings: matrixOf(own.columns, labels, of.crossLoadings),
      variance: matrixOf(['extracted', 'redundancy'], labels, shares),
    };
  };
  return asResult<Omit<CcaResult, 'toJSON' | 'toCSV'>>({
    analysis: 'cca',
    options: {
      x: options.x ?? options.views?.[0] ?? x.name,
      y: options.y ?? options.views?.[1] ?? y.name,
      components,
      ...(options.adjust !== undefined && { adjust: options.adjust }),
      ...simulation?.options,
      ...testOptions(options),
    },
    origin: context.origin,
    correlations: raw.correlations.map(({ value, noiseFloor, belowNoiseFloor }, j) => ({
      value,
      noiseFloor,
      belowNoiseFloor,
      ...figureOf(intervals?.values[j]),
    })),
    ...hiddenOf([x.name, y.name], raw.hidden),
    views: Object.fromEntries([
      [x.name, view(x, raw.x, 0)],
      [y.name, view(y, raw.y, 1)],
    ]),
    noiseFloor: raw.noiseFloor,
    ...(adjusted && { adjusted }),
    ...tested(context, options, question, labels, (all) => context.core.ccaTests(all)),
    guarantee: context.guarantee,
    rows: context.rows,
  });
}
