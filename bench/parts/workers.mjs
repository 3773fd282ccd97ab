import { takeTurns } from '../lib/turns.mjs';
import { cell, over } from '../lib/comparison.mjs';
import { withRowsFile } from '../lib/rows-file.mjs';
import { count, table } from '../lib/text.mjs';

/** Columns and rows of tables in memory, of 64 and 256 MB. */
const TABLES = [
  [20, 400_000],
  [20, 1_600_000],
  [100, 80_000],
  [400, 20_000],
];

/** Rows of files with 20 columns, of 56 and 190 MB. */
const FILES = [300_000, 1_000_000];
const COLUMNS = 20;

export async function workers({ browser, root, quick, turns, say }) {
  say('## Two workers\n');
  say(
    '`privatize` in Chromium, for a table in memory and a CSV file on disk. No memory is shared: each worker receives ' +
      'its rows and returns its exact sums. Besides the workers, the page transfers the tables and threads of Chromium ' +
      'read the files; with one worker, they have the second core to themselves.\n',
  );
  const share = quick ? 8 : 1;
  const rows = [];
  const compare = async (label, page, part, input, others = []) => {
    const contenders = [
      ['1 worker', 'release', { ...input, workers: 1 }],
      ['2 workers', 'release', { ...input, workers: 2 }],
      ...others,
    ];
    const { times, failed } = await takeTurns(
      contenders.map(([name, work, options]) => ({
        name,
        prepare: () => page.prepare(part, work, options, name),
        run: (repeats) => page.run(name, repeats),
      })),
      { turns },
    );
    const [one, two, reading] = contenders.map(([name]) => times.get(name));
    rows.push([label, cell(one), cell(two), over(one, two), cell(reading), over(reading, one)]);
    for (const [name, reason] of failed) say(`Not run: ${name}, ${label}: ${reason}\n`);
  };
  for (const [d, most] of TABLES) {
    const n = Math.round(most / share);
    const page = await browser.page();
    await compare(`d = ${d}, n = ${count(n)}`, page, 'growth', { n, d });
    await page.close();
  }
  for (const most of FILES) {
    const n = Math.round(most / share);
    await withRowsFile({ browser, root }, n, COLUMNS, (page, label) =>
      compare(label, page, 'files', {}, [['reading', 'reading', {}]]),
    );
  }
  say('Milliseconds\n');
  say(
    table(
      ['', '1 worker', '2 workers', '1 over 2', 'reading the file alone', 'over 1 worker'],
      rows,
    ),
  );
}
