// Turns each data set of PM_DATA into a file NAME.txt for the experiments (after categories became
// 0/1 columns): the scatter matrix sum x x^T of standardised columns and rows scaled to length 1, as
// "<name> <rows> <columns>" and then the matrix row by row.
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

const SETS = { wine: featuresOf, adult: featuresOf, digits: featuresOf, diabetes: rowsOf };

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  mkdirSync(out, { recursive: true });
  for (const [name, cellsOf] of Object.entries(SETS)) {
    if (!have(name)) {
      console.log(`${name}: skipped, it is not in ${DATA} (PM_DATA)`);
      continue;
    }
    const table = cellsOf(name);
    writeFileSync(path.join(out, `${name}.txt`), `${name} ${scatter(table).join('\n')}\n`);
    console.log(`${name}: ${table.length} rows, ${table[0].length} columns`);
  }
}
