import type { Locator, Page } from '@playwright/test';
import { downloaded, expect, test, whenShown } from './support.js';

async function open(page: Page, site: string): Promise<Locator> {
  await page.goto(`${site}explore.html#audit`);
  const audit = page.locator('pm-audit');
  await expect(audit.getByRole('heading', { name: 'Audit' })).toBeVisible();
  return audit;
}

function bar(audit: Locator): Locator {
  return audit.getByRole('img', { name: /^Epsilon shown by attack/ });
}

async function attack(audit: Locator): Promise<void> {
  await audit.getByRole('button', { name: 'Run 10,000 attacks' }).click();
  await expect(audit.getByRole('button', { name: 'Continue to 100,000' })).toBeVisible({
    timeout: 180_000,
  });
}

/** The number of attacks that the page shows during a run and after it. */
function attacks(audit: Locator): Locator {
  return audit.locator('p.help', { hasText: /^[1-9][\d,]* (?:of [\d,]+ )?attack/ });
}

/** The lower bound that the bar shows. */
async function shown(audit: Locator): Promise<number> {
  const words = await bar(audit).getAttribute('aria-label');
  return Number(/at least ([\d.]+)/.exec(words ?? '')?.[1] ?? 0);
}

test.describe.configure({ timeout: 240_000 });

test('an honest mechanism stays below its promise, and its noise has its distribution', async ({
  page,
  site,
}) => {
  const audit = await open(page, site);
  await audit.getByLabel('Mechanism').selectOption('Frobenius');
  await attack(audit);
  // The promise holds in 95 of 100 audits, which is too few for a test, so this tests a larger bound.
  await expect(
    audit.getByText(/^\s*(?:passes so far|above a promise that is proved)\s*$/),
  ).toBeVisible();
  const found = await shown(audit);
  expect(found).toBeGreaterThan(0.2);
  expect(found).toBeLessThan(1.5);
  // One audit in 100,000 of an honest mechanism fails here.
  await expect(audit.getByText(/(?:passes|fails), p = /)).toBeVisible();
  await expect(audit.getByText('rejected, as it should be')).toBeVisible();
  await expect(audit.getByText('1.333 of 1.414')).toBeVisible();
});

test('symmetric noise crosses its promise, next to a mechanism that keeps its own', async ({
  page,
  site,
}) => {
  const audit = await open(page, site);
  await audit.getByLabel('Mechanism').selectOption('Laplace');
  await attack(audit);
  await audit.getByRole('button', { name: /attack Symmetric noise \(SN\)/ }).click();
  const broken = audit.getByText('promise broken', { exact: true });
  await expect(broken).toBeVisible({ timeout: 120_000 });
  await expect(audit.getByRole('button', { name: 'Continue to 100,000' })).toBeVisible({
    timeout: 120_000,
  });
  expect(await shown(audit)).toBeGreaterThan(3);
  await expect(
    audit.getByRole('heading', {
      name: /^Symmetric noise \(SN\) breaks its promise; (?:Laplace stays below its own$|Attacks put Laplace above)/,
    }),
  ).toBeVisible();
  const figure = audit.getByRole('img', { name: /^Lower bound on epsilon proved by attacks/ });
  await expect(figure).toHaveAccessibleName(
    /Symmetric noise \(SN\): at least [\d.]+ after 10,000 attacks, promise broken\..*Laplace: at least [\d.]+/,
  );
  expect((await downloaded(audit, 'Data, CSV')).suggestedFilename()).toBe('audit.csv');
});

test('an audit stops at once, keeps its results, and continues from there', async ({
  page,
  site,
}) => {
  const audit = await open(page, site);
  await whenShown(audit, { label: 'Attacks', beyond: 0 }, { press: 'Stop' }, () =>
    audit.getByRole('button', { name: 'Run 10,000 attacks' }).click(),
  );
  const stopped = audit.locator('p.help', { hasText: /^Stopped after [\d,]+ attacks?\./ });
  await expect(stopped).toBeVisible();
  const words = await stopped.textContent();
  const runs = Number(/([\d,]+) attacks?/.exec(words ?? '')?.[1]?.replace(',', ''));
  expect(runs).toBeGreaterThan(0);
  await page.waitForTimeout(500);
  await expect(stopped).toHaveText(words ?? '');
  await audit.getByRole('button', { name: 'Continue to 10,000' }).click();
  await expect(async () => {
    const [progress = ''] = await attacks(audit).allTextContents();
    expect(Number(progress.split(' ')[0]?.replace(',', ''))).toBeGreaterThan(runs);
  }).toPass({ timeout: 120_000 });
  // Another promise starts another audit, without the results of the last one.
  await audit.getByRole('textbox', { name: 'Promise to attack' }).fill('2');
  await audit.getByRole('textbox', { name: 'Promise to attack' }).blur();
  await expect(audit.getByText('not attacked yet')).toBeVisible();
  await expect(bar(audit)).toHaveAccessibleName(/nothing yet; promised 2\.00/);
});

test('the audit works with the keyboard alone, and explains its method', async ({ page, site }) => {
  const audit = await open(page, site);
  await audit.getByLabel('Mechanism').focus();
  await page.keyboard.type('Symmetric');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(audit.getByRole('button', { name: 'Run 10,000 attacks' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(audit.getByText('promise broken', { exact: true })).toBeVisible({
    timeout: 120_000,
  });
  await audit.locator('summary', { hasText: 'Method' }).focus();
  await page.keyboard.press('Enter');
  await expect(audit.getByText('First data set')).toBeVisible();
  await expect(audit.getByText('the 95% holds for all bounds together')).toBeVisible();
});
