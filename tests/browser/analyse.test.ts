import { readFileSync } from 'node:fs';
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
  const figure = page.getByRole('img', { name: /^Canonical correlations:/ });
  const first = /1st (\.\d\d)/.exec((await figure.getAttribute('aria-label')) ?? '')?.[1];
  expect(Math.abs(Number(first) - 0.62)).toBeLessThan(0.06);
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
    'pm-participant input[type=file]',
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

test('the result is saved as JSON and as CSV with every number in it', async ({ page, site }) => {
  await useSample(page, site);
  const save = async (name: string): Promise<string> => {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name }).click();
    return readFileSync(await (await download).path(), 'utf8');
  };
  const json = JSON.parse(await save('Download JSON')) as {
    releases: string[];
    rows: number;
    cca: { correlations: { value: number }[] };
    covariance: { values: number[] };
  };
  expect(json.releases).toHaveLength(10);
  expect(json.rows).toBe(48_842);
  expect(json.covariance.values).toHaveLength(100);
  const csv = (await save('Download CSV')).trim().split('\n');
  const correlation = csv.find((line) => line.startsWith('cca,correlation,,1,'))?.split(',')[5];
  expect(Number(correlation)).toBe(json.cca.correlations[0]?.value);
});
