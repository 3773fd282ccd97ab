// Rebuilds census.csv.gz from the two files of the UCI Adult data set:
//   node samples/census/make.mjs FOLDER      (FOLDER holds adult.data and adult.test, or the same with .gz)

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

const HEADER = 'age,education,female,married,hours,over_50k,occupation';

const OCCUPATION = {
  'Exec-managerial': 'professional',
  'Prof-specialty': 'professional',
  'Tech-support': 'office',
  Sales: 'office',
  'Adm-clerical': 'office',
  'Other-service': 'service',
  'Priv-house-serv': 'service',
  'Protective-serv': 'service',
  'Armed-Forces': 'service',
  'Craft-repair': 'other',
  'Machine-op-inspct': 'other',
  'Transport-moving': 'other',
  'Handlers-cleaners': 'other',
  'Farming-fishing': 'other',
  '?': 'other',
};

const MARRIED = new Set(['Married-civ-spouse', 'Married-AF-spouse', 'Married-spouse-absent']);

function linesOf(folder, name) {
  const plain = join(folder, name);
  const text = existsSync(plain)
    ? readFileSync(plain, 'utf8')
    : gunzipSync(readFileSync(`${plain}.gz`)).toString('utf8');
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('|'));
}

function convert(line, index) {
  const field = line.split(', ');
  const occupation = OCCUPATION[field[6]];
  if (field.length !== 15 || occupation === undefined) {
    throw new Error(`row ${index + 1} is not a row of the Adult data set`);
  }
  // adult.test ends its labels with a full stop, adult.data does not.
  const over50k = field[14].startsWith('>') ? 1 : 0;
  const female = field[9] === 'Female' ? 1 : 0;
  const married = MARRIED.has(field[5]) ? 1 : 0;
  return [field[0], field[4], female, married, field[12], over50k, occupation].join(',');
}

const folder = process.argv[2];
if (folder === undefined) {
  console.error('usage: node samples/census/make.mjs FOLDER');
  process.exit(2);
}
const rows = ['adult.data', 'adult.test'].flatMap((name) => linesOf(folder, name)).map(convert);
const csv = `${HEADER}\n${rows.join('\n')}\n`;
writeFileSync(new URL('census.csv.gz', import.meta.url), gzipSync(csv, { level: 9 }));
console.log(`${rows.length} rows, ${csv.length} bytes before compression`);
