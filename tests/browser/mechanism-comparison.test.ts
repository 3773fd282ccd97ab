import type { Locator, Page } from '@playwright/test';
import { expectAxeFindsNothing, expectToFit } from './look.js';
import { expect, saved, test } from './support.js';

interface Drawn extends HTMLElement {
  updateComplete: Promise<boolean>;
  scheduleUpdate(): unknown;
}

/** Opens Explore at the comparison, which loads when it is near the window. */
async function openComparison(page: Page, site: string): Promise<Locator> {
  await page.goto(`${site}explore.html#mechanisms`);
  const comparison = page.locator('pm-mechanism-comparison');
  await expect(
    comparison.getByRole('heading', { name: 'Mechanisms', exact: true }),
  ).toBeInViewport();
  return comparison;
}

function rowOf(comparison: Locator, name: string): Locator {
  return comparison.getByRole('row').filter({
    has: comparison.page().getByRole('rowheader', { name }),
  });
}

const errorIn = async (row: Locator): Promise<number> =>
  Number(await row.locator('.number').textContent());

/** The errors in the rows of mechanisms that a study can name, from the top. */
async function errorsInStudy(comparison: Locator): Promise<number[]> {
  const texts = await comparison
    .locator('table.comparison tbody')
    .first()
    .locator('.number')
    .allTextContents();
  return texts.map(Number).filter((value) => !Number.isNaN(value));
}

/** Counts messages to workers from the next load on. */
async function countAsked(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counter = Object.assign(globalThis, { asked: 0 });
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
    const post = Worker.prototype.postMessage;
    Worker.prototype.postMessage = function (this: Worker, message: unknown) {
      counter.asked += 1;
      post.call(this, message);
    };
  });
}

async function isFilled(comparison: Locator): Promise<void> {
  await expect(comparison.locator('.number', { hasText: '…' })).toHaveCount(0);
}

test('every mechanism gets its error, promise and time, by itself and a few runs at a time', async ({
  page,
  site,
}) => {
  const comparison = await openComparison(page, site);
  await isFilled(comparison);
  await expect(
    comparison.getByText(/^At ε = 1 and δ = 10⁻⁶, with 178 rows, Gaussian is off by/),
  ).toBeVisible();
  await expect(
    comparison.getByText(/At least \d+ runs per point, with more under way/),
  ).toBeVisible();
  const gaussian = rowOf(comparison, 'Gaussian, rotation-invariant');
  await expect(gaussian).toContainText('(ε, δ)');
  await expect(gaussian).toContainText('exact');
  await expect(gaussian).toContainText('default');
  await expect(gaussian).toContainText(/\d ms/);
  const error = await errorIn(gaussian);
  expect(error).toBeGreaterThan(0.3);
  expect(error).toBeLessThan(0.5);
  const figure = comparison.getByRole('img', { name: /^Root mean square error/ });
  await expect(figure).toHaveAccessibleName(/Gaussian: .* at 0\.01, .* at 1, .* at 10\./);
  await expect(figure).toHaveAccessibleName(/Answering 0: 0\.442\./);
});

test('flawed mechanisms are marked, with what they claim and what holds', async ({
  page,
  site,
}) => {
  const comparison = await openComparison(page, site);
  await isFilled(comparison);
  await expect(rowOf(comparison, 'symmetric-noise')).toContainText('none');
  await expect(rowOf(comparison, 'symmetric-noise')).toContainText('withdrawn 2017');
  await expect(rowOf(comparison, 'analyze-gauss-one-over-n')).toContainText('1.14, not 1');
  await expect(comparison.getByText('Dashed: no such guarantee.')).toContainText(
    'symmetric-noise: its support reveals a row',
  );
  const groups = comparison.getByRole('rowheader', { name: /^(In a study|As published)/ });
  await expect(groups).toHaveText(['In a study', 'As published, for comparison only']);
});

