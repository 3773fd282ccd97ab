import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, type Host } from '../browser/server.js';
import { sampleTable } from './data-files.js';
import { engines, inTab } from './engines.js';
import { give, makeRelease, open, press, see } from './page.js';

const site = fileURLToPath(new URL('../../dist/site/', import.meta.url));
const study = { name: 'study.json', bytes: readFileSync(join(site, 'sample/study.json')) };

/** The saved copy has tests of its own. */
const isPage = (name: string): boolean => name.endsWith('.html') && name !== 'private-moments.html';
/** The pages, and four of the documentation: its first, one with formulas, declarations and diagrams each. */
const PAGES = [
  ...readdirSync(site).filter(isPage),
  'docs/index.html',
  'docs/noise.html',
  'docs/api/analysing.html',
  'docs/federation.html',
];

/** Runs before all other scripts of a page: notes what goes wrong. */
const NOTING = `const noted = [];
addEventListener('error', ({ message, target }) => {
  // A figure that follows its width is drawn again in the next frame, as this says.
  if (!/^ResizeObserver loop/.test(message)) noted.push(String(message ?? target?.src ?? target?.href));
}, true);
addEventListener('unhandledrejection', ({ reason }) => noted.push(String(reason)));
addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  noted.push(violatedDirective + ' ' + blockedURI));
for (const level of ['error', 'warn']) {
  const original = console[level];
  console[level] = (...words) => { noted.push(words.join(' ')); original.apply(console, words); };
}
globalThis.noted = noted;
`;

interface Seen {
  /** What went wrong. */
  noted: string[];
  /** Elements that show nothing. */
  empty: string[];
  heading: string;
}

const folder = mkdtempSync(join(tmpdir(), 'site-'));
let host: Host;

beforeAll(async () => {
  cpSync(site, folder, { recursive: true });
  writeFileSync(join(folder, 'noting.js'), NOTING);
  for (const page of PAGES) {
    const path = join(folder, page);
    const script = join(relative(dirname(path), folder), 'noting.js');
    const html = readFileSync(path, 'utf8');
    writeFileSync(path, html.replace('<head>', `<head><script src="${script}"></script>`));
  }
  host = await serve(folder);
});

afterAll(async () => {
  await host.close();
  rmSync(folder, { recursive: true });
});

/** Chromium's are in tests/browser. */
const others = Object.entries(engines).filter(([name]) => name !== 'Chromium');

describe.each(others)('in %s', (_, start) => {
  it('every page shows its content, and nothing goes wrong', () =>
    inTab(start, async (tab) => {
      for (const page of PAGES) {
        await tab.open(host.address + page);
        const seen = await tab.run(async (): Promise<Seen> => {
          const rooms = [...document.querySelectorAll('*')].filter(({ localName }) =>
            localName.startsWith('pm-'),
          );
          const isEmpty = ({ shadowRoot }: Element): boolean =>
            (shadowRoot?.textContent.trim() ?? '') === '';
          const headingIn = (root: ParentNode): HTMLElement | undefined =>
            [...root.querySelectorAll<HTMLElement>('*')]
              .map((element) =>
                element.matches('h1') && element.checkVisibility()
                  ? element
                  : element.shadowRoot && headingIn(element.shadowRoot),
              )
              .find((found) => found instanceof HTMLElement) ?? undefined;
          for (let left = 200; left > 0; left--) {
            if (!rooms.some(isEmpty) && headingIn(document) !== undefined) break;
            await new Promise((resolve) => setTimeout(resolve, 50));
          }
          // What is loaded when the page is idle may go wrong, too.
          await new Promise((resolve) => setTimeout(resolve, 700));
          return {
            noted: (globalThis as unknown as { noted: string[] }).noted,
            empty: rooms.filter(isEmpty).map(({ localName }) => localName),
            heading: headingIn(document)?.textContent.trim() ?? '',
          };
        }, null);
        expect(seen, page).toMatchObject({ noted: [], empty: [] });
        expect(seen.heading, page).not.toBe('');
      }
    }));

  it('the ledger remembers a release after the page was closed', () =>
    inTab(start, async (tab) => {
      const rows = sampleTable('site-01', 'csv');
      await open(tab, host.address);
      await give(tab, 'pm-participate', study);
      await see(tab, 'Drop a file here');
      await makeRelease(tab, rows);
      await open(tab, host.address);
      await give(tab, 'pm-participate', study);
      await give(tab, 'pm-participate', rows);
      await see(tab, /was released once before/);
      await press(tab, 'Open ledger');
      await see(tab, rows.name);
    }));

  it('a consortium is simulated and drawn', () =>
    inTab(start, async (tab) => {
      await open(tab, `${host.address}explore.html`);
      await see(tab, 'without privacy');
    }));

  it('a study from the sample gets a forecast', () =>
    inTab(start, async (tab) => {
      await open(tab, `${host.address}design.html`);
      await press(tab, 'Start from the sample');
      await see(tab, /^At ε = 1 the first/);
    }));
});
