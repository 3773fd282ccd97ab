import AxeBuilder from '@axe-core/playwright';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '@playwright/test';
import {
  addFiles,
  expect,
  madeUp,
  openStudy,
  sampleFile,
  sampleText,
  savedRelease,
  test,
} from './support.js';

interface ReleaseText {
  study: string;
  rows: number;
  values: number[];
}

async function useSample(page: Page, site: string): Promise<void> {
  await page.goto(`${site}analyse.html`);
  await page.getByRole('button', { name: 'Try the sample study' }).click();
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
}

test('the sample runs in one click, and the leading pair comes out as without privacy', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await expect(page.getByText('All 10 belong to this study and are intact.')).toBeVisible();
  const figure = page.getByRole('img', { name: /^Canonical correlations/ });
  const first = /1st (\.\d\d)/.exec((await figure.getAttribute('aria-label')) ?? '')?.[1];
  expect(Math.abs(Number(first) - 0.62)).toBeLessThan(0.06);
});

test('a sum of releases is analysed in place of them, and comes alone', async ({
  page,
  site,
}, info) => {
  const folder = info.outputPath();
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const args = ['samples/federation.mjs', '--out', folder];
  execFileSync(process.execPath, args, { cwd: root, stdio: 'ignore' });
  const [study, sum] = [join(folder, 'study.json'), join(folder, 'sum.json')];
  await page.goto(`${site}analyse.html`);
  await addFiles(page, study, sum);
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('sum.json')).toContainText('48,842');
  await expect(page.getByText('7 of 10')).toBeVisible();
  await addFiles(page, madeUp('again.json', readFileSync(sum, 'utf8')));
  await expect(row('again.json')).toContainText('left out: same release as sum.json');

  // What Take part makes stands by itself, which nothing of this study does.
  await page.goto(site);
  await page.setInputFiles('pm-participate input[type=file]', study);
  await expect(page.getByText('This study cannot be opened.')).toBeVisible();
  await expect(page.getByText('behind masks (split)')).toBeVisible();
});

test('one bad file never stops the rest', async ({ page, site }, info) => {
  await openStudy(page, site);
  const folder = info.outputPath();
  const one = await savedRelease(page, sampleFile('site-01.csv'), folder);
  const two = await savedRelease(page, sampleFile('site-02.csv'), folder);
  const text = readFileSync(one, 'utf8');
  const parsed = JSON.parse(text) as ReleaseText;
  const study = JSON.parse(sampleText('study.json')) as { privacy: { epsilon: number } };
  study.privacy.epsilon = 2;
  await page.goto(site);
  await page.setInputFiles(
    'pm-participate input[type=file]',
    madeUp('study.json', JSON.stringify(study)),
  );
  const foreign = await savedRelease(page, sampleFile('site-04.csv'), folder);

  await page.goto(`${site}analyse.html`);
  await addFiles(
    page,
    sampleFile('study.json'),
    one,
    two,
    foreign,
    madeUp('again.json', text),
    madeUp('altered.json', JSON.stringify({ ...parsed, rows: parsed.rows + 1 })),
    madeUp('cut.json', text.slice(0, 500)),
    madeUp('photo.json', 'not JSON at all'),
  );
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('again.json')).toContainText('left out: same release as site-01.release.json');
  await expect(row('site-04.release.json')).toContainText('left out: another study');
  await expect(row('altered.json')).toContainText('left out: changed after it was made');
  await expect(row('cut.json')).toContainText('left out: ends too early');
  await expect(row('photo.json')).toContainText('left out: not a release');
  await expect(page.getByText('2 belong to this study and are intact. Five more')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();

  await page.getByRole('button', { name: 'Remove site-01.release.json' }).click();
  await expect(row('again.json')).not.toContainText('left out');
});

test('releases wait for their study', async ({ page, site }, info) => {
  await openStudy(page, site);
  const release = await savedRelease(page, sampleFile('site-01.csv'), info.outputPath());
  await page.goto(`${site}analyse.html`);
  await addFiles(page, release);
  await expect(page.getByText('Which study do these belong to?')).toBeVisible();
  await addFiles(page, sampleFile('study.json'));
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
});

test('each pair shows the weights of both views', async ({ page, site }) => {
  await useSample(page, site);
  const weights = page.getByRole('img', { name: /^Weights: age/ });
  const first = await weights.getAttribute('aria-label');
  await page.getByRole('button', { name: '2nd', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Second pair' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Weights:/ })).toHaveCount(2);
  await expect(weights).not.toHaveAttribute('aria-label', first ?? '');
});

test('pairs below the noise floor say so, and their weights are not drawn', async ({
  page,
  site,
}, info) => {
  await openStudy(page, site);
  // In three rows the noise is all there is.
  const few = sampleText('site-01.csv').split('\n').slice(0, 4).join('\n');
  const release = await savedRelease(page, madeUp('few.csv', few), info.outputPath());
  await page.goto(`${site}analyse.html`);
  await addFiles(page, sampleFile('study.json'), release);
  await expect(page.getByText('No pattern that links people and work can be told')).toBeVisible();
  await expect(page.getByRole('button', { name: '1st, below the floor' })).toBeVisible();
  await expect(page.getByText('do not interpret. Its weights are not drawn.')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Weights:/ })).toHaveCount(0);
});

