import { execFileSync } from 'node:child_process';
import { takeTurns } from '../lib/turns.mjs';
import { cell, over } from '../lib/comparison.mjs';
import { withRowsFile } from '../lib/rows-file.mjs';
import { count, table } from '../lib/text.mjs';

const CLIPPING = ['fixed', 'adaptive', 'centred'];
const COLUMNS = 20;

/** Rows of a file of 101 MB, and of a table in memory of 86 MB. */
const ROWS = 540_000;

/** Files whose releases are watched for their memory, in GB. */
const FILES = [0.1, 0.4];

export async function clipping({ browser, root, quick, turns, say }) {
  say('## Clipping\n');
  say(
    '`privatize` in Chromium with one worker, for each `clipping` of a study. Private centring reads the rows twice: ' +
      'a file from the disk again, a table in memory from the page.\n',
  );
  const rows = Math.round(ROWS / (quick ? 8 : 1));
  const found = [];
  const compare = async (label, page, part, input) => {
    const { times, failed } = await takeTurns(
      CLIPPING.map((name) => ({
        name,
        prepare: () =>
          page.prepare(part, 'release', { ...input, workers: 1, clipping: name }, name),
        run: (repeats) => page.run(name, repeats),
      })),
      { turns },
    );
    const [fixed, adaptive, centred] = CLIPPING.map((name) => times.get(name));
    found.push([label, cell(fixed), cell(adaptive), cell(centred), over(centred, adaptive)]);
    for (const [name, reason] of failed) say(`Not run: ${name}, ${label}: ${reason}\n`);
  };
  await withRowsFile({ browser, root }, rows, COLUMNS, (page, label) =>
    compare(label, page, 'files', {}),
  );
  const page = await browser.page();
  await compare(`table, d = ${COLUMNS}, n = ${count(rows)}`, page, 'growth', {
    n: rows,
    d: COLUMNS,
  });
  await page.close();
  say('Milliseconds\n');
  say(table(['', ...CLIPPING, 'centred over adaptive'], found));

  const sizes = quick ? FILES.map((size) => size / 10) : FILES;
  const memory = (name, size) => {
    const args = [`${root}bench/memory.mjs`, String(size), '1'];
    const env = { ...process.env, CLIPPING: name };
    const said = execFileSync(process.execPath, args, { encoding: 'utf8', env });
    return /(\d+) MB above/.exec(said)?.[1] ?? '-';
  };
  say('\nMemory of a Node process above that of its first release, MB (`bench/memory.mjs`)\n');
  say(
    table(
      ['', ...sizes.map((size) => `CSV, ${(1000 * size).toFixed(0)} MB`)],
      CLIPPING.map((name) => [name, ...sizes.map((size) => memory(name, size))]),
    ),
  );
}
