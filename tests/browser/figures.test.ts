import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expectAxeFindsNothing, expectToFit } from './look.js';
import { addFiles, downloaded, expect, madeUp, openStudy, sampleFile, sampleText, savedRelease, studyWith, test, useSample } from './support.js'; // prettier-ignore

/** The buttons that save one figure. */
const buttonsOf = (page: Page, name: RegExp) => page.getByRole('group', { name });

async function savedAs(page: Page, figure: RegExp, kind: string) {
  const file = await downloaded(buttonsOf(page, figure), `Save as ${kind}`);
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}

async function middleOf(drawn: Locator): Promise<{ clientX: number; clientY: number }> {
  const { x, y, width, height } = (await drawn.boundingBox()) ?? { x: NaN, y: NaN, width: 0, height: 0 }; // prettier-ignore
  return { clientX: x + width / 2, clientY: y + height / 2 };
}

/** Width and height of a PNG file. */
function sizeOf(png: Buffer): number[] {
  expect(png.subarray(1, 4).toString()).toBe('PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test('a figure is saved as SVG that needs nothing else, in light colours even on a dark page', async ({
  page,
  context,
  site,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' });
  await useSample(page, site);
  const { name, bytes } = await savedAs(page, /Canonical correlations$/, 'SVG');
  expect(name).toBe('people-and-work-1994-census-canonical-correlations.svg');
  const svg = bytes.toString('utf8');
  for (const text of [
    'People and work, 1994 census',
    '95% intervals include the privacy noise and the sampling error.',
    'Each of 10 releases is differentially private: ε = 1, δ = 10⁻⁶, for one row.',
  ]) {
    expect(svg.replaceAll(/<\/text><text[^>]*>/g, ' ')).toContain(text);
  }
  expect(svg).not.toMatch(/\b(class|style)=|var\(|light-dark|<style|<script|<!--/);
  expect(svg).not.toMatch(/\bhref=|url\((?!#)/);
  for (const [, id = ''] of svg.matchAll(/url\(#([\w-]+)\)/g)) expect(svg).toContain(`id="${id}"`);
  expect(svg).toContain('sans-serif');
  // The page is dark, the file is light.
  expect(svg).toContain('fill="#ffffff"');
  expect(svg).toContain('rgb(11, 107, 93)');
  expect(svg).not.toContain('rgb(95, 202, 182)');
  await expect(page.getByRole('img', { name: /^Canonical correlations/ })).toHaveCSS(
    'color',
    'rgb(232, 237, 234)',
  );
  // In a page whose policy allows it.
  const blank = await context.newPage();
  const problem = await blank.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml');
    return parsed.querySelector('parsererror')?.textContent ?? '';
  }, svg);
  expect(problem).toBe('');
});

test('a sentence says what each pair means, in the figure, aloud and in its files', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  const meaning = /Higher schooling .*go(es)? with .*over \$50,000/;
  const figure = page.getByRole('img', { name: /^Canonical correlations/ });
  expect(await figure.getAttribute('aria-label')).toMatch(meaning);
  const [, first = ''] = /(Higher schooling \S+)/.exec((await figure.textContent()) ?? '') ?? [];
  expect(first).not.toBe('');
  const csv = (await savedAs(page, /Canonical correlations$/, 'CSV')).bytes.toString('utf8');
  expect(csv.split('\r\n')[1]).toMatch(meaning);
  const [wide, narrow] = [1280, 360];
  const heights: number[] = [];
  for (const width of [wide, narrow]) {
    await expectToFit(page, width);
    heights.push((await figure.boundingBox())?.height ?? NaN);
  }
  // In a narrow window each sentence stands above its bar.
  expect(heights[1]).toBeGreaterThan(heights[0] ?? NaN);
});

test('a figure is saved as PNG at twice the size, and as CSV with its numbers', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  const svg = (await savedAs(page, /1st pair, weights$/, 'SVG')).bytes.toString('utf8');
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? [];
  // Both views are in one file, one below the other.
  expect(svg).toContain('>People</text>');
  expect(svg).toContain('>Work</text>');
  const png = await savedAs(page, /1st pair, weights$/, 'PNG');
  expect(png.name).toBe('people-and-work-1994-census-1st-pair-weights.png');
  expect(sizeOf(png.bytes)).toEqual([2 * Number(width), 2 * Number(height)]);
  const csv = (await savedAs(page, /1st pair, weights$/, 'CSV')).bytes.toString('utf8');
  const lines = csv.trim().split('\r\n');
  expect(lines[0]).toMatch(/^part,column,per_unit,.*,study,figure,caption,guarantee$/);
  expect(lines).toHaveLength(11);
  expect(lines[1]).toMatch(/^People,education,-?[\d.e-]+,.*ε = 1, δ = 10⁻⁶, for one row\."$/);
  await page.setViewportSize({ width: 360, height: 800 });
  await buttonsOf(page, /Variance$/)
    .getByRole('button', { name: 'Save as SVG' })
    .scrollIntoViewIfNeeded();
  expect((await savedAs(page, /Variance$/, 'PNG')).bytes.length).toBeGreaterThan(5000);
  await expectToFit(page, 320);
  await expectAxeFindsNothing(page);
});

test('points are in the saved figure, with a warning if they are real rows', async ({
  page,
  site,
}) => {
  await useSample(page, site);
  await page.getByRole('button', { name: 'Draw 2,000 synthetic rows' }).click();
  const points = /Rows along PC1 and PC2$/;
  const drawn = (await savedAs(page, points, 'SVG')).bytes.toString('utf8');
  expect(drawn).toContain('href="data:image/png;base64,');
  expect(drawn).toContain('They belong to nobody.');
  expect(drawn).toContain('is differentially private');
  await page.getByRole('button', { name: 'Draw other rows' }).click();
  await page
    .locator('pm-row-scores input[type=file]')
    .setInputFiles(madeUp('mine.csv', sampleText('site-01.csv')));
  await expect(page.getByText(/rows of mine\.csv, read on this computer/)).toBeVisible();
  const own = (await savedAs(page, points, 'SVG')).bytes.toString('utf8');
  expect(own).toContain('this picture is as private as the rows');
  expect(own).not.toContain('differentially private');
});

test('directions are saved too, and nothing is offered where nothing is drawn', async ({
  page,
  site,
}, info) => {
  const study = studyWith({ name: 'power-method', components: 2 }, 1e-6);
  await openStudy(page, site, study);
  const release = await savedRelease(page, sampleFile('site-01.csv'), info.outputPath());
  await page.goto(`${site}analyse.html`);
  await addFiles(page, study, release);
  const csv = (await savedAs(page, /Directions$/, 'CSV')).bytes.toString('utf8');
  expect(csv).toMatch(/^column,direction_1,direction_2,study,/);
  expect((await savedAs(page, /First direction$/, 'SVG')).bytes.toString('utf8')).toContain(
    'One end: ',
  );

  await openStudy(page, site);
  const few = sampleText('site-01.csv').split('\n').slice(0, 4).join('\n');
  const noise = await savedRelease(page, madeUp('few.csv', few), info.outputPath());
  await page.goto(`${site}analyse.html`);
  await addFiles(page, sampleFile('study.json'), noise);
  await expect(page.getByText('do not interpret it. Its weights are not drawn.')).toBeVisible();
  await expect(buttonsOf(page, /1st pair, weights$/)).toBeHidden();
});

test('a figure is read out by keys, by mouse and by touch', async ({ page, site }) => {
  await useSample(page, site);
  const answer = page.locator('pm-correlation-figure');
  const keys = answer.getByRole('slider', { name: /^Read out: canonical correlation/ });
  const reading = answer.locator('.reading');
  const pair = (place: string) =>
    new RegExp(`^${place} \\.\\d\\d, interval \\.\\d\\d to \\.\\d\\d`);
  await keys.focus();
  await expect(reading).toHaveText(pair('1st'));
  await page.keyboard.press('ArrowDown');
  await expect(reading).toHaveText(pair('2nd'));
  await expect(keys).toHaveAttribute('aria-valuetext', pair('2nd'));
  await page.keyboard.press('End');
  await expect(reading).toHaveText(pair('4th'));
  await page.keyboard.press('ArrowUp');
  await expect(reading).toHaveText(pair('3rd'));
  await expectAxeFindsNothing(page, 'Analyse, read out');
  // What is pointed at is not part of the figure.
  const { bytes } = await savedAs(page, /Canonical correlations$/, 'SVG');
  expect(bytes.toString('utf8')).not.toContain('pointer');
  await expect(reading).toHaveText('');

  const figure = answer.getByRole('img');
  const bars = figure.locator('rect.bar');
  await bars.nth(1).hover();
  await expect(reading).toHaveText(pair('2nd'));
  await expect(figure.locator('.pointer')).toHaveCount(1);
  await page.getByRole('heading', { level: 1 }).hover();
  await expect(reading).toHaveText('');
  await bars.first().dispatchEvent('pointerdown', { ...(await middleOf(bars.first())), pointerType: 'touch', bubbles: true }); // prettier-ignore
  await bars.first().dispatchEvent('pointerleave', { pointerType: 'touch' });
  await expect(reading).toHaveText(pair('1st'));
});

test('every other figure is read out too', async ({ page, site }) => {
  await useSample(page, site);
  await page.getByRole('button', { name: 'Draw 2,000 synthetic rows' }).click();
  const read = async (element: string, words: RegExp) => {
    const figure = page.locator(element).first();
    await figure.getByRole('slider').focus();
    await expect(figure.locator('.reading')).toHaveText(words);
  };
  await read('pm-score-weights pm-weight-bars', /^Schooling \+0\.\d+ per unit, \+0\.\d+ to \+0\.\d+$/); // prettier-ignore
  await read('pm-scree-figure', /^1: \d+%, interval \d+% to \d+%$/);
  await read('pm-biplot', /^\S+ −?\.\d\d and −?\.\d\d$/);
});
