import type { Advice, Column, Forecast, ForecastOptions, StudyDefinition } from 'private-moments';
import type { ForecastPoint } from './forecast-surface.js';

/**
 * What the designer and its worker say to each other. Settings are public; an example file is read in
 * the worker, and only what is proposed from it comes back.
 */
export type ToDesignerWorker =
  ({ type: 'ask' } & DesignQuestion) | { type: 'example'; id: number; file: Blob };

/** What is assumed of the data. */
export type AssumedOptions = Pick<
  ForecastOptions,
  'spread' | 'withinViews' | 'offCentre' | 'correlations' | 'x' | 'y'
>;

export interface DesignQuestion {
  id: number;
  definition: StudyDefinition;
  /** Of each site; where each participant is a release of its own, how many of them. */
  rows: number;
  sites: number;
  assumed: AssumedOptions;
  /** Epsilon and rows of each point to forecast, most wanted first. */
  points: (readonly [epsilon: number, rows: number])[];
  /** Ways to share the noise, to be compared with all rows in one place. */
  modes: StudyDefinition[];
}

/** A finding, or a sentence on why there is none. */
export type Answer<T> = { value: T } | { error: string };

export type FromDesignerWorker =
  | { type: 'forecast'; id: number; answer: Answer<Forecast> }
  | { type: 'advice'; id: number; answer: Answer<AdviceInWords> }
  | { type: 'modes'; id: number; noise: (number | null)[] }
  | { type: 'point'; id: number; epsilon: number; rows: number; point: ForecastPoint | null }
  | { type: 'example'; id: number; answer: Answer<Proposal> };

export interface AdviceInWords extends Advice {
  /** Names of the mechanisms for people. */
  titles: Record<string, string>;
}

export interface Proposal {
  columns: Column[];
  rows: number;
  /** Columns that hold neither numbers nor few enough levels. */
  leftOut: string[];
}
