import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  test as base,
  expect,
  type BrowserContext,
  type Download,
  type JSHandle,
  type Locator,
  type Page,
} from '@playwright/test';
import { serve } from './server.js';

export const siteFolder = fileURLToPath(new URL('../../dist/site/', import.meta.url));

export interface Watch {
  /** Requests to other origins, and requests that could carry anything. */
  strayed: string[];
  /** Violations of the content policy, console errors and uncaught errors. */
  complaints: string[];
}

/**
 * Every test gets the built site on a server of its own, and fails if the page asked for anything but
 * a file of the site, broke its content policy, or threw.
 */
export const test = base.extend<{ watch: Watch }, { site: string }>({
  site: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures here
    async ({}, use) => {
      const host = await serve(siteFolder);
      await use(host.address);
      await host.close();
    },
    { scope: 'worker' },
  ],
  watch: [
    async ({ context, site }, use) => {
      const watch: Watch = { strayed: [], complaints: [] };
      await watchContext(context, site, watch);
      await use(watch);
      expect(watch.strayed, 'requests for anything but a file of the site').toEqual([]);
      expect(watch.complaints, 'policy violations and errors').toEqual([]);
    },
    { auto: true },
  ],
});

/** The same with the service worker of the site, which other tests go without. */
export const testOffline = test.extend({ serviceWorkers: 'allow' });

export { expect };

