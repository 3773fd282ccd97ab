import { takeTurns } from '../lib/turns.mjs';
import { cell, over } from '../lib/comparison.mjs';
import { count, figure, table } from '../lib/text.mjs';

const COLUMNS = 20;

export async function files({ browser, quick, turns, say }) {
  const page = await browser.page();
  const rows = quick ? 30_000 : 300_000;
  const bytes = await page.call('files', 'makeFile', { rows, columns: COLUMNS });
  say('## From a CSV file to moments\n');
  say(
    `${count(rows)} rows of ${COLUMNS} numbers, ${(bytes / 1e6).toFixed(1)} MB, a \`File\` in Chromium, ` +
      'to X^T X or to moments. Parsers get the input that suits them best: no header objects, the whole text.\n',
  );
  const contenders = [
    ['privatize, 1 worker: a release', 'release', { workers: 1 }],
    ['reading the file, and nothing else', 'reading', {}],
    ['privatize, 2 workers: a release', 'release', { workers: 2 }],
    ['exactMoments, in the calling thread', 'exact', {}],
    ['papaparse with numbers, ml-matrix', 'papaNumbers', {}],
    ['papaparse as strings, Number, ml-matrix', 'papaStrings', {}],
    ['papaparse as strings, parsing alone', 'papaParse', {}],
    ['udsv with numbers, two loops', 'udsv', {}],
    ['split, Number, two loops', 'byHand', {}],
    ['DuckDB-WASM, sums of products over read_csv', 'duckdb', {}],
  ];
  const { times, failed } = await takeTurns(
    contenders.map(([name, part, input]) => ({
      name,
      prepare: () => page.prepare('files', part, input, name),
      run: (repeats) => page.run(name, repeats),
    })),
    { turns },
  );
  const [one, , two] = contenders.map(([name]) => times.get(name));
  say('Milliseconds\n');
  say(
    table(
      ['', 'ms', 'MB/s', 'over 1 worker', 'over 2 workers'],
      contenders
        .filter(([name]) => times.has(name))
        .map(([name]) => {
          const t = times.get(name);
          return [name, cell(t), figure(bytes / t.median / 1e3), over(t, one), over(t, two)];
        }),
    ),
  );
  for (const [name, reason] of failed) say(`\nNot run: ${name}: ${reason}`);
  await page.close();
}
