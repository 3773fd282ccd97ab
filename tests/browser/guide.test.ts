import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

function idsOf(page: string): Set<string> {
  return new Set(
    [...readFileSync(page, 'utf8').matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id),
  );
}

test('every link of the guide leads to an existing page and heading', () => {
  expect(pages.length).toBeGreaterThan(30);
  const astray: string[] = [];
  for (const page of pages) {
    const links = [...readFileSync(page, 'utf8').matchAll(/<a\s[^>]*href="([^"]*)"/g)];
    for (const [, href = ''] of links) {
      if (href.startsWith('https:')) continue;
      const [path = '', fragment] = href.split('#');
      const target = path === '' ? page : join(dirname(page), path);
      const found = existsSync(target) && (fragment === undefined || idsOf(target).has(fragment));
      if (!found) astray.push(`${page.slice(folder.length + 1)}: ${href}`);
    }
  }
  expect(astray).toEqual([]);
});

test('every page of the guide is reached from its first page', () => {
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
