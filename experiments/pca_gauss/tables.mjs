// The tables of the page.
import { distinct } from '../support/claims.mjs';
import { inOrder, method } from '../support/methods.mjs';
import { table, withMargin } from '../support/pages.mjs';
import {
  ACCURACY,
  ARI,
  best,
  fixed,
  OWN_SILHOUETTE,
  RMSE,
  RMSE_UNCLIPPED,
  rowsOf,
  SET_NAMES,
  setsOf,
  SILHOUETTE,
} from './results.mjs';

const methodsIn = (rows) => inOrder(new Set(rows.map((row) => row.method)));

/** A method's name; with a mark if its guarantee has a delta. */
function nameOf(rows, key) {
  const { delta } = rows.find((row) => row.method === key);
  return delta > 0 ? `${method(key).label}, δ` : method(key).label;
}

/** The best p with the interval, and the mean at the p fixed in advance: `0.53 ± 0.02, p 2; 0.48`. */
function cell(rows, set, key, quantity) {
  const chosen = best(rows, set, key, quantity);
  if (!chosen) return '-';
  const mean = withMargin(chosen, quantity.column, 3);
  if (!chosen.reduces) return mean;
  const before = fixed(rows, set, key)?.[quantity.column].toFixed(3);
  return `${mean}, p ${chosen.p}${before === undefined ? '' : `; ${before}`}`;
}

const byMethod = (name, quantity) => (csv) => {
  const rows = csv(name);
  const sets = setsOf(rows);
  const head = ['method', ...sets.map((set) => SET_NAMES[set])];
  const lines = methodsIn(rows).map((key) => [
    nameOf(rows, key),
    ...sets.map((set) => cell(rows, set, key, quantity)),
  ]);
  return table(head, lines);
};

const byEpsilon = (name, quantity, sets) => (csv) => {
  const rows = csv(name).filter(({ set }) => sets.includes(set));
  const epsilons = distinct(rows.map(({ epsilon }) => epsilon)).sort((a, b) => a - b);
  const head = ['set', 'method', ...epsilons.map((epsilon) => `ε = ${epsilon}`)];
  const lines = sets.flatMap((set) =>
    methodsIn(rows).map((key) => {
      const own = rowsOf(rows, set, key);
      const cells = epsilons.map((epsilon) => {
        const row = own.find((at) => at.epsilon === epsilon);
        return row ? withMargin(row, quantity.column, 3) : '-';
      });
      return [SET_NAMES[set], nameOf(rows, key), ...cells];
    }),
  );
  return table(head, lines, { left: 2 });
};

function repetitions(csv) {
  const rows = [
    ['clustering', 'clusters-p'],
    ['classification', 'accuracy-p'],
    ['regression', 'rmse-p'],
  ].flatMap(([task, name]) =>
    setsOf(csv(name)).map((set) => {
      const own = csv(name).filter((row) => row.set === set);
      const tried = distinct(own.map(({ p }) => p)).sort((a, b) => a - b);
      return [task, SET_NAMES[set], tried.join(', '), String(own[0].repetitions)];
    }),
  );
  return table(['task', 'set', 'p', 'repetitions'], rows, { left: 3 });
}

/** The p with the largest value among those tried for the accuracy. */
const largest = (rows, column) =>
  rows.reduce((found, row) => (row[column] > found[column] ? row : found));

/** For each set: the p of each ratio, and the p with the best accuracy. */
function sirChoice(csv) {
  const accuracies = csv('accuracy-p');
  const ratios = csv('sir');
  const gains = inOrder(new Set(ratios.map(({ gain }) => gain)));
  const shown = ['pca-gauss-published', 'pca-gauss-corrected', 'pca-gauss-joint'];
  const head = ['set', ...gains.map((gain) => method(gain).label)];
  const lines = setsOf(accuracies).map((set) => {
    const own = ratios.filter((row) => row.set === set);
    return [
      SET_NAMES[set],
      ...gains.map((gain) =>
        String(
          largest(
            own.filter((row) => row.gain === gain),
            'sir',
          ).p,
        ),
      ),
      ...shown.map((key) => String(best(accuracies, set, key, ACCURACY).p)),
    ];
  });
  return table([...head, ...shown.map((key) => `best for ${method(key).label}`)], lines);
}

export const tables = {
  repetitions,
  clusters: byMethod('clusters-p', OWN_SILHOUETTE),
  'clusters-real': byMethod('clusters-p', SILHOUETTE),
  'clusters-agreement': byMethod('clusters-p', ARI),
  accuracy: byMethod('accuracy-p', ACCURACY),
  'accuracy-epsilon': byEpsilon('accuracy-epsilon', ACCURACY, ['digits', 'breast_cancer', 'gfe']),
  rmse: byMethod('rmse-p', RMSE),
  'rmse-unclipped': byMethod('rmse-p', RMSE_UNCLIPPED),
  'rmse-epsilon': byEpsilon('rmse-epsilon', RMSE, ['buzz']),
  'sir-choice': sirChoice,
};
