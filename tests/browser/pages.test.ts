import AxeBuilder from '@axe-core/playwright';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import {
  addFiles,
  cancelWhile,
  designSample,
  downloadRelease,
  expect,
  giveFile,
  madeUp,
  makeRelease,
  openStudy,
  sampleFile,
  sampleText,
  siteFolder,
  studyWith,
  test,
} from './support.js';

type State = (page: Page, site: string) => Promise<void>;

const states: Record<string, State> = {
  'Take part, empty': async (page, site) => {
    await page.goto(site);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  'Take part, wrong file': async (page, site) => {
    await openStudy(page, site);
    await giveFile(page, madeUp('other.csv', 'age,a_rather_long_name_of_a_column\n1,2\n'));
    await expect(page.getByRole('alert')).toBeVisible();
  },
  'Take part, dragging': async (page, site) => {
    await openStudy(page, site);
    const dataTransfer = await page.evaluateHandle(() => new DataTransfer());
    await page.locator('pm-drop-zone .zone').dispatchEvent('dragover', { dataTransfer });
    await expect(page.getByText('Let go to read it')).toBeVisible();
  },
  'Take part, reading': async (page, site) => {
    await openStudy(page, site);
    await stopAt(page, 'Reading', () => giveFile(page, longFile()));
  },
  'Take part, working': async (page, site) => {
    await openStudy(page, site);
    await giveFile(page, longFile());
    const button = page.getByRole('button', { name: 'Make it private' });
    await stopAt(page, 'Adding up', () => button.click());
  },
  'Take part, cancelled': async (page, site) => {
    await openStudy(page, site);
    await Promise.all([cancelWhile(page, 'Reading'), giveFile(page, longFile())]);
    await expect(page.getByText('Stopped. Nothing was made and nothing left.')).toBeVisible();
  },
  'Take part, the same data again': async (page, site) => {
    await openStudy(page, site);
    await makeRelease(page, sampleFile('site-01.csv'));
    await page.reload();
    await giveFile(page, sampleFile('site-01.csv'));
    await expect(page.getByText('was released once before')).toBeVisible();
  },
  'Take part, budget spent': async (page, site) => {
    await openStudy(page, site);
    for (let turn = 0; turn < 7; turn++) {
      await makeRelease(page, sampleFile('site-01.csv'));
      await page.getByRole('button', { name: 'Choose another file' }).click();
    }
    await giveFile(page, sampleFile('site-01.csv'));
    await expect(page.getByText('too little privacy budget left')).toBeVisible();
  },
  'Take part, ledger': async (page, site) => {
    await openStudy(page, site);
    for (const file of ['site-01.csv', 'site-02.csv']) {
      await makeRelease(page, sampleFile(file));
      await page.getByRole('button', { name: 'Choose another file' }).click();
    }
    await page.getByRole('button', { name: 'Open ledger' }).click();
    await page.getByRole('button', { name: 'Take out entry 2' }).click();
    await page.getByLabel('Why does entry 2').fill('never sent');
    await page.getByRole('button', { name: 'Take it out' }).click();
    await page.getByRole('button', { name: 'Take out entry 1' }).click();
    await expect(page.getByRole('heading', { name: 'Taken out' })).toBeVisible();
  },
  'Take part, done': async (page, site) => {
    await openStudy(page, site);
    await makeRelease(page, sampleFile('site-01.csv'));
    await page.getByText('Study details and fingerprint').click();
    await page.getByText('The exact definition').click();
    await page.getByText('What it does not protect').click();
    await page.getByText('The exact bytes').click();
    await page.getByRole('button', { name: 'See as a table' }).click();
  },
  'Take part, done, directions': async (page, site) => {
    await openStudy(page, site, studyWith({ name: 'eigenvector-sampling' }));
    await makeRelease(page, sampleFile('site-01.csv'));
    await page.getByText('The exact definition').click();
    await page.getByRole('button', { name: 'See as a table' }).click();
  },
  'Design a study, empty': async (page, site) => {
    await page.goto(`${site}design.html`);
    await expect(page.getByRole('heading', { name: 'Hand it out' })).toBeVisible();
  },
  'Design a study, wrong fields': async (page, site) => {
    await designSample(page, site);
    await page.getByLabel('Lowest value of age').fill('90');
    await page.getByLabel('Title').fill('');
    await page.getByLabel('Number of sites').fill('none');
    await page.getByLabel('Name of column 2').click();
    await expect(page.getByText('The study needs a title.').first()).toBeVisible();
  },
  'Design a study, from an example': async (page, site) => {
    await page.goto(`${site}design.html`);
    await page.getByRole('button', { name: 'Fill from a public example file' }).click();
    await page.getByLabel('This file is public or made up.').check();
    await page.setInputFiles('pm-drop-zone input[type=file]', sampleFile('site-01.csv'));
    await expect(page.getByRole('button', { name: 'Use these 7 columns' })).toBeVisible();
  },
  'Design a study, done': async (page, site) => {
    await designSample(page, site);
    await page.getByLabel('Split').check();
    await page.getByText('What others have chosen').click();
    await page.getByText('Longest row').click();
    await page.getByText('See as a table').click();
    await page.getByText('What is assumed').click();
    await expect(page.getByText(/what is left is ε = 2\.89/)).toBeVisible();
  },
  'Analyse, empty': async (page, site) => {
    await page.goto(`${site}analyse.html`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  'Analyse, done': async (page, site) => {
    await page.goto(`${site}analyse.html`);
    await page.getByRole('button', { name: 'Try the sample study' }).click();
    await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
    await page.getByLabel('Target').selectOption('hours');
    await expect(page.getByText(/of the variance of hours is explained/)).toBeVisible();
    await addFiles(page, madeUp('photo.json', 'no release'));
    await expect(page.getByText('photo.json is left out.')).toBeVisible();
    await page.getByRole('button', { name: 'Show the tables' }).click();
    await page.getByRole('button', { name: /cannot send|Sends nothing/ }).click();
  },
  'Analyse, done, directions': async (page, site) => {
    const study = studyWith({ name: 'eigenvector-sampling' });
    await openStudy(page, site, study);
    await makeRelease(page, sampleFile('site-01.csv'));
    const release = await (await downloadRelease(page)).path();
    await page.goto(`${site}analyse.html`);
    await addFiles(page, study, release);
    await expect(page.getByRole('heading', { name: 'First direction' })).toBeVisible();
    await page.getByRole('button', { name: 'Show the tables' }).click();
  },
  Mechanisms: async (page, site) => {
    await page.goto(`${site}mechanisms.html`);
    await expect(page.getByRole('heading', { name: 'As published' })).toBeVisible();
  },
};

/** 22 MB: read for long enough to be seen. */
function longFile() {
  const [header = '', row = ''] = sampleText('site-01.csv').split('\n');
  return madeUp('long.csv', `${header}\n${`${row}\n`.repeat(1_000_000)}`);
}

/** Keeps the page as it is while it shows progress of that kind, which passes in a moment. */
async function stopAt(page: Page, label: string, start: () => Promise<void>): Promise<void> {
  const stopped = page.evaluate(
    (shown) =>
      new Promise<void>((resolve) => {
        const room = document.querySelector('pm-participate') as unknown as HTMLElement & {
          scheduleUpdate: () => Promise<void>;
        };
        const look = (): void => {
          const bar = room.shadowRoot?.querySelector('progress[aria-label]');
          if (bar?.getAttribute('aria-label')?.startsWith(shown) === true) {
            room.scheduleUpdate = () => new Promise(() => undefined);
            resolve();
          } else requestAnimationFrame(look);
        };
        look();
      }),
    label,
  );
  await Promise.all([stopped, start()]);
}

for (const [name, reach] of Object.entries(states)) {
  test(`axe finds nothing wrong, light and dark: ${name}`, async ({ page, site }) => {
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await reach(page, site);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
      expect(found, colorScheme).toEqual([]);
    }
  });

  test(`nothing scrolls sideways at 320, 360 and 768 pixels: ${name}`, async ({ page, site }) => {
    await page.setViewportSize({ width: 320, height: 740 });
    await reach(page, site);
    for (const width of [320, 360, 768]) {
      await page.setViewportSize({ width, height: 740 });
      const beyond = await page.evaluate(async () => {
        // Figures are drawn anew for their width in the next frame.
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
        return document.documentElement.scrollWidth - innerWidth;
      });
      expect(beyond, `${width} pixels`).toBeLessThanOrEqual(0);
    }
  });
}

test('every page states its content policy first, and holds no inline script or style', () => {
  for (const name of ['index.html', 'design.html', 'analyse.html', 'mechanisms.html']) {
    const html = readFileSync(join(siteFolder, name), 'utf8');
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html)?.[1];
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "worker-src 'self'",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<script'));
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
  }
});

test('a study link opens in Take part and goes along to Analyse', async ({ page, site }) => {
  await openStudy(page, site);
  const link = await page.evaluate(() => {
    const room = document.querySelector('pm-participate') as unknown as {
      agreed: { toLink(base: string): string };
    };
    return room.agreed.toLink(location.href);
  });
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  const title = await page.getByRole('heading', { level: 1 }).textContent();
  await page.getByRole('link', { name: 'Analyse' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '');
});

/** What the page has asked for so far, each file compressed. */
function loaded(page: Page, site: string): () => number {
  const files = new Set<string>();
  page.on('request', (request) => {
    const [address = ''] = request.url().split('#');
    if (address.startsWith(site)) files.add(address.slice(site.length) || 'index.html');
  });
  return () => {
    let sum = 0;
    for (const file of files) sum += gzipSync(readFileSync(join(siteFolder, file))).length;
    return sum;
  };
}

test('a first visit loads less than 300 kB, compressed', async ({ browser, site }) => {
  for (const name of readdirSync(siteFolder).filter((file) => file.endsWith('.html'))) {
    // The service worker, which fetches the rest in its own time, is not what a visitor waits for.
    const context = await browser.newContext({ serviceWorkers: 'block' });
    const page = await context.newPage();
    const size = loaded(page, site);
    await page.goto(`${site}${name}`, { waitUntil: 'networkidle' });
    expect(size(), name).toBeLessThan(300_000);
    await context.close();
  }
});

test('taking part loads less than 300 kB, compressed, sample aside', async ({ browser, site }) => {
  const context = await browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const size = loaded(page, site);
  await openStudy(page, site, madeUp('study.json', sampleText('study.json')));
  await makeRelease(page, sampleFile('site-01.csv'));
  expect(size()).toBeLessThan(300_000);
  await context.close();
});

test('nothing moves that nobody touched while a release is made', async ({ page, site }) => {
  await page.addInitScript(() => {
    const moved = { sum: 0 };
    Object.assign(globalThis, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number;
        hadRecentInput: boolean;
      })[]) {
        if (!entry.hadRecentInput) moved.sum += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await openStudy(page, site);
  await giveFile(page, longFile());
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
  const { sum } = await page.evaluate(
    () => (globalThis as unknown as { moved: { sum: number } }).moved,
  );
  expect(sum).toBeLessThan(0.1);
});

test('the main job is done with the keyboard alone', async ({ page, site }) => {
  await page.goto(site);
  const press = async (name: string): Promise<void> => {
    const button = page.getByRole('button', { name });
    await expect(button).toBeVisible();
    for (let steps = 0; steps < 40; steps++) {
      if (await button.evaluate((node) => node.matches(':focus'))) break;
      await page.keyboard.press('Tab');
    }
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
  };
  await press('Try the sample study');
  await press('Try a sample file');
  await press('Make it private');
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeFocused();
  const download = page.waitForEvent('download');
  await press('Download release');
  await download;

  await press('Open ledger');
  await expect(page.getByRole('heading', { name: 'Ledger', exact: true })).toBeFocused();
  await press('Take out entry 1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('never sent');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('cell', { name: 'never sent' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open ledger' })).toBeFocused();
});