test('a line is dashed where its promise does not hold, and its key and the text say where', async ({
  page,
  site,
}) => {
  const comparison = await openComparison(page, site);
  await comparison.getByRole('checkbox', { name: 'Laplace', exact: true }).uncheck();
  await comparison.getByText('As published', { exact: true }).click();
  const classical = comparison.locator('label', { hasText: 'analyze-gauss-classical' });
  await classical.click();
  const words = comparison.getByText('Dashed: no such guarantee.');
  await expect(words).toContainText('analyze-gauss-classical at ε = 10: holds for ε up to 1');
  await expect(classical.locator('.key')).toHaveClass(/partly/);
  const line = comparison.locator('pm-comparison-figure').first().locator('g.slot-5 path');
  await expect(line.first()).toHaveAttribute('d', /C/);
  await expect(line.last()).toHaveClass('line dashed');
  await expect(line.last()).toHaveAttribute('d', /C/);
  const figure = comparison.getByRole('img', { name: /^Root mean square error/ });
  await expect(figure).toHaveAccessibleName(
    /analyze-gauss-classical, without such a guarantee at 10: /,
  );
  // At epsilon 10 no point along rows has the guarantee.
  await comparison.getByRole('textbox', { name: 'Privacy, ε' }).fill('10');
  const rows = comparison.locator('pm-comparison-figure').last().locator('g.slot-5 path');
  await expect(rows.first()).toHaveAttribute('d', '');
  await expect(rows.last()).toHaveAttribute('d', /C/);
});

test('the table is sorted by its headings, with the keyboard', async ({ page, site }) => {
  const comparison = await openComparison(page, site);
  await comparison.getByLabel('Data').selectOption('Sleep, simulated');
  await isFilled(comparison);
  const head = comparison.getByRole('columnheader', { name: 'Error' });
  await expect(head).toHaveAttribute('aria-sort', 'ascending');
  await head.getByRole('button').focus();
  // Numbers keep changing while runs are made, but rows keep their order until they are sorted.
  const isSortedOnPress = (order: string, compare: (a: number, b: number) => number) =>
    expect(async () => {
      await page.keyboard.press('Enter');
      await expect(head).toHaveAttribute('aria-sort', order, { timeout: 500 });
      const errors = await errorsInStudy(comparison);
      expect(errors).toHaveLength(8);
      expect(errors).toEqual([...errors].sort(compare));
    }).toPass();
  await isSortedOnPress('descending', (a, b) => b - a);
  await isSortedOnPress('ascending', (a, b) => a - b);
  await comparison.getByRole('columnheader', { name: 'Mechanism' }).getByRole('button').focus();
  await page.keyboard.press('Space');
  await expect(head).toHaveAttribute('aria-sort', 'none');
  await expect(
    comparison.locator('table.comparison tbody').first().getByRole('rowheader').nth(1),
  ).toHaveText('Eigenvector sampling');
});

test('at most five lines are drawn, and each keeps its colour', async ({ page, site }) => {
  const comparison = await openComparison(page, site);
  const colour = (name: string): Promise<string> =>
    comparison
      .locator('label', { hasText: name })
      .locator('.key')
      .evaluate((key) => getComputedStyle(key).borderTopColor);
  const before = await colour('Two-sided Wishart');
  const frobenius = comparison.getByRole('checkbox', { name: 'Frobenius' });
  await expect(frobenius).toBeDisabled();
  await expect(comparison.getByText('At most five: remove one to add another.')).toBeVisible();
  const laplace = await colour('Laplace');
  await comparison.getByRole('checkbox', { name: 'Laplace', exact: true }).uncheck();
  await frobenius.check();
  expect(await colour('Two-sided Wishart')).toBe(before);
  expect(await colour('Frobenius')).not.toBe(laplace);
  const figure = comparison.getByRole('img', { name: /^Root mean square error/ });
  await expect(figure).toHaveAccessibleName(/Frobenius: [\d.]+ at 0\.01/);
  await expect(figure).not.toHaveAccessibleName(/Laplace/);
  // It comes back in its own colour.
  await frobenius.uncheck();
  await comparison.getByRole('checkbox', { name: 'Laplace', exact: true }).check();
  expect(await colour('Laplace')).toBe(laplace);
});

