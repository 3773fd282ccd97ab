import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { serve, type Host } from '../browser/server.js';
import { engines, inTab } from './engines.js';
import type { Tab } from './tab.js';
import { collectReports, hostileWorker, reportOf } from './hostile.js';
import { give, open, see } from './page.js';
import { startRecorder, type Recorder } from './recorder.js';

const site = fileURLToPath(new URL('../../dist/site/', import.meta.url));
const study = { name: 'study.json', bytes: readFileSync(join(site, 'sample/study.json')) };
const rows = { name: 'rows.csv', bytes: readFileSync(join(site, 'sample/site-01.csv')) };
const firstRows = rows.bytes.toString().slice(0, 40);

/** The site, with hostile code in the worker that gets the rows. */
interface HostileSite extends Host {
  worker: string;
  /** The requests that it got from the worker. */
  got: string[];
}

async function serveHostile(elsewhere: string): Promise<HostileSite> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  cpSync(site, folder, { recursive: true });
  const got: string[] = [];
  const hear = ({ url = '' }: IncomingMessage): void => {
    if (/\/own-|rows=/.test(url)) got.push(url);
  };
  const host = await serve(folder, hear);
  const names = readdirSync(join(folder, 'assets')).filter((name) =>
    /^worker-[\w-]{8}\.js$/.test(name),
  );
  expect(names, 'the worker that makes releases').toHaveLength(1);
  const worker = `assets/${names[0] ?? ''}`;
  writeFileSync(join(folder, worker), hostileWorker(elsewhere, `${host.address}own-`));
  return {
    address: host.address,
    worker: `${host.address}${worker}`,
    got,
    close: async () => {
      await host.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Starts a worker from its address and gives it rows, as code in a page can; waits until it has answered or failed. */
async function startByAddress(tab: Tab, address: string): Promise<string> {
  return tab.run(
    ([url, csv]) =>
      new Promise<string>((resolve) => {
        try {
          const worker = new Worker(url, { type: 'module' });
          worker.onerror = () => {
            resolve('refused');
          };
          worker.postMessage({ call: 'run', id: 1, args: [{ source: { blob: new Blob([csv]) } }] });
          setTimeout(resolve, 3000, 'started');
        } catch {
          resolve('refused');
        }
      }),
    [address, firstRows] as const,
  );
}

describe.each(Object.entries(engines))(
  'in %s, hostile code in the worker with the rows',
  (_, start) => {
    let elsewhere: Recorder;
    let host: HostileSite;

    beforeAll(async () => {
      elsewhere = await startRecorder();
    });

    beforeEach(async () => {
      host = await serveHostile(elsewhere.address);
    });

    afterEach(() => host.close());

    afterAll(() => elsewhere.close());

    it('sends them nowhere, not even to its own server', () =>
      inTab(start, async (tab) => {
        elsewhere.forget();
        await open(tab, host.address);
        await collectReports(tab);
        await give(tab, 'pm-participate', study);
        await see(tab, 'Drop a file here');
        await give(tab, 'pm-participate', rows);
        const { rows: taken, tried } = await reportOf(tab);
        expect(taken, 'it has the rows').toBe(firstRows);
        expect(Object.keys(tried)).toEqual(expect.arrayContaining(['import', 'own-import']));
        expect(elsewhere.arrived(), JSON.stringify(tried)).toEqual([]);
        expect(host.got, JSON.stringify(tried)).toEqual([]);
      }));

    it('gets out of a page without a policy, which shows that these tests would notice', () =>
      inTab(start, async (tab) => {
        elsewhere.forget();
        await tab.open(`${host.address}licences.txt`);
        expect(await startByAddress(tab, host.worker)).toBe('started');
        expect(elsewhere.arrived()).toEqual(
          expect.arrayContaining([
            'connection',
            'fetch',
            'xhr',
            'websocket',
            'eventsource',
            'import',
          ]),
        );
        expect(host.got.join(' ')).toMatch(/own-fetch.*own-xhr|own-xhr.*own-fetch/s);
      }));

    it('cannot be started from its address, where the policy would not apply', () =>
      inTab(start, async (tab) => {
        elsewhere.forget();
        await open(tab, host.address);
        expect(await startByAddress(tab, host.worker)).toBe('refused');
        expect(elsewhere.arrived()).toEqual([]);
      }));
  },
);
