/**
 * The same page in three engines: Chromium and Firefox ESR through Puppeteer, WebKitGTK through its own
 * WebDriver. Tests act in a page by running functions in it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type LaunchOptions } from 'puppeteer-core';
import type { Tab } from './tab.js';
import { EngineCrash, startWebKit } from './webkit.js';

/** Runs `work` in a new tab; repeats it at most twice if the engine crashes. */
export async function inTab<Result>(
  start: () => Promise<Tab>,
  work: (tab: Tab) => Promise<Result>,
): Promise<Result> {
  for (let left = 2; ; left--) {
    const tab = await start();
    try {
      return await work(tab);
    } catch (error) {
      if (left === 0 || !(error instanceof EngineCrash)) throw error;
      console.log(`${error.message}: begun again`);
    } finally {
      await tab.close();
    }
  }
}

export const engines: Record<string, () => Promise<Tab>> = {
  Chromium: () =>
    startPuppeteer({
      browser: 'chrome',
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-background-networking', '--disable-component-update'],
    }),
  'Firefox ESR': () =>
    startPuppeteer({
      browser: 'firefox',
      executablePath: process.env.FIREFOX_PATH ?? '/usr/bin/firefox-esr',
      // As people have it; Puppeteer lets files read each other.
      extraPrefsFirefox: { 'security.fileuri.strict_origin_policy': true },
    }),
  WebKitGTK: startWebKit,
};

async function startPuppeteer(options: LaunchOptions): Promise<Tab> {
  const profile = mkdtempSync(join(tmpdir(), 'profile-'));
  const browser = await launch({ ...options, userDataDir: profile });
  const [page = await browser.newPage()] = await browser.pages();
  return {
    open: async (address) => {
      await page.goto(address);
    },
    run: async <Args, Result>(
      work: (args: Args) => Result | Promise<Result>,
      args: Args,
    ): Promise<Result> => (await page.evaluate(work as (args: unknown) => unknown, args)) as Result,
    close: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
