// Shared by comparison-data.mjs and consortium-data.mjs, which write Explore's data files.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { DATA, have } from '../experiments/support/data_sets.mjs';
import { censusCsv } from '../samples/split.mjs';

const FOLDER = fileURLToPath(new URL('../web/research/elements/', import.meta.url));
const SCIKIT = 'as shipped with scikit-learn, BSD 3-Clause';

/** The source and licence of each data set. */
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

/** `make` applied to the rows of a set in PM_DATA, read by `cellsOf`; undefined if it is missing. */
export function ofSet(name, cellsOf, make) {
  return have(name) ? make(cellsOf(name)) : undefined;
}

/** The rows of the census, with cells as text. */
export function censusCells() {
  const lines = censusCsv().trimEnd().split('\n').slice(1);
  return lines.map((line) => line.split(','));
}

/**
 * Updates a data file from descriptions of sets, whose moments `numbers()` computes. If it returns
 * undefined, the set keeps its moments. With --check nothing is written, and the exit code is 1 if the
 * file is out of date.
 */
export async function update(name, sets) {
  const out = path.join(FOLDER, name);
  const old = existsSync(out) ? readFileSync(out, 'utf8') : '[]';
  const known = JSON.parse(old);
  const made = sets.map(({ numbers, ...about }) => {
    const found = numbers();
    if (found !== undefined) return { ...about, ...found };
    const last = known.find(({ id }) => id === about.id);
    if (last === undefined) throw new Error(`${about.id} is not in ${DATA} (PM_DATA)`);
    console.log(`${about.id}: not checked, as it is not in ${DATA} (PM_DATA)`);
    return { ...last, ...about };
  });
  const options = { ...(await resolveConfig(out)), filepath: out };
  const text = await format(JSON.stringify(made), options);
  if (text === old) return;
  if (!process.argv.includes('--check')) return writeFileSync(out, text);
  console.error(`${name} is out of date: run this again without --check`);
  process.exitCode = 1;
}
