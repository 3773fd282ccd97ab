import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { defineStudy } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';

/**
 * Results from the rows of real tables, without noise, compared with those of numpy
 * (tests/vectors/analysis_reference.py). Cells are decimal numbers: as integers, under bounds and a
 * row norm that are powers of two, they are on the grid of releases, and nothing is rounded.
 * (The core's test has two more tables, which have too many decimals for this.)
 */
const TOLERANCE = 1e-9;

const root = fileURLToPath(new URL('../../../', import.meta.url));
const data = process.env.PM_DATA ?? path.join(root, '../shared/data');

interface Reference {
  half: number[];
  mean: number[];
  covariance: number[];
  cca: { views: number[][]; correlations: number[] };
  gcca: { views: number[][]; eigenvalues: number[] };
}

const references = JSON.parse(
  readFileSync(path.join(root, 'tests/vectors/analysis_reference.json'), 'utf8'),
) as Record<string, Reference>;

const range = (first: number, last: number) =>
  Array.from({ length: last - first }, (_, i) => first + i);

const TABLES: Record<string, { file: string; skip: number; columns: number[] }> = {
  iris: { file: 'iris/iris.csv', skip: 1, columns: range(0, 4) },
  diabetes: { file: 'diabetes/diabetes_data_raw.csv.gz', skip: 0, columns: range(0, 10) },
  lifecyclesavings: {
    file: 'lifecyclesavings/LifeCycleSavings.csv',
    skip: 1,
    columns: [2, 3, 1, 4, 5],
  },
  mmreg: { file: 'mmreg/mmreg.csv', skip: 1, columns: range(0, 8) },
  digits: { file: 'digits/digits.csv.gz', skip: 0, columns: range(16, 48) },
};

/** A test vector in this repository, so always available. */
const LINNERUD = (
  JSON.parse(readFileSync(path.join(root, 'tests/vectors/linnerud.json'), 'utf8')) as {
    rows: number[][];
  }
).rows.map((row) => row.map(String));

/** Cells as text. */
function cellsOf({ file, skip, columns }: { file: string; skip: number; columns: number[] }) {
  const bytes = readFileSync(path.join(data, file));
  const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString().trim();
  return text
    .split('\n')
    .slice(skip)
    .map((line) => line.trim().split(line.includes(',') ? ',' : /\s+/))
    .map((cells) => columns.map((column) => cells[column]?.trim() ?? ''));
}

/** 10 to the maximum number of decimals in a column, its numbers times that, and a power of two above them. */
function integersOf(cells: string[]) {
  const numbers = cells.map(Number);
  let unit = 1;
  while (numbers.some((value) => Math.abs(value * unit - Math.round(value * unit)) > 1e-6))
    unit *= 10;
  const values = numbers.map((value) => Math.round(value * unit));
  const bound = 2 ** Math.ceil(Math.log2(Math.max(1, ...values.map(Math.abs))));
  return { unit, values, bound };
}

const distance = (found: number[], expected: number[]) =>
  Math.max(...expected.map((value, i) => Math.abs((found[i] ?? NaN) - value)));

async function expectReference(name: string, cells: string[][]): Promise<void> {
  const expected = references[name];
  if (expected === undefined) throw new Error(`there are no vectors of ${name}`);
  const columns = (cells[0] ?? []).map((_, j) => integersOf(cells.map((row) => row[j] ?? '')));
  const names = columns.map((_, j) => `c${j}`);
  const called = (features: number[]) => features.map((feature) => `c${feature}`);
  const [x = [], y = []] = expected.cca.views.map(called);
  const study = defineStudy({
    title: name,
    columns: columns.map(({ bound }, j) => {
      return { name: `c${j}`, type: 'number' as const, min: -bound, max: bound };
    }),
    rowNorm: 2 ** Math.ceil(Math.log2(columns.length) / 2),
    privacy: { epsilon: 1, delta: 1e-6 },
  });
  const moments = await exactMoments(
    study,
    cells.map((_, i) =>
      Object.fromEntries(columns.map(({ values }, j) => [names[j] ?? '', values[i] ?? null])),
    ),
  );
  const inUnits = columns.map(({ unit }, j) => unit * (expected.half[j] ?? NaN));
  const means = Array.from(moments.mean.values, (value, j) => value / (inUnits[j] ?? NaN));
  const expectedMeans = expected.mean.map((value, j) => value / (expected.half[j] ?? NaN));
  expect(distance(means, expectedMeans)).toBeLessThan(TOLERANCE);
  const upper = names.flatMap((_, i) => range(i, names.length).map((j) => [i, j] as const));
  const covariances = upper.map(([i, j]) => {
    const value = moments.covariance.values[i * names.length + j] ?? NaN;
    return value / ((inUnits[i] ?? NaN) * (inUnits[j] ?? NaN));
  });
  const expectedCovariances = upper.map(([i, j], k) => {
    const halves = (expected.half[i] ?? NaN) * (expected.half[j] ?? NaN);
    return (expected.covariance[k] ?? NaN) / halves;
  });
  expect(distance(covariances, expectedCovariances)).toBeLessThan(TOLERANCE);
  const pairs = moments.cca({ x, y, components: expected.cca.correlations.length });
  const correlations = pairs.correlations.map(({ value }) => value);
  expect(distance(correlations, expected.cca.correlations)).toBeLessThan(TOLERANCE);
  const shared = moments.gcca({
    views: expected.gcca.views.map(called),
    components: expected.gcca.eigenvalues.length,
  });
  const eigenvalues = shared.shared.map(({ eigenvalue }) => eigenvalue);
  expect(distance(eigenvalues, expected.gcca.eigenvalues)).toBeLessThan(TOLERANCE);
}

describe('exact moments of real tables', () => {
  it('match the results of numpy from the rows: linnerud', async () => {
    await expectReference('linnerud', LINNERUD);
  });

  for (const [name, table] of Object.entries(TABLES)) {
    const present = existsSync(path.join(data, table.file));
    if (!present) console.log(`skipped: ${table.file} is not in ${data} (PM_DATA)`);
    it.runIf(present)(`match the results of numpy from the rows: ${name}`, async () => {
      await expectReference(name, cellsOf(table));
    });
  }
});
