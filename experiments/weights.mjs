// What public weights of columns do: the error of a block of columns that has a weight and that of the
// others, with the row norm that no row exceeds, and with private centring for comparison. Run by make experiments.
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { scaledCovariance } from './scaled_covariance.mjs';
import { assemble, defineStudy, privatize, weightedColumns } from 'private-moments';

const root = fileURLToPath(new URL('../', import.meta.url));
const data = process.env.PM_DATA ?? path.join(root, '../shared/data');
const RUNS = Number(process.env.RUNS ?? 10);
const PRIVACY = { epsilon: 1, delta: 1e-6 };

const linesOf = (name) => {
  const bytes = readFileSync(path.join(data, name));
  const text = name.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString();
  return text.trim().split('\n');
};
const numbers = (line, columns) => line.split(',').slice(0, columns).map(Number);

const adult = () =>
  linesOf('adult/adult.data.gz')
    .map((line) => line.split(','))
    .filter((cells) => cells.length === 15)
    .map((cells) => [0, 4, 2, 10, 11, 12].map((c) => Number(cells[c])));
const cancer = () =>
  linesOf('breast_cancer/breast_cancer.csv')
    .slice(1)
    .map((line) => numbers(line, 30));
const digits = () => linesOf('digits/digits.csv.gz').map((line) => numbers(line, 64));

/** Name, file, rows, and which columns have a weight. */
const SETS = [
  ['Adult, age and education of 6', 'adult/adult.data.gz', adult, [0, 1]],
  ['breast cancer, 4 of 30', 'breast_cancer/breast_cancer.csv', cancer, [0, 1, 2, 3]],
  ['digits, 8 of 64 pixels', 'digits/digits.csv.gz', digits, [18, 19, 20, 21, 42, 43, 44, 45]],
];

const boundsOf = (rows, c) => {
  let [min, max] = [Infinity, -Infinity];
  for (const row of rows) [min, max] = [Math.min(min, row[c]), Math.max(max, row[c])];
  return max > min ? [min, max] : [min, min + 1];
};

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function measure({ rows, bounds, truth, block }, weight) {
  const names = bounds.map((_, c) => `c${c}`);
  const columns = names.map((name, c) => {
    const [min, max] = bounds[c];
    return { name, type: 'number', min, max };
  });
  const weights = Object.fromEntries(block.map((c) => [names[c], weight ?? 1]));
  const terms = weight === undefined ? { columns } : weightedColumns(columns, weights);
  const study = defineStudy({ title: 'Weights', ...terms, privacy: PRIVACY });
  const part = { columns: names, values: Float64Array.from(rows.flat()) };
  const d = names.length;
  const half = bounds.map(([min, max]) => (max - min) / 2);
  const errors = { inside: [], across: [], outside: [] };
  for (let run = 0; run < RUNS; ++run) {
    const { values } = (await assemble(study, [await privatize(study, part)])).covariance;
    const sums = { inside: [0, 0], across: [0, 0], outside: [0, 0] };
    values.forEach((v, at) => {
      const [i, j] = [Math.floor(at / d), at % d];
      const within = [i, j].filter((c) => block.includes(c)).length;
      const sum = sums[['outside', 'across', 'inside'][within]];
      sum[0] += (v / half[i] / half[j] - truth[at]) ** 2;
      sum[1] += truth[at] ** 2;
    });
    for (const [where, [wrong, all]] of Object.entries(sums)) {
      errors[where].push(Math.sqrt(wrong / all));
    }
  }
  return Object.values(errors).map((all) => median(all).toFixed(3));
}

console.log(
  `Weights of columns, epsilon 1, delta 1e-6, replace-one, one release, medians of ${RUNS} runs`,
);
console.log(
  'error: |C^ - C|_F / |C|_F in scaled units, of the entries of a kind; 1 is that of answering zero\n',
);
console.log('| data | way | weighted block | block with others | others |');
console.log('|---|---|---|---|---|');
for (const [name, file, make, block] of SETS) {
  if (!existsSync(path.join(data, file))) {
    console.log(`skipped: ${name} (no ${file} in PM_DATA)`);
    continue;
  }
  const rows = make();
  const bounds = rows[0].map((_, c) => boundsOf(rows, c));
  const set = { rows, bounds, block, truth: scaledCovariance(rows, bounds) };
  for (const weight of [1, 2, 4, undefined]) {
    const way =
      weight === undefined
        ? 'private centring'
        : weight === 1
          ? 'one row norm'
          : `weight ${weight}`;
    const errors = await measure(set, weight);
    console.log(`| ${name}, ${rows.length} rows | ${way} | ${errors.join(' | ')} |`);
  }
}
process.exit(0);
