// A simulated cohort with planted canonical correlations. For simulation only: its generator is seeded and
// predictable, so it must never be used for noise that protects people.
//   node samples/cohort.mjs FOLDER [--rows 60000] [--sites 10] [--seed 1]

import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { dealOut, SITES, writeSample } from './split.mjs';

/**
 * A column of the cohort. Mean and sd are in the column's own unit; min and max are the public bounds of
 * the study; values are rounded to `decimals`.
 *
 * @typedef {{ name: string, mean: number, sd: number, min: number, max: number, decimals: number }} Column
 */

/** Two views that a sleep study might collect. Means and deviations are made up, but plausible. */
export const SLEEP_VIEWS = {
  sleep: [
    { name: 'duration_h', mean: 7, sd: 1.1, min: 3, max: 11, decimals: 2 },
    { name: 'efficiency_pct', mean: 81, sd: 6, min: 60, max: 100, decimals: 1 },
    { name: 'awakenings', mean: 5, sd: 1.5, min: 0, max: 10, decimals: 1 },
  ],
  metabolism: [
    { name: 'glucose_mmol', mean: 5.5, sd: 0.9, min: 2.5, max: 8.5, decimals: 2 },
    { name: 'bmi', mean: 27, sd: 4.2, min: 13, max: 41, decimals: 1 },
    { name: 'triglycerides', mean: 1.7, sd: 0.5, min: 0, max: 3.4, decimals: 2 },
  ],
};

/** Canonical correlations between the two views. */
const PLANTED = [0.62, 0.31, 0.06];

// Correlation between neighbouring columns of one view; it falls geometrically with their distance.
const WITHIN_VIEW = 0.3;

/** sfc32 (Chris Doty-Humphrey's PractRand), seeded with one 32-bit integer; uniform on (0, 1). */
function uniformSource(seed) {
  let a = 0x9e3779b9;
  let b = 0x243f6a88;
  let c = seed >>> 0;
  let counter = 1;
  const next = () => {
    const t = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + t) | 0;
    return (t >>> 0) / 2 ** 32 + 2 ** -33;
  };
  for (let i = 0; i < 16; i++) next();
  return next;
}

/** Standard normal numbers by the Box-Muller transform. */
function normalSource(seed) {
  const uniform = uniformSource(seed);
  let spare = null;
  return () => {
    if (spare !== null) {
      const value = spare;
      spare = null;
      return value;
    }
    const radius = Math.sqrt(-2 * Math.log(uniform()));
    const angle = 2 * Math.PI * uniform();
    spare = radius * Math.sin(angle);
    return radius * Math.cos(angle);
  };
}

/** A d x d rotation (orthonormal rows), from normal rows by Gram-Schmidt. */
function rotation(d, normal) {
  const rows = [];
  while (rows.length < d) {
    let row = Array.from({ length: d }, normal);
    for (const done of rows) {
      const overlap = row.reduce((sum, v, j) => sum + v * done[j], 0);
      row = row.map((v, j) => v - overlap * done[j]);
    }
    const length = Math.hypot(...row);
    rows.push(row.map((v) => v / length));
  }
  return rows;
}

/**
 * The d x d mixing matrix of a view: maps d independent canonical variates to d standardised columns with
 * correlations WITHIN_VIEW^|i-j|. It is the Cholesky factor of these correlations times a rotation, so no
 * single column is a canonical variate.
 */
function mixing(d, normal) {
  const turn = rotation(d, normal);
  const step = Math.sqrt(1 - WITHIN_VIEW ** 2);
  const factor = (i, j) => (j === 0 ? WITHIN_VIEW ** i : step * WITHIN_VIEW ** (i - j));
  return Array.from({ length: d }, (_, i) =>
    Array.from({ length: d }, (_, k) => {
      let sum = 0;
      for (let j = 0; j <= i; j++) sum += factor(i, j) * turn[j][k];
      return sum;
    }),
  );
}

function checked(rows, correlations, views) {
  const names = Object.keys(views);
  if (names.length !== 2) throw new RangeError('views must be exactly two');
  if (!Number.isInteger(rows) || rows < 1)
    throw new RangeError('rows must be a whole number from 1');
  const most = Math.min(...names.map((name) => views[name].length));
  if (correlations.length > most) throw new RangeError(`correlations must be at most ${most}`);
  if (!correlations.every((r) => r >= 0 && r < 1)) {
    throw new RangeError('correlations must be at least 0 and below 1');
  }
  return names.map((name) => views[name]);
}

