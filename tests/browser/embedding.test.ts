import { cpSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
import { build, type UserConfig } from 'vite';
import { serve } from './server.js';
import { answerPerson, hearComplaints, madeUp } from './support.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const samples = join(root, 'samples/elements');
const dist = join(root, 'dist');

/** A page without a build, with the package's files beside it. */
function copyPlain(folder: string): void {
  mkdirSync(folder, { recursive: true });
  cpSync(join(samples, 'plain'), folder, { recursive: true });
  cpSync(join(samples, 'study.js'), join(folder, 'study.js'));
  const isPackage = (path: string): boolean => !/\/(?:site|types|sql)$/.test(path);
  cpSync(dist, join(folder, 'private-moments'), { recursive: true, filter: isPackage });
}

/** @param settings beside Vite's defaults, by which workers become classic scripts */
async function bundle(name: string, folder: string, settings: UserConfig): Promise<void> {
  await build({
    ...settings,
    root: join(samples, name),
    logLevel: 'error',
    resolve: { alias: { 'private-moments/elements': join(dist, 'modules/elements.js') } },
    build: { outDir: folder, emptyOutDir: true, target: 'es2022' },
  });
}

async function makeRelease(page: Page, address: string): Promise<void> {
  const errors: string[] = [];
  await hearComplaints(page.context(), errors);
  await page.goto(address);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sleep and coffee');
  await expect(page.locator('#made')).toHaveText('Nothing made yet.');
  await page.setInputFiles(
    'pm-participate input[type=file]',
    madeUp('mine.csv', 'cups,hours\n1,8\n3,7\n5,6\n'),
  );
  await answerPerson(page);
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.locator('#made')).toHaveText(
    /^sleep-and-coffee-[0-9a-f]{8}\.release\.json holds 3 rows, with epsilon 1\.$/,
  );
  expect(errors).toEqual([]);
}

for (const [name, settings] of [
  ['plain', undefined],
  ['react', { base: './' }],
  ['vue', { base: './', worker: { format: 'es' } }],
] as const) {
  test(`the elements work in another page: ${name}`, async ({ page }, info) => {
    const folder = info.outputPath('page');
    if (settings === undefined) copyPlain(folder);
    else await bundle(name, folder, settings);
    const host = await serve(folder);
    await makeRelease(page, host.address);
    await host.close();
  });
}

test('the designer finds its worker on a page without a build', async ({ page }, info) => {
  const folder = info.outputPath('page');
  copyPlain(folder);
  const host = await serve(folder);
  await page.goto(host.address);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sleep and coffee');
  await page.evaluate(() => {
    const designer = Object.assign(document.createElement('pm-study-designer'), {
      study: document.querySelector<HTMLElement & { study: object }>('pm-participate')?.study,
    });
    document.body.replaceChildren(designer);
  });
  await expect(page.getByLabel('Title')).toHaveValue('Sleep and coffee');
  await expect(page.getByRole('status').filter({ hasText: 'At ε = 1' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code of the study link' })).toBeVisible();
  await host.close();
});
