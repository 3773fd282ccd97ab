import type {
  Column,
  CorrelationForecast,
  Data,
  Moments,
  Study,
  StudyDefinition,
} from 'private-moments';

export interface Population {
  columns: Column[];
  views: Record<string, string[]>;
  rows: (number | string)[][];
}

export function uniforms(seed: number): () => number;

export function population(of: {
  columns: number;
  within?: number;
  planted?: number;
  along?: 'shared' | 'alike' | 'contrast';
  offCentre?: number;
  spread?: number;
  skewed?: boolean;
  indicators?: number;
  seed?: number;
}): Population;

export function studyOf(data: Population, changes?: Partial<StudyDefinition>): Study;

export function truthsOf(
  exactMoments: (study: Study, data: Data) => Promise<Moments>,
  study: Study,
  data: Population,
  pairs: number,
): Promise<number[]>;

export function covarianceOf(
  exactMoments: (study: Study, data: Data) => Promise<Moments>,
  study: Study,
  data: Population,
): Promise<Moments['covariance']>;

export type Run = { value: number; floor: number; p?: number }[];

export function simulate(
  study: Study,
  data: Population,
  options: {
    rows: number;
    sites: number;
    runs: number;
    pairs: number;
    seed?: number;
    test?: number;
  },
): Promise<Run[]>;

export function outcome(
  found: readonly Run[],
  pair: number,
): { mean: number; sd: number; floor: number; floors: number[] };

export function shareClear(
  found: readonly Run[],
  correlations: readonly Pick<CorrelationForecast, 'truth' | 'margin'>[],
): number;
