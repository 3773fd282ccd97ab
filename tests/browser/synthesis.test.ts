import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { serve } from './server.js';
import { hearComplaints } from './support.js';

/** The built package itself, as a page without a bundler would load it. */
const dist = fileURLToPath(new URL('../../dist/', import.meta.url));

/** The policy of the site, as another page needs it. */
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; connect-src 'self'";

test('a page under a strict policy makes synthetic rows of a file in a worker, and can cancel', async ({
  page,
}) => {
  const host = await serve(dist);
  const complaints: string[] = [];
  const asked: string[] = [];
  await hearComplaints(page.context(), complaints);
  page.on('request', (request) => asked.push(request.url()));
  try {
    await page.route('**/page.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<!doctype html><meta http-equiv="Content-Security-Policy" content="${POLICY}"><title>t</title>`,
      }),
    );
    await page.goto(`${host.address}page.html`);
    const outcome = await page.evaluate(async (address) => {
      const { defineStudy, synthesize } = (await import(
        `${address}index.js`
      )) as typeof import('private-moments');
      const before = performance.getEntriesByType('resource').map(({ name }) => name);
      const study = defineStudy({
        title: 'Synthesis',
        columns: [
          { name: 'a', type: 'number', min: 0, max: 100 },
          { name: 'b', type: 'number', min: 0, max: 100 },
          { name: 'kind', type: 'category', levels: ['x', 'y'] },
        ],
        privacy: { epsilon: 10, delta: 1e-6 },
      });
      const lines = Array.from(
        { length: 20_000 },
        (_, i) => `${(i * 7919) % 50},${50 + ((i * 7919) % 50)},${i % 4 === 0 ? 'x' : 'y'}\n`,
      );
      const file = new File(['a,b,kind\n', ...lines], 'rows.csv');
      const seen: number[] = [];
      const rows = await synthesize(study, file, {
        label: 'kind',
        rows: 1000,
        onProgress: ({ rows: count }) => seen.push(count),
      });
      const abort = new AbortController();
      const many = new File(['a,b,kind\n', ...Array<string>(20).fill(lines.join(''))], 'many.csv');
      const cancelled = await synthesize(study, many, {
        signal: abort.signal,
        onProgress: () => {
          abort.abort();
        },
      }).then(
        () => 'made',
        (error: unknown) => (error as { code: string }).code,
      );
      const pair = rows.preserves().correlations[0];
      const parquet = await rows.toParquet();
      const arrow = await rows.toArrow();
      return {
        early: before.filter((name) => name.includes('synthesis')),
        rows: rows.rows,
        used: rows.local?.used,
        last: seen.at(-1),
        kinds: [...new Set(rows.column('kind') as string[])].sort(),
        correlation: pair?.synthetic ?? 0,
        sizes: [parquet.length, arrow.length, rows.toCSV().length].every((size) => size > 1000),
        cancelled,
      };
    }, host.address);
    expect(outcome).toMatchObject({
      early: [],
      rows: 1000,
      used: 20_000,
      last: 20_000,
      kinds: ['x', 'y'],
      sizes: true,
      cancelled: 'cancelled',
    });
    expect(outcome.correlation).toBeGreaterThan(0.9);
    expect(complaints).toEqual([]);
    expect(asked.filter((url) => !url.startsWith(host.address))).toEqual([]);
  } finally {
    await host.close();
  }
});
