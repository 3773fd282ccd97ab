import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { build } from 'esbuild';
import { serve } from './host.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const site = `${root}build/bench/site`;
const peers = `${root}bench/peers/node_modules`;
const research = `${root}web/research/dist`;

/** Serves the pages, the package, its competitors and the bench's own modules from one host. */
export async function open() {
  for (const needed of [peers, `${root}dist/index.js`, `${root}dist/site/index.html`, research]) {
    if (!existsSync(needed)) throw new Error(`${needed} is missing: run make bench`);
  }
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  await build({
    absWorkingDir: `${root}bench`,
    entryPoints: ['page/main.js'],
    outdir: site,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    // The published packages, not bundled.
    external: ['/dist/*', 'private-moments-research'],
    nodePaths: [peers],
    logLevel: 'warning',
    logOverride: { 'unsupported-dynamic-import': 'silent' },
  });
  cpSync(`${root}bench/page/index.html`, `${site}/index.html`);
  // A copy, so that a build during the run does not mix versions.
  cpSync(`${root}dist`, `${site}/dist`, { recursive: true });
  cpSync(research, `${site}/research`, { recursive: true });
  const host = await serve({
    page: site,
    dist: `${site}/dist`,
    research: `${site}/research`,
    native: `${root}build/wasm/bench`,
    peers,
  });
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
  return {
    host,
    version: browser.version(),
    /** A page in its own context, with an empty cache and only the bench's own code loaded. */
    async page() {
      const context = await browser.newContext();
      const page = await context.newPage();
      page.setDefaultTimeout(0);
      page.on('pageerror', (error) => console.error(`page: ${error.message}`));
      await page.goto(`${host.address}page/index.html`);
      await page.waitForFunction('document.title === "ready"');
      return {
        call: (part, name, input) =>
          page.evaluate((all) => globalThis.bench.call(...all), [part, name, input]),
        prepare: (part, maker, input, name = maker) =>
          page.evaluate((all) => globalThis.bench.prepare(...all), [part, maker, input, name]),
        run: (name, times = 1) =>
          page.evaluate((all) => globalThis.bench.run(...all), [name, times]),
        /** Chooses a file on disk, as a user would. */
        async choose(path) {
          await page.evaluate(() => {
            const input = Object.assign(globalThis.document.createElement('input'), {
              type: 'file',
            });
            globalThis.document.body.replaceChildren(input);
          });
          await page.setInputFiles('input', path);
        },
        close: () => context.close(),
      };
    },
    /** A page of the built site, as its visitors see it. */
    async visit(path) {
      const context = await browser.newContext();
      const visited = await context.newPage();
      visited.on('pageerror', (error) => console.error(`page: ${error.message}`));
      await visited.goto(`${host.address}dist/site/${path}`);
      return visited;
    },
    async close() {
      await browser.close();
      await host.close();
    },
  };
}
