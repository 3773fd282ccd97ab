import { EigenvalueDecomposition, Matrix } from 'ml-matrix';
import { defineStudy } from '/dist/index.js';
import { exactMoments } from 'private-moments-research';
import { startTensors, tf } from './tensors.js';
import { giveMatrix, sharedR } from './webr.js';

const LARGEST = 1000;

/** See native/algebra.hpp. */
function number(i) {
  let h = i | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (((h ^ (h >>> 16)) >>> 0) % 2001) - LARGEST;
}

const numbers = (count) => Float64Array.from({ length: count }, (_, i) => number(i));

const columnMajor = (values, rows, columns) =>
  Float64Array.from(
    { length: values.length },
    (_, i) => values[(i % rows) * columns + Math.floor(i / rows)],
  );

/** X^T X / n of n = 2d rows, row by row. */
function symmetric(d) {
  const x = numbers(2 * d * d);
  const sums = new Float64Array(d * d);
  for (let r = 0; r < 2 * d; ++r) {
    for (let i = 0; i < d; ++i) {
      for (let j = 0; j < d; ++j) sums[i * d + j] += x[r * d + i] * x[r * d + j];
    }
  }
  return sums.map((sum) => sum / (2 * d));
}

const gramFigure = (entry, d) => entry(0, 0) + entry(0, d - 1) + entry(d - 1, d - 1);

const modules = new Map();

/** One of the bench's own modules, with a task prepared by name. */
async function native(file) {
  if (!modules.has(file)) {
    const { default: create } = await import(new URL(`/native/${file}.mjs`, location.href));
    modules.set(file, create({ locateFile: (name) => `/native/${name}` }));
  }
  return modules.get(file);
}

async function nativeWork(file, { kind, d, n }) {
  const module = await native(file);
  if (kind === 'gram') module._setUpGram(d, n);
  else module._setUpEigen(d);
  return () => module._run();
}

/** The core's sums of rows that are already quantised. */
export const core = (input) => nativeWork('bench_ours', input);

export const eigen = (input) => nativeWork('bench_eigen', input);

/** The public API: encoding, clipping, quantising, exact sums, and moments from them. */
export function moments({ d, n }) {
  const columns = Array.from({ length: d }, (_, i) => `x${i}`);
  const study = defineStudy({
    title: 'bench',
    columns: columns.map((name) => ({ name, type: 'number', min: -LARGEST, max: LARGEST })),
    privacy: { epsilon: 1, delta: 1e-6 },
  });
  const table = { columns, values: numbers(n * d) };
  return async () => {
    const { covariance, mean } = await exactMoments(study, table);
    const sums = (i, j) => n * (covariance.values[i * d + j] + mean.values[i] * mean.values[j]);
    return gramFigure(sums, d);
  };
}

export async function r({ kind, d, n }) {
  const session = await sharedR();
  if (kind === 'gram') await giveMatrix(session, 'x', columnMajor(numbers(n * d), n, d), n, d);
  else await giveMatrix(session, 'm', symmetric(d), d, d);
  const code =
    kind === 'gram'
      ? `{ g <- crossprod(x); g[1, 1] + g[1, ${d}] + g[${d}, ${d}] }`
      : '{ e <- eigen(m, symmetric = TRUE); e$values[1] }';
  return () => session.evalRNumber(code);
}

let tensors;

/** In single precision, as it has no double precision. */
export async function tfjs({ d, n }) {
  await (tensors ??= startTensors());
  const x = tf.tensor2d(Float32Array.from(numbers(n * d)), [n, d]);
  const work = async () => {
    const product = tf.matMul(x, x, true, false);
    const values = await product.data();
    product.dispose();
    return gramFigure((i, j) => values[i * d + j], d);
  };
  work.close = () => x.dispose();
  return work;
}

export function mlMatrix({ kind, d, n }) {
  const matrix = (values, rows) =>
    new Matrix(Array.from({ length: rows }, (_, i) => values.subarray(i * d, (i + 1) * d)));
  if (kind === 'eigen') {
    const m = matrix(symmetric(d), d);
    return () => {
      const { realEigenvalues } = new EigenvalueDecomposition(m, { assumeSymmetric: true });
      return Math.max(...realEigenvalues);
    };
  }
  const x = matrix(numbers(n * d), n);
  return () => {
    const product = x.transpose().mmul(x);
    return gramFigure((i, j) => product.get(i, j), d);
  };
}
