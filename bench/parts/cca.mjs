import { takeTurns } from '../lib/turns.mjs';
import { cell, over } from '../lib/comparison.mjs';
import { count, table } from '../lib/text.mjs';

const VIEW = 50;
const DRAWS = 500;

/** Five in a row of what was measured once. */
const times5 = ({ values }) => ({ values: values.map((v) => 5 * v) });

export async function cca({ browser, quick, turns, say }) {
  const page = await browser.page();
  const rows = quick ? [2000] : [2000, 5000, 10_000];
  say(`## Canonical correlations, ${VIEW} + ${VIEW} columns\n`);
  say(
    'Ours start from one release, whatever its number of rows; `cancor` of webR starts from the rows, which it takes ' +
      'together. In Chromium.\n',
  );
  const contenders = [
    { name: 'cca()', part: 'cca', input: { n: rows[0], view: VIEW, draws: 0 } },
    {
      name: `cca() with intervals from ${DRAWS} draws`,
      part: 'cca',
      input: { n: rows[0], view: VIEW, draws: DRAWS },
    },
    {
      name: 'the same in workers',
      part: 'cca',
      input: { n: rows[0], view: VIEW, draws: DRAWS, inWorker: true },
    },
    ...rows.map((n) => ({
      name: `webR cancor, ${count(n)} rows`,
      part: 'cancor',
      input: { n, view: VIEW },
    })),
  ];
  // Each in turn prepared anew would be another comparison: all stay ready.
  const { times, failed } = await takeTurns(
    contenders.map(({ name, part, input }) => ({
      name,
      prepare: () => page.prepare('cca', part, input, name),
      run: (repeats) => page.run(name, repeats),
    })),
    { turns },
  );
  const [point, bootstrap, spread, ...peers] = contenders.map(({ name }) => ({
    name,
    t: times.get(name),
  }));
  say('Milliseconds\n');
  say(
    table(
      ['', 'ms', 'over cca()', `${DRAWS} draws over 5 of these`, 'in workers over 5'],
      [
        [point.name, cell(point.t), '', '', ''],
        ...[bootstrap, spread].map(({ name, t }) => [name, cell(t), over(t, point.t), '', '']),
        ...peers.map(({ name, t }) => [
          name,
          cell(t),
          over(t, point.t),
          over(bootstrap.t, t && times5(t)),
          over(spread.t, t && times5(t)),
        ]),
      ],
    ),
  );
  for (const [name, reason] of failed) say(`\nNot run: ${name}: ${reason}`);
  say(
    "\nNot run: mixOmics and other packages of R, which webR fetches from its own host; base R's `cancor` it has.",
  );
  await page.close();
}