/** Records requests of a context for anything but files of the site, and the problems of its pages. */
export async function watchContext(
  context: BrowserContext,
  site: string,
  watch: Watch,
): Promise<void> {
  const files = new Set(['', ...listFiles(siteFolder)].map((file) => `${site}${file}`));
  context.on('request', (request) => {
    const url = request.url();
    const isFile = files.has(url.replace(/#.*$/, '')) && request.method() === 'GET';
    if (!isFile && !/^(?:blob|data):/.test(url)) watch.strayed.push(url);
  });
  await hearComplaints(context, watch.complaints);
}

/** Records violations of a content policy, console errors and uncaught errors in a context. */
export async function hearComplaints(context: BrowserContext, complaints: string[]): Promise<void> {
  context.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  context.on('weberror', (error) => {
    complaints.push(error.error().message);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  );
}

/** A file made up for a test, as Playwright hands it to a page. */
export function madeUp(name: string, content: string | Uint8Array) {
  return { name, mimeType: 'text/plain', buffer: Buffer.from(content) };
}

/** A path, or a file made up for a test. */
export type InputFile = string | ReturnType<typeof madeUp>;

/** Path of a file of the built sample: study.json, site-01.csv to site-10.csv. */
export function sampleFile(name: string): string {
  return join(siteFolder, 'sample', name);
}

export function sampleText(name: string): string {
  return readFileSync(sampleFile(name), 'utf8');
}

/** The path of a file of equal rows, 22 MB unless said otherwise, so that reading takes long enough to be seen. */
export function longFile(rows = 1_000_000): string {
  const [header = '', row = ''] = sampleText('site-01.csv').split('\n');
  const path = test.info().outputPath('long.csv');
  writeFileSync(path, `${header}\n${`${row}\n`.repeat(rows)}`);
  return path;
}

/** The sample study with another mechanism, delta 0 unless said otherwise, as a file made up for a test. */
export function studyWith(mechanism: { name: string; [option: string]: unknown }, delta = 0) {
  const study = JSON.parse(sampleText('study.json')) as Record<string, unknown>;
  return madeUp(
    'study.json',
    JSON.stringify({ ...study, privacy: { epsilon: 1, delta }, mechanism }),
  );
}

/** The built packages themselves, as a page without a bundler loads them. */
export interface Built {
  main: typeof import('private-moments');
  research: typeof import('private-moments-research');
}

/** Where the imports of private-moments-research lead such a page. */
const IMPORTS = {
  'private-moments': './index.js',
  'private-moments/internal': './internal.js',
  'private-moments/internal/core': './internal-core.js',
};

/** Loads the built packages into an empty page, for as long as `work` takes. */
export async function withPackage<Result>(
  page: Page,
  work: (built: JSHandle<Built>) => Promise<Result>,
): Promise<Result> {
  const host = await serve(fileURLToPath(new URL('../../dist/', import.meta.url)));
  try {
    await page.route(`${host.address}empty.html`, (route) => {
      const map = JSON.stringify({ imports: IMPORTS });
      const body = `<!doctype html><script type="importmap">${map}</script>`;
      return route.fulfill({ contentType: 'text/html', body });
    });
    await page.route(`${host.address}research/*`, (route) => {
      const name = basename(new URL(route.request().url()).pathname);
      const folder = new URL('../../web/research/dist/', import.meta.url);
      return route.fulfill({ path: fileURLToPath(new URL(name, folder)) });
    });
    await page.goto(`${host.address}empty.html`);
    const built = await page.evaluateHandle(
      async (address) => ({
        main: (await import(`${address}index.js`)) as Built['main'],
        research: (await import(`${address}research/index.js`)) as Built['research'],
      }),
      host.address,
    );
    return await work(built);
  } finally {
    await host.close();
  }
}

/** Opens Take part with a study file, by default the sample. */
export async function openStudy(
  page: Page,
  site: string,
  study: InputFile = sampleFile('study.json'),
): Promise<void> {
  await page.goto(site);
  await page.setInputFiles('pm-participate input[type=file]', study);
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
}

export async function giveFile(page: Page, file: InputFile): Promise<void> {
  await page.setInputFiles('pm-participate input[type=file]', file);
  await answerPerson(page);
}

/** Says that one row is one person, if the open study asks: no release is made before. */
export async function answerPerson(page: Page): Promise<void> {
  const yes = page.getByLabel('Yes, every person has one row');
  if (await yes.isVisible()) await yes.check();
}

/** Makes a release of a file, and waits for the panel that shows it. */
export async function makeRelease(page: Page, file: InputFile): Promise<void> {
  await giveFile(page, file);
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
}

/** The file that a button downloads. */
export async function downloaded(within: Page | Locator, name: string | RegExp): Promise<Download> {
  const page = 'page' in within ? within.page() : within;
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    within.getByRole('button', { name }).click(),
  ]);
  return download;
}

/** The text of the file that a button downloads. */
export async function saved(within: Page | Locator, name: string | RegExp): Promise<string> {
  return readFileSync(await (await downloaded(within, name)).path(), 'utf8');
}

export function downloadRelease(page: Page): Promise<Download> {
  return downloaded(page, 'Download release');
}

/** How many entries the ledger of an open Take part has. */
export async function entriesIn(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const room = document.querySelector('pm-participate') as unknown as {
      ledger: { entries(): Promise<unknown[]> };
    };
    return (await room.ledger.entries()).length;
  });
}

/** Sets the budget of every data set in the ledger of an open Take part. */
export async function setBudgetInPage(page: Page, epsilon: number): Promise<void> {
  await page.evaluate(async (epsilon) => {
    const room = document.querySelector('pm-participate') as unknown as {
      ledger: { budget(budget: object): Promise<unknown> };
    };
    await room.ledger.budget({ epsilon, delta: 1e-6 });
  }, epsilon);
}

/** Makes the ledger unable to confirm a release. */
export async function neverConfirmed(page: Page): Promise<void> {
  await page.evaluate(() => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key) {
      const isMade = typeof value === 'string' && value.includes('"state":"made"');
      if (isMade) throw new DOMException('full', 'QuotaExceededError');
      return put.call(this, value, key);
    };
  });
}

/** Saves a release of the file into the test's own folder and returns its path. */
export async function savedRelease(page: Page, file: InputFile, folder: string): Promise<string> {
  await makeRelease(page, file);
  const name = basename(typeof file === 'string' ? file : file.name).replace(/\.[^.]*$/, '');
  return saveShown(page, folder, `${name}.release.json`);
}

