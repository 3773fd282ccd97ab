import type { ConsortiumData } from 'private-moments/research';
import sets from './consortium-data.json';
import { fromTriangle } from './triangle.js';

/** A data set as tools/consortium-data.mjs wrote it: its second moments, and where it is from. */
export interface ConsortiumSet {
  id: string;
  title: string;
  about: string;
  source: string;
  licence: string;
  /** What a row is one of. */
  rowsAre: string;
  /** The two views, in the order of the columns. */
  views: { name: string; columns: number }[];
  /** How many there are; null of a law. */
  rows: number | null;
  /** The upper triangle, row by row. */
  covariance: number[];
}

export const SETS: readonly ConsortiumSet[] = sets;

/** What is simulated of it. */
export function dataOf({ covariance, views }: ConsortiumSet): ConsortiumData {
  const dimension = views.reduce((sum, { columns }) => sum + columns, 0);
  const values = fromTriangle(covariance, dimension);
  return { covariance: { dimension, values }, first: views[0]?.columns ?? 0 };
}
