// Many studies one after another in a single tab of Chromium, each with its own file and a release in the
// browser's ledger. Nothing may grow but the ledger.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { serve } from '../../../web/cli/src/parts/static-server.mjs';

const DIST = fileURLToPath(new URL('../../../dist', import.meta.url));
const MEGABYTE = 2 ** 20;
/** Studies after which memory is measured for the first time: code is compiled and caches are filled by then. */
const WARM = 5;

/** Runs in the page: makes a release of a study and of a file that are both new. */
async function makeRelease({ address, number }) {
  const { createLedger, defineStudy, privatize } = await import(address);
  const study = defineStudy({
    title: `Study ${number}`,
    columns: ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'number', min: 0, max: 100 })),
    privacy: { epsilon: 1, delta: 1e-6 },
  });
  const row = (i) => [0, 1, 2, 3].map((j) => (i * 37 + j * 11 + number) % 101).join(',');
  const rows = Array.from({ length: 2000 }, (_, i) => row(i));
  const file = new File([['a,b,c,d', ...rows, ''].join('\n')], `${number}.csv`);
  const ledger = createLedger();
  const release = await privatize(study, file, { ledger });
  const url = URL.createObjectURL(release.toBlob());
  const sent = await (await fetch(url)).json();
  URL.revokeObjectURL(url);
  const { length } = await ledger.entries();
  return { values: sent.values.join(), entries: length, isWhole: sent.id === release.id };
}

/** Bytes in use: of the page's heap after garbage was collected, and of all processes of the browser's pages. */
async function memoryOf(page, session, browserSession) {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const { processInfo } = await browserSession.send('SystemInfo.getProcessInfo');
  const resident = processInfo
    .filter(({ type }) => type === 'renderer')
    .reduce((sum, { id }) => sum + residentOf(id), 0);
  return { heap: usedSize, resident, workers: page.workers().length };
}

function residentOf(pid) {
  try {
    return 4096 * Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  } catch {
    // Only Linux says it there.
    return 0;
  }
}

export const attack = {
  name: 'studies-in-a-tab',
  promise:
    'A tab makes any number of releases: its memory and its workers do not grow, each release is in the ledger, and no noise comes twice.',
  minutes: 4,
  async run({ quick, log }) {
    const studies = quick ? WARM + 3 : 500;
    const host = await serve({ '/': DIST });
    const browser = await chromium.launch({
      executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
      args: ['--no-sandbox'],
    });
    try {
      const page = await browser.newPage();
      await page.route('**/empty.html', (route) =>
        route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>Soak</title>' }),
      );
      await page.goto(new URL('empty.html', host.url).href);
      const session = await page.context().newCDPSession(page);
      const browserSession = await browser.newBrowserCDPSession();
      const address = new URL('index.js', host.url).href;
      const seen = new Set();
      const count = { studies, whole: 0, entries: 0, different: 0, workers: 0 };
      let first;
      let last;
      for (let number = 1; number <= studies; number++) {
        const made = await page.evaluate(makeRelease, { address, number });
        seen.add(made.values);
        if (made.isWhole) count.whole++;
        count.entries = made.entries;
        if (number !== WARM && number !== studies && number % 50 !== 0) continue;
        last = await memoryOf(page, session, browserSession);
        first ??= last;
        count.workers = Math.max(count.workers, last.workers);
        const megabytes = Math.round(last.resident / MEGABYTE);
        log(
          `${number} studies: heap ${last.heap}, resident ${megabytes} MB, ${last.workers} workers`,
        );
      }
      const grown = (key) => Math.round(((last[key] - first[key]) / MEGABYTE) * 10) / 10;
      return {
        ...count,
        different: seen.size,
        heapMegabytes: grown('heap'),
        residentMegabytes: grown('resident'),
      };
    } finally {
      await browser.close();
      await host.close();
    }
  },
  tried: (n) => `${n.studies} studies, each with a file of 2,000 rows, in one tab of Chromium`,
  found: (n) =>
    `${n.entries} entries in the ledger, ${n.different} different releases, at most ${n.workers} worker${n.workers === 1 ? '' : 's'}; after the fifth study the heap grew by ${n.heapMegabytes} MB, the tab's processes by ${n.residentMegabytes} MB`,
  holds: (n) =>
    [n.whole, n.entries, n.different].every((each) => each === n.studies) &&
    n.workers <= 2 &&
    // A ledger of 500 entries is read and written as one text of half a megabyte.
    n.heapMegabytes < 10 &&
    n.residentMegabytes < 100,
};
