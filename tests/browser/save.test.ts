import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { savedCopy } from '../../web/site/saved/build.js';
import {
  downloadRelease,
  expect,
  giveFile,
  hearComplaints,
  madeUp,
  makeRelease,
  openStudy,
  sampleFile,
  siteFolder,
  test,
} from './support.js';

const path = join(siteFolder, 'private-moments.html');
const copy = readFileSync(path);
const digest = (data: string | Buffer, encoding: 'hex' | 'base64'): string =>
  createHash('sha256').update(data).digest(encoding);
const hash = digest(copy, 'hex');

test('the published hash is that of the saved copy', () => {
  const published = readFileSync(`${path}.sha256`, 'utf8');
  expect(published).toBe(`${hash}  private-moments.html\n`);
});

test('the saved copy is the same bytes when it is built again, and names no folder', async () => {
  const licences = readFileSync(join(siteFolder, 'licences.txt'), 'utf8');
  const again = await savedCopy({ licences });
  expect(digest(again, 'hex')).toBe(hash);
  expect(again).not.toContain(process.cwd());
  expect(again).not.toContain('node_modules');
});

test('the saved copy states its policy first: no request, and only the texts inside it', () => {
  const html = copy.toString();
  const [policy, rules] =
    /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html) ?? [];
  const hashOf = (element: string): string => {
    const [, text = ''] = new RegExp(`<${element}>([^]*?)</${element}>`).exec(html) ?? [];
    return `'sha256-${digest(text, 'base64')}'`;
  };
  expect(rules?.split('; ')).toEqual([
    "default-src 'none'",
    "connect-src 'none'",
    "form-action 'none'",
    `script-src ${hashOf('script')} 'wasm-unsafe-eval'`,
    `style-src ${hashOf('style')}`,
    'img-src data:',
    'worker-src blob:',
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html private-moments',
  ]);
  expect(html.indexOf(policy ?? 'no policy')).toBeLessThan(html.indexOf('<style'));
});

test('the saved copy opens a pasted study link, and says why another is refused', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  const link = page.url();
  await page.goto(`${site}private-moments.html`);
  const field = page.getByRole('textbox', { name: 'Paste the study link you were sent' });
  await field.fill('https://hospital.example/#study=none');
  await page.getByRole('button', { name: 'Open the study' }).click();
  await expect(page.getByRole('alert')).toContainText('This study cannot be opened.');
  await field.fill(link);
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  await expect(field).toBeHidden();
});

test('opened from a disk, the saved copy loads nothing else and its release can be saved', async ({
  browser,
}) => {
  const context = await browser.newContext({ offline: true });
  const requests: string[] = [];
  const complaints: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  await hearComplaints(context, complaints);
  const page = await context.newPage();
  const address = pathToFileURL(path).href;
  await page.goto(address);
  await giveFile(page, sampleFile('study.json'));
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  await makeRelease(page, sampleFile('site-01.csv'));
  const download = await downloadRelease(page);
  const release = JSON.parse(readFileSync(await download.path(), 'utf8')) as { rows: number };
  expect(release.rows).toBeGreaterThan(4800);
  expect(requests.filter((url) => !url.startsWith('blob:'))).toEqual([address]);
  expect(complaints).toEqual([]);
  await context.close();
});

