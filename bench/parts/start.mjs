import { summary } from '../lib/statistics.mjs';
import { cell, over } from '../lib/comparison.mjs';
import { count, figure, table } from '../lib/text.mjs';

export async function start({ browser, quick, say }) {
  const turns = quick ? 2 : 15;
  say('## Start\n');
  say(
    'From before `import` to the first result for 1000 rows of 20 columns of CSV text: a release for ours, X^T X for the ' +
      'others. Each run has a new context of Chromium with an empty cache, a second after the one before, and a host on this machine that compresses ' +
      'with gzip. A network would add time for the bytes and the requests. An empty worker is what the browser alone ' +
      'takes to start a worker in which our WebAssembly file is fetched and instantiated, and nothing is called. ' +
      `${turns} turns.\n`,
  );
  const contenders = [
    ['privatize', 'ours'],
    ['papaparse, ml-matrix', 'papaparse'],
    ['an empty worker', 'platform'],
    ['tfjs-backend-wasm (no CSV)', 'tfjs'],
    ['DuckDB-WASM', 'duckdb'],
    ['webR', 'r'],
  ];
  const seen = new Map(contenders.map(([name]) => [name, { times: [] }]));
  for (let turn = 0; turn <= turns; ++turn) {
    for (const [name, part] of contenders) {
      const page = await browser.page();
      await page.call('start', 'ready');
      browser.host.traffic();
      const ms = await page.call('start', part);
      const found = seen.get(name);
      found.traffic = browser.host.traffic();
      // The host compresses its files at the first request.
      if (turn > 0) found.times.push(ms);
      await page.close();
      // What the page before leaves to be cleaned up would take time from the next.
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
  const ours = seen.get('privatize');
  const first = summary(ours.times);
  const plain = summary(seen.get('papaparse, ml-matrix').times);
  say('Milliseconds\n');
  say(
    table(
      ['', 'ms', 'over ours', 'over papaparse', 'kB', 'over ours', 'requests'],
      [...seen].map(([name, { times, traffic }]) => {
        const t = summary(times);
        return [
          name,
          cell(t),
          over(t, first),
          over(t, plain),
          count(traffic.sent / 1e3),
          figure(traffic.sent / ours.traffic.sent),
          String(traffic.requests),
        ];
      }),
    ),
  );
  say('\n`tests/package/package.test.ts` limits the size and the requests.');
}
