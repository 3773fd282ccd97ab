// What tables and claims read from the results: the best number of directions of a method, the number
// fixed in advance, and comparisons between methods.
import { distinct } from '../support/claims.mjs';

/** The rows of a set and method. */
export const rowsOf = (rows, set, method) =>
  rows.filter((row) => row.set === set && row.method === method);

export const setsOf = (rows) => distinct(rows.map(({ set }) => set));

/** The row with the best value over all p, chosen by the result as in the papers. */
export function best(rows, set, method, { column, larger }) {
  const own = rowsOf(rows, set, method);
  const sign = larger ? 1 : -1;
  return own.toSorted((a, b) => sign * (b[column] - a[column]))[0];
}

/** How many directions were fixed in advance, the same as in judge.py: about the number of classes. */
export const fixedComponents = (set) => (set === 'digits' || set === 'gfe' ? 8 : 4);

export const fixed = (rows, set, method) =>
  rowsOf(rows, set, method).find(({ p, reduces }) => !reduces || p === fixedComponents(set));

export const ACCURACY = { column: 'accuracy', larger: true };
export const RMSE = { column: 'rmse', larger: false };
export const RMSE_UNCLIPPED = { column: 'rmse_unclipped', larger: false };
export const OWN_SILHOUETTE = { column: 'own_silhouette', larger: true };
export const SILHOUETTE = { column: 'silhouette', larger: true };
export const ARI = { column: 'ari', larger: true };

export const SET_NAMES = {
  gfe: 'GFE',
  digits: 'digits',
  wine: 'wine',
  breast_cancer: 'breast cancer',
  buzz: 'Buzz',
  diabetes: 'diabetes',
  breast_area: 'breast area',
  simulated: 'simulated',
};
