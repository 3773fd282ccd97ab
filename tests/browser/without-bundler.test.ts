import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test, type Page } from '@playwright/test';
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

/** The policy that the documentation states for pages with the package in one file. */
const policy =
  /`(default-src 'none'; script-src 'self' [^`]*)`/.exec(
    readFileSync(new URL('../../docs/api.md', import.meta.url), 'utf8'),
  )?.[1] ?? '';

/** What a page with a policy and the package in one file does, and the files that it asks for. */
async function workUnder(
  page: Page,
  content: string,
  file: string,
): Promise<{ done: string; asked: string[] }> {
  const asked: string[] = [];
  const host = await serve(dist, ({ url }) => asked.push(basename(url ?? '')));
  const isModule = file === 'inline.js';
  const work = `${isModule ? `import * as privateMoments from './${file}';` : ''}
    const { assemble, defineStudy, privatize, synthesize } = privateMoments;
    const columns = ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 9 }));
    const study = defineStudy({ title: 't', columns, privacy: { epsilon: 1, delta: 1e-6 } });
    const rows = 'a,b\\n1,2\\n2,4\\n';
    privatize(study, new Blob([rows]))
      .then((release) => assemble(study, [release]))
      .then((moments) => moments.inWorker().pca())
      .then(({ rows: count }) => synthesize(study, new Blob([rows]), { rows: 5, task: 'density' }).then(() => count))
      .then((count) => document.body.append('done: ' + count), ({ code }) => document.body.append('done: ' + code));`;
  const type = isModule ? 'module' : 'text/javascript';
  const script = isModule ? '' : `<script src="${file}"></script>`;
  const body = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${content}">
    <body>${script}<script type="${type}" src="work.js"></script>`;
  try {
    await page.route(`${host.address}work.js`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: work }),
    );
    await page.route(`${host.address}page.html`, (route) =>
      route.fulfill({ contentType: 'text/html', body }),
    );
    await page.goto(`${host.address}page.html`);
    const done = await page.getByText('done: ').textContent();
    return { done: done?.replace('done: ', '').trim() ?? '', asked };
  } finally {
    await host.close();
  }
}

for (const file of ['inline.js', 'umd/private-moments.js']) {
  test(`${file} works under the policy that the documentation states, and asks for nothing`, async ({
    page,
  }) => {
    expect(policy).toContain("'wasm-unsafe-eval'");
    expect(policy).not.toContain('connect-src');
    const { done, asked } = await workUnder(page, policy, file);
    expect(done).toBe('2');
    expect(asked).toEqual([basename(file)]);
  });
}

test('the package in one file names what a stricter policy keeps it from', async ({ page }) => {
  const noBlob = policy.replace('worker-src blob:', "worker-src 'none'");
  const noWasm = policy.replace(" 'wasm-unsafe-eval'", '');
  expect((await workUnder(page, noBlob, 'inline.js')).done).toBe('worker-failed');
  expect((await workUnder(page, noWasm, 'inline.js')).done).toBe('core-unavailable');
});
