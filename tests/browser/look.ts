import AxeBuilder from '@axe-core/playwright';
import { fileURLToPath } from 'node:url';
import { expect, type Page } from '@playwright/test';

/** Whether pictures of every state are taken, for people to look at. */
const TAKES_PICTURES = process.env.PM_PICTURES !== undefined;
/** Where they are put; emptied before each run. */
const pictures = fileURLToPath(new URL('../../test-results/review/', import.meta.url));

export async function takePicture(page: Page, state: string, kind: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  // Sticky elements are shown at the top of the window.
  await page.evaluate(() => {
    scrollTo(0, 0);
  });
  const name = `${state.toLowerCase().replaceAll(/\W+/g, '-')}-${kind}`;
  await page.screenshot({ path: `${pictures}${name}.png`, fullPage: true, animations: 'disabled' });
}

/** Waits until elements have the colours of the scheme: some change theirs gradually, or a frame later. */
async function coloursChanged(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const transitions = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
  });
}

/** Checks the page with axe, light and dark; takes pictures of states with a name. */
export async function expectAxeFindsNothing(page: Page, state?: string): Promise<void> {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await coloursChanged(page);
    // There are no frames, which legacy mode does not see; otherwise each run opens a page of its own.
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
    // Everything else is the same in both.
    if (colorScheme === 'dark') axe.withRules(['color-contrast']);
    const { violations } = await axe.analyze();
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
    expect(found, colorScheme).toEqual([]);
    const width = page.viewportSize()?.width ?? NaN;
    if (state !== undefined) await takePicture(page, state, `${width}-${colorScheme}`);
  }
}

export async function setWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 800 });
  await page.evaluate(async () => {
    // Figures are drawn again for their new width.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
  });
}

/** Takes pictures in a wide window and with forced colours; the window stays as it was. */
export async function takeWidePictures(page: Page, state: string): Promise<void> {
  // Each change has the figures drawn again.
  if (!TAKES_PICTURES) return;
  await setWidth(page, 1920);
  await takePicture(page, state, '1920-light');
  await setWidth(page, 1280);
  await page.emulateMedia({ forcedColors: 'active' });
  await takePicture(page, state, '1280-forced-colours');
  await page.emulateMedia({ forcedColors: 'none' });
}

/** Checks that nothing is wider than the window at each of these widths; the last one stays set. */
export async function expectToFit(page: Page, ...widths: number[]): Promise<void> {
  for (const width of widths) {
    await setWidth(page, width);
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond, `${width} pixels`).toBeLessThanOrEqual(0);
  }
}

/** Takes pictures in a narrow window, checks that nothing scrolls sideways, and keeps the width. */
export async function expectToFitNarrow(page: Page, state: string): Promise<void> {
  await expectToFit(page, 320, 768, 360);
  if (!TAKES_PICTURES) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, forcedColors: 'none' });
    await takePicture(page, state, `360-${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' });
  await takePicture(page, state, '360-forced-colours');
  await page.emulateMedia({ forcedColors: 'none' });
}