test('the latest choice wins, and a step asks the worker once and draws once', async ({
  page,
  site,
}) => {
  await countAsked(page);
  const comparison = await openComparison(page, site);
  await isFilled(comparison);
  for (const data of ['Breast cancer', 'Diabetes', 'Census']) {
    await comparison.getByLabel('Data').selectOption(data);
  }
  await expect(comparison.getByText(/with 48,842 rows, Gaussian is off by 0\.00/)).toBeVisible();
  // `make bench` measures how long a step takes.
  const steps = await comparison.evaluate(async (node) => {
    const root = node.shadowRoot;
    const slider = root?.querySelector('pm-log-slider');
    const drawings = new Map<string, number>();
    const parts = [node, ...(root?.querySelectorAll('pm-comparison-figure') ?? [])] as Drawn[];
    for (const [i, part] of parts.entries()) {
      const draw = part.scheduleUpdate.bind(part);
      part.scheduleUpdate = () => {
        const name = `${part.localName} ${i}`;
        drawings.set(name, (drawings.get(name) ?? 0) + 1);
        return draw();
      };
    }
    const all: { most: number; isNew: boolean; asked: number }[] = [];
    for (let step = 0; step < 21; step++) {
      const value = Number((0.5 + step / 10).toFixed(1));
      const asked = (globalThis as unknown as { asked: number }).asked;
      const words = root?.querySelector('.prose')?.textContent;
      drawings.clear();
      slider?.dispatchEvent(new CustomEvent('pm-value', { detail: { value } }));
      await Promise.all(parts.map(({ updateComplete }) => updateComplete));
      all.push({
        most: Math.max(...drawings.values()),
        isNew: root?.querySelector('.prose')?.textContent !== words,
        asked: (globalThis as unknown as { asked: number }).asked - asked,
      });
      await new Promise(requestAnimationFrame);
    }
    return all;
  });
  expect(steps).toEqual(Array.from({ length: 21 }, () => ({ most: 1, isNew: true, asked: 1 })));
  await expect(comparison.getByText(/^At ε = 2\.5 and .* is off by/)).toBeVisible();
});

test('without δ, mechanisms that need it say so', async ({ page, site }) => {
  const comparison = await openComparison(page, site);
  await comparison.getByLabel('Slack, δ').selectOption('0');
  await expect(rowOf(comparison, 'Gaussian, rotation-invariant')).toContainText('not here: ');
  await expect(
    comparison.getByText(/^At ε = 1, with 178 rows, .* is the most accurate/),
  ).toBeVisible();
});

test('the numbers can be read, saved and looked up', async ({ page, site }) => {
  const comparison = await openComparison(page, site);
  await isFilled(comparison);
  await comparison.getByText('See as a table').click();
  const table = comparison.getByRole('table', { name: 'Error of the second moments' });
  await expect(table.getByRole('row')).toHaveCount(11);
  await expect(table.getByRole('columnheader')).toHaveText([
    ...['ε', 'Gaussian', 'Two-sided Wishart', 'Laplace', 'Eigenvector sampling'],
    'symmetric-noise',
  ]);
  const save = async (name: string): Promise<string[]> =>
    (await saved(comparison, name)).trimEnd().split('\r\n');
  const rows = await save('Table as CSV');
  expect(rows).toHaveLength(1 + 20);
  expect(rows.find((line) => line.startsWith('gaussian,'))).toMatch(
    /^gaussian,study,"\(ε, δ\)",1,0\.000001,exact,0\.\d+,/,
  );
  // The table has its numbers before all points of the figures.
  await expect(comparison.getByText(/At least \d+ runs? per point/)).toBeVisible();
  const figures = await save('Figures as CSV');
  expect(figures[0]).toBe(
    'figure,mechanism,data,epsilon,delta,rows,directions,runs,rms_error,share,share_within_95',
  );
  expect(figures.some((line) => line.startsWith('error,gaussian,wine,1,0.000001,178,'))).toBe(true);
  await comparison.getByRole('link', { name: 'Laplace' }).first().click();
  await expect(page).toHaveURL(/mechanisms\.html#laplace$/);
  await expect(page.getByRole('rowheader', { name: /Laplace/ }).first()).toBeInViewport();
});

test('axe finds nothing wrong in any state, and nothing is wider than a small screen', async ({
  page,
  site,
}) => {
  test.setTimeout(240_000);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const comparison = await openComparison(page, site);
  await expectAxeFindsNothing(page);
  await isFilled(comparison);
  await comparison.getByText('As published', { exact: true }).click();
  await comparison.getByText('See as a table').click();
  await comparison.getByText('Describe these figures').click();
  await expectAxeFindsNothing(page);
  await expectToFit(page, 1920, 760, 360);
  await expectAxeFindsNothing(page);
});
