// What the pages on DP-CCA and capeCCA share: the sets, and figures and tables over an axis.
import { distinct, verdictOf } from './claims.mjs';
import { method } from './methods.mjs';
import { table, withMargin } from './pages.mjs';

export const SETS = {
  mnist: 'MNIST halves, 50 + 50',
  synthetic: 'synthetic, 20 + 20',
  imaging: 'fMRI + EEG, 5 + 5',
  students: 'students, 3 + 5',
};

export const BY = {
  epsilon: { by: 'by epsilon', label: 'epsilon (delta 0.01)' },
  delta: { by: 'by delta', label: 'delta' },
  rows: { by: 'by number of rows', label: 'rows (delta 0.01)' },
};

const MEASURES = {
  captured: {
    title: 'Captured correlation',
    label: 'captured / true correlation',
    from: 0,
    to: 1,
    sets: ['mnist', 'synthetic', 'imaging'],
  },
  error: {
    title: 'Error of correlations',
    label: 'error of correlations, |r* − r̂| / K',
    scale: 'log',
    sets: ['mnist', 'synthetic', 'imaging'],
  },
  clusters: {
    title: 'Calinski-Harabasz index',
    label: 'Calinski-Harabasz index',
    from: 0,
    shared: false,
    sets: ['mnist', 'synthetic'],
  },
};

const named = (sets) => Object.fromEntries(sets.map((set) => [set, SETS[set]]));

/** The figure of a measure over an axis: `csv` and `x.column` are its name. */
export function figureOf(
  measure,
  axis,
  { by, scale = 'log', label, note, says, sets, csv = axis },
) {
  const { title, label: of, scale: own = 'linear', sets: all, ...range } = MEASURES[measure];
  const panels = sets ?? all;
  return {
    name: `${measure}-${axis}`,
    csv,
    title: `${title}, ${by}`,
    note,
    description: says,
    where: (row) => panels.includes(row.set) && row[measure] !== null && row[measure] > 0,
    panel: { column: 'set', titles: named(panels) },
    series: { column: 'method' },
    x: { column: axis, scale, label },
    y: { column: measure, scale: own, label: of, ...range },
  };
}

const DIGITS = { captured: 3, error: 4, clusters: 0 };

/** A table of one set: a line a method, a column a place on the axis. */
export function tableOf(rows, { set, axis, measure, places, methods }) {
  const own = rows.filter((row) => row.set === set);
  const chosen = places ?? distinct(own.map((row) => row[axis]));
  const lines = methods
    .filter((key) => own.some((row) => row.method === key && row[measure] !== null))
    .map((key) => [
      method(key).label,
      ...chosen.map((place) => {
        const row = own.find((each) => each.method === key && each[axis] === place);
        return row ? withMargin(row, measure, DIGITS[measure]) : '';
      }),
    ]);
  return table([`${SETS[set]}`, ...chosen.map((place) => `${axis} ${place}`)], lines);
}

/** Such a table for each of some sets. */
export const tablesOf = (rows, sets, options) =>
  sets.map((set) => tableOf(rows, { set, ...options })).join('\n\n');

/** What says at which place of the figures a row is. */
const PLACE = ['set', 'epsilon', 'delta', 'rows', 'sites'];

/** Pairs of rows of two methods at the same place. */
export function pairsOf(rows, first, second, same = PLACE) {
  return rows
    .filter((row) => row.method === first)
    .map((row) => [
      row,
      rows.find((other) => other.method === second && same.every((c) => other[c] === row[c])),
    ])
    .filter(([, other]) => other !== undefined);
}

/** Whether means differ by no more than both intervals allow. */
export const alike = (a, b, measure) =>
  a[`${measure}_low`] <= b[`${measure}_high`] && b[`${measure}_low`] <= a[`${measure}_high`];

/**
 * The verdict on a promised epsilon: `rows` have the claimed and the actual one. The formula is proved for
 * epsilon up to 1, so a failure there refutes the promise, and one beyond limits it.
 */
export function verdictOfPromise(rows) {
  const kept = ({ actual, epsilon }) => actual <= epsilon;
  if (rows.every(kept)) return 'agrees';
  return rows.filter(({ epsilon }) => epsilon <= 1).every(kept) ? 'in part' : 'does not agree';
}

/** Whether a method's measure rises (or falls) from one end of the axis to the other, in each set. */
export function trend(rows, key, axis, measure, direction) {
  const sets = distinct(rows.map((row) => row.set));
  return sets.flatMap((set) => {
    const own = rows
      .filter((row) => row.set === set && row.method === key && row[measure] !== null)
      .sort((a, b) => a[axis] - b[axis]);
    if (own.length < 2) return [];
    const [first, last] = [own[0], own.at(-1)];
    return [
      direction === 'rises' ? last[measure] > first[measure] : last[measure] < first[measure],
    ];
  });
}

const NEAR = 0.95;
const percents = (values) => values.map((value) => `${Math.round(100 * value)} %`).join(', ');

/** The share of the correlation without privacy that a method captures, at the right end of an axis. */
function reached(rows, key, axis) {
  const ends = new Map();
  for (const row of rows) ends.set(row.set, Math.max(ends.get(row.set) ?? 0, row[axis]));
  const last = rows.filter((row) => row[axis] === ends.get(row.set));
  return pairsOf(last, key, 'non-private').map(([a, b]) => a.captured / b.captured);
}

/** The claim that a published method comes near to CCA without privacy along an axis. */
export const approaches = (axis, { published, aware, where, read }) => ({
  ours: (csv) => {
    const shares = (key) => percents(reached(csv(axis), key, axis));
    return `at ${where} ${shares(published)} of the correlation captured without privacy (MNIST, synthetic, fMRI + EEG); our reading of the same ${read} ${shares(aware)}`;
  },
  verdict: (csv) => verdictOf(reached(csv(axis), published, axis).map((value) => value >= NEAR)),
});
