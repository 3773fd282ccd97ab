// Ten sites, one analyst, no pooled rows: the sample study from CSV files to a report.
//   node samples/demo/demo.mjs [--once] [--port 4173]
// Exits 1 if a leading canonical correlation differs by more than 0.05 from the one without privacy. In
// 20,000 simulated runs of each study the largest difference was 0.040, so such a run indicates a bug.

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, styleText } from 'node:util';
import { cohort, toCsv } from '../cohort.mjs';
import { dealOut, SITES, writeSample } from '../split.mjs';
import { serve } from '../../web/cli/src/parts/static-server.mjs';

const TOLERANCE = 0.05;

const root = fileURLToPath(new URL('../../', import.meta.url));
const reportFolder = join(root, 'demo-report');
const siteFolder = join(root, 'dist', 'site');

if (!existsSync(join(root, 'dist', 'index.js'))) {
  console.error('The package is not built yet. Run `make demo`, which builds it first.');
  process.exit(2);
}
const { runStudy } = await import('./run.mjs');
const format = await import('private-moments/words');
const { renderReport } = await import('./report.mjs');
const { difference, time } = await import('./words.mjs');
const { bytes, count, ordinal } = format;
const correlation = (value, digits = 3) => format.correlation(value, digits);

const { values: flags } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    port: { type: 'string', default: '4173' },
  },
});

const inColour = process.stdout.isTTY && !process.env.NO_COLOR;
const bold = (text) => (inColour ? styleText('bold', text) : text);
const faint = (text) => (inColour ? styleText('dim', text) : text);
const say = (...lines) => lines.forEach((line) => console.log(line === '' ? '' : `  ${line}`));

/** The lines of a text wrapped at `width` characters. */
function wrapped(text, width = 92) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== '' && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines;
}

/** Prints a table with right-aligned columns, except for the first one. */
function table(head, body, marks = []) {
  const widths = head.map((name, i) => Math.max(name.length, ...body.map((row) => row[i].length)));
  const line = (row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('   ');
  say(faint(line(head)));
  body.forEach((row, i) => say(`${line(row)}${marks[i] ? `   ${faint(marks[i])}` : ''}`));
}

function showCorrelations(run) {
  table(
    [
      'pair',
      ...(run.planted ? ['planted'] : []),
      'without privacy',
      'private',
      'difference',
      'noise floor',
    ],
    run.pairs.map((pair, i) => [
      ordinal(i),
      ...(run.planted ? [correlation(pair.planted)] : []),
      correlation(pair.reference),
      correlation(pair.estimate),
      difference(pair.estimate - pair.reference),
      correlation(pair.noiseFloor),
    ]),
    run.pairs.map((pair) => (pair.belowNoiseFloor ? 'below the noise floor' : '')),
  );
  say('', 'noise floor: noise alone can reach this value, so do not interpret a pair below it');
}

function showTimes({ times, sites }) {
  say(
    `time: ${time(times.privatize)} for ${sites.length} sites to read, sum and add noise, ` +
      `${time(times.assemble)} to read and assemble, ${time(times.analyse)} for the correlations`,
  );
}

/** Whether the leading pair is close enough to the exact one; prints a warning if not. */
function isClose(run) {
  const off = Math.abs(run.pairs[0].estimate - run.pairs[0].reference);
  if (off <= TOLERANCE) return true;
  say(
    '',
    bold(
      `The leading correlation differs by ${correlation(off)} from the one without privacy; at most ${correlation(TOLERANCE, 2)} is expected.`,
    ),
    'Noise alone does this less than once in 20,000 runs. If it happens again, something is broken.',
  );
  return false;
}

async function census() {
  const folder = join(reportFolder, 'census');
  const paths = writeSample(folder);
  const widths = [8, 7, 10, 13, 8];
  const row = (cells) =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('');
  say('', bold('People and work: 1994 census, ten sites'), '');
  say(faint(row(['site', 'rows', 'stays', 'leaves', 'time'])));
  const run = await runStudy({
    folder,
    paths,
    views: ['people', 'work'],
    components: 4,
    onSite: (site) =>
      say(
        row([
          site.name,
          count(site.rows),
          bytes(site.read),
          `${count(site.sent)} bytes`,
          time(site.ms),
        ]),
      ),
  });
  say('');
  showCorrelations(run);
  showTimes(run);
  return run;
}

async function simulated() {
  const folder = join(reportFolder, 'cohort');
  const made = cohort();
  const paths = writeSample(folder, { study: made.study, sites: dealOut(toCsv(made), SITES) });
  say('', bold('Simulated cohort: planted correlations, ten sites'), '');
  const run = await runStudy({
    folder,
    paths,
    views: ['sleep', 'metabolism'],
    components: made.correlations.length,
    planted: made.correlations,
  });
  showCorrelations(run);
  showTimes(run);
  return run;
}

rmSync(reportFolder, { recursive: true, force: true });
mkdirSync(reportFolder, { recursive: true });

const people = await census();
const sleep = await simulated();

say('', bold('What a release reveals about one person'), '');
for (const sentence of format.guaranteeInWords(people.guarantee)) say(...wrapped(sentence));

const made = new Date().toISOString().slice(0, 10);
const source =
  'Census sample: B. Becker and R. Kohavi, Adult, UCI Machine Learning Repository, 1996; CC BY 4.0 as listed there. ' +
  'Seven columns, some grouped. Each run draws new noise, so the next report differs a little.';
const reports = {
  'report.html': renderReport(people, { made, source }),
  'cohort.html': renderReport(sleep, { made }),
};
for (const [name, html] of Object.entries(reports)) writeFileSync(join(reportFolder, name), html);
say(
  '',
  `report:   ${join(reportFolder, 'report.html')}`,
  `          ${join(reportFolder, 'cohort.html')}`,
  `try it:   ${join(reportFolder, 'census')} has the study, the sites’ files and their releases`,
);

const close = [people, sleep].map(isClose).every(Boolean);
process.exitCode = close ? 0 : 1;

if (process.stdout.isTTY && !flags.once) {
  const mounts = { '/report/': reportFolder };
  if (existsSync(siteFolder)) mounts['/'] = siteFolder;
  // If the port is taken, use any other one.
  const { url } = await serve(mounts, Number(flags.port)).catch(() => serve(mounts));
  say('');
  if (mounts['/']) say(`site:   ${bold(url)}`);
  say(`report: ${bold(`${url}report/report.html`)}`, faint('stop with Ctrl-C'), '');
}
