// Turns each data set of PM_DATA into two files for the experiments (after categories became 0/1
// columns):
// - NAME.txt, the scatter matrix sum x x^T of standardised columns and rows scaled to length 1:
//   "<name> <rows> <columns>" and then the matrix row by row;
// - NAME.moments.txt, the moments of a study with exact bounds, numeric columns from -1 to 1 and the
//   longest row as row norm: "<name> <rows> <columns> <row norm>", the means, and the second moments
//   divided by the number of rows.
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { DATA, featuresOf, have, rowsOf } from './support/data_sets.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const out = path.join(root, 'build/experiments');

function squares(rows) {
  const d = rows[0].length;
  const sum = Array.from({ length: d }, () => new Float64Array(d));
  for (const row of rows) {
    for (let i = 0; i < d; ++i) {
      for (let j = 0; j < d; ++j) sum[i][j] += row[i] * row[j];
    }
  }
  return sum;
}

function averages(rows) {
  const mean = new Float64Array(rows[0].length);
  for (const row of rows) row.forEach((v, j) => (mean[j] += v / rows.length));
  return mean;
}

/** The sum of x x^T over rows that were standardised by column and scaled to length 1. */
export function scatterOf(rows) {
  const mean = averages(rows);
  const sd = averages(rows.map((row) => row.map((v, j) => (v - mean[j]) ** 2))).map(Math.sqrt);
  const unit = rows.map((row) => {
    const z = row.map((v, j) => (sd[j] > 0 ? (v - mean[j]) / sd[j] : 0));
    const length = Math.hypot(...z);
    return z.map((v) => v / length);
  });
  return squares(unit);
}

function scatter(rows) {
  return [`${rows.length} ${rows[0].length}`, ...scatterOf(rows).map((row) => row.join(' '))];
}

/** The scaled value of an indicator is the indicator itself, 0 or 1. */
function moments(rows) {
  const n = rows.length;
  const low = rows[0].map((_, j) => rows.reduce((min, row) => Math.min(min, row[j]), Infinity));
  const high = rows[0].map((_, j) => rows.reduce((max, row) => Math.max(max, row[j]), -Infinity));
  const isIndicator = low.map((v, j) => v === 0 && high[j] === 1);
  const scaled = rows.map((row) =>
    row.map((v, j) => {
      if (isIndicator[j] || high[j] === low[j]) return isIndicator[j] ? v : 0;
      return (2 * v - low[j] - high[j]) / (high[j] - low[j]);
    }),
  );
  const norm = scaled.reduce((max, row) => Math.max(max, Math.hypot(...row)), 0);
  const second = squares(scaled).map((row) => row.map((v) => v / n));
  return [
    `${n} ${low.length} ${norm}`,
    averages(scaled).join(' '),
    ...second.map((r) => r.join(' ')),
  ];
}

const SETS = { wine: featuresOf, adult: featuresOf, digits: featuresOf, diabetes: rowsOf };

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  mkdirSync(out, { recursive: true });
  for (const [name, cellsOf] of Object.entries(SETS)) {
    if (!have(name)) {
      console.log(`${name}: skipped, it is not in ${DATA} (PM_DATA)`);
      continue;
    }
    const table = cellsOf(name);
    const write = (file, lines) =>
      writeFileSync(path.join(out, file), `${name} ${lines.join('\n')}\n`);
    write(`${name}.txt`, scatter(table));
    write(`${name}.moments.txt`, moments(table));
    console.log(`${name}: ${table.length} rows, ${table[0].length} columns`);
  }
}
