import { rmSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, sampleText, test } from './support.js';

async function section(page: Page, site: string, name: string, heading: string): Promise<Locator> {
  await page.goto(`${site}explore.html${name === 'pm-audit' ? '#audit' : '#mechanisms'}`);
  const found = page.locator(name);
  await expect(found.getByRole('heading', { name: heading, exact: true })).toBeVisible();
  return found;
}

test('Reset, other data and other sites replace what was typed into a slider of the consortium', async ({
  page,
  site,
}) => {
  await page.goto(`${site}explore.html`);
  const consortium = page.locator('pm-consortium');
  const sites = consortium.getByRole('textbox', { name: 'Sites', exact: true });
  const honest = consortium.getByRole('textbox', { name: 'Honest sites' });
  const wrong = consortium.getByText(/^A whole number from/);
  await sites.fill('2.5');
  await expect(wrong).toHaveText('A whole number from 1 to 100.');
  await consortium.getByRole('button', { name: 'Reset' }).click();
  await expect(wrong).toHaveCount(0);
  await expect(sites).toHaveValue('10');
  await honest.fill('50');
  await expect(wrong).toHaveText('A whole number from 1 to 10.');
  await sites.fill('60');
  await expect(wrong).toHaveCount(0);
  await expect(honest).toHaveValue('54 of 60');
  await sites.fill('many');
  await expect(wrong).toHaveCount(1);
  await consortium.getByRole('combobox', { name: 'Consortium' }).selectOption({ index: 1 });
  await expect(wrong).toHaveCount(0);
  await expect(sites).toHaveValue(/^\d+$/);
});

test('other data, or a value set from outside, replace what was typed into a slider of the comparison', async ({
  page,
  site,
}) => {
  const comparison = await section(page, site, 'pm-mechanism-comparison', 'Mechanisms');
  const rows = comparison.getByRole('textbox', { name: 'Rows' });
  const wrong = comparison.getByText('Enter a whole number from 2 to 100,000,000.');
  await rows.fill('2.5');
  await expect(wrong).toBeVisible();
  await expect(rows).toHaveValue('2.5');
  await comparison.getByLabel('Data').selectOption('Breast cancer');
  await expect(wrong).toHaveCount(0);
  await expect(rows).toHaveValue('569');
  const epsilon = comparison.getByRole('textbox', { name: 'Privacy, ε' });
  await epsilon.fill('abc');
  await expect(comparison.getByText('Enter a number from 0.0001 to 1,000.')).toBeVisible();
  await expect(epsilon).toHaveValue('abc');
  await comparison
    .locator('pm-log-slider')
    .first()
    .evaluate((slider) => Object.assign(slider, { value: 3 }));
  await expect(epsilon).toHaveValue('3');
});

test('an audit says which promises it can attack', async ({ page, site }) => {
  const audit = await section(page, site, 'pm-audit', 'Audit');
  const epsilon = audit.getByRole('textbox', { name: 'Promise to attack' });
  const wrong = audit.getByText('Enter a number from 0.01 to 20.');
  await epsilon.fill('50');
  await expect(wrong).toBeVisible();
  await expect(audit.getByText('Promises ε = 1 but for δ = 10⁻⁶.')).toBeVisible();
  await epsilon.fill('2');
  await expect(wrong).toHaveCount(0);
  await expect(audit.getByText('Promises ε = 2 but for δ = 10⁻⁶.')).toBeVisible();
});

test('rows that cannot be read again stay drawn along their present axes', async ({
  page,
  site,
}, info) => {
  await page.goto(`${site}analyse.html`);
  await page.getByRole('button', { name: 'Try the sample study' }).click();
  const rows = page.locator('pm-row-scores');
  const file = info.outputPath('mine.csv');
  writeFileSync(file, sampleText('site-01.csv'));
  await rows.locator('input[type=file]').setInputFiles(file);
  const picture = rows.locator('pm-biplot');
  await expect(picture).toBeVisible();
  rmSync(file);
  const axes = rows.getByLabel('Axes');
  const before = await axes.inputValue();
  await axes.selectOption({ index: 1 });
  await expect(rows.getByText('These rows cannot be drawn.')).toBeVisible();
  await expect(picture).toBeVisible();
  await expect(axes).toHaveValue(before);
});
