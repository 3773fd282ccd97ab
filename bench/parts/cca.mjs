import { takeTurns } from '../lib/turns.mjs';
import { cell, over } from '../lib/comparison.mjs';
import { count, table } from '../lib/text.mjs';

const VIEW = 50;
const DRAWS = 500;

/** The time of five runs of a contender. */
const times5 = ({ values }) => ({ values: values.map((v) => 5 * v) });

export async function cca({ browser, quick, turns, say }) {
  const page = await browser.page();
  const rows = quick ? [2000] : [2000, 5000, 10_000];
  say(`## Canonical correlations, ${VIEW} + ${VIEW} columns\n`);
  say(
    'In Chromium. Ours starts from one release, whose number of rows does not matter. `cancor` of webR starts from ' +
      'all rows in one place.\n',
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
  // All stay prepared, as preparing them again in each turn would be a different comparison.
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
    "\nNot run: mixOmics and other packages of R, which webR would fetch from its own host; it includes base R's `cancor`.",
  );
  await page.close();
}
