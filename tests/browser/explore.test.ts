import type { Locator, Page } from '@playwright/test';
import { expect, expectStill, saved, test, testOffline, watchMovement } from './support.js';

/** The consortium, without the text of the other sections. */
const consortium = (page: Page): Locator => page.locator('pm-consortium');

/** The page with its lines drawn. */
async function explore(page: Page, site: string): Promise<void> {
  await page.goto(`${site}explore.html`);
  await expect(
    consortium(page).getByRole('img', {
      name: /^How much of the strongest link survives the noise/,
    }),
  ).toBeVisible();
}

const paths = (page: Page): Promise<Record<string, string>> =>
  page
    .locator('pm-consortium-figure path.way')
    .evaluateAll((all) =>
      Object.fromEntries(
        all.map((path) => [path.getAttribute('data-way') ?? '', path.getAttribute('d') ?? '']),
      ),
    );

/** The lines of the CSV file by way and epsilon, and the number of runs behind them. */
async function csv(page: Page): Promise<Record<string, string>[]> {
  const [head = '', ...lines] = (await saved(consortium(page), 'Data, CSV')).trim().split('\r\n');
  const names = head.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(names.map((name, i) => [name, cells[i] ?? '']));
  });
}

/** Waits until the simulation ends, so that the figure no longer changes. */
async function settle(page: Page): Promise<void> {
  await expect(consortium(page).getByText('Mean of 500 runs')).toBeVisible({ timeout: 120_000 });
}

test('the consortium is drawn: every way has a line with its name, and the finding is a sentence', async ({
  page,
  site,
}) => {
  await explore(page, site);
  expect(Object.keys(await paths(page))).toEqual([
    ...['pooled', 'split', 'cape', 'conventional', 'local'],
  ]);
  const figure = page.locator('pm-consortium-figure svg');
  for (const name of [/pooled/, /split/, /capeCCA/, /conventional/, /local/]) {
    await expect(figure.locator('text.label').filter({ hasText: name })).toBeVisible();
  }
  await expect(consortium(page).getByRole('status')).toContainText(
    /^\s*At ε = 1, every shared way recovers/,
  );
});