/** Saves the release on the page, which then accepts another file. */
export async function saveShown(page: Page, folder: string, name?: string): Promise<string> {
  const download = await downloadRelease(page);
  const path = join(folder, name ?? download.suggestedFilename());
  await download.saveAs(path);
  await page.getByRole('button', { name: 'Choose another file' }).click();
  return path;
}

/** All text on the page, including shadow roots and attributes. */
export async function everythingOn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const read = (node: Node): string => {
      if (node instanceof Element && node.matches('style, script')) return '';
      const attributes =
        node instanceof Element ? [...node.attributes].map(({ value }) => value).join(' ') : '';
      const shadow = node instanceof Element && node.shadowRoot ? read(node.shadowRoot) : '';
      const own = node.nodeType === Node.TEXT_NODE ? (node.textContent ?? '') : '';
      return [own, attributes, shadow, ...[...node.childNodes].map(read)].join(' ');
    };
    return read(document.body);
  });
}

/** A layout shift: its score, and what moved from where to where. */
interface Movement {
  value: number;
  moved: string[];
}

/** Records what moves by itself on the pages that `page` opens from now on, for `expectStill`. */
export async function watchMovement(page: Page): Promise<void> {
  await page.addInitScript(() => {
    interface Shift extends PerformanceEntry {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[];
    }
    let shifts: Movement[] = [];
    const add = (entries: PerformanceEntryList): void => {
      for (const { value, hadRecentInput, sources } of entries as Shift[]) {
        if (hadRecentInput) continue;
        const moved = sources.map(
          ({ node, previousRect: from, currentRect: to }) =>
            `${node?.nodeName ?? 'something'} ${(node?.textContent ?? '').trim().slice(0, 40)}` +
            ` from (${from.x}, ${from.y}, ${from.height} high) to (${to.x}, ${to.y}, ${to.height} high)`,
        );
        shifts.push({ value, moved });
      }
    };
    const observer = new PerformanceObserver((list) => {
      add(list.getEntries());
    });
    observer.observe({ type: 'layout-shift', buffered: true });
    const takeMovement = async (): Promise<Movement[]> => {
      // Waits for pending rendering, so that its shifts are not counted for the next state.
      for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
      add(observer.takeRecords());
      const taken = shifts;
      shifts = [];
      return taken;
    };
    Object.assign(globalThis, { takeMovement });
  });
}

/** What moved by itself since the last call; nothing on pages that are not watched. */
export async function takeMovement(page: Page): Promise<Movement[]> {
  return page.evaluate(
    () =>
      (globalThis as unknown as { takeMovement?: () => Promise<Movement[]> }).takeMovement?.() ??
      [],
  );
}

/** Checks that nothing moved by itself since the last call; says what did. */
export async function expectStill(page: Page, state = 'the page'): Promise<void> {
  const shifts = await takeMovement(page);
  const moved = shifts.flatMap((shift) => shift.moved).join('\n');
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  expect(sum, `how far things moved by themselves: ${state}\n${moved}`).toBeLessThan(0.01);
}

/** Opens Design a study with the sample study in its form, and waits for the forecast. */
export async function designSample(page: Page, site: string): Promise<void> {
  await page.goto(`${site}design.html`);
  await page.getByRole('button', { name: 'Start from the sample' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'At ε = 1' })).toBeVisible();
}

/** Opens the row of a column in Design a study. */
export async function editColumn(page: Page, name: string): Promise<Locator> {
  await page.getByRole('button', { name: `Edit ${name}`, exact: true }).click();
  return page.getByRole('group', { name: `Column ${name}`, exact: true });
}

/** Opens the settings of Design a study that most studies leave as they are. */
export async function openAdvanced(page: Page): Promise<void> {
  await page.locator('summary').filter({ hasText: 'Advanced' }).click();
  await expect(page.getByLabel('Mechanism')).toBeVisible();
}

