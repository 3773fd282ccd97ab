#!/usr/bin/env node
// Writes the data on which Explore compares mechanisms,
// web/research/elements/comparison/comparison-data.json: for each public or simulated data set the
// mean of x x^T over rows that were standardised by column and scaled to length 1, as in Amin et al.
// 2019. The file holds upper triangles to six decimals, and no rows. PM_DATA names the folder with the
// data sets. With --check it writes nothing and fails if the file is out of date; sets that are missing
// from the folder are not checked.
import { scatterOf } from '../experiments/scatter.mjs';
import { featuresOf, rowsOf } from '../experiments/support/data_sets.mjs';
import { cohort } from '../samples/cohort.mjs';
import { SOURCES, censusCells, ofSet, update } from './explore-data.mjs';

const SETS = [
  {
    id: 'wine',
    title: 'Wine',
    about: '13 measurements of Italian wines; the data of Amin et al. 2019',
    ...SOURCES.wine,
    numbers: () => ofSet('wine', featuresOf, meanOf),
  },
  {
    id: 'breast-cancer',
    title: 'Breast cancer',
    about: '30 measurements of cell nuclei',
    ...SOURCES.breastCancer,
    numbers: () => ofSet('breast_cancer', featuresOf, meanOf),
  },
  {
    id: 'diabetes',
    title: 'Diabetes',
    about: '10 measurements of patients and the progression of their disease',
    ...SOURCES.diabetes,
    numbers: () => ofSet('diabetes', rowsOf, meanOf),
  },
  {
    id: 'census',
    title: 'Census',
    about: 'age, schooling, sex, marriage, hours and income; the sample of Take part',
    ...SOURCES.census,
    // All columns but the last are numbers.
    numbers: () => meanOf(censusCells().map((cells) => cells.slice(0, -1).map(Number))),
  },
  {
    id: 'sleep',
    title: 'Sleep, simulated',
    about: 'three columns of sleep and three of metabolism, made up',
    ...SOURCES.sleep,
    numbers: () => meanOf(sleep()),
  },
];

function sleep() {
  const { columns, values } = cohort();
  return Array.from({ length: values.length / columns.length }, (_, i) =>
    Array.from(values.subarray(i * columns.length, (i + 1) * columns.length)),
  );
}

function meanOf(rows) {
  const scatter = scatterOf(rows);
  const mean = scatter.flatMap((line, i) =>
    Array.from(line.slice(i), (sum) => Number((sum / rows.length).toFixed(6))),
  );
  return { rows: rows.length, dimension: scatter.length, mean };
}

await update('comparison/comparison-data.json', SETS);
