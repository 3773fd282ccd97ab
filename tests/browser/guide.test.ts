import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Locator } from '@playwright/test';
import { expectAxeFindsNothing } from './look.js';
import { typeset as typesetText } from '../../web/site/guide/formulas.js';
import { brokenLinks } from '../../web/site/guide/links.js';
import {
  expect,
  makeRelease,
  openStudy,
  sampleFile,
  siteFolder,
  test,
  testOffline,
} from './support.js';

const folder = join(siteFolder, 'docs');
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html'))
  .map((name) => join(folder, name));

test('every link and picture of the built pages leads to an existing file and heading', () => {
  expect(pages.length).toBeGreaterThan(30);
  expect(brokenLinks(siteFolder, ['private-moments.html'])).toEqual([]);
});

test('a link to a missing file, heading or picture is found, and a link to elsewhere is not read', () => {
  const info = test.info();
  const made = info.outputPath('docs');
  mkdirSync(made, { recursive: true });
  writeFileSync(
    join(made, 'index.html'),
    `<h1 id="here">Here</h1><a href="#here">1</a> <a class="a" href="#there">2</a>
    <a href="other.html#part">3</a> <a href="other.html#no-part">4</a> <a href="none.html">5</a>
    <img src="none.png"> <a href="https://example.org/none.html#none">6</a>`,
  );
  writeFileSync(
    join(made, 'other.html'),
    '<h2 id="part">Part</h2><a href="../room.html#study=x">7</a>',
  );
  writeFileSync(info.outputPath('room.html'), '<a href="docs/index.html#no">8</a>');
  expect(brokenLinks(info.outputPath()).sort()).toEqual([
    'docs/index.html: #there',
    'docs/index.html: none.html',
    'docs/index.html: none.png',
    'docs/index.html: other.html#no-part',
    'room.html: docs/index.html#no',
  ]);
});

test('powers and indices of formulas are raised and lowered, and names of files are left alone', () => {
  const html = {
    'at (1, 10^-6), 2^-144.93 and e^ε':
      'at (1, 10<sup>−6</sup>), 2<sup>−144.93</sup> and e<sup>ε</sup>',
    "|M - M'|_F² ≤ e^{-c tr(A^-1 W)}":
      "|M - M'|<sub>F</sub>² ≤ e<sup>−c tr(A<sup>−1</sup> W)</sup>",
    'μ_1, V_(l-1), Σ_{i≤j} x_i², u^((g-1)ε)':
      'μ<sub>1</sub>, V<sub>(l−1)</sub>, Σ<sub>i≤j</sub> x<sub>i</sub>², u<sup>(g−1)ε</sup>',
    'real_tables.mjs, over_50k, sleep_h, m^ rows': 'real_tables.mjs, over_50k, sleep_h, m^ rows',
  };
  for (const [text, typeset] of Object.entries(html)) expect(typesetText(text)).toBe(typeset);
});

test('every page of the documentation is reached from its first page', () => {
  const first = join(folder, 'index.html');
  const reached = new Set([first]);
  for (const page of reached) {
    for (const [, href = ''] of readFileSync(page, 'utf8').matchAll(
      /href="(?!https:)([^"#]+\.html)/g,
    )) {
      const target = join(dirname(page), href);
      if (target.startsWith(folder)) reached.add(target);
    }
  }
  expect(pages.filter((page) => !reached.has(page))).toEqual([]);
});

test('everything that the package exports is declared on a page of the reference', async () => {
  const main = (await import(new URL('../../dist/index.js', import.meta.url).href)) as object;
  const folderOfApi = join(folder, 'api');
  const html = readdirSync(folderOfApi)
    .map((name) => readFileSync(join(folderOfApi, name), 'utf8'))
    .concat(readFileSync(join(folder, 'api.html'), 'utf8'))
    .join('\n');
  const names = Object.keys(main);
  expect(names.length).toBeGreaterThan(20);
  const missing = names.filter((name) => !html.includes(`>${name}</h3>`));
  expect(missing).toEqual([]);
});

testOffline(
  'a proof can be read without the network after one visit, and the other pages are one link away',
  async ({ page, context, site }) => {
    await page.goto(`${site}docs/mechanisms/gaussian.html`);
    await expect(page.getByText('works offline')).toBeVisible();
    await context.setOffline(true);
    await page.goto(`${site}docs/mechanisms/laplace.html`);
    await expect(page.getByRole('heading', { name: 'Proof' })).toBeVisible();
    await page.getByRole('link', { name: 'Take part' }).click();
    await expect(page.getByRole('button', { name: 'I have a link' })).toBeVisible();
  },
);

test('the proof of what a release promises is one click from its definition', async ({
  page,
  context,
  site,
}) => {
  await openStudy(page, site);
  await makeRelease(page, sampleFile('site-01.csv'));
  await page.getByText('The exact definition').click();
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'the proof' }).click();
  await expect((await opened).getByRole('heading', { level: 1 })).toHaveText('Mechanism gaussian');
  await expect((await opened).getByRole('heading', { name: 'Proof' })).toBeVisible();
});

