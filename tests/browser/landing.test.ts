import { expect, openStudy, sampleFile, test } from './support.js';
import type { Page } from '@playwright/test';

interface Pair {
  value: number;
  noiseFloor: number;
  isClear: boolean;
}

/** The parts of `pm-live-consortium` that are read here. */
interface Consortium {
  time: number;
  sites: { exact: number[][]; rows: number[] };
  round: { epsilon: number; noisy: number[][]; learned: Map<number, { pairs: Pair[] }> };
}

/** What the analyst has of all ten sites. */
const learned = (page: Page): Promise<Pair[]> =>
  page.evaluate(() => {
    const { round } = document.querySelector('pm-live-consortium') as unknown as Consortium;
    return round.learned.get(10)?.pairs ?? [];
  });

const drawing = (page: Page) => page.getByRole('img', { name: /^Ten sites/ });

test.beforeEach(async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
});

test('ten sites in one tab show the correlations of the sample, as bars where they are clear', async ({
  page,
  site,
}) => {
  await page.goto(site);
  await expect(drawing(page)).toHaveAccessibleName(/stand above the noise floor/);
  const pairs = await learned(page);
  // Without privacy .618, .478 and .171; at epsilon 1 their standard deviations are .006, .006 and .010. Six of
  // them are exceeded less than once in 10^8 runs.
  expect(Math.abs((pairs[0]?.value ?? NaN) - 0.618)).toBeLessThan(0.037);
  expect(Math.abs((pairs[1]?.value ?? NaN) - 0.478)).toBeLessThan(0.037);
  expect(Math.abs((pairs[2]?.value ?? NaN) - 0.171)).toBeLessThan(0.06);
  const clear = pairs.filter(({ isClear }) => isClear).length;
  expect(clear).toBeGreaterThanOrEqual(2);
  await expect(drawing(page).locator('.bar:not(.in-floor)')).toHaveCount(clear);
  await expect(drawing(page).locator('.dot.hollow')).toHaveCount(4 - clear);
  await expect(page.getByText('At ε = 1,')).toContainText('right at most 55 times in 100');
});

test('the sites stop their work once a study is opened', async ({ page, site }) => {
  await page.goto(site);
  await expect(drawing(page)).toBeVisible();
  expect(page.workers()).toHaveLength(1);
  const ended = page.workers()[0]?.waitForEvent('close');
  await page.setInputFiles('pm-participate input[type=file]', sampleFile('study.json'));
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  await ended;
  await expect(page.locator('pm-live-consortium')).toHaveCount(0);
});

test('releases are made and added up in a worker: the page’s own thread is free to draw', async ({
  page,
  site,
}) => {
  await page.goto(site);
  await expect(drawing(page)).toBeVisible();
  // What a worker fetches is in its own list.
  const fetched = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  );
  expect(fetched.filter((name) => /analysis-[\w-]+\.wasm$|site-\d\d\.csv$/.test(name))).toEqual([]);
  expect(fetched.some((name) => /landing-[\w-]+\.js$/.test(name))).toBe(true);
  expect(page.workers()).toHaveLength(1);
});

test('more privacy makes all releases again: their noise and its floors grow', async ({
  page,
  site,
}) => {
  await page.goto(site);
  /** The largest distance of a drawn release from the exact correlations. */
  const noise = () =>
    page.evaluate(() => {
      const element = document.querySelector('pm-live-consortium') as unknown as Consortium;
      const { sites, round } = element;
      return Math.max(
        ...round.noisy.flatMap((values, s) =>
          values.map((value, i) => Math.abs(value - (sites.exact[s]?.[i] ?? NaN))),
        ),
      );
    });
  const epsilon = page.getByRole('textbox', { name: 'Privacy, ε' });
  await epsilon.fill('10');
  await expect(page.getByText('At ε = 10,')).toBeVisible();
  const little = await noise();
  const low = (await learned(page)).map(({ noiseFloor }) => noiseFloor);
  expect(little).toBeLessThan(0.1);
  await epsilon.fill('0.1');
  await expect(page.getByText('At ε = 0.1,')).toBeVisible();
  expect(await noise()).toBeGreaterThan(3 * little);
  const pairs = await learned(page);
  expect(Math.min(...pairs.map(({ noiseFloor }) => noiseFloor))).toBeGreaterThan(
    3 * Math.max(...low),
  );
  const lost = pairs.filter(({ isClear }) => !isClear).length;
  await expect(drawing(page).locator('.dot.hollow')).toHaveCount(lost);
});

