// Prints how many rows a study needs before its result is worth reading: for studies of few and many
// columns, in one place or at several sites that release independently. No data are touched.
//   node samples/rows-needed.mjs

import { defineStudy, forecast } from 'private-moments';

const PRIVACY = { epsilon: 1, delta: 1e-6 };
/** The strength of the strongest link between the two views that a study hopes to find. */
const CORRELATION = 0.5;
const COLUMNS = [4, 8, 16, 32];
const SITES = [1, 3, 10];
const ROWS = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000, 1_000_000];

/** A study of number columns, half of them in each of two views. */
function studyOf(columns) {
  const names = Array.from({ length: columns }, (_, i) => `column ${i + 1}`);
  return defineStudy({
    title: 'Rows needed',
    columns: names.map((name) => ({ name, type: 'number', min: 0, max: 1 })),
    views: { first: names.slice(0, columns / 2), second: names.slice(columns / 2) },
    unit: 'row',
    neighbours: 'replace-one',
    privacy: PRIVACY,
  });
}

/** The first of ROWS at which the forecast calls the study useful. */
async function rowsNeeded(study, sites) {
  for (const rows of ROWS) {
    const { verdict } = await forecast(study, { rows, sites, correlations: [CORRELATION] });
    if (verdict === 'useful') return rows.toLocaleString('en');
  }
  return `over ${ROWS.at(-1).toLocaleString('en')}`;
}

const WIDTH = 12;
const line = (first, cells) =>
  console.log(first.padEnd(WIDTH) + cells.map((cell) => cell.padStart(WIDTH)).join(''));

console.log(`Rows in all, at ε = ${PRIVACY.epsilon}, for a correlation of ${CORRELATION}`);
line(
  '',
  SITES.map((sites) => (sites === 1 ? '1 site' : `${sites} sites`)),
);
for (const columns of COLUMNS) {
  const study = studyOf(columns);
  const cells = [];
  for (const sites of SITES) cells.push(await rowsNeeded(study, sites));
  line(`${columns} columns`, cells);
}
