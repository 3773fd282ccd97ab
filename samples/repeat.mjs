// Repeats a sample study with new noise, to measure how far private results lie from exact ones.
//   node samples/repeat.mjs census|cohort [--runs 200] [--widen 1]
// `--widen 3` makes the bounds of all numbers three times as wide.
// The error of the covariance is |S^-1 (C' - C) S^-1|_F over |S^-1 C S^-1|_F, S the standard deviations.

import { parseArgs } from 'node:util';
import { assemble, defineStudy, privatize } from 'private-moments';
import { exactMoments } from 'private-moments-research';
import { cohort, toCsv } from './cohort.mjs';
import { censusCsv, censusStudy, dealOut, SITES } from './split.mjs';

const SAMPLES = {
  census: () => ({ study: censusStudy(), csv: censusCsv() }),
  cohort: () => {
    const made = cohort();
    return { study: made.study, csv: toCsv(made) };
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '200' },
    widen: { type: 'string', default: '1' },
  },
});
const runs = Number(values.runs);
const widen = Number(values.widen);
const sample = SAMPLES[positionals[0]];
if (sample === undefined || !(Number.isInteger(runs) && runs > 1 && widen >= 1)) {
  console.error('usage: node samples/repeat.mjs census|cohort [--runs 200] [--widen 1]');
  process.exit(2);
}

const { study: definition, csv } = sample();
const study = defineStudy({ ...definition, columns: definition.columns.map(widened) });
const sites = dealOut(csv, SITES);
const exact = await exactMoments(study, csv);
const [x, y] = Object.keys(definition.views);
const first = (moments) => moments.cca({ x, y, components: 1 }).correlations[0].value;
const truth = first(exact);

function widened(column) {
  if (column.type !== 'number') return column;
  const more = ((widen - 1) * (column.max - column.min)) / 2;
  return { ...column, min: column.min - more, max: column.max + more };
}

function errorOf({ covariance }) {
  const d = exact.columns.length;
  const variance = (i) => exact.covariance.values[i * d + i];
  let off = 0;
  let all = 0;
  exact.covariance.values.forEach((value, at) => {
    const scale = variance(Math.floor(at / d)) * variance(at % d);
    off += (covariance.values[at] - value) ** 2 / scale;
    all += value ** 2 / scale;
  });
  return Math.sqrt(off / all);
}

const misses = [];
const errors = [];
const shortened = [];
for (let run = 0; run < runs; run++) {
  const releases = [];
  for (const site of sites) releases.push(await privatize(study, site.csv));
  const moments = await assemble(study, releases);
  misses.push(first(moments) - truth);
  errors.push(errorOf(moments));
  shortened.push((moments.clipping?.shortened ?? 0) / moments.rows);
}

const mean = (list) => list.reduce((sum, value) => sum + value, 0) / list.length;
const middle = mean(misses);
const sd = Math.sqrt(mean(misses.map((miss) => (miss - middle) ** 2)));
const largest = Math.max(...misses.map(Math.abs));
console.log(`${runs} runs of ${positionals[0]}, ${SITES} sites`);
console.log(
  `first correlation: exact ${truth.toFixed(3)}, sd ${sd.toFixed(4)}, bias ${middle.toFixed(4)}, largest error ${largest.toFixed(3)}`,
);
console.log(
  `error of the covariance: mean ${mean(errors).toFixed(4)}, largest ${Math.max(...errors).toFixed(4)}`,
);
console.log(`rows shortened: ${(100 * mean(shortened)).toFixed(2)} %`);
