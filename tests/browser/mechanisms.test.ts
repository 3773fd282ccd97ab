import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import {
  addFiles,
  everythingOn,
  expect,
  makeRelease,
  openStudy,
  sampleFile,
  saveShown,
  saved,
  savedRelease,
  studyWith,
  test,
} from './support.js';

interface ReleaseText {
  values: number[];
  noise: { unit: number };
}

/** The numbers of a table region, row by row, without its row headings. */
async function numbersIn(page: Page, region: string): Promise<number[][]> {
  const rows = page.getByRole('region', { name: region }).getByRole('row');
  const texts = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent)),
  );
  const value = (text: string): number => Number(text.trim().replace('−', '-').replaceAll(',', ''));
  return texts.filter(({ length }) => length > 0).map((row) => row.map(value));
}

test('directions: what leaves is what is shown, and the analyst sees only directions', async ({
  page,
  site,
}, info) => {
  const study = studyWith({ name: 'eigenvector-sampling', components: 2 });
  await openStudy(page, site, study);
  await page.getByText('Study details and fingerprint').click();
  await expect(page.getByText('Eigenvector sampling (eigenvector-sampling)')).toBeVisible();
  await expect(page.getByText('2 directions, in one file')).toBeVisible();

  await makeRelease(page, sampleFile('site-01.csv'));
  await expect(page.getByText('4,885 rows became 2 directions')).toBeVisible();
  await page.getByText('The exact definition: ε = 1', { exact: true }).click();
  await expect(page.getByText('It is drawn exactly and then rounded')).toBeVisible();
  const parts = page.getByRole('row', { name: /^(directions|values|together) / });
  await expect(parts).toHaveText([
    /directions\s*ε = 0\.5/,
    /values\s*ε = 0\.5/,
    /together\s*ε = 1/,
  ]);
  expect(await everythingOn(page)).not.toMatch(/δ(?!\s*=\s*0\s*\.)/);
  await page.getByRole('button', { name: 'See as a table' }).click();
  const shown = await numbersIn(page, 'The noisy numbers');

  const one = await saveShown(page, info.outputPath());
  const release = JSON.parse(readFileSync(one, 'utf8')) as ReleaseText;
  expect(release.values).toHaveLength(2 * (1 + 10));
  expect(shown).toHaveLength(1 + 10);
  const two = await savedRelease(page, sampleFile('site-02.csv'), info.outputPath());

  await page.getByRole('link', { name: 'Analyse' }).click();
  await addFiles(page, study, one, two);
  await expect(page.getByText('2 releases became 2 directions of 10 columns.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'First direction' })).toBeVisible();
  await expect(page.getByText('there is no noise floor')).toBeVisible();
  for (const absent of ['Canonical correlations', 'Variance', 'Noise, sd']) {
    await expect(page.getByText(absent, { exact: true })).toHaveCount(0);
  }
  await page.getByRole('button', { name: 'Show the tables' }).click();
  const [spread, ...entries] = await numbersIn(page, 'Directions as a table');
  expect(spread?.[0]).toBeGreaterThan(spread?.[1] ?? 0);
  for (const k of [0, 1]) {
    const length = Math.hypot(...entries.map((row) => row[k] ?? 0));
    expect(Math.abs(length - 1)).toBeLessThan(0.01);
  }
  const csv = (await saved(page, 'Download CSV')).trim().split(/\r?\n/);
  const lines = (quantity: string) =>
    csv.filter((line) => line.startsWith(`components,${quantity},`));
  expect(lines('explained')).toHaveLength(2);
  expect(lines('loadings')).toHaveLength(2 * 10);
  expect(lines('weights')).toHaveLength(2 * 10);
});

test('two-sided Wishart: a pure promise, and correlations from its releases', async ({
  page,
  site,
}, info) => {
  const study = studyWith({ name: 'two-sided-wishart' });
  await openStudy(page, site, study);
  await makeRelease(page, sampleFile('site-01.csv'));
  await page.getByText('The exact definition: ε = 1', { exact: true }).click();
  await expect(page.getByText('difference of two random Wishart matrices')).toBeVisible();
  await expect(page.getByText('It is drawn exactly, in whole numbers')).toBeVisible();
  await expect(page.getByText('their best guess is right at most 74 times in 100')).toBeVisible();
  expect(await everythingOn(page)).not.toMatch(/δ(?!\s*=\s*0\s*\.)/);
  const one = await saveShown(page, info.outputPath());
  const two = await savedRelease(page, sampleFile('site-02.csv'), info.outputPath());

  await page.getByRole('link', { name: 'Analyse' }).click();
  await addFiles(page, study, one, two);
  await expect(page.getByText('All 2 belong to this study and are intact.')).toBeVisible();
  await expect(
    page.getByRole('img', { name: /^Canonical correlations, 95% interval: 1st \.\d\d/ }),
  ).toBeVisible();
});

test('a study with a mechanism that is not private, or a promise it cannot keep, is refused', async ({
  page,
  site,
}) => {
  await page.goto(site);
  const give = (study: ReturnType<typeof studyWith>): Promise<void> =>
    page.setInputFiles('pm-participate input[type=file]', study);
  const alert = page.getByRole('alert');
  await give(studyWith({ name: 'symmetric-noise' }));
  await expect(alert).toContainText('symmetric-noise is not differentially private');
  await expect(alert).toContainText('two-sided-wishart');
  await give(studyWith({ name: 'gaussian' }));
  await expect(alert).toContainText('delta');
});

test('the mechanisms page compares mechanisms of studies with published ones', async ({
  page,
  site,
}) => {
  await page.goto(site);
  await page.getByRole('link', { name: 'Mechanisms' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Mechanisms' })).toBeVisible();
  const cell = (row: RegExp, n: number) =>
    page.getByRole('row', { name: row }).getByRole('cell').nth(n);
  await expect(cell(/^Gaussian gaussian/, 0)).toHaveText('(ε, δ)');
  await expect(cell(/^Two-sided Wishart/, 0)).toHaveText('ε');
  await expect(cell(/^symmetric-noise/, 1)).toContainText('none');
  await page.getByRole('link', { name: 'Take part' }).click();
  await expect(page.getByRole('button', { name: 'I have a link' })).toBeVisible();
});
