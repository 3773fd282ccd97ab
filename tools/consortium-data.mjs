#!/usr/bin/env node
// Writes the data on which Explore simulates consortia,
// web/research/elements/consortium/consortium-data.json: second moments of centred rows, and their
// sources. The file holds no rows. The census and the simulated cohort are in samples/; PM_DATA names the
// folder with the other sets. With --check it writes nothing and fails if the file is out of date; sets
// that are missing from the folder are not checked.
import { fileURLToPath } from 'node:url';
import { rowsOf } from '../experiments/support/data_sets.mjs';
import { population } from '../samples/cohort.mjs';
import { censusStudy } from '../samples/split.mjs';
import { SOURCES, censusCells, ofSet, update } from './explore-data.mjs';

const SETS = [
  {
    id: 'sleep',
    title: 'Sleep, simulated',
    about: 'Made-up patients whose canonical correlations are planted: .62, .31 and .06.',
    ...SOURCES.sleep,
    rowsAre: 'rows',
    views: [
      { name: 'sleep', columns: 3 },
      { name: 'metabolism', columns: 3 },
    ],
    numbers: () => ofLaw(population()),
  },
  {
    id: 'census',
    title: 'People and work, 1994 census',
    about: 'Age, schooling, sex and marriage; hours, income and kind of work.',
    ...SOURCES.census,
    rowsAre: 'people',
    views: [
      { name: 'people', columns: 4 },
      { name: 'work', columns: 6 },
    ],
    numbers: () => ofRows(censusRows()),
  },
  {
    id: 'diabetes',
    title: 'Body and blood, diabetes',
    about: 'Age, sex, body mass and blood pressure; six measures of blood serum.',
    ...SOURCES.diabetes,
    rowsAre: 'patients',
    views: [
      { name: 'body', columns: 4 },
      { name: 'blood', columns: 6 },
    ],
    numbers: () => ofColumns('diabetes', [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]),
  },
  {
    id: 'breast-cancer',
    title: 'Cell nuclei, breast cancer',
    about:
      'Mean texture, perimeter, smoothness, compactness and symmetry of nuclei; the largest of each.',
    ...SOURCES.breastCancer,
    rowsAre: 'masses',
    views: [
      { name: 'mean', columns: 5 },
      { name: 'largest', columns: 5 },
    ],
    numbers: () => ofColumns('breast_cancer', [1, 2, 4, 5, 8, 21, 22, 24, 25, 28]),
  },
  {
    id: 'wine',
    title: 'Wines, chemistry and colour',
    about: 'Alcohol, acids, ash and salts; phenols and colour.',
    ...SOURCES.wine,
    rowsAre: 'wines',
    views: [
      { name: 'chemistry', columns: 6 },
      { name: 'colour', columns: 7 },
    ],
    numbers: () => ofColumns('wine', [0, 1, 2, 3, 4, 12, 5, 6, 7, 8, 9, 10, 11]),
  },
];

function ofColumns(set, columns) {
  return ofSet(set, rowsOf, (rows) => ofRows(rows.map((row) => columns.map((c) => row[c]))));
}

/** The features of the sample study, scaled by its bounds: numbers from -1 to 1, levels as 0 or 1. */
function censusRows() {
  const { columns } = censusStudy();
  return censusCells().map((cells) =>
    cells.flatMap((cell, c) => {
      const { type, min, max, levels } = columns[c];
      if (type === 'category') return levels.map((level) => (level === cell ? 1 : 0));
      const within = Math.min(max, Math.max(min, Number(cell)));
      return [(2 * within - min - max) / (max - min)];
    }),
  );
}

/** Moments of centred columns in half ranges, scaled so that the longest row has length 1. */
export function ofRows(rows) {
  const columns = rows[0].map((_, c) => rows.map((row) => row[c]));
  const centred = columns.map((values) => {
    const [low, high] = values.reduce(
      ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
      [Infinity, -Infinity],
    );
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => (value - mean) / ((high - low) / 2));
  });
  const longest = rows.reduce((most, _, i) => Math.max(most, squared(centred, i)), 0);
  const moment = (a, b) =>
    a.reduce((sum, value, i) => sum + value * b[i], 0) / (rows.length * longest);
  return {
    rows: rows.length,
    covariance: packed(centred.length, (i, j) => moment(centred[i], centred[j])),
  };
}

function squared(columns, row) {
  return columns.reduce((sum, values) => sum + values[row] ** 2, 0);
}

/** The row norm of the simulated cohort in docs/sample-study.md; one row in 250 is longer. */
const ROW_NORM = 1.4;

/** The same moments for a law, in the half ranges of its public bounds. */
export function ofLaw({ columns, correlation }) {
  const sd = columns.map((column) => (2 * column.sd) / (column.max - column.min) / ROW_NORM);
  const entry = (i, j) => sd[i] * sd[j] * correlation[i][j];
  return { rows: null, covariance: packed(columns.length, entry) };
}

/** The upper triangle, row by row. */
function packed(dimension, entry) {
  const values = [];
  for (let i = 0; i < dimension; i++) {
    for (let j = i; j < dimension; j++) values.push(Number(entry(i, j).toPrecision(12)));
  }
  return values;
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await update('consortium/consortium-data.json', SETS);
