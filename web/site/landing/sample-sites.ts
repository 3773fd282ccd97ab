import type { StudyDefinition } from 'private-moments';
import { SAMPLE_SITES, fetchText, sampleName } from '../../elements/src/session/study-source.js';

/** Correlations of all features, row after row of the lower triangle. */
export type Triangle = readonly number[];

/** The files of the sample and, as it is public, the exact correlations of each. */
export interface SampleSites {
  definition: StudyDefinition;
  files: readonly Blob[];
  rows: readonly number[];
  exact: readonly Triangle[];
}

/** @param folder the address of study.json and site-01.csv to site-10.csv */
export async function fetchSites(folder: string): Promise<SampleSites> {
  const names = Array.from({ length: SAMPLE_SITES }, (_, i) => `${sampleName(i + 1)}.csv`);
  const [study, ...texts] = await Promise.all(
    ['study.json', ...names].map((name) => fetchText(`${folder}${name}`)),
  );
  const definition = JSON.parse(study ?? '') as StudyDefinition;
  const rows: number[] = [];
  const exact: Triangle[] = [];
  for (const text of texts) {
    const table = featuresOf(text, definition.columns);
    rows.push(table.length);
    exact.push(correlationsOf(table));
  }
  return { definition, files: texts.map((text) => new Blob([text])), rows, exact };
}

/** The sample's cells hold no quotes and none are missing, so lines are split as they are, which is fast. */
function featuresOf(csv: string, columns: StudyDefinition['columns']): number[][] {
  const [header = '', ...lines] = csv.trimEnd().split('\n');
  const names = header.split(',');
  const places = columns.map(({ name }) => names.indexOf(name));
  return lines.map((line) => {
    const cells = line.split(',');
    return columns.flatMap((column, c) => {
      const cell = cells[places[c] ?? -1];
      return column.type === 'number'
        ? [Number(cell)]
        : column.levels.map((level) => Number(level === cell));
    });
  });
}

function correlationsOf(rows: readonly number[][]): Triangle {
  const dimension = rows[0]?.length ?? 0;
  const sums = new Float64Array(dimension);
  const products = new Float64Array(dimension ** 2);
  for (const row of rows) {
    for (let i = 0; i < dimension; i++) {
      const x = row[i] ?? NaN;
      sums[i] = (sums[i] ?? NaN) + x;
      for (let j = 0; j <= i; j++) {
        const at = i * dimension + j;
        products[at] = (products[at] ?? NaN) + x * (row[j] ?? NaN);
      }
    }
  }
  const covariance = products.map((product, at) => {
    const [i, j] = [Math.floor(at / dimension), at % dimension];
    return product / rows.length - ((sums[i] ?? NaN) * (sums[j] ?? NaN)) / rows.length ** 2;
  });
  return triangleOf(covariance, dimension);
}

/** The correlations in a covariance matrix, of which only the lower triangle is read. */
export function triangleOf(covariance: Float64Array, dimension: number): Triangle {
  const entry = (i: number, j: number): number => covariance[i * dimension + j] ?? NaN;
  return Array.from({ length: dimension }, (_, i) =>
    Array.from({ length: i + 1 }, (_, j) => {
      const scale = entry(i, i) * entry(j, j);
      return i === j ? 1 : scale > 0 ? entry(i, j) / Math.sqrt(scale) : 0;
    }),
  ).flat();
}
