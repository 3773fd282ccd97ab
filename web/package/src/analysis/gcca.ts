import { requireKnown } from '../check.js';
import type { Part, RawGccaOptions } from '../raw.js';
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
import { viewOf, type GccaView } from './variates.js';
import { resolveAll, type ResolvedView, type ViewChoice } from './views.js';

export interface GccaOptions extends IntervalOptions {
  /** At least two; each a view's name, or a list of columns. */
  views?: readonly ViewChoice[];
  components?: number;
}

export interface GccaResult extends Result {
  analysis: 'gcca';
  options: GccaOptions & Required<Pick<GccaOptions, 'views' | 'components'>>;
  /**
   * How much the m views share in each component: `value` from 0 to 1, the mean correlation where
   * all pairs of views correlate alike, and `eigenvalue` = 1 + (m - 1) value, the variance of the
   * best sum of one variable a view. `noiseFloor`: the value that noise and few rows alone would
   * show. With a level, intervals of `value`. `resolved` and `hidden` as `cca` has them.
   */
  shared: (Estimate & { eigenvalue: number; noiseFloor: number })[];
  resolved: boolean;
  hidden: Record<string, number>;
  /** By the names of the views; a list of columns is `view1` and so on, by its place. */
  views: Record<string, GccaView>;
  /** pairs of views x components: correlation between the two views' variables. */
  pairs: Matrix;
  /** The largest value that the noise alone would show. */
  noiseFloor: number;
  rows: number;
}

function ask(
  context: Context,
  options: GccaOptions,
): { views: ResolvedView[]; components: number; asked: RawGccaOptions } {
  requireKnown(options, ['views', 'components', ...INTERVALS]);
  requireRows(context);
  const views = resolveAll(context.study, options.views);
  const most = Math.min(...views.map(({ features }) => features.length));
  const components = options.components ?? shown(context, most);
  requireComponents(components, most);
  const asked = {
    ...context.covariance,
    views: views.map(({ features }) => features),
    components,
  };
  return { views, components, asked };
}

export function gccaDraws(context: Context, options: GccaOptions, part: Part): Float64Array {
  const { asked } = ask(context, options);
  return drawsOf(context, options, asked, part, (all) => context.core.gccaDraws(all));
}

export function gcca(context: Context, options: GccaOptions): GccaResult {
  const { views, components, asked } = ask(context, options);
  const raw = unwrap(context.core.gcca(asked));
  const simulation = simulationOf(context, options);
  const intervals =
    simulation && unwrap(context.core.gccaIntervals({ ...asked, ...simulation.raw }));
  const labels = numbered('GC', components);
  return asResult<Omit<GccaResult, 'toJSON' | 'toCSV'>>({
    analysis: 'gcca',
    options: {
      views: options.views ?? views.map(({ name }) => name),
      components,
      ...simulation?.options,
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
    guarantee: context.guarantee,
    rows: context.rows,
  });
}

/** Every pair of views once, first by the first. */
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
