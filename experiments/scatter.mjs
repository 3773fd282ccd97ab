// Turns each data set of PM_DATA into two files for the experiments (after categories became 0/1
// columns):
// - NAME.txt, the scatter matrix sum x x^T of standardised columns and rows scaled to length 1:
//   "<name> <rows> <columns>" and then the matrix row by row;
// - NAME.moments.txt, the moments of a study with exact bounds, numeric columns from -1 to 1 and the
//   longest row as row norm: "<name> <rows> <columns> <row norm>", the means, and the second moments
//   divided by the number of rows.
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import path from 'node:path';

const root = fileURLToPath(new URL('../', import.meta.url));
export const data = process.env.PM_DATA ?? path.join(root, '../shared/data');
const out = path.join(root, 'build/experiments');

/** 178 wines, 13 measurements; the last field is the class. */
function wine(read) {
  const lines = read('wine/wine_data.csv').toString().trim().split('\n').slice(1);
  return lines.map((line) => line.split(',').slice(0, 13).map(Number));
}

/** 48,842 persons, 14 columns of which 8 are categories (`?` is one); income is omitted. */
function adult(read) {
  const numeric = new Set([0, 2, 4, 10, 11, 12]);
  const text = ['adult/adult.data.gz', 'adult/adult.test.gz']
    .map((file) => gunzipSync(read(file)).toString())
    .join('\n');
  const records = text
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.trim()))
    .filter((cells) => cells.length === 15);
  const columns = [];
  for (let c = 0; c < 14; ++c) {
    if (numeric.has(c)) {
      columns.push(records.map((cells) => Number(cells[c])));
      continue;
    }
    for (const level of [...new Set(records.map((cells) => cells[c]))].sort()) {
      columns.push(records.map((cells) => (cells[c] === level ? 1 : 0)));
    }
  }
  return records.map((_, i) => columns.map((column) => column[i]));
}

/** 1797 images of 8 x 8 pixels; the last field is the digit. */
function digits(read) {
  const lines = gunzipSync(read('digits/digits.csv.gz')).toString().trim().split('\n');
  return lines.map((line) => line.split(',').slice(0, 64).map(Number));
}

/** 442 patients, 10 measurements and the progression of their disease a year later. */
function diabetes(read) {
  const [measured, target] = ['data_raw', 'target'].map((name) => {
    const lines = gunzipSync(read(`diabetes/diabetes_${name}.csv.gz`))
      .toString()
      .trim();
    return lines.split('\n').map((line) =>
      line
        .trim()
        .split(/[\s,]+/)
        .map(Number),
    );
  });
  return measured.map((row, i) => [...row, ...target[i]]);
}

/** 569 tumours, 30 measurements of their cells; the last field is the diagnosis. */
function breastCancer(read) {
  const lines = read('breast_cancer/breast_cancer.csv').toString().trim().split('\n').slice(1);
  return lines.map((line) => line.split(',').slice(0, 30).map(Number));
}

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

export const sets = {
  wine: { rows: wine, files: ['wine/wine_data.csv'] },
  adult: { rows: adult, files: ['adult/adult.data.gz', 'adult/adult.test.gz'] },
  digits: { rows: digits, files: ['digits/digits.csv.gz'] },
  diabetes: {
    rows: diabetes,
    files: ['diabetes/diabetes_data_raw.csv.gz', 'diabetes/diabetes_target.csv.gz'],
  },
  breastCancer: { rows: breastCancer, files: ['breast_cancer/breast_cancer.csv'] },
};
if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  mkdirSync(out, { recursive: true });
  for (const [name, { rows, files }] of ['wine', 'adult', 'digits', 'diabetes'].map((name) => [
    name,
    sets[name],
  ])) {
    if (!files.every((file) => existsSync(path.join(data, file)))) {
      console.log(`${name}: skipped, it is not in ${data} (PM_DATA)`);
      continue;
    }
    const table = rows((file) => readFileSync(path.join(data, file)));
    const write = (file, lines) =>
      writeFileSync(path.join(out, file), `${name} ${lines.join('\n')}\n`);
    write(`${name}.txt`, scatter(table));
    write(`${name}.moments.txt`, moments(table));
    console.log(`${name}: ${table.length} rows, ${table[0].length} columns`);
  }
}