test('the side navigation goes by task, opens at the page that is read, and leads on', async ({
  page,
  site,
}) => {
  await page.goto(site);
  await page.getByRole('link', { name: 'Docs', exact: true }).click();
  const side = page.getByRole('navigation', { name: 'Documentation' });
  await expect(side.locator('summary')).toHaveText([
    'Tutorial',
    'How-to',
    'Explanation',
    'Reference',
    'Mechanisms and proofs',
  ]);
  await side.getByRole('link', { name: 'Choose bounds' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose bounds');
  await expect(side.locator('[aria-current=page]')).toHaveText('Choose bounds');
  await expect(side.getByRole('link', { name: 'Glossary' })).toBeHidden();
  await expect(page.getByRole('banner').locator('[aria-current]')).toHaveText('Docs');
  await page.getByRole('link', { name: /^Next/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Find nonlinear dependence');
});

test('search finds a section by keyboard alone, and asks nobody else', async ({ page, site }) => {
  // The page that `site` gives fails the test on any request to another host.
  await page.goto(`${site}docs/mechanisms/gaussian.html`);
  await expect(page.getByRole('searchbox')).toBeVisible();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('over-budget');
  const results = page.getByRole('search').getByRole('link');
  await expect(results.first()).toBeVisible();
  await expect(page.getByRole('search').getByRole('status')).toHaveText(/^\d+ results?$/);
  await page.keyboard.press('ArrowDown');
  await expect(results.first()).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(results).toHaveCount(0);
  await expect(page.getByRole('searchbox')).toBeFocused();
  await page.keyboard.type('two views share rotation');
  await page.keyboard.press('Escape');
  await page.keyboard.type('epsilon delta board');
  // The page itself comes before its sections.
  await expect(results.first().locator('.title')).toHaveText('Choose epsilon and delta');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Choose epsilon and delta');
});

test('search leads to the page that explains, by whole words and in the reader’s words', async ({
  page,
  site,
}) => {
  await page.goto(`${site}docs/index.html`);
  const results = page.getByRole('search').getByRole('link');
  const first = async (query: string): Promise<Locator> => {
    await page.getByRole('searchbox').fill(query);
    await expect(results.first()).toBeVisible();
    return results.first();
  };
  await expect(await first('how do I choose the epsilon')).toContainText(
    'Choose epsilon and delta',
  );
  await expect(await first('confidence interval')).toContainText(/interval/i);
  await expect(await first('GDPR')).toContainText('Brief an ethics board');
  for (const query of ['cite', 'cite DOI']) {
    await expect((await first(query)).locator('.title')).toHaveText('Cite');
  }
  await expect(await first('ledger')).toContainText('The ledger');
  await page.getByRole('searchbox').fill('the of and');
  await expect(page.getByRole('search')).toContainText('Nothing found');
});

testOffline('search works without the network after one visit', async ({ page, context, site }) => {
  await page.goto(`${site}docs/index.html`);
  await expect(page.getByText('works offline')).toBeVisible();
  await context.setOffline(true);
  await page.goto(`${site}docs/glossary.html`);
  await page.getByRole('searchbox').fill('nonsensitive sensitivity frobenius');
  await expect(page.getByRole('search').getByRole('link').first()).toBeVisible();
});

test('says so where the text to search does not arrive, and tries again', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    const get = globalThis.fetch;
    globalThis.fetch = (...request) =>
      'network' in document.documentElement.dataset
        ? get(...request)
        : Promise.reject(new TypeError('no network'));
  });
  await page.goto(`${site}docs/index.html`);
  await page.getByRole('searchbox').fill('noise');
  await expect(page.getByText('could not be loaded').last()).toBeVisible();
  await page.evaluate(() => {
    document.documentElement.dataset.network = '';
  });
  await page.getByRole('searchbox').fill('noise floor');
  await expect(page.getByRole('search').getByRole('link').first()).toBeVisible();
});

test('in a narrow window the contents open over the page, and Escape or a choice closes them', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 360, height: 800 });
  await page.goto(`${site}docs/federation.html`);
  const side = page.getByRole('navigation', { name: 'Documentation' });
  const here = side.getByRole('link', { name: 'Federation', exact: true });
  const open = page.getByRole('button', { name: 'Contents' });
  await expect(here).toBeHidden();
  await open.press('Enter');
  await expect(here).toBeVisible();
  await expectAxeFindsNothing(page, 'Docs, contents');
  await page.keyboard.press('Escape');
  await expect(here).toBeHidden();
  await open.click();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.locator('#contents:popover-open')).toHaveCount(0);
  await expect(here).toBeVisible();
  await page.setViewportSize({ width: 360, height: 800 });
  await open.click();
  await side.getByRole('link', { name: 'Known limits' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Known limits');
  await expect(here).toBeHidden();
});

test('the study that is open is still there after reading the documentation', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  await page.getByRole('link', { name: 'Docs', exact: true }).click();
  await page
    .getByRole('navigation', { name: 'Documentation' })
    .getByRole('link', { name: 'Glossary' })
    .click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Glossary');
  await page.getByRole('link', { name: 'Take part', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
});

test('a picture of a page is drawn for narrow windows, too', async ({ page, site }) => {
  for (const [width, file] of [
    [1280, /\/take-part-(?!narrow)[^/]*\.png$/],
    [360, /\/take-part-narrow-[^/]*\.png$/],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${site}docs/how-to/take-part.html`);
    const image = page.getByRole('img', { name: /^What leaves, on the page Take part/ });
    await image.scrollIntoViewIfNeeded();
    await expect
      .poll(() => image.evaluate((one) => (one as HTMLImageElement).currentSrc))
      .toMatch(file);
  }
});
