import { takeTurns } from '../lib/turns.mjs';
import { cell, over } from '../lib/comparison.mjs';
import { count, table } from '../lib/text.mjs';

/** Numbers in memory. */
const NUMBERS = 8e6;

export async function workers({ browser, quick, turns, say }) {
  say('## Two workers\n');
  say(
    '`privatize` of a table in memory in Chromium. No memory is shared: each worker gets its rows, and hands back its ' +
      'exact sums.\n',
  );
  const rows = [];
  for (const d of [20, 100, 400]) {
    const n = Math.round(NUMBERS / d / (quick ? 8 : 1));
    const page = await browser.page();
    const { times, failed } = await takeTurns(
      ['1', '2'].map((name) => ({
        name,
        prepare: () => page.prepare('growth', 'release', { n, d, workers: Number(name) }, name),
        run: (repeats) => page.run(name, repeats),
      })),
      { turns },
    );
    await page.close();
    const [one, two] = [times.get('1'), times.get('2')];
    rows.push([`d = ${d}, n = ${count(n)}`, cell(one), cell(two), over(one, two)]);
    for (const [name, reason] of failed) say(`Not run: ${name} workers, d = ${d}: ${reason}\n`);
  }
  say('Milliseconds\n');
  say(table(['', '1 worker', '2 workers', '1 over 2'], rows));
}
