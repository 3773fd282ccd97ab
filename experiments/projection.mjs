// How much projections preserve of classes that they were not computed from: rows scored along
// private principal and canonical components, evaluated by cluster indices, k-means and two
// classifiers, as in Imtiaz & Sarwate and in the PCA-Gauss papers. Components come from training
// rows in ten releases; scores and labels are those of local rows (`project`), and are not
// released.
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { kmeans } from 'ml-kmeans';
import { assemble, defineStudy, privatize, project } from 'private-moments';
import { exactMoments } from 'private-moments-research';
import {
  accuracy,
  calinskiHarabasz,
  clusteringAccuracy,
  nearestCentroid,
  silhouette,
} from './scoring/clusters.mjs';
import { linearSvm } from './scoring/svm.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));
const data = process.env.PM_DATA ?? path.join(root, '../shared/data');
const RUNS = Number(process.env.RUNS ?? 1);
const SITES = 10;
const COMPONENTS = 8;
/** Number of rows that are scored, limited because k-means and silhouettes compare every pair. */
const SCORED = 1000;

const read = (file) => gunzipSync(readFileSync(path.join(data, file)));

/** 28 x 28 pixels averaged over blocks of 2 rows and 4 columns, upper half first. */
function mnist(kind) {
  const bytes = read(`mnist/${kind}-images-idx3-ubyte.gz`).subarray(16);
  const labels = [...read(`mnist/${kind}-labels-idx1-ubyte.gz`).subarray(8)];
  const rows = labels.map((_, i) => {
    const row = new Array(98).fill(0);
    for (let y = 0; y < 28; ++y) {
      for (let x = 0; x < 28; ++x) row[(y >> 1) * 7 + (x >> 2)] += bytes[i * 784 + y * 28 + x] / 8;
    }
    return row;
  });
  return { rows, labels };
}

/** 8 x 8 pixels, the last field is the digit. */
function digits() {
  const lines = read('digits/digits.csv.gz').toString().trim().split('\n');
  const cells = lines.map((line) => line.split(',').map(Number));
  return { rows: cells.map((row) => row.slice(0, 64)), labels: cells.map((row) => row[64]) };
}

function* tables() {
  if (existsSync(path.join(data, 'mnist'))) {
    yield { name: 'MNIST halves', train: mnist('train'), test: mnist('t10k'), most: 255 };
  } else console.log('skipped: MNIST (not in PM_DATA)');
  if (existsSync(path.join(data, 'digits'))) {
    const all = digits();
    const half = { rows: all.rows.slice(0, 1200), labels: all.labels.slice(0, 1200) };
    const rest = { rows: all.rows.slice(1200), labels: all.labels.slice(1200) };
    yield { name: 'digits halves', train: half, test: rest, most: 16 };
  } else console.log('skipped: digits (not in PM_DATA)');
}

const names = (count) => Array.from({ length: count }, (_, i) => `p${i}`);
const tableOf = (rows) => ({
  columns: names(rows[0].length),
  values: Float64Array.from(rows.flat()),
});

function studyOf({ name, train, most }, epsilon) {
  const columns = names(train.rows[0].length);
  const half = columns.length / 2;
  return defineStudy({
    title: name,
    columns: columns.map((column) => ({ name: column, type: 'number', min: 0, max: most })),
    views: { upper: columns.slice(0, half), lower: columns.slice(half) },
    privacy: { epsilon, delta: 1e-5 },
    federation: { mode: 'independent', sites: SITES },
  });
}

async function momentsOf(of, epsilon) {
  const { rows } = of.train;
  if (epsilon === Infinity) return exactMoments(studyOf(of, 1), tableOf(rows));
  const study = studyOf(of, epsilon);
  const size = Math.ceil(rows.length / SITES);
  const releases = [];
  for (let at = 0; at < rows.length; at += size) {
    releases.push(await privatize(study, tableOf(rows.slice(at, at + size))));
  }
  return assemble(study, releases);
}

/** Scores as rows of numbers, each column in units of its standard deviation. */
function standardised({ columns, values }) {
  const width = columns.length;
  const points = Array.from({ length: values.length / width }, (_, i) => [
    ...values.subarray(i * width, (i + 1) * width),
  ]);
  const sd = columns.map((_, c) => {
    const mean = points.reduce((sum, p) => sum + p[c] / points.length, 0);
    return Math.sqrt(points.reduce((sum, p) => sum + (p[c] - mean) ** 2 / points.length, 0)) || 1;
  });
  return points.map((point) => point.map((v, c) => v / sd[c]));
}

async function judge(of, moments, method) {
  const result =
    method === 'pca'
      ? moments.pca({ components: COMPONENTS })
      : moments.cca({ x: 'upper', y: 'lower', components: COMPONENTS });
  const options = method === 'pca' ? {} : { views: ['upper'] };
  const few = { rows: of.test.rows.slice(0, SCORED), labels: of.test.labels.slice(0, SCORED) };
  const taught = of.train.rows.slice(0, SCORED);
  const both = [...taught, ...few.rows];
  // One call, so that training and test rows are standardised with the same factors.
  const points = standardised(await project(moments.study, tableOf(both), result, options));
  const [known, unknown] = [points.slice(0, taught.length), points.slice(taught.length)];
  const labels = of.train.labels.slice(0, SCORED);
  const { clusters } = kmeans(unknown, 10, { seed: 1, initialization: 'kmeans++' });
  return {
    ch: calinskiHarabasz(unknown, few.labels),
    silhouette: silhouette(unknown, few.labels),
    kmeans: clusteringAccuracy(clusters, few.labels),
    centroid: accuracy(unknown.map(nearestCentroid(known, labels)), few.labels),
    svm: accuracy(unknown.map(linearSvm(known, labels)), few.labels),
  };
}

const mean = (runs, key) => runs.reduce((sum, run) => sum + run[key] / runs.length, 0);

/** There is no figure if noise left no component. */
const figure = (value, digits) => (Number.isFinite(value) ? value.toFixed(digits) : '-');

console.log(
  `Classes after projection on ${COMPONENTS} components, ${SITES} releases, delta 1e-5, means of ${RUNS} run${RUNS === 1 ? '' : 's'}`,
);
console.log('upper halves for CCA; all pixels for PCA; chance is 0.1 for the last three columns\n');
console.log(
  '| data | method | epsilon | Calinski-Harabasz | silhouette | k-means | nearest centroid | linear SVM |',
);
console.log('|---|---|---|---|---|---|---|---|');
for (const of of tables()) {
  for (const epsilon of [0.1, 1, 10, Infinity]) {
    const runs = { pca: [], cca: [] };
    for (let run = 0; run < (epsilon === Infinity ? 1 : RUNS); ++run) {
      const moments = await momentsOf(of, epsilon);
      for (const method of ['pca', 'cca']) runs[method].push(await judge(of, moments, method));
    }
    for (const [method, all] of Object.entries(runs)) {
      const cells = [
        figure(mean(all, 'ch'), 1),
        ...['silhouette', 'kmeans', 'centroid', 'svm'].map((key) => figure(mean(all, key), 3)),
      ];
      const budget = epsilon === Infinity ? 'none' : epsilon;
      console.log(`| ${of.name} | ${method.toUpperCase()} | ${budget} | ${cells.join(' | ')} |`);
    }
  }
}
process.exit(0);
