// Runs the experiments of the papers: results as CSV, figures as SVG, tables of the pages.
//   node experiments/run.mjs [paper ...]          in full: hours; replaces the results here
//   QUICK=1 node experiments/run.mjs [paper ...]  each in miniature, into build/experiments/quick
//   node experiments/run.mjs --draw [paper ...]   figures and pages again, from the results here
// Programs are expected in build/native/experiments, in miniature in build/tests/experiments (make experiments
// builds them).
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { paper as capeCca } from './cape_cca/paper.mjs';
import { paper as covarianceEstimation } from './covariance_estimation/paper.mjs';
import { paper as dpCca } from './dp_cca/paper.mjs';
import { paper as ours } from './ours/paper.mjs';
import { paper as pcaGauss } from './pca_gauss/paper.mjs';
import { chart } from './support/chart.mjs';
import { readCsv } from './support/csv.mjs';
import { have, PREPARED, prepare } from './support/data_sets.mjs';
import { overview } from './support/overview.mjs';
import { blocksOf, fill } from './support/pages.mjs';
import { paper as symmetricNoise } from './symmetric_noise/paper.mjs';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The papers, in the order of the pages. */
export const PAPERS = [dpCca, capeCca, symmetricNoise, pcaGauss, covarianceEstimation, ours];

const results = (paper) => path.join(root, 'experiments', paper.name, 'results');
const pictureOf = (paper, figure) => `${paper.name}-${figure.name}.svg`;
/** The results of a folder by name, each read once. */
function csvOf(folder) {
  const read = new Map();
  return (name) => {
    if (!read.has(name)) read.set(name, readCsv(path.join(folder, `${name}.csv`)));
    return read.get(name);
  };
}

/**
 * File names and contents of a paper's figures, from the results in a folder. A miniature lacks the
 * figures whose programs are not on this machine.
 */
export function picturesOf(paper, folder = results(paper)) {
  const csv = csvOf(folder);
  const madeHere = ({ name }) => existsSync(path.join(folder, `${name}.csv`));
  return paper.figures
    .map((figure) => ({ figure, name: figure.csv ?? figure.name }))
    .filter((made) => folder === results(paper) || madeHere(made))
    .map(({ figure, name }) => [pictureOf(paper, figure), chart(figure, csv(name))]);
}

/** Paths from the root and contents of the files that follow from the results here. */
export function drawn(papers = PAPERS) {
  const read = (file) => readFileSync(path.join(root, file), 'utf8');
  const files = papers.flatMap((paper) => [
    ...picturesOf(paper).map(([name, svg]) => [`docs/images/experiments/${name}`, svg]),
    [
      `docs/experiments/${paper.page}`,
      fill(read(`docs/experiments/${paper.page}`), blocksOf(paper, csvOf(results(paper)))),
    ],
  ]);
  const index = 'docs/experiments/README.md';
  return [
    ...files,
    [
      index,
      fill(
        read(index),
        overview(PAPERS, (paper) => csvOf(results(paper))),
      ),
    ],
  ];
}

function child(command, args) {
  return new Promise((resolve, reject) => {
    const started = spawn(command, args, { cwd: root, stdio: 'inherit' });
    started.on('error', reject);
    started.on('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`${path.basename(command)} ended with ${signal ?? code}`));
    });
  });
}

/** Runs one paper. Sets that PM_DATA lacks are skipped with a message. */
async function run(paper, quick) {
  const out = quick ? path.join(root, 'build/experiments/quick', paper.name) : results(paper);
  if (quick) rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  mkdirSync(PREPARED, { recursive: true });
  for (const set of paper.data) {
    if (have(set)) {
      prepare(set);
    } else {
      rmSync(path.join(PREPARED, `${set}.bin`), { force: true });
      console.log(`${paper.name}: ${set} is skipped, as it is not in PM_DATA`);
    }
  }
  await paper.run({
    quick,
    data: PREPARED,
    have,
    out,
    program: (name, args) =>
      child(path.join(root, 'build', quick ? 'tests' : 'native', 'experiments', name), args),
    python: (script, args) => child('/usr/bin/python3', [path.join(root, script), ...args]),
  });
  return out;
}

function save(file, content) {
  const full = path.join(root, file);
  mkdirSync(path.dirname(full), { recursive: true });
  const changed = !existsSync(full) || readFileSync(full, 'utf8') !== content;
  if (changed) writeFileSync(full, content);
}

/** The papers with these names; all without names. Throws if a name is unknown. */
function chosen(names) {
  for (const name of names) {
    if (!PAPERS.some((paper) => paper.name === name)) throw new Error(`no paper is called ${name}`);
  }
  return names.length === 0 ? PAPERS : PAPERS.filter((paper) => names.includes(paper.name));
}

async function main() {
  const words = process.argv.slice(2);
  const quick = Boolean(process.env.QUICK);
  const papers = chosen(words.filter((word) => !word.startsWith('--')));
  for (const paper of words.includes('--draw') ? [] : papers) {
    const start = performance.now();
    const out = await run(paper, quick);
    if (quick) {
      for (const [name, svg] of picturesOf(paper, out)) writeFileSync(path.join(out, name), svg);
    }
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`${paper.name}: ${paper.figures.length} figures, ${seconds} s`);
  }
  if (!quick) for (const [file, content] of drawn(papers)) save(file, content);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
