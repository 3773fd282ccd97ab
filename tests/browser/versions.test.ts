import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { serve } from './server.js';

test.use({ serviceWorkers: 'allow' });

const worker = readFileSync(
  fileURLToPath(new URL('../../web/site/sw.js', import.meta.url)),
  'utf8',
);

/** Writes a version of a small site over the one before: its page loads a file whose name no other version has. */
function write(folder: string, version: number): void {
  rmSync(join(folder, 'assets'), { recursive: true, force: true });
  mkdirSync(join(folder, 'assets'));
  const later = `assets/later-${version}.js`;
  const files = ['./index.html', './page.js', `./${later}`];
  writeFileSync(join(folder, later), `export const version = ${version};`);
  writeFileSync(join(folder, 'page.js'), `navigator.serviceWorker.register('./sw.js');`);
  writeFileSync(
    join(folder, 'index.html'),
    `<!doctype html><title>${version}</title><script src="./page.js"></script>`,
  );
  writeFileSync(
    join(folder, 'sw.js'),
    worker.replace('%FILES%', JSON.stringify(files)).replace('%DIGEST%', String(version)),
  );
}

const later = (page: Page, version: number): Promise<unknown> =>
  page.evaluate(
    (address) => import(address).then((loaded: { version: number }) => loaded.version),
    `./assets/later-${version}.js`,
  );

const cached = (page: Page): Promise<string[]> =>
  page.evaluate(async () => (await caches.keys()).map((key) => key.slice(-1)));

test('a page that was open before a new version still finds its own files; the last such page takes them with it', async ({
  context,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  write(folder, 1);
  const host = await serve(folder);
  const old = await context.newPage();
  await old.goto(host.address);
  await old.evaluate(() => navigator.serviceWorker.ready);

  write(folder, 2);
  await old.evaluate(async () => {
    const registration = await navigator.serviceWorker.ready;
    await registration.update();
    const coming = registration.installing ?? registration.waiting ?? registration.active;
    while (coming?.state === 'installing') {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  expect(await cached(old)).toEqual(['1', '2']);
  const fresh = await context.newPage();
  await fresh.goto(host.address);
  await expect(fresh).toHaveTitle('2');
  expect(await later(fresh, 2)).toBe(2);
  expect(await later(old, 1)).toBe(1);

  await old.close();
  await fresh.close();
  const next = await context.newPage();
  await expect(async () => {
    await next.goto('about:blank');
    await next.goto(host.address);
    expect(await cached(next)).toEqual(['2']);
  }).toPass();
  await host.close();
  rmSync(folder, { recursive: true });
});
