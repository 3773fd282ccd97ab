import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test as bare } from '@playwright/test';
import { expect, siteFolder, test } from './support.js';
import { serve } from './server.js';

/** The files that a page names with their hashes. */
function pinned(page: string): string[] {
  const html = readFileSync(join(siteFolder, page), 'utf8');
  const tags = html.match(/<(?:script|link)\b[^>]* integrity="[^>]*>/g) ?? [];
  return tags.flatMap((tag) => /(?:src|href)="\.\/([^"]+)"/.exec(tag)?.[1] ?? []);
}

const isReady = (): boolean => customElements.get('pm-participate') !== undefined;

test('a page names its scripts and styles with their hashes, and runs with them', async ({
  page,
  site,
}) => {
  expect(pinned('index.html').filter((name) => name.endsWith('.js')).length).toBeGreaterThan(1);
  expect(pinned('index.html').filter((name) => name.endsWith('.css')).length).toBeGreaterThan(0);
  await page.goto(`${site}index.html`);
  await page.waitForFunction(isReady);
});

// Without the watch of the other tests: a refused script is an error of the page.
bare('a page runs no script with one bit changed on its way', async ({ browser }) => {
  const host = await serve(siteFolder);
  try {
    for (const name of pinned('index.html').filter((file) => file.endsWith('.js'))) {
      const context = await browser.newContext({ serviceWorkers: 'block' });
      const page = await context.newPage();
      const refused = page.waitForEvent('console', {
        predicate: (message) => message.text().includes("'integrity'"),
      });
      await page.route(`**/${name}`, async (route) => {
        const response = await route.fetch();
        const body = await response.body();
        const at = body.length >> 1;
        body.writeUInt8(body.readUInt8(at) ^ 1, at);
        await route.fulfill({ response, body });
      });
      await page.goto(`${host.address}index.html`);
      expect((await refused).text()).toContain(name);
      expect(await page.evaluate(isReady), name).toBe(false);
      await context.close();
    }
  } finally {
    await host.close();
  }
});
