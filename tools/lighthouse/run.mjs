// Prints the Lighthouse scores of the built pages, served under a sub-path by a static host with
// compression, as most hosts have. Exits 1 if a score is below 95. As performance scores depend on the
// machine, the best of three runs counts.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { launch } from 'chrome-launcher';
import lighthouse from 'lighthouse';
import { serve } from '../../bench/lib/host.mjs';

const LEAST = 95;
const RUNS = 3;
const CATEGORIES = ['performance', 'accessibility', 'best-practices'];
const PREFIX = 'any/path';
const folder = fileURLToPath(new URL('../../dist/site/', import.meta.url));
const host = await serve({ [PREFIX]: folder });

const chrome = await launch({
  chromePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  chromeFlags: ['--headless=new', '--no-sandbox', '--disable-background-networking'],
});
const measure = async (page) => {
  const { lhr } = await lighthouse(`${host.address}${PREFIX}/${page}`, {
    port: chrome.port,
    onlyCategories: CATEGORIES,
    logLevel: 'silent',
  });
  return lhr;
};
const scoreOf = (lhr, category) => Math.round((lhr.categories[category].score ?? 0) * 100);

let isEnough = true;
// The saved copy is a file to save, not a page that anyone visits.
const isPage = (name) => name.endsWith('.html') && name !== 'private-moments.html';
// Two pages stand for the documentation: the first, and one of the longest.
const guide = ['docs/index.html', 'docs/api/analysing.html'];
for (const page of [...readdirSync(folder).filter(isPage), ...guide]) {
  let best;
  for (let run = 0; run < RUNS; run++) {
    const lhr = await measure(page);
    if (best === undefined || scoreOf(lhr, 'performance') > scoreOf(best, 'performance'))
      best = lhr;
    if (CATEGORIES.every((category) => scoreOf(best, category) >= LEAST)) break;
  }
  const scores = CATEGORIES.map((category) => `${category} ${scoreOf(best, category)}`);
  console.log(`${page}: ${scores.join(', ')}`);
  for (const category of CATEGORIES) {
    if (scoreOf(best, category) >= LEAST) continue;
    isEnough = false;
    for (const { id, weight } of best.categories[category].auditRefs) {
      const { score, title, displayValue = '' } = best.audits[id];
      if (weight > 0 && score !== null && score < 0.9) console.log(`  ${title} ${displayValue}`);
    }
  }
}
chrome.kill();
await host.close();
process.exitCode = isEnough ? 0 : 1;
