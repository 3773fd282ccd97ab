// Writes the data sets of PM_DATA as two-view studies for real_coverage: build/experiments/tables/NAME.txt.
// First line: rows and columns; then one line for each column, its view (0 or 1) and either
// `number min max` or `category levels`; then the rows, a category's cell as the level's index.
//
// Bounds are wider than the data and not centred on them, like bounds from general knowledge.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { DATA } from './support/data_sets.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const out = path.join(root, 'build/experiments/tables');

/** Shares of the range by which bounds exceed the data, below and above. */
const [BELOW, ABOVE] = [0.1, 0.4];

const text = (file) => {
  const bytes = readFileSync(path.join(DATA, file));
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
};

/** The records of a file, without its first lines. */
const records = (file, skip, separator = ',') =>
  text(file)
    .trim()
    .split(/\r?\n/)
    .slice(skip)
    .map((line) => line.trim().split(separator));

const numbers = (table) => table.map((cells) => cells.map(Number));
const between = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/** Only numeric columns. `x` and `y` are their positions in a record. */
function numeric(rows, x, y) {
  const columns = [...x, ...y].map((c, i) => {
    const cells = rows.map((row) => row[c]);
    const low = cells.reduce((a, b) => Math.min(a, b));
    const high = cells.reduce((a, b) => Math.max(a, b));
    const range = high - low || 1;
    return {
      view: i < x.length ? 0 : 1,
      kind: `number ${low - BELOW * range} ${high + ABOVE * range}`,
      cells,
    };
  });
  return { columns, rows: rows.length };
}

/** Adds category columns of one view to a table; `places` are their positions in a record. */
function withCategories(table, rows, view, places) {
  for (const place of places) {
    const cells = rows.map((row) => row[place].trim());
    const levels = [...new Set(cells)].sort();
    const index = new Map(levels.map((level, i) => [level, i]));
    table.columns.push({
      view,
      kind: `category ${levels.length}`,
      cells: cells.map((cell) => index.get(cell)),
    });
  }
  return table;
}

function adult() {
  const rows = ['adult/adult.data.gz', 'adult/adult.test.gz']
    .flatMap((file) => records(file, 0))
    .filter((cells) => cells.length === 15);
  const all = rows.map((cells) => cells.map((cell) => Number(cell)));
  const table = numeric(all, [0, 2], [4, 10, 11, 12]);
  withCategories(table, rows, 0, [5, 7, 8, 9]); // marital status, relationship, race, sex
  return withCategories(table, rows, 1, [1]); // class of work
}

function diabetes() {
  return numeric(
    numbers(records('diabetes/diabetes_data_raw.csv.gz', 0, /\s+/)),
    between(0, 4),
    between(4, 10),
  );
}

function linnerud() {
  const exercise = numbers(records('linnerud/linnerud_exercise.csv', 1, /\s+/));
  const physiology = numbers(records('linnerud/linnerud_physiological.csv', 1, /\s+/));
  return numeric(
    exercise.map((row, i) => [...row, ...physiology[i]]),
    [0, 1, 2],
    [3, 4, 5],
  );
}

const of = (file, skip, x, y) => numeric(numbers(records(file, skip)), x, y);

const sets = {
  iris: () => of('iris/iris.csv', 1, [0, 1], [2, 3]),
  linnerud,
  savings: () => of('lifecyclesavings/LifeCycleSavings.csv', 1, [2, 3], [1, 4, 5]),
  mmreg: () => of('mmreg/mmreg.csv', 1, [0, 1, 2], [3, 4, 5, 6, 7]),
  diabetes,
  wine: () => of('wine/wine_data.csv', 1, between(0, 6), between(6, 13)),
  breast_cancer: () => of('breast_cancer/breast_cancer.csv', 1, between(0, 10), between(20, 30)),
  adult,
  // Every eighth measurement, as neighbours are nearly copies.
  buzz: () => of('buzz/buzz_20000.csv.gz', 1, [0, 7, 14, 21, 28], [35, 42, 49, 56, 63, 70, 77]),
  gfe: () => of('gfe/gfe_2videos_partial.csv.gz', 1, between(2, 8), between(101, 107)),
  // Rows three and four of the image against rows five and six.
  digits: () => of('digits/digits.csv.gz', 0, between(17, 31), between(33, 47)),
  pixels: () => of('digits/digits.csv.gz', 0, between(0, 32), between(32, 64)),
};

mkdirSync(out, { recursive: true });
for (const [name, make] of Object.entries(sets)) {
  let table;
  try {
    table = make();
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    console.log(`${name}: skipped, ${error.path} is not there (PM_DATA)`);
    continue;
  }
  const { columns, rows } = table;
  const head = columns.map(({ view, kind }) => `${view} ${kind}`);
  const body = between(0, rows).map((i) => columns.map(({ cells }) => cells[i]).join(' '));
  writeFileSync(
    path.join(out, `${name}.txt`),
    [`${rows} ${columns.length}`, ...head, ...body].join('\n') + '\n',
  );
  console.log(`${name}: ${rows} rows, ${columns.length} columns`);
}