test('a slider moves the lines without the network', async ({ page, context, site }) => {
  await explore(page, site);
  await context.setOffline(true);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  const before = await paths(page);
  await consortium(page).getByRole('slider', { name: 'rows per site' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(consortium(page).getByLabel('Rows per site', { exact: true })).toHaveValue('2,000');
  await expect.poll(async () => (await paths(page)).pooled).not.toBe(before.pooled);
  const sites = consortium(page).getByLabel('Sites', { exact: true });
  await sites.fill('20');
  await expect(consortium(page).getByLabel('Honest sites', { exact: true })).toHaveValue(
    '18 of 20',
  );
  await consortium(page).getByLabel('capeCCA as published').check();
  await expect(consortium(page).getByText(/it promises ε = 1\.\d+,\s+not\s+1\./)).toBeVisible();
  expect(Object.keys(await paths(page))).toContain('cape-published');
  expect(asked).toEqual([]);
});

test('the finding and the table match the file', async ({ page, site }) => {
  test.slow();
  await explore(page, site);
  await settle(page);
  const lines = await csv(page);
  const value = (way: string, epsilon: string, quantity: string): number =>
    Number(lines.find((line) => line.way === way && line.epsilon === epsilon)?.[quantity] ?? NaN);
  const floored = (share: number): number => Math.floor(share * 100 + 1e-6);
  const shared = ['pooled', 'split', 'cape', 'conventional'].map((way) =>
    floored(value(way, '1', 'first_pair')),
  );
  const alone = floored(value('local', '1', 'first_pair'));
  await expect(consortium(page).getByRole('status')).toHaveText(
    `At ε = 1, every shared way recovers at least ${Math.min(...shared)}%. One site alone gets ${alone}%.`,
  );
  expect(new Set(lines.map(({ runs }) => runs))).toEqual(new Set(['500']));

  await consortium(page).getByRole('button', { name: 'See as a table' }).click();
  const row = consortium(page).getByRole('row', { name: /^0\.1 / });
  const cells = await row.getByRole('cell').allTextContents();
  expect(cells.map((cell) => cell.trim())).toEqual(
    ['pooled', 'split', 'cape', 'conventional', 'local'].map(
      (way) => `${floored(value(way, '0.1', 'first_pair'))}%`,
    ),
  );
  // Ways that share less recover less.
  const kept = cells.map((cell) => parseInt(cell, 10));
  expect(kept).toEqual([...kept].sort((a, b) => b - a));

  // The lines end where the file does, between the axis and the line without privacy.
  const height = async (of: string): Promise<number> =>
    Number(await page.locator(`pm-consortium-figure ${of}`).first().getAttribute('y1'));
  const [top, bottom] = [await height('.reference'), await height('.baseline')];
  const end = Number(/[\d.]+$/.exec((await paths(page)).local ?? '')?.[0]);
  expect((bottom - end) / (bottom - top)).toBeCloseTo(value('local', '10', 'first_pair'), 2);
});

test('real data, another axis and another quantity can be chosen, and each is described', async ({
  page,
  site,
}) => {
  await explore(page, site);
  await consortium(page)
    .getByRole('combobox', { name: 'Consortium' })
    .selectOption('Body and blood, diabetes');
  await expect(consortium(page).getByText('442 patients.')).toBeVisible();
  await expect(consortium(page).getByText('canonical correlation (.64)')).toBeVisible();
  await consortium(page).getByLabel('Rows per site', { exact: true }).fill('5000');
  await expect(
    consortium(page).getByText('As if there were 20,000 patients like the 442 of the set.'),
  ).toBeVisible();
  await consortium(page).getByRole('combobox', { name: 'along' }).selectOption('sites');
  await consortium(page)
    .getByRole('combobox', { name: 'Show' })
    .selectOption('error of the correlations');
  await expect(
    consortium(page).getByRole('img', {
      name: /^Error of the correlations along the number of sites/,
    }),
  ).toBeVisible();
  await expect(consortium(page).getByRole('status')).toContainText(
    /miss(es)? a correlation by:? (pooled )?\.\d+/,
  );
  await expect(page.locator('pm-consortium-figure').getByText('answering 0')).toBeVisible();
  await consortium(page).getByRole('button', { name: 'Reset' }).click();
  await expect(consortium(page).getByLabel('Rows per site', { exact: true })).toHaveValue('111');
});

test('an invalid number of sites is reported at its field, and the figure does not change', async ({
  page,
  site,
}) => {
  await explore(page, site);
  const before = await paths(page);
  const sites = consortium(page).getByLabel('Sites', { exact: true });
  await sites.fill('2.5');
  await expect(consortium(page).getByText('A whole number from 1 to 100.')).toBeVisible();
  await expect(sites).toHaveAttribute('aria-invalid', 'true');
  expect(Object.keys(await paths(page))).toEqual(Object.keys(before));
  await sites.fill('1');
  await expect(consortium(page).getByRole('status')).toContainText(
    'With one site there is nothing to share.',
  );
  await expect(consortium(page).getByLabel('Honest sites', { exact: true })).toHaveCount(0);
});

testOffline('the page works after the network is gone', async ({ page, context, site }) => {
  await explore(page, site);
  await page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
  await expect(page.locator('#offline')).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await expect(
    consortium(page).getByRole('img', {
      name: /^How much of the strongest link survives the noise/,
    }),
  ).toBeVisible();
  await page.getByRole('link', { name: 'attack one' }).click();
  await page.getByRole('button', { name: 'Run 10,000 attacks' }).click();
  await expect(page.getByText(/^[1-9][\d,]* (?:of 10,000 )?attacks/)).toBeVisible();
});

test('nothing moves by itself while the simulation runs', async ({ page, site }) => {
  await watchMovement(page);
  await explore(page, site);
  await expect(consortium(page).getByText(/Mean of (40|80|150|250|375|500) runs/)).toBeVisible();
  await expectStill(page);
});

/** The files of the sections below the first that the page requests from now on. */
function laterFiles(page: Page): string[] {
  const files: string[] = [];
  page.on('request', (request) => {
    const name = /\/((?:audit|comparison)[^/]*)-[\w-]{8}\.js$/.exec(request.url())?.[1];
    if (name !== undefined) files.push(name);
  });
  return files;
}

test('without scrolling only the first section loads, and the audit worker loads with the first attack', async ({
  page,
  site,
}) => {
  await watchMovement(page);
  const files = laterFiles(page);
  await explore(page, site);
  await page.waitForLoadState('networkidle');
  expect(files).toEqual([]);
  await expect(page.getByText('Loading …')).toHaveCount(2);

  const mechanisms = page.getByRole('heading', { name: 'Mechanisms', exact: true });
  await mechanisms.scrollIntoViewIfNeeded();
  await expect(page.locator('pm-mechanism-comparison')).toBeVisible();
  await expect.poll(() => files).toEqual(['comparison-room', 'comparison-worker']);

  await page.getByRole('heading', { name: 'Audit', exact: true }).scrollIntoViewIfNeeded();
  const audit = page.locator('pm-audit');
  await expect(audit.getByText('not attacked yet')).toBeVisible();
  expect(files).toEqual(['comparison-room', 'comparison-worker', 'audit-room']);
  await expectStill(page);

  await audit.getByRole('button', { name: 'Run 10,000 attacks' }).click();
  await expect.poll(() => files).toContain('audit-worker');
});

for (const width of [1280, 360]) {
  test(`a link followed by keyboard leads to a section, and nothing moves then: ${width} pixels`, async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width, height: 800 });
    await watchMovement(page);
    const files = laterFiles(page);
    await page.goto(`${site}explore.html`);
    await page.getByRole('link', { name: 'attack one' }).focus();
    await page.keyboard.press('Enter');
    const audit = page.locator('pm-audit');
    await expect(audit.getByRole('heading', { name: 'Audit' })).toBeInViewport();
    expect(files).toContain('audit-room');
    await page.keyboard.press('Tab');
    await expect(audit.getByLabel('Mechanism')).toBeFocused();
    await expectStill(page);

    await page.goto('about:blank');
    await page.goto(`${site}explore.html#mechanisms`);
    const comparison = page.locator('pm-mechanism-comparison');
    await expect(
      comparison.getByRole('heading', { name: 'Mechanisms', exact: true }),
    ).toBeInViewport();
  });
}

test('a section whose files cannot be loaded says so, and the rest stays', async ({
  page,
  site,
  watch,
}) => {
  await page.route(/\/audit-room-[\w-]{8}\.js$/, (route) => route.abort());
  await page.goto(`${site}explore.html#audit`);
  await expect(page.getByText('This part could not be loaded.')).toBeVisible();
  await expect(page.getByText('Check your connection, then reload the page.')).toBeVisible();
  await expect(consortium(page).getByLabel('Sites', { exact: true })).toBeAttached();
  // The browser's own error message.
  watch.complaints.splice(0);
});

test('all sections load when the page is printed, or if the browser cannot observe intersections', async ({
  page,
  site,
}) => {
  await page.goto(`${site}explore.html`);
  await expect(page.getByText('Loading …')).toHaveCount(2);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect(page.getByText('Loading …')).toHaveCount(0);
  await page.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'IntersectionObserver');
  });
  await page.reload();
  await expect(page.locator('pm-audit').getByText('not attacked yet')).toBeVisible();
  await expect(page.locator('pm-mechanism-comparison')).toContainText(/Gaussian is off by/);
});
