import { csvText } from 'private-moments/internal';
import { holdingOf, type Contender } from './compared-mechanisms.js';
import type { Known } from './comparer.js';
import type { Row } from './comparison-table.js';
import { fixed } from 'private-moments/words';

/** Errors of the matrix, or shares of variance, along epsilon or rows. */
export type Figure = 'error' | 'shareByEpsilon' | 'shareByRows';

/** One point of a line, with its figure, mechanism and result. */
export interface PlotPoint {
  figure: Figure;
  contender: Contender;
  data: string;
  epsilon: number;
  delta: number;
  rows: number;
  components: number;
  at: Known;
}

const FIGURES_HEAD = [
  ...['figure', 'mechanism', 'data', 'epsilon', 'delta', 'rows', 'directions', 'runs', 'rms_error'],
  ...['share', 'share_within_95'],
];
const TABLE_HEAD = [
  ...['mechanism', 'registry', 'claim', 'epsilon_that_holds', 'delta_that_holds', 'numerics'],
  ...['rms_error', 'seconds', 'runs'],
];

export function figuresCsv(points: readonly PlotPoint[]): string {
  const lines = points.map(({ figure, contender, data, epsilon, delta, rows, components, at }) => {
    const measured =
      figure === 'error'
        ? [fixed(at.error, 6), '', '']
        : ['', fixed(at.share, 6), fixed(at.shareWithin, 6)];
    return [
      ...[figure, contender.id, data, epsilon, delta, rows, components, at.runs],
      ...measured,
    ];
  });
  return csvText(FIGURES_HEAD, lines);
}

export function tableCsv(rows: readonly Row[]): string {
  const lines = rows.map(({ contender, at }) => {
    const holds = holdingOf(contender, at) === 'none' ? undefined : at?.holds;
    return [
      contender.id,
      contender.isPublished ? 'published' : 'study',
      contender.promise,
      holds?.epsilon,
      holds?.delta,
      contender.numerics,
      at?.error,
      at !== undefined && at.runs > 0 ? at.seconds : null,
      at?.runs,
    ];
  });
  return csvText(TABLE_HEAD, lines);
}
