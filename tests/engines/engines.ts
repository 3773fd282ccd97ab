/**
 * The same page in three engines: Chromium and Firefox ESR through Puppeteer, WebKitGTK through its own
 * WebDriver. What a test does in a page it does by running functions there.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch, type LaunchOptions } from 'puppeteer-core';
import { EngineCrash, startWebKit } from './webkit.js';

/** The one tab of a browser with an empty profile. */
export interface Tab {
  open(address: string): Promise<void>;
  /** Runs a function in the page, which may use nothing but what it is given. */
  run<Given, Result>(
    work: (given: Given) => Result | Promise<Result>,
    given: Given,
  ): Promise<Result>;
  close(): Promise<void>;
}

/** What `work` makes of a new tab; begun again, twice at most, where the engine crashes. */
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
    run: async <Given, Result>(
      work: (given: Given) => Result | Promise<Result>,
      given: Given,
    ): Promise<Result> =>
      (await page.evaluate(work as (given: unknown) => unknown, given)) as Result,
    close: async () => {
      await browser.close();
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
