// The gain from adaptive clipping: the error of the assembled covariance, relative to the
// covariance itself, with the study's row norm and with radii chosen by the releases; and, for a
// planted cohort, the errors of the first two canonical correlations. Run by make experiments.
import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { scaledCovariance } from './scaled_covariance.mjs';
import { assemble, defineStudy, privatize } from 'private-moments';

const root = fileURLToPath(new URL('../', import.meta.url));
const data = process.env.PM_DATA ?? path.join(root, '../shared/data');
const RUNS = Number(process.env.RUNS ?? 10);
const DELTA = 1e-6;

/** The same numbers in every run of this program; the noise is new each time. */
function normals(seed) {
  let state = seed >>> 0;
  const uniform = () =>
    ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) + 0.5) / 4294967296;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

const PLANTED = [0.8, 0.5, 0.2];

/** Three pairs of columns with planted correlations, those of x first. */
function cohort(rows) {
  const { normal } = normals(12345);
  return Array.from({ length: rows }, () => {
    const shared = PLANTED.map(() => normal());
    const view = () =>
      PLANTED.map((r, k) => Math.sqrt(r) * shared[k] + Math.sqrt(1 - r) * normal());
    return [...view(), ...view()];
  });
}

function uniformRows(rows, columns) {
  const { uniform } = normals(5);
  return Array.from({ length: rows }, () =>
    Array.from({ length: columns }, () => 2 * uniform() - 1),
  );
}

const read = (name) => readFileSync(path.join(data, name));

function adult() {
  const numeric = [0, 2, 4, 10, 11, 12];
  return ['adult/adult.data.gz', 'adult/adult.test.gz']
    .flatMap((name) => gunzipSync(read(name)).toString().split('\n'))
    .map((line) => line.split(','))
    .filter((cells) => cells.length === 15)
    .map((cells) => numeric.map((c) => Number(cells[c])));
}

function digits() {
  const lines = gunzipSync(read('digits/digits.csv.gz')).toString().trim().split('\n');
  return lines.map((line) => line.split(',').slice(0, 64).map(Number));
}

function wine() {
  const lines = read('wine/wine_data.csv').toString().trim().split('\n').slice(1);
  return lines.map((line) => line.split(',').slice(0, 13).map(Number));
}

const range = (rows, c) => {
  let [min, max] = [Infinity, -Infinity];
  for (const row of rows) [min, max] = [Math.min(min, row[c]), Math.max(max, row[c])];
  return [min, max];
};

/** @param bounds one [min, max] for all columns, or nothing: exact ones */
function table(name, rows, sites, bounds) {
  return { name, rows, sites, bounds: rows[0].map((_, c) => bounds ?? range(rows, c)) };
}

function* tables() {
  const planted = cohort(24000);
  yield { ...table('planted cohort, bounds at 4 sd', planted, 20, [-4, 4]), planted: true };
  yield table('the same at one site', planted, 1, [-4, 4]);
  yield table('the same, bounds at 10 sd', planted, 20, [-10, 10]);
  yield table('uniform, 6 columns', uniformRows(24000, 6), 20, [-1, 1]);
  for (const [name, file, make, sites, bounds] of [
    ['Adult, 6 number columns', 'adult/adult.data.gz', adult, 10],
    ['digits, 64 pixels', 'digits/digits.csv.gz', digits, 1, [0, 16]],
    ['wine, 13 columns', 'wine/wine_data.csv', wine, 1],
  ]) {
    if (existsSync(path.join(data, file))) yield table(name, make(), sites, bounds);
    else console.log(`skipped: ${name} (no ${file} in PM_DATA)`);
  }
}

const norm = (values) => Math.sqrt(values.reduce((sum, v) => sum + v * v, 0));
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function measure(of, epsilon, clipping) {
  const { rows, sites, bounds } = of;
  const names = bounds.map((_, c) => `c${c}`);
  const half = names.length >> 1;
  const study = defineStudy({
    title: of.name,
    columns: names.map((name, c) => ({
      name,
      type: 'number',
      min: bounds[c][0],
      max: bounds[c][1],
    })),
    views: { x: names.slice(0, half), y: names.slice(half) },
    privacy: { epsilon, delta: DELTA },
    clipping,
  });
  const truth = scaledCovariance(of.rows, of.bounds);
  const scale = bounds.map(([min, max]) => (max - min) / 2);
  const size = Math.ceil(rows.length / sites);
  const [errors, shortened, radii, correlations] = [[], [], [], []];
  for (let run = 0; run < RUNS; ++run) {
    const releases = [];
    let longer = 0;
    for (let at = 0; at < rows.length; at += size) {
      const part = { columns: names, values: Float64Array.from(rows.slice(at, at + size).flat()) };
      const release = await privatize(study, part);
      longer += release.local.shortened;
      radii.push([1, 5 / 7, 1 / 2, 5 / 14, 1 / 4, 5 / 28, 1 / 8][release.clipping?.level ?? 0]);
      releases.push(release);
    }
    const moments = await assemble(study, releases);
    const d = names.length;
    const difference = moments.covariance.values.map(
      (v, at) => v / scale[Math.floor(at / d)] / scale[at % d] - truth[at],
    );
    errors.push(norm(difference) / norm(truth));
    shortened.push(longer / rows.length);
    if (of.planted) {
      const got = moments.cca({ x: 'x', y: 'y' }).correlations;
      const worst = Math.max(...[0, 1].map((k) => Math.abs(got[k].value - PLANTED[k])));
      correlations.push(worst);
    }
  }
  return {
    error: median(errors),
    shortened: median(shortened),
    radius: median(radii),
    correlation: of.planted ? median(correlations) : undefined,
  };
}

console.log(`Adaptive clipping, delta ${DELTA}, replace-one, medians of ${RUNS} runs`);
console.log(
  'error: |C^ - C|_F / |C|_F of the covariance in scaled units; 1 is that of answering zero\n',
);
console.log(
  '| data | epsilon | fixed | adaptive | gain | radius / rowNorm | rows shortened | worst of two correlations, fixed / adaptive |',
);
console.log('|---|---|---|---|---|---|---|---|');
for (const of of tables()) {
  for (const epsilon of [0.2, 1, 4]) {
    const fixed = await measure(of, epsilon, 'fixed');
    const adaptive = await measure(of, epsilon, 'adaptive');
    const pair = of.planted
      ? `${fixed.correlation.toFixed(3)} / ${adaptive.correlation.toFixed(3)}`
      : '';
    console.log(
      `| ${of.name}, ${of.rows.length} rows, ${of.sites} sites | ${epsilon} | ${fixed.error.toFixed(3)} | ${adaptive.error.toFixed(3)} | ${(fixed.error / adaptive.error).toFixed(2)} | ${adaptive.radius.toFixed(2)} | ${(100 * adaptive.shortened).toFixed(1)} % | ${pair} |`,
    );
  }
}
process.exit(0);
