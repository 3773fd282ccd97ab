import { requireKnown } from '../check.js';
import type { Part, RawCcaOptions, RawCcaView } from '../raw.js';
import { asResult, type Result } from '../results.js';
import type { Matrix } from '../types.js';
import { unwrap } from '../unwrap.js';
import {
  hiddenOf,
  numbered,
  requireComponents,
  requireRows,
  shown,
  type Context,
  type Estimate,
} from './context.js';
import { drawsOf, figureOf, INTERVALS, simulationOf, type IntervalOptions } from './uncertainty.js';
import { matrixOf, viewOf, type GccaView } from './variates.js';
import { resolveTwo, type ResolvedView, type ViewChoice } from './views.js';

export interface CcaOptions extends IntervalOptions {
  /** A view's name, or a list of columns. */
  x?: ViewChoice;
  y?: ViewChoice;
  components?: number;
}

export interface CcaView extends GccaView {
  /** features x components: correlation of each feature with the other view's canonical variable. */
  crossLoadings: Matrix;
  /**
   * Shares, from 0 to 1, of the variance of this view's standardised features, one column for each
   * component: `extracted` by its own canonical variable, and `redundancy`, by the other view's
   * (Stewart & Love 1968).
   */
  variance: Matrix;
}

export interface CcaResult extends Result {
  analysis: 'cca';
  options: CcaOptions & Required<Pick<CcaOptions, 'x' | 'y' | 'components'>>;
  /**
   * `noiseFloor` of each: what noise and few rows alone would show along this pair's directions.
   * With a level, intervals for the population that the rows are a sample of.
   */
  correlations: (Estimate & { noiseFloor: number })[];
  /** No direction of a view has less variance than the noise: `hidden` is empty. */
  resolved: boolean;
  /**
   * How many directions of each view are hidden, by its name. They may have any correlation: with h in
   * all, the first h may be as high as 1, and of others as high as the h-th before them. Upper ends of
   * intervals say so.
   */
  hidden: Record<string, number>;
  /** By the names of the views, or `x` and `y` where lists of columns were given. */
  views: Record<string, CcaView>;
  /** The largest correlation that the noise alone would show. */
  noiseFloor: number;
  rows: number;
}

function ask(
  context: Context,
  options: CcaOptions,
): { x: ResolvedView; y: ResolvedView; components: number; asked: RawCcaOptions } {
  requireKnown(options, ['x', 'y', 'components', ...INTERVALS]);
  requireRows(context);
  const [x, y] = resolveTwo(context.study, options.x, options.y);
  const most = Math.min(x.features.length, y.features.length);
  const components = options.components ?? shown(context, most);
  requireComponents(components, most);
  const asked = {
    ...context.covariance,
    x: x.features,
    y: y.features,
    components,
  };
  return { x, y, components, asked };
}

export function ccaDraws(context: Context, options: CcaOptions, part: Part): Float64Array {
  const { asked } = ask(context, options);
  return drawsOf(context, options, asked, part, (all) => context.core.ccaDraws(all));
}

export function cca(context: Context, options: CcaOptions): CcaResult {
  const { x, y, components, asked } = ask(context, options);
  const raw = unwrap(context.core.cca(asked));
  const simulation = simulationOf(context, options);
  const intervals =
    simulation && unwrap(context.core.ccaIntervals({ ...asked, ...simulation.raw }));
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
      x: options.x ?? x.name,
      y: options.y ?? y.name,
      components,
      ...simulation?.options,
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
    guarantee: context.guarantee,
    rows: context.rows,
  });
}
