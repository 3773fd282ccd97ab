import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { statedPolicy, writeOneFilePage } from './one-file-page.js';
import { serve } from './server.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** What a page with an import map does up to its first release. */
const FIRST_RELEASE = `
  import { defineStudy, privatize } from 'private-moments';
  const columns = [{ name: 'a', type: 'number', min: 0, max: 9 }];
  const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
  const { rows } = await privatize(study, new Blob(['a\\n1\\n2\\n']));
  document.body.append(rows + ' rows');
`;

test('a page without a bundler makes its first release after at most 8 requests', async ({
  page,
}) => {
  const asked: string[] = [];
  const host = await serve(dist, ({ url }) => asked.push(basename(url ?? '')));
  try {
    await page.route(`${host.address}page.html`, (route) => {
      const map = JSON.stringify({ imports: { 'private-moments': './index.js' } });
      const body = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${map}</script>
        <body><script type="module">${FIRST_RELEASE}</script></body>`;
      return route.fulfill({ contentType: 'text/html', body });
    });
    await page.goto(`${host.address}page.html`);
    await expect(page.getByText('2 rows')).toBeVisible();
  } finally {
    await host.close();
  }
  expect(asked).toContain('worker.js');
  expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(8);
});

test('the script in one file makes releases and results in a sandboxed frame, which may load nothing', async ({
  page,
}) => {
  const script = readFileSync(`${dist}umd/private-moments.js`, 'utf8');
  const policy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; worker-src blob:";
  const work = `
    const { assemble, defineStudy, privatize } = privateMoments;
    const columns = [{ name: 'a', type: 'number', min: 0, max: 9 }];
    const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
    privatize(study, new Blob(['a\\n1\\n2\\n']))
      .then((release) => assemble(study, [release]))
      .then((moments) => moments.inWorker().pca())
      .then(({ rows }) => document.body.append(rows + ' rows'), ({ message }) => document.body.append(message));`;
  const inside = `<meta http-equiv="Content-Security-Policy" content="${policy}"><body>
    <script>${script}</script><script>${work}</script>`;
  await page.setContent('<iframe sandbox="allow-scripts"></iframe>');
  await page.locator('iframe').evaluate((frame: HTMLIFrameElement, text) => {
    frame.srcdoc = text;
  }, inside);
  await expect(page.frameLocator('iframe').getByText('2 rows')).toBeVisible();
});

test('the package in one file names what a stricter policy keeps it from', async ({ page }) => {
  const outcomeUnder = async (policy: string): Promise<string> => {
    const folder = writeOneFilePage(policy, 'inline.js');
    const host = await serve(folder);
    try {
      await page.goto(`${host.address}page.html`);
      return (await page.getByText('done: ').textContent())?.trim() ?? '';
    } finally {
      await host.close();
      rmSync(folder, { recursive: true });
    }
  };
  const noBlob = statedPolicy.replace('worker-src blob:', "worker-src 'none'");
  expect(await outcomeUnder(noBlob)).toBe('done: worker-failed');
  const noWasm = statedPolicy.replace(" 'wasm-unsafe-eval'", '');
  expect(await outcomeUnder(noWasm)).toBe('done: core-unavailable');
});
