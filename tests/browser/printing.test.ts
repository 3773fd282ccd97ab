import { expect, test, useSample } from './support.js';

test('Analyse prints its answer, figures, tables and guarantee in light colours, without controls', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await page.getByLabel('Target').selectOption('age');
  await expect(page.getByText(/of the variance of age is explained/)).toBeVisible();
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  // What a printer does before it draws the page.
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  for (const name of [/^Canonical correlations/, /^Weights: .*Schooling/, /^Share by component/]) {
    await expect(page.getByRole('img', { name }).first()).toBeVisible();
  }
  await expect(page.getByRole('table').filter({ hasText: '95% interval' }).first()).toBeVisible();
  await expect(
    page.getByText(/^Each of 10 releases is differentially private: ε = 1/),
  ).toBeVisible();
  await expect(page.getByText('10 files used', { exact: true }).last()).toBeVisible();
  await expect(page.getByText('We analysed 10 releases of the study')).toBeVisible();
  await expect(page.getByText('Regression of Age on Schooling, Woman')).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);
  for (const role of [
    'button',
    'combobox',
    'checkbox',
    'spinbutton',
    'searchbox',
    'slider',
  ] as const) {
    await expect(page.getByRole(role)).toHaveCount(0);
  }
  await expect(page.getByText('Predictors', { exact: true })).toBeHidden();
  expect(
    await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor),
  ).toBe('rgb(255, 255, 255)');
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(22, 32, 28)');
  for (const figure of ['pm-correlation-figure', 'pm-weight-bars', 'pm-scree-figure']) {
    await expect(page.locator(figure).first()).toHaveCSS('break-inside', 'avoid');
  }
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect(page.getByRole('table').filter({ hasText: '95% interval' })).toHaveCount(0);
});