test('the drawing plays, is paused, and can be seen again', async ({ page, site }) => {
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.goto(site);
  const time = () =>
    page.evaluate(
      () => (document.querySelector('pm-live-consortium') as unknown as Consortium).time,
    );
  await expect(page.getByText('nothing yet')).toBeVisible();
  await expect.poll(time).toBeGreaterThan(500);
  await page.getByRole('button', { name: 'Pause' }).click();
  const paused = await time();
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible();
  expect(await time()).toBe(paused);
  // A choice ends it at once.
  await page.getByRole('textbox', { name: 'Privacy, ε' }).fill('3');
  await expect(page.getByText('their sum')).toBeVisible();
  await page.getByRole('button', { name: 'Replay' }).click();
  await expect(page.getByText('nothing yet')).toBeVisible();
});

test('the cards show a release that was made here, and what the page asked of others', async ({
  page,
  site,
}) => {
  await page.goto(site);
  await expect(page.locator('#release')).toContainText('{"centring":{"centre":[');
  await expect(page.locator('#bytes')).toHaveText(/^2,\d{3}$/);
  await expect(page.locator('#elsewhere')).toHaveText('0');
  await page.context().setOffline(true);
  await expect(page.locator('#network')).toHaveText('offline');
});

test('See it work opens Analyse at the answer, made of ten releases', async ({ page, site }) => {
  await page.goto(site);
  await page.getByRole('link', { name: 'See it work' }).click();
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
  await expect(page.getByRole('button', { name: '10 files used' })).toBeVisible();
});

test('a pasted link opens its study, and a wrong one says so', async ({ page, site }) => {
  await openStudy(page, site);
  const link = page.url();
  await page.goto('about:blank');
  await page.goto(site);
  await page.getByRole('button', { name: 'I have a link' }).click();
  const field = page.getByRole('textbox', { name: 'Paste the link' });
  await expect(field).toBeFocused();
  await field.fill(`${site}#study=none`);
  await page.getByRole('button', { name: 'Open the study' }).click();
  await expect(page.getByRole('alert')).toContainText('This study cannot be opened.');
  await field.fill(link);
  await field.press('Enter');
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  await expect(drawing(page)).toBeHidden();
});

test('a link and a study file open while the rest of the landing page still loads', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  const link = page.url();
  await page.goto('about:blank');
  let answer = (): void => undefined;
  const loaded = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/landing-[^/]*\.js/, async (route) => {
    await loaded;
    await route.continue();
  });
  for (const give of [
    () => page.setInputFiles('pm-participate input[type=file]', sampleFile('study.json')),
    async () => {
      await page.getByRole('button', { name: 'I have a link' }).click();
      await page.getByRole('textbox', { name: 'Paste the link' }).fill(link);
      await page.keyboard.press('Enter');
    },
  ]) {
    await page.goto(site, { waitUntil: 'commit' });
    await page.waitForFunction(() => customElements.get('pm-participate') !== undefined);
    await give();
    await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
    await page.goto('about:blank');
  }
  answer();
});

test('a study file opens without the field for a link', async ({ page, site }) => {
  await page.goto(site);
  await page.setInputFiles('pm-participate input[type=file]', sampleFile('study.json'));
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
});

test('with a study in its address, the page loads nothing of the landing page', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  const link = page.url();
  await page.goto('about:blank');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  expect(asked.filter((address) => /landing-.*\.js|site-\d\d\.csv/.test(address))).toEqual([]);
});
