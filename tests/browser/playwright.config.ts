import { defineConfig } from '@playwright/test';

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
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
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
