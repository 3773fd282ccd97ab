import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { cohort, population } from '../../samples/cohort.mjs';
import { ofLaw, ofRows } from '../../tools/consortium-data.mjs';

const near = (a, b, tolerance) => assert.ok(Math.abs(a - b) < tolerance, `${a}, ${b}`);

test('moments are of centred columns in half ranges, and the longest row is 1', () => {
  const { rows, covariance } = ofRows([
    [0, 10],
    [2, 10],
    [4, 40],
  ]);
  assert.equal(rows, 3);
  // Columns -1, 0, 1 and -2/3, -2/3, 4/3; the last row is the longest, 1 + 16/9 = 25/9.
  const [xx, xy, yy] = covariance;
  near(xx, 2 / 3 / (25 / 9), 1e-11);
  near(xy, 2 / 3 / (25 / 9), 1e-11);
  near(yy, 8 / 9 / (25 / 9), 1e-11);
});

test('the law of the cohort is the one from which its rows are drawn', () => {
  const law = population({ seed: 4 });
  const made = cohort({ rows: 20000, seed: 4 });
  const d = made.columns.length;
  const column = (j) => Array.from({ length: 20000 }, (_, i) => made.values[i * d + j]);
  const standard = law.columns.map(({ mean, sd }, j) => column(j).map((x) => (x - mean) / sd));
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < d; j++) {
      const product = standard[i].reduce((sum, x, row) => sum + x * standard[j][row], 0) / 20000;
      // Five standard errors, plus the rounding error of the values.
      near(product, law.correlation[i][j], 0.05);
    }
  }
  assert.equal(ofLaw(law).covariance.length, (d * (d + 1)) / 2);
});

for (const name of ['comparison-data', 'consortium-data']) {
  test(`the ${name} of Explore is up to date, if the data sets are available`, () => {
    const tool = fileURLToPath(new URL(`../../tools/${name}.mjs`, import.meta.url));
    execFileSync(process.execPath, [tool, '--check'], { stdio: 'pipe' });
  });
}
