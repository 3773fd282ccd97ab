import { assemble, defineStudy, privatize } from 'private-moments';
import { exactMoments } from 'private-moments-research';
import { expect, test } from 'vitest';
import { renderReport } from '../../samples/demo/report.mjs';
import { difference, time } from '../../samples/demo/words.mjs';

const study = defineStudy({
  title: 'two <columns>',
  columns: ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 1 })),
  views: { x: ['a'], y: ['b'] },
  privacy: { epsilon: 1, delta: 1e-6 },
});
const rows = Array.from({ length: 400 }, (_, i) => ({ a: (i % 20) / 19, b: (i % 19) / 18 }));

/** A result of run.mjs. */
async function run(over = {}) {
  const release = await privatize(study, rows);
  const moments = await assemble(study, [release]);
  const reference = (await exactMoments(study, rows)).cca();
  const site = { name: 'site & one', rows: 400, read: 2000, sent: 700, ms: 12, id: release.id };
  return {
    ...{ title: study.title, rows: 400, moments, reference, sites: [site], planted: false },
    ...{ result: moments.cca({ level: 0.95 }), spread: moments.pca({ level: 0.95 }) },
    pairs: [{ planted: 0.62, reference: 0.618 }],
    ...over,
  };
}

test('the demo’s report compares the result with the one without privacy, and shows what left each site', async () => {
  const html = renderReport(await run(), { made: '2026-01-01', source: 'A & B' });
  expect(html).toContain('<h1>Two &lt;columns&gt;</h1>');
  expect(html).toContain('>Without privacy</th>');
  expect(html).toContain('95% interval');
  expect(html).toContain('<th scope="row">site &amp; one</th><td>400</td><td>2.0 kB</td>');
  expect(html).toContain('A &amp; B');
  expect(html).not.toContain('What was planted');
  expect(html).not.toMatch(/NaN|undefined|null|Infinity/);
});

test('a simulated cohort’s report states the planted correlations', async () => {
  const html = renderReport(await run({ planted: true }), { made: '2026-01-01' });
  expect(html).toContain('canonical correlations .62. Sampling alone changes the first to .618');
});

test('differences and times are formatted for people', () => {
  for (const [written, wanted] of [
    [difference(0.0042), '+.004'],
    [difference(-0.0042), '\u2212.004'],
    [difference(0.0001), '.000'],
    [difference(0), '.000'],
    [time(3.4), '3 ms'],
    [time(1440), '1.4 s'],
  ]) {
    expect(written).toBe(wanted);
  }
});