/** The text of the file that a button gives. */
async function saved(page: Page, name: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name }).click();
  return readFileSync(await (await download).path(), 'utf8');
}

test('every estimate has its interval, in the figures and in the tables', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  const figure = page.getByRole('img', { name: /^Canonical correlations, 95% interval/ });
  const alt = (await figure.getAttribute('aria-label')) ?? '';
  const [, value, low, high] = /1st (\.\d\d), interval (\.\d\d) to (\.\d\d)/.exec(alt) ?? [];
  expect(Number(low)).toBeLessThan(Number(value));
  expect(Number(high)).toBeGreaterThan(Number(value));
  await expect(page.getByText(`${low ?? ''} to ${high ?? ''} is plausible`)).toBeVisible();
  await expect(
    page.getByRole('img', { name: /^Share by component\. 1: \d+%, interval \d+% to \d+%/ }),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Show the tables' }).click();
  await expect(page.getByRole('cell', { name: `${low ?? ''} to ${high ?? ''}` })).toBeVisible();
});

test('one column is predicted from the others, and the prediction goes along', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await expect(page.getByText(/of the variance of hours is explained/)).toHaveCount(0);
  await page.getByLabel('Target').selectOption('hours');
  await expect(page.getByText(/of the variance of hours is explained/)).toBeVisible();
  const bars = page.getByRole('img', { name: /^Weights: age .*female −\d\.\d per unit, −\d/ });
  await expect(bars).toBeVisible();
  await page.getByRole('button', { name: 'Show the tables' }).click();
  await expect(page.getByRole('region', { name: 'Regression of hours as a table' })).toBeVisible();
  expect(await saved(page, 'Download CSV')).toContain('\r\nridge,coefficients,,age,,');
  expect(await page.getByRole('region', { name: 'Code', exact: true }).textContent()).toContain(
    'moments.ridge(',
  );
});

test('three views are compared by what all of them share, too', async ({ page, site }, info) => {
  const study = JSON.parse(sampleText('study.json')) as { views: Record<string, string[]> };
  study.views = {
    life: ['age', 'married'],
    school: ['education', 'female'],
    work: ['hours', 'over_50k'],
  };
  const file = madeUp('study.json', JSON.stringify(study));
  await openStudy(page, site, file);
  const release = await savedRelease(page, sampleFile('site-01.csv'), info.outputPath());
  await page.goto(`${site}analyse.html`);
  await addFiles(page, file, release);
  await expect(page.getByRole('heading', { name: 'What all views share' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Shared correlations/ })).toBeVisible();
  await expect(page.getByRole('rowheader', { name: 'life and school' })).toBeVisible();
  const { results } = JSON.parse(await saved(page, 'Download JSON')) as {
    results: { analysis: string }[];
  };
  expect(results.map(({ analysis }) => analysis)).toEqual(['cca', 'gcca', 'pca', 'moments']);
});

test('the result is saved as JSON and as CSV with every number in it', async ({ page, site }) => {
  await useSample(page, site);
  const json = JSON.parse(await saved(page, 'Download JSON')) as {
    format: string;
    releases: string[];
    results: {
      rows: number;
      correlations?: { value: number }[];
      covariance?: { values: number[] };
    }[];
  };
  expect(json.format).toBe('private-moments/results@1');
  expect(json.releases).toHaveLength(10);
  const [cca, pca, moments] = json.results;
  expect([cca, pca, moments].map((result) => result?.rows)).toEqual([48_842, 48_842, 48_842]);
  expect(moments?.covariance?.values).toHaveLength(100);
  const csv = (await saved(page, 'Download CSV')).trim().split('\r\n');
  const correlation = csv.find((line) => line.startsWith('cca,correlations,,,CC1,'))?.split(',')[5];
  expect(Number(correlation)).toBe(cca?.correlations?.[0]?.value);
});

test('the report is one file that stands by itself, at any width, light and dark', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await page.getByLabel('Target').selectOption('hours');
  await expect(page.getByText(/of the variance of hours is explained/)).toBeVisible();
  const html = await saved(page, 'Download report');
  await page.goto('about:blank');
  await page.setContent(html);
  await expect(
    page.getByRole('heading', { level: 1, name: 'People and work, 1994 census' }),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Regression of hours' })).toBeVisible();
  await expect(page.getByText('right 55 times in 100')).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  }
  for (const width of [320, 360, 768, 1280]) {
    await page.setViewportSize({ width, height: 740 });
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, `${width} pixels`).toBeLessThanOrEqual(0);
  }
});

test('synthetic rows are drawn and saved, the same for the same seed, with what they preserve', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await page.getByLabel('Number of rows').fill('300');
  await page.getByLabel('Seed, optional').fill('5');
  const once = await saved(page, 'Download rows (CSV)');
  await expect(page.getByText(/^300 rows saved\. \d+ of \d+ means/)).toBeVisible();
  const table = page.getByRole('region', { name: 'What the rows preserve' });
  await expect(table.getByRole('row')).toHaveCount(5);
  const lines = once.trim().split('\r\n');
  expect(lines).toHaveLength(301);
  const study = JSON.parse(sampleText('study.json')) as { columns: { name: string }[] };
  expect(lines[0]).toBe(study.columns.map(({ name }) => name).join(','));
  expect(await saved(page, 'Download rows (CSV)')).toBe(once);

  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 740 });
  const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(beyond).toBeLessThanOrEqual(0);
});
