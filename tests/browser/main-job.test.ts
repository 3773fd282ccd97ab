import { readFileSync } from 'node:fs';
import { addFiles, expect, openStudy, sampleFile, savedRelease, testOffline } from './support.js';

testOffline(
  'two participants’ files become two releases, and the analyst sees correlations',
  async ({ page, site }, info) => {
    await openStudy(page, site);
    const releases = [
      await savedRelease(page, sampleFile('site-01.csv'), info.outputPath()),
      await savedRelease(page, sampleFile('site-02.csv'), info.outputPath()),
    ];
    await page.getByRole('link', { name: 'Analyse' }).click();
    await addFiles(page, sampleFile('study.json'), ...releases);

    await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
    await expect(page.getByText('All 2 belong to this study and are intact.')).toBeVisible();
    const figure = page.getByRole('img', {
      name: /^Canonical correlations, 95% interval: 1st \.\d\d/,
    });
    const first = /1st (\.\d\d)/.exec((await figure.getAttribute('aria-label')) ?? '')?.[1];
    // 0.62 without privacy on all rows; a fifth of the rows and noise move it, but not far.
    expect(Number(first)).toBeGreaterThan(0.4);
    expect(Number(first)).toBeLessThan(0.85);

    // The first principal component: .42 of the variance without privacy on all rows, .88 of it married.
    const shares = page.getByRole('img', { name: /^Share by component\. 1: \d+%/ });
    const share = /1: (\d+)%/.exec((await shares.getAttribute('aria-label')) ?? '')?.[1];
    expect(Number(share)).toBeGreaterThan(30);
    expect(Number(share)).toBeLessThan(55);
    const loadings = page.getByRole('img', { name: /^Correlations with the score: / });
    const married = /Married \D?(\.\d\d)/.exec(
      (await loadings.getAttribute('aria-label')) ?? '',
    )?.[1];
    expect(Number(married)).toBeGreaterThan(0.6);

    const rows = releases.map((path) => JSON.parse(readFileSync(path, 'utf8')) as { rows: number });
    const sum = rows.reduce((total, release) => total + release.rows, 0);
    await expect(page.getByText(sum.toLocaleString('en'), { exact: true })).toBeVisible();
  },
);

testOffline(
  'the whole site works with the network unplugged, after one visit',
  async ({ page, context, site }, info) => {
    await page.goto(site);
    await page.evaluate(() => navigator.serviceWorker.ready);
    await context.setOffline(true);
    await openStudy(page, site);
    const release = await savedRelease(page, sampleFile('site-03.csv'), info.outputPath());
    await page.getByRole('link', { name: 'Analyse' }).click();
    await addFiles(page, sampleFile('study.json'), release);
    await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
    await page.getByRole('button', { name: 'Your rows stay in this tab' }).click();
    await expect(page.getByText('offline now')).toBeVisible();
  },
);
