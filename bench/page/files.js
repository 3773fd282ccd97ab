import { DuckDBDataProtocol } from '@duckdb/duckdb-wasm';
import { Matrix } from 'ml-matrix';
import Papa from 'papaparse';
import { inferSchema, initParser } from 'udsv';
import { defineStudy, privatize } from '/dist/index.js';
import { exactMoments } from 'private-moments-research';
import { startDuckdb } from './duckdb.js';

const LARGEST = 1000;

let file;
let names;
let study;

function nameColumns(columns) {
  names = Array.from({ length: columns }, (_, i) => `x${i}`);
  study = studyWith({});
}

function studyWith(terms) {
  return defineStudy({
    title: 'bench',
    columns: names.map((name) => ({ name, type: 'number', min: -LARGEST, max: LARGEST })),
    privacy: { epsilon: 1, delta: 1e-6 },
    ...terms,
  });
}

/** Uses the file chosen on disk. Returns its size in bytes. */
export function takeFile({ columns }) {
  nameColumns(columns);
  [file] = document.querySelector('input').files;
  return file.size;
}

/** Makes a file of pseudorandom numbers with four decimals. Returns its size in bytes. */
export function makeFile({ rows, columns }) {
  nameColumns(columns);
  let state = 1;
  const pieces = [`${names.join(',')}\n`];
  for (let from = 0; from < rows; from += 1000) {
    let text = '';
    for (let r = from; r < Math.min(from + 1000, rows); ++r) {
      for (let c = 0; c < columns; ++c) {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        text +=
          ((state / 2 ** 32) * 2 * LARGEST - LARGEST).toFixed(4) + (c + 1 < columns ? ',' : '\n');
      }
    }
    pieces.push(text);
  }
  file = new File(pieces, 'rows.csv', { type: 'text/csv' });
  return file.size;
}

/** Entries (0, 0), (0, last) and (last, last) of X^T X. */
const figureOf = (entry) => {
  const last = names.length - 1;
  return entry(0, 0) + entry(0, last) + entry(last, last);
};

/** The public API: a release with noise, so there is no result to compare. */
export const release = ({ workers, clipping }) => {
  const own = clipping === undefined ? study : studyWith({ clipping });
  return async () => {
    await privatize(own, file, { workers });
  };
};

/** The bytes of the file and nothing else, read in the way that we found the fastest. */
export const reading = () => async () => {
  const reader = file.stream().getReader({ mode: 'byob' });
  let room = new Uint8Array(1 << 19);
  for (;;) {
    const { done, value } = await reader.read(room);
    if (done) return;
    room = new Uint8Array(value.buffer);
  }
};

/** The public API without noise, in this thread. */
export const exact = () => async () => {
  const { covariance, mean, rows } = await exactMoments(study, file);
  const d = names.length;
  return figureOf(
    (i, j) => rows * (covariance.values[i * d + j] + mean.values[i] * mean.values[j]),
  );
};

const papa = (options) =>
  new Promise((resolve, reject) => {
    Papa.parse(file, {
      skipEmptyLines: true,
      ...options,
      complete: ({ data }) => resolve(data.slice(1)),
      error: reject,
    });
  });

function products(rows) {
  const x = new Matrix(rows);
  const gram = x.transpose().mmul(x);
  return figureOf((i, j) => gram.get(i, j));
}

export const papaNumbers = () => async () => products(await papa({ dynamicTyping: true }));

export const papaStrings = () => async () =>
  products((await papa({})).map((row) => Float64Array.from(row, Number)));

/** Parsing alone, to strings. */
export const papaParse = () => async () => {
  await papa({});
};

/** X^T X of rows that are arrays of numbers, by two loops. */
class Sums {
  #d = names.length;
  #sums = new Float64Array(this.#d * this.#d);

  add(row) {
    for (let i = 0; i < this.#d; ++i) {
      const v = row[i];
      for (let j = i; j < this.#d; ++j) this.#sums[i * this.#d + j] += v * row[j];
    }
  }

  figure() {
    return figureOf((i, j) => this.#sums[i * this.#d + j]);
  }
}

export const udsv = () => async () => {
  const text = await file.text();
  const parser = initParser(inferSchema(text));
  const sums = new Sums();
  for (const row of parser.typedArrs(text)) sums.add(row);
  return sums.figure();
};

export const byHand = () => async () => {
  const sums = new Sums();
  const row = new Float64Array(names.length);
  const lines = (await file.text()).split('\n');
  for (let r = 1; r < lines.length; ++r) {
    if (lines[r] === '') continue;
    const cells = lines[r].split(',');
    for (let c = 0; c < row.length; ++c) row[c] = Number(cells[c]);
    sums.add(row);
  }
  return sums.figure();
};

let database;

export async function duckdb() {
  database ??= startDuckdb();
  const db = await database;
  await db.registerFileHandle('rows.csv', file, DuckDBDataProtocol.BROWSER_FILEREADER, true);
  const connection = await db.connect();
  const sums = names.flatMap((a, i) =>
    names.slice(i).map((b) => `sum(${a} * ${b}) AS "${a} ${b}"`),
  );
  const query = `SELECT ${sums.join(', ')} FROM read_csv('rows.csv')`;
  return async () => {
    const result = await connection.query(query);
    const row = result.toArray()[0];
    return figureOf((i, j) => row[`${names[i]} ${names[j]}`]);
  };
}
