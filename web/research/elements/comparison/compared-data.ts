import { fromTriangle } from 'private-moments/internal/elements';
import made from './comparison-data.json';

/** Public or made-up rows that mechanisms are compared on (tools/comparison-data.mjs). */
export interface ComparedData {
  id: string;
  title: string;
  about: string;
  source: string;
  licence: string;
  rows: number;
  dimension: number;
  /** The mean of x x^T over the rows, row by row. */
  mean: Float64Array;
}

/** All data sets, those of the papers first. */
export const DATA: readonly ComparedData[] = made.map(({ mean, ...about }) => ({
  ...about,
  mean: fromTriangle(mean, about.dimension),
}));
