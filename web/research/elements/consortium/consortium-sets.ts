import type { ConsortiumData } from 'private-moments-research';
import { fromTriangle } from 'private-moments/internal/elements';
import sets from './consortium-data.json';

/** A data set as tools/consortium-data.mjs writes it: its second moments and its source. */
export interface ConsortiumSet {
  id: string;
  title: string;
  about: string;
  source: string;
  licence: string;
  /** What the rows are, in the plural: "patients". */
  rowsAre: string;
  /** The two views, in the order of the columns. */
  views: { name: string; columns: number }[];
  /** Number of rows; null for a model. */
  rows: number | null;
  /** The upper triangle, row by row. */
  covariance: number[];
}

export const SETS: readonly ConsortiumSet[] = sets;

/** The data for the simulation. */
export function dataOf({ covariance, views }: ConsortiumSet): ConsortiumData {
  const dimension = views.reduce((sum, { columns }) => sum + columns, 0);
  const values = fromTriangle(covariance, dimension);
  return { covariance: { dimension, values }, first: views[0]?.columns ?? 0 };
}
