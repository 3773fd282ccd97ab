// The census sample split over ten sites: study.json and site-01.csv to site-10.csv.
//   node samples/split.mjs FOLDER

import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';

/** Number of sites the census sample is split over. */
export const SITES = 10;

/** The study definition, as a fresh object for `defineStudy`. */
export function censusStudy() {
  return JSON.parse(readFileSync(new URL('census/study.json', import.meta.url), 'utf8'));
}

/** The whole census sample as CSV text: a header and 48,842 rows. */
export function censusCsv() {
  const packed = readFileSync(new URL('census/census.csv.gz', import.meta.url));
  return gunzipSync(packed).toString('utf8');
}

/**
 * Deals the rows of a CSV text out to sites in turn: row i (from 0) goes to site i mod `sites`.
 * The split depends only on row numbers, so it reveals nothing about the rows.
 *
 * @param {string} csv header line, then one line per row; no line breaks inside cells
 * @param {number} sites number of sites, at least 1
 * @returns {{ name: string, csv: string }[]} one CSV per site, each with the header
 */
export function dealOut(csv, sites) {
  const [header, ...rows] = csv.trimEnd().split('\n');
  const hands = Array.from({ length: sites }, () => [header]);
  rows.forEach((row, i) => hands[i % sites].push(row));
  return hands.map((lines, i) => ({
    name: `site-${String(i + 1).padStart(2, '0')}.csv`,
    csv: `${lines.join('\n')}\n`,
  }));
}

/**
 * Writes study.json and the sites' CSV files into a folder, which is created if it is missing.
 *
 * @param {string} folder
 * @param {{ study: object, sites: { name: string, csv: string }[] }} [sample] the census by default
 * @returns {string[]} paths of the CSV files
 */
export function writeSample(
  folder,
  sample = { study: censusStudy(), sites: dealOut(censusCsv(), SITES) },
) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'study.json'), `${JSON.stringify(sample.study, null, 2)}\n`);
  return sample.sites.map(({ name, csv }) => {
    const path = join(folder, name);
    writeFileSync(path, csv);
    return path;
  });
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2];
  if (folder === undefined) {
    console.error('usage: node samples/split.mjs FOLDER');
    process.exit(2);
  }
  const files = writeSample(folder);
  console.log(`wrote study.json and ${files.length} CSV files to ${folder}`);
}
