// What the two files of data that Explore has are made with: comparison-data.mjs, consortium-data.mjs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { data } from '../experiments/scatter.mjs';
import { censusCsv } from '../samples/split.mjs';

const FOLDER = fileURLToPath(new URL('../web/elements/src/', import.meta.url));
const SCIKIT = 'as shipped with scikit-learn, BSD 3-Clause';

/** Where each set is from. */
export const SOURCES = {
  sleep: { source: 'samples/cohort.mjs', licence: 'Apache-2.0' },
  census: {
    source: 'Adult, B. Becker and R. Kohavi 1996, UCI Machine Learning Repository',
    licence: 'CC BY 4.0',
  },
  diabetes: {
    source: 'B. Efron, T. Hastie, I. Johnstone and R. Tibshirani, Least angle regression, 2004',
    licence: SCIKIT,
  },
  breastCancer: {
    source:
      'W. N. Street, W. H. Wolberg and O. L. Mangasarian 1993, UCI Machine Learning Repository',
    licence: SCIKIT,
  },
  wine: {
    source: 'M. Forina and others 1988, UCI Machine Learning Repository',
    licence: SCIKIT,
  },
};

/** What `make` makes of the rows of a set of PM_DATA; nothing where they are not there. */
export function ofFiles({ rows, files }, make) {
  if (!files.every((file) => existsSync(path.join(data, file)))) return undefined;
  return make(rows((file) => readFileSync(path.join(data, file))));
}

/** The census, row by row, its cells as texts. */
export function censusCells() {
  const lines = censusCsv().trimEnd().split('\n').slice(1);
  return lines.map((line) => line.split(','));
}

/**
 * Brings a file of sets up to date: what each is, and `numbers()`, those of it. A set without numbers
 * keeps those it has. With --check nothing is written, and it fails where the file is not up to date.
 */
export async function update(name, sets) {
  const out = path.join(FOLDER, name);
  const old = existsSync(out) ? readFileSync(out, 'utf8') : '[]';
  const known = JSON.parse(old);
  const made = sets.map(({ numbers, ...about }) => {
    const found = numbers();
    if (found !== undefined) return { ...about, ...found };
    const last = known.find(({ id }) => id === about.id);
    if (last === undefined) throw new Error(`${about.id} is not in ${data} (PM_DATA)`);
    console.log(`${about.id}: not looked at, it is not in ${data} (PM_DATA)`);
    return { ...last, ...about };
  });
  const options = { ...(await resolveConfig(out)), filepath: out };
  const text = await format(JSON.stringify(made), options);
  if (text === old) return;
  if (!process.argv.includes('--check')) return writeFileSync(out, text);
  console.error(`${name} is not up to date: make it again, without --check`);
  process.exitCode = 1;
}