/**
 * Draws a cohort from a normal population whose canonical correlations between the two views are exactly
 * `correlations` (missing ones are 0). Values are rounded, and values outside the public bounds are kept;
 * this changes the correlations of a sample by less than its sampling error.
 *
 * @param {object} [options]
 * @param {number} [options.rows] number of rows, at least 1
 * @param {number[]} [options.correlations] each in [0, 1); at most as many as the smaller view has columns
 * @param {number} [options.seed] 32-bit integer; the same seed gives the same cohort
 * @param {{ [view: string]: Column[] }} [options.views] exactly two views
 * @param {{ epsilon: number, delta: number }} [options.privacy]
 * @returns {{ study: object, columns: string[], values: Float64Array, correlations: number[] }}
 *   study definition for `defineStudy`; column names; rows x columns values, row-major; planted correlations,
 *   largest first
 * @throws {RangeError} if an option is out of range
 */
export function cohort({
  rows = 60000,
  correlations = PLANTED,
  seed = 1,
  views = SLEEP_VIEWS,
  privacy = { epsilon: 1, delta: 1e-6 },
} = {}) {
  const [left, right] = checked(rows, correlations, views);
  const all = [...left, ...right];
  const planted = [...correlations].sort((a, b) => b - a);
  const normal = normalSource(seed);
  const mix = [mixing(left.length, normal), mixing(right.length, normal)];

  const values = new Float64Array(rows * all.length);
  const u = new Float64Array(left.length);
  const v = new Float64Array(right.length);
  let at = 0;
  const put = (column, weights, variates) => {
    let z = 0;
    for (let k = 0; k < variates.length; k++) z += weights[k] * variates[k];
    values[at++] = Number((column.mean + column.sd * z).toFixed(column.decimals));
  };
  for (let row = 0; row < rows; row++) {
    for (let k = 0; k < u.length; k++) u[k] = normal();
    for (let k = 0; k < v.length; k++) {
      const r = planted[k] ?? 0;
      v[k] = (r === 0 ? 0 : r * u[k]) + Math.sqrt(1 - r * r) * normal();
    }
    left.forEach((column, i) => put(column, mix[0][i], u));
    right.forEach((column, i) => put(column, mix[1][i], v));
  }

  const names = Object.keys(views);
  return {
    study: {
      format: 'private-moments/study@1',
      title: `Simulated cohort: ${names[0]} and ${names[1]}`,
      columns: all.map(({ name, min, max }) => ({ name, type: 'number', min, max })),
      views: Object.fromEntries(names.map((name) => [name, views[name].map((c) => c.name)])),
      unit: 'row',
      neighbours: 'replace-one',
      privacy,
    },
    columns: all.map((column) => column.name),
    values,
    correlations: planted,
  };
}

/**
 * The normal distribution from which `cohort` draws its rows, with the same options.
 *
 * @param {object} [options] as for `cohort`: correlations, seed, views
 * @returns {{ columns: Column[], correlation: number[][] }} columns of both views in their order, with
 *   mean and sd; the correlations between them
 */
export function population({ correlations = PLANTED, seed = 1, views = SLEEP_VIEWS } = {}) {
  const [left, right] = checked(1, correlations, views);
  const planted = [...correlations].sort((a, b) => b - a);
  const normal = normalSource(seed);
  const mix = [mixing(left.length, normal), mixing(right.length, normal)];
  const place = [...left.map((_, i) => [0, i]), ...right.map((_, i) => [1, i])];
  const shared = ([v], [w], k) => (v === w ? 1 : (planted[k] ?? 0));
  return {
    columns: [...left, ...right],
    correlation: place.map((a) =>
      place.map((b) => {
        const [own, other] = [mix[a[0]][a[1]], mix[b[0]][b[1]]];
        const pairs = Math.min(own.length, other.length);
        let sum = 0;
        for (let k = 0; k < pairs; k++) sum += own[k] * other[k] * shared(a, b, k);
        return sum;
      }),
    ),
  };
}

/**
 * CSV text of row-major values.
 *
 * @param {{ columns: string[], values: Float64Array }} table
 * @returns {string} header line, then one line per row
 */
export function toCsv({ columns, values }) {
  const lines = [columns.join(',')];
  for (let at = 0; at < values.length; at += columns.length) {
    lines.push(values.subarray(at, at + columns.length).join(','));
  }
  return `${lines.join('\n')}\n`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values: flags, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rows: { type: 'string', default: '60000' },
      sites: { type: 'string', default: String(SITES) },
      seed: { type: 'string', default: '1' },
    },
  });
  if (positionals.length !== 1) {
    console.error('usage: node samples/cohort.mjs FOLDER [--rows 60000] [--sites 10] [--seed 1]');
    process.exit(2);
  }
  const made = cohort({ rows: Number(flags.rows), seed: Number(flags.seed) });
  const files = writeSample(positionals[0], {
    study: made.study,
    sites: dealOut(toCsv(made), Number(flags.sites)),
  });
  console.log(`wrote study.json and ${files.length} CSV files to ${positionals[0]}`);
  console.log(`planted canonical correlations: ${made.correlations.join(', ')}`);
}
