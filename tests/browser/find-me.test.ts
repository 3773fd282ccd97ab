import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { downloaded, expect, test } from './support.js';

async function open(page: Page, site: string, hash = ''): Promise<Locator> {
  await page.goto(`${site}find-me.html${hash}`);
  const game = page.locator('pm-find-me');
  await expect(game.getByRole('img', { name: /^Tuesday’s file: 15 noisy numbers/ })).toBeVisible();
  return game;
}

const bet = (game: Locator, number: number): Locator => game.getByText(`Bet ${number} of 10.`);

/** Bets ten times. */
async function play(game: Locator): Promise<void> {
  for (let number = 1; number <= 10; number++) {
    await expect(bet(game, number)).toBeVisible();
    await game.getByRole('button', { name: 'Still in' }).click();
  }
  await expect(game.getByText('you were right')).toBeVisible();
}

test('ten bets make a game, whose score is on the card and in the figure', async ({
  page,
  site,
}) => {
  const game = await open(page, site);
  await expect(game.getByText('At ε = 1: at most 55.')).toBeVisible();
  await play(game);
  await expect(game.getByText(/^Number 7 was (?:taken out|in)\.$/)).toBeVisible();
  const score = await game.locator('.big').textContent();
  const [, right = ''] = /(\d+) of 10/.exec(score ?? '') ?? [];
  expect(await game.locator('.bet .dots .hit').count()).toBe(Number(right));
  await expect(game.getByRole('img', { name: /^You \d+, a coin 50/ })).toHaveAccessibleName(
    `You ${10 * Number(right)}, a coin 50, best possible 55 of 100.`,
  );
  await expect(game.locator('pm-find-me-figure').getByRole('img')).toHaveAccessibleName(
    new RegExp(`You at ε 1: ${right} of 10\\.`),
  );
  await expect(game.getByText(/is right more than 55 times in 100\./)).toBeVisible();

  const card = await downloaded(game, 'Save card');
  expect(card.suggestedFilename()).toBe('find-me-epsilon-1.png');
  const bytes = readFileSync(await card.path());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630]);

  await game.getByRole('button', { name: 'Try ε = 10' }).click();
  await expect(bet(game, 1)).toBeVisible();
  await expect(game.getByText('At ε = 10: at most 83.')).toBeVisible();
  await expect(game.getByRole('button', { name: 'Taken out' })).toBeFocused();
});

test('the keys T and S bet about the patient who was picked', async ({ page, site }) => {
  const game = await open(page, site);
  await game.getByRole('button', { name: 'Number 12' }).click();
  await expect(game.getByRole('heading', { name: /Was number 12 taken out/ })).toBeVisible();
  await expect(bet(game, 1)).toBeVisible();
  await page.keyboard.press('t');
  await expect(bet(game, 2)).toBeVisible();
  await page.keyboard.press('s');
  await expect(bet(game, 3)).toBeVisible();
  await expect(game.locator('.bet .dots').getByRole('listitem')).toHaveCount(10);
});

test('both files are releases, and the answer is in neither', async ({ page, site }) => {
  const game = await open(page, site);
  const files = new Map<string, string>();
  page.on('download', (download) => {
    void download.path().then((path) => {
      files.set(download.suggestedFilename(), readFileSync(path, 'utf8'));
    });
  });
  await game.getByRole('button', { name: 'Save both files' }).click();
  await expect
    .poll(() => [...files.keys()].sort())
    .toEqual(['find-me-monday.json', 'find-me-tuesday.json']);
  for (const text of files.values()) {
    const release = JSON.parse(text) as { format: string; rows: unknown; values: unknown[] };
    expect(release.format).toBe('private-moments/release@1');
    expect(release.rows, 'the number of rows would tell').toBeNull();
    expect(release.values).toHaveLength(15);
  }
});

test('the computer bets 1,000 times, near the most that anybody can reach', async ({
  page,
  site,
}) => {
  const game = await open(page, site, '#epsilon=10');
  await expect(game.getByRole('textbox', { name: 'Privacy, ε' })).toHaveValue('10');
  await game.getByRole('button', { name: 'Let the computer bet 1,000 times' }).click();
  const words = game.getByText(/^The computer knows all twenty patients/);
  await expect(words).toBeVisible();
  const share = Number(/: ([\d.]+) right in 100/.exec((await words.textContent()) ?? '')?.[1]);
  // Five and a half standard deviations to either side of 82.2.
  expect(share).toBeGreaterThan(75.5);
  expect(share).toBeLessThan(89);
});

test('moving epsilon starts a new game, and a number out of range is refused', async ({
  page,
  site,
}) => {
  const game = await open(page, site);
  await game.getByRole('button', { name: 'Still in' }).click();
  await expect(bet(game, 2)).toBeVisible();
  await game.getByRole('slider', { name: 'Epsilon' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(bet(game, 1)).toBeVisible();
  await expect(game.getByText('At ε = 2: at most')).toBeVisible();
  await game.getByRole('textbox', { name: 'Privacy, ε' }).fill('1000');
  await expect(game.getByText('Enter a number from 0.1 to 100.')).toBeVisible();
});

test('in a narrow window patients are picked in a sheet', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const game = await open(page, site);
  await game.getByRole('button', { name: 'Pick somebody else' }).click();
  await game.getByRole('dialog').getByRole('button', { name: 'Number 20' }).click();
  await expect(game.getByRole('dialog')).toBeHidden();
  await expect(game.getByText('age 36, sleep 7.3 h, glucose 4.9, bmi 23.1')).toBeVisible();
  await expect(game.getByRole('button', { name: 'Pick somebody else' })).toBeFocused();
});