test('the saved copy opens the study in its address', async ({ page, site }) => {
  await openStudy(page, site);
  await expect(page).toHaveURL(/#study=/);
  const { hash: study } = new URL(page.url());
  await page.goto(`${site}private-moments.html${study}`);
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
});

test('the seal says that requests are blocked in the saved copy, and only there', async ({
  page,
  site,
}) => {
  await page.goto(`${site}private-moments.html`);
  await expect(page.getByRole('button', { name: "connect-src 'none'" })).toBeVisible();
  await page.goto(site);
  await expect(page.getByRole('button', { name: 'Your rows stay in this tab' })).toBeVisible();
  await expect(page.getByText("connect-src 'none'")).toHaveCount(0);
});

test('Save this page offers the file with its size and hash', async ({ page, site }) => {
  await page.goto(`${site}save.html`);
  await expect(page.locator('pm-save-page .hash span')).toHaveText(hash.match(/.{8}/g) ?? []);
  const megabytes = (copy.length / 1e6).toPrecision(2);
  await expect(page.locator('pm-save-page .size')).toHaveText(`${megabytes} MB`);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save', exact: true }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('private-moments.html');
  expect(readFileSync(await download.path()).equals(copy)).toBe(true);
});

test('Save this page prints as one sheet: hash, rules, what leaves and what that promises', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    window.print = () => {
      document.documentElement.classList.add('printed');
    };
  });
  await page.goto(`${site}save.html`);
  await expect(page.locator('pm-save-page .size')).toContainText('MB');
  await page.getByRole('button', { name: 'For the data protection officer' }).click();
  await expect(page.locator('html')).toHaveClass('printed');
  await page.emulateMedia({ media: 'print' });
  for (const title of ['SHA-256', 'The rules inside the file', 'What leaves this computer']) {
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
  }
  await expect(page.getByRole('heading', { name: 'What it does not promise' })).toBeVisible();
  await expect(page.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('navigation')).toHaveCount(0);
  const sheet = await page.pdf({ format: 'A4' });
  expect(sheet.toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
});

test('Save this page says whether a copy has the same bytes', async ({ page, site }) => {
  await page.goto(`${site}save.html`);
  await expect(page.locator('pm-save-page .size')).toContainText('MB');
  const input = page.getByLabel('Copy to check');
  await input.setInputFiles(path);
  await expect(page.getByRole('status')).toHaveText('Same as published');
  await input.setInputFiles(madeUp('changed.html', copy.toString().replace('none', 'self')));
  await expect(page.getByRole('status')).toHaveText('Different: do not use it');
});

for (const [system, userAgent, command] of [
  ['Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)', 'Get-FileHash'],
  ['macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)', 'shasum -a 256'],
  ['Linux', 'Mozilla/5.0 (X11; Linux x86_64)', 'sha256sum'],
] as const) {
  test.describe(system, () => {
    test.use({ userAgent });

    test('is the first system that Save this page has a command for', async ({ page, site }) => {
      await page.goto(`${site}save.html`);
      const systems = page.getByRole('group', { name: 'Operating system' }).getByRole('button');
      await expect(systems.first()).toHaveText(system);
      await expect(systems.first()).toHaveAttribute('aria-pressed', 'true');
      await expect(page.getByRole('region', { name: 'Command' })).toContainText(command);
    });
  });
}

test('Save this page has the hash from the build where the browser computes none', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(crypto, 'subtle', { value: undefined });
  });
  await page.goto(`${site}save.html`);
  await expect(page.locator('pm-save-page .size')).toContainText('MB');
  await expect(page.locator('pm-save-page .hash span')).toHaveText(hash.match(/.{8}/g) ?? []);
  await page.getByRole('link', { name: 'Where to find one' }).click();
  await expect(page.getByRole('heading', { name: 'Check a saved page' })).toBeVisible();
});

test('Save this page offers no file but the one that the site was built with', async ({
  page,
  site,
}) => {
  const another = copy.toString().replace('none', 'self');
  await page.route(`${site}private-moments.html`, (route) => route.fulfill({ body: another }));
  await page.goto(`${site}save.html`);
  await expect(page.getByRole('alert')).toContainText('not the file that the site was built with');
  await expect(page.getByRole('link', { name: 'Save', exact: true })).toHaveCount(0);
  await expect(page.locator('pm-save-page .hash')).toHaveCount(0);
  await page.getByLabel('Copy to check').setInputFiles(madeUp('saved.html', another));
  await expect(page.getByText('Different: do not use it')).toBeVisible();
});
