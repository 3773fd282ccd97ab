import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectAxeFindsNothing, expectToFitNarrow } from './look.js';
import {
  addFiles,
  expect,
  madeUp,
  openStudy,
  sampleFile,
  sampleText,
  savedRelease,
  test,
  useSample,
  type ReleaseText,
} from './support.js';

const KEPT = /^This browser keeps (this release|these \d+ releases) for the next time/;

/** Waits until the line says that these are kept; before they are, it is there but not visible. */
async function expectKept(page: Page, which: string): Promise<void> {
  await expect(page.getByText(KEPT).filter({ hasText: which, visible: true })).toBeVisible();
}

/** The numbers of the first figure, which another release would change. */
async function answer(page: Page): Promise<string> {
  const figure = page.getByRole('img', { name: /^Canonical correlations/ });
  return (await figure.getAttribute('aria-label')) ?? '';
}

/** All that this browser stores for Analyse, as one text. */
async function stored(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const names = (await indexedDB.databases()).map(({ name }) => name);
    if (!names.includes('private-moments-analyses')) return '';
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open('private-moments-analyses');
      opening.onsuccess = () => {
        resolve(opening.result);
      };
      opening.onerror = () => {
        reject(new Error('not opened'));
      };
    });
    const all = await new Promise((resolve) => {
      const asked = database.transaction('releases').objectStore('releases').getAll();
      asked.onsuccess = () => {
        resolve(asked.result);
      };
    });
    database.close();
    return (all as unknown[]).length === 0 ? '' : JSON.stringify(all);
  });
}

/** A release of another site, made in a tab of its own. */
async function again(page: Page, folder: string): Promise<string> {
  const tab = await page.context().newPage();
  await openStudy(tab, new URL('.', page.url()).href);
  const path = await savedRelease(tab, sampleFile('site-03.csv'), folder);
  await tab.close();
  return path;
}

test('releases survive a reload until they are forgotten', async ({ page, site }) => {
  await useSample(page, site);
  await expect(page.getByText(KEPT)).toBeVisible();
  const before = await answer(page);
  await page.reload();
  await expect(page.getByText('All 10 belong to this study and are intact.')).toBeVisible();
  await expectKept(page, 'these 10 releases');
  await expect.poll(() => answer(page)).toBe(before);
  await expectAxeFindsNothing(page, 'Analyse, kept');
  await expectToFitNarrow(page, 'Analyse, kept');

  await page.getByRole('button', { name: 'Forget' }).click();
  await expect(page.getByText(/^Forgotten\. They stay on this page/)).toBeVisible();
  await expect(page.getByRole('heading', { name: '10 files used' })).toBeFocused();
  expect(await answer(page)).toBe(before);
  expect(await stored(page)).toBe('');
  await page.reload();
  await expect(page.getByText('Drop the releases here')).toBeVisible();
});

test('what the analyst chose to see survives a reload, and is forgotten with the releases', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await page.getByLabel('Target').selectOption('hours');
  await page.getByRole('checkbox', { name: 'Kind of work' }).uncheck();
  await page.getByLabel('Component', { exact: true }).selectOption('2nd');
  await page.getByRole('button', { name: '2nd', exact: true }).click();
  await expectKept(page, 'these 10 releases');
  await expect.poll(() => stored(page)).toContain('"pair":1');
  await page.reload();
  await expect(page.getByText(/of the variance of working hours is explained/)).toBeVisible();
  await expect(page.getByLabel('Target')).toHaveValue('hours');
  await expect(page.getByRole('checkbox', { name: 'Kind of work' })).not.toBeChecked();
  await expect(page.getByLabel('Component', { exact: true })).toHaveValue('2nd');
  await expect(page.getByText('Second pair.')).toBeVisible();
  await page.getByRole('button', { name: 'Forget' }).click();
  await expect.poll(() => stored(page)).toBe('');
});

test('nothing is stored before a release is accepted, and never a file that is not used', async ({
  page,
  site,
}, info) => {
  await openStudy(page, site);
  const one = await savedRelease(page, sampleFile('site-01.csv'), info.outputPath());
  const two = await savedRelease(page, sampleFile('site-02.csv'), info.outputPath());
  const text = readFileSync(two, 'utf8');
  const altered = { ...(JSON.parse(text) as ReleaseText), rows: 7 };
  await page.goto(`${site}analyse.html`);
  await addFiles(page, sampleFile('study.json'), madeUp('rows.csv', sampleText('site-01.csv')));
  await expect(page.getByText('left out: rows, not a release')).toBeVisible();
  expect(await stored(page)).toBe('');
  await expect(page.getByText(KEPT)).toHaveCount(0);

  await addFiles(page, one, madeUp('altered.json', JSON.stringify(altered)));
  await expectKept(page, 'this release');
  const kept = await stored(page);
  expect(kept).toContain('site-01.release.json');
  expect(kept).not.toMatch(/rows\.csv|altered/);

  await addFiles(page, two);
  await expectKept(page, 'these 2 releases');
  await page.getByRole('button', { name: '2 of 4 files used' }).click();
  await page.getByRole('button', { name: 'Remove site-01.release.json' }).click();
  await expectKept(page, 'this release');
  await page.reload();
  await expect(page.getByRole('button', { name: '1 file used' })).toBeVisible();
  await page.getByRole('button', { name: '1 file used' }).click();
  await expect(page.getByText('site-02.release.json')).toBeVisible();
});

test('another tab adds to what is kept, and forgets it for all tabs', async ({
  page,
  site,
  context,
}, info) => {
  await openStudy(page, site);
  const one = await savedRelease(page, sampleFile('site-01.csv'), info.outputPath());
  const two = await savedRelease(page, sampleFile('site-02.csv'), info.outputPath());
  await page.goto(`${site}analyse.html`);
  await addFiles(page, sampleFile('study.json'), one);
  await expect(page.getByText(KEPT)).toBeVisible();
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByRole('button', { name: '1 file used' })).toBeVisible();
  await addFiles(other, two);
  await expectKept(other, 'these 2 releases');
  await page.reload();
  await expectKept(page, 'these 2 releases');

  await other.getByRole('button', { name: 'Forget' }).click();
  await expect(page.getByText(/^Forgotten\./)).toBeVisible();
  await addFiles(page, await again(page, info.outputPath()));
  await expect(page.getByRole('button', { name: '3 files used' })).toBeVisible();
  expect(await stored(page)).toBe('');
});

test('the releases of one study never show up in another', async ({ page, site }, info) => {
  await useSample(page, site);
  await expect(page.getByText(KEPT)).toBeVisible();
  await page.reload();
  await expect(page.getByText('All 10 belong to this study and are intact.')).toBeVisible();
  const study = JSON.parse(sampleText('study.json')) as { title: string };
  const file = madeUp('study.json', JSON.stringify({ ...study, title: 'Another' }));
  const tab = await page.context().newPage();
  await openStudy(tab, site, file);
  const release = await savedRelease(tab, sampleFile('site-01.csv'), info.outputPath());
  await addFiles(page, file, release);
  await expect(page.getByRole('heading', { level: 1, name: 'Another' })).toBeVisible();
  await expect(page.getByRole('button', { name: '1 file used' })).toBeVisible();
});

test('where the browser stores nothing, the page says so and works', async ({ page, site }) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'indexedDB', { value: undefined });
  });
  await useSample(page, site);
  await expect(page.getByText(/^This browser cannot keep these releases here/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Forget' })).toHaveCount(0);
});
