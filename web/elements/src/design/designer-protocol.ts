import type { Advice, Column, Forecast, ForecastOptions, StudyDefinition } from 'private-moments';
import type { Answer } from '../base/answer.js';
import type { ForecastPoint } from '../figures/forecast-surface.js';

/**
 * The messages between the designer and its worker. Settings are public; an example file is read in the
 * worker, and only the proposal made from it comes back.
 */
export type ToDesignerWorker =
  ({ type: 'ask' } & DesignQuestion) | { type: 'example'; id: number; file: Blob };

/** Assumptions about the data. */
export type AssumedOptions = Pick<
  ForecastOptions,
  'spread' | 'withinViews' | 'offCentre' | 'correlations' | 'x' | 'y'
>;

export type Along = 'rows' | 'sites';

/** A study that differs by one change, and its sizes. */
export interface Variant {
  definition: StudyDefinition;
  rows: number;
  sites: number;
}

export interface DesignQuestion {
  id: number;
  definition: StudyDefinition;
  /** Rows of each site, or the number of participants if each one makes a release of its own. */
  rows: number;
  sites: number;
  assumed: AssumedOptions;
  /** What the sizes of points are: rows of each site (or participants), or sites. */
  along: Along;
  /** Epsilon and size of each point to forecast, most wanted first. */
  points: (readonly [epsilon: number, size: number])[];
  /** The study with one change each, to compare. */
  variants: Variant[];
  /** Ways to share the noise, to compare with all rows in one place. */
  modes: StudyDefinition[];
}

export type FromDesignerWorker =
  | { type: 'forecast'; id: number; answer: Answer<Forecast> }
  | { type: 'advice'; id: number; answer: Answer<AdviceInWords> }
  | { type: 'modes'; id: number; noise: (number | null)[] }
  | { type: 'point'; id: number; epsilon: number; size: number; point: ForecastPoint | null }
  | { type: 'variants'; id: number; points: (ForecastPoint | null)[] }
  | { type: 'example'; id: number; answer: Answer<Proposal> };

export interface AdviceInWords extends Advice {
  /** Titles of the mechanisms by their names. */
  titles: Record<string, string>;
}

export interface Proposal {
  /** Columns, each with where its bounds or levels are from. */
  columns: (Column & { from: string })[];
  rows: number;
  /** Columns that cannot be used, and why. */
  leftOut: { name: string; why: string }[];
}