/** The parts of a release that tests read or change. */
export interface ReleaseText {
  study: string;
  rows: number;
  values: number[];
}

/** This number of releases, each with its own values, as if from that many sites. */
export function copies(release: ReleaseText, count: number) {
  return Array.from({ length: count }, (_, i) => {
    const [first = 0, ...rest] = release.values;
    const content = { ...release, values: [first + i, ...rest] };
    const text = canonicalize({ ...content, id: undefined }) ?? '';
    const id = createHash('sha256').update(text).digest('hex');
    return madeUp(`${String(i + 1).padStart(4, '0')}.json`, JSON.stringify({ ...content, id }));
  });
}

/** Adds files to the open analyse page, all at once. */
export async function addFiles(page: Page, ...files: InputFile[]): Promise<void> {
  const payloads = files.map((file) =>
    typeof file === 'string' ? madeUp(basename(file), readFileSync(file)) : file,
  );
  await page.setInputFiles('pm-analysis input[type=file][accept*=json]', payloads);
}

/** Opens Analyse with the sample, released and analysed. */
export async function useSample(page: Page, site: string): Promise<void> {
  await page.goto(`${site}analyse.html`);
  await page.getByRole('button', { name: 'Try the sample study' }).click();
  await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
}

/** Makes every file read slowly from now on, as from a slow disk. */
export async function slowDisk(page: Page): Promise<void> {
  await page.evaluate(() => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
    const read = Blob.prototype.text;
    Blob.prototype.text = async function (this: Blob) {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return read.call(this);
    };
  });
}

/**
 * Starts something, and acts from within the page on the first progress that is shown of it: presses a
 * button, or keeps the page as it is. Right after the drawing: nothing that is drawn passes unseen,
 * and nothing has to come through from here in time.
 */
export async function whenShown(
  element: Locator,
  /** The start of the progress label; `beyond` waits for a larger share, from 0 to 1. */
  progress: { label: string; beyond?: number },
  then: { press: 'Cancel' | 'Stop' } | 'stand still',
  start: () => Promise<void>,
): Promise<void> {
  const watching = await element.evaluateHandle(
    (room, [{ label, beyond = -1 }, act]) => {
      const root = room.shadowRoot;
      if (root === null) throw new Error(`${room.localName} has drawn nothing yet`);
      const done = new Promise<void>((resolve) => {
        const observer = new MutationObserver(() => {
          const bar = root.querySelector<HTMLProgressElement>('progress[aria-label]');
          if (bar?.getAttribute('aria-label')?.startsWith(label) !== true) return;
          if (bar.value <= beyond) return;
          if (act === 'stand still') {
            Object.assign(room, { scheduleUpdate: () => new Promise(() => undefined) });
          } else {
            const button = [...root.querySelectorAll('button')].find(
              ({ textContent }) => textContent.trim() === act.press,
            );
            if (button === undefined) return;
            button.click();
          }
          observer.disconnect();
          resolve();
        });
        observer.observe(root, { subtree: true, childList: true, attributes: true });
      });
      return { done };
    },
    [progress, then] as const,
  );
  await start();
  await watching.evaluate(({ done }) => done);
}

/** Sets two studies on an element one after another, and lets the first arrive last. */
export async function openTwo(page: Page, element: string): Promise<void> {
  await page.evaluate(
    async ([name, text]) => {
      const late = (title: string, ms: number): Blob => {
        const read = JSON.stringify({ ...(JSON.parse(text) as object), title });
        return Object.assign(new Blob(), {
          text: () => new Promise((resolve) => setTimeout(resolve, ms, read)),
        });
      };
      const host = document.querySelector<Element & { study: Blob; updateComplete: Promise<void> }>(
        name,
      );
      if (host === null) throw new Error(`no ${name}`);
      host.study = late('The first', 200);
      await host.updateComplete;
      host.study = late('The second', 0);
      await new Promise((resolve) => setTimeout(resolve, 400));
    },
    [element, sampleText('study.json')] as const,
  );
}
