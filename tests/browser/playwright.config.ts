import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

/** Chromium without a window: its code for pages is the same, and the tests take half the processor time. */
const SHELL = '/usr/bin/chromium-headless-shell';

export default defineConfig({
  testDir: '.',
  outputDir: '../../test-results',
  // Files may be large, and the machine may be shared.
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  forbidOnly: process.env.CI !== undefined,
  // Two browsers share the machine with whatever else it does: a test that passes the second time is
  // reported as flaky.
  retries: process.env.CI === undefined ? 0 : 1,
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    acceptDownloads: true,
    // It fetches the whole site in the background; tests without the network allow it.
    serviceWorkers: 'block',
    launchOptions: {
      executablePath:
        process.env.CHROMIUM_PATH ?? (existsSync(SHELL) ? SHELL : '/usr/bin/chromium'),
      args: [
        '--no-sandbox',
        '--disable-background-networking',
        '--disable-component-update',
        // Requests to other hosts fail, and the tests report them.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      ],
    },
  },
});
