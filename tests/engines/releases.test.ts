import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineStudy, privatize } from 'private-moments';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve, type Host } from '../browser/server.js';
import { sampleTable } from './data-files.js';
import { engines } from './engines.js';
import type { Tab } from './tab.js';
import { give, makeRelease, open, see, type InputFile } from './page.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const sample = (name: string): Buffer => readFileSync(`${dist}site/sample/${name}`);
const study = { name: 'study.json', bytes: sample('study.json') };

interface Released {
  rows: number;
  values: number[];
}

/** So little noise that one row more or less is far outside it: the next row would be worth over 1e8. */
const clear = defineStudy({
  ...(JSON.parse(sample('study.json').toString()) as ReturnType<
    ReturnType<typeof defineStudy>['toJSON']
  >),
  privacy: { epsilon: 1e12, delta: 1e-6 },
  // A private centre may be rounded either way.
  clipping: 'fixed',
});
const FAR = 1e6;

/** The policy that the guide requires of a page. */
const [, POLICY] = /`(script-src 'self' [^`]*)`/.exec(readFileSync('docs/api.md', 'utf8')) ?? [];

/** A bundled page that uses the package in `main`, under a policy. */
async function bundledPage(policy: string): Promise<Host> {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const page = `<!doctype html>
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; ${policy}" />
    <title>A page of one's own</title>
    <script type="module" src="./main.js"></script>`;
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(
    join(folder, 'main.js'),
    `import * as main from 'private-moments'; Object.assign(globalThis, { main });`,
  );
  await build({
    root: folder,
    base: './',
    logLevel: 'error',
    // As bundlers get it.
    resolve: { alias: { 'private-moments': `${dist}modules/index.js` } },
    worker: { format: 'es' },
    build: { outDir: join(folder, 'built'), target: 'es2022' },
  });
  const host = await serve(join(folder, 'built'));
  return {
    address: host.address,
    close: async () => {
      await host.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The contents of a release of a file, or the code and message of the error. */
async function releaseOf(tab: Tab, bytes: Uint8Array): Promise<Released | string> {
  return tab.run(
    async ([definition, base64]): Promise<Released | string> => {
      const page = globalThis as unknown as { main?: typeof import('private-moments') };
      while (page.main === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
      const { parseStudy, privatize } = page.main;
      const file = new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))]);
      try {
        const { rows, values } = await privatize(parseStudy(definition), file);
        return { rows: rows ?? NaN, values: Array.from(values) };
      } catch (error) {
        return String(error);
      }
    },
    [JSON.stringify(clear), Buffer.from(bytes).toString('base64')] as const,
  );
}

let own: Host;
let strict: Host;

beforeAll(async () => {
  if (POLICY === undefined) throw new Error('docs/api.md states no policy');
  own = await bundledPage(POLICY);
  strict = await bundledPage(POLICY.replace(' blob:', ''));
});

afterAll(async () => {
  await own.close();
  await strict.close();
});

describe.each(Object.entries(engines))('in %s', (_, start) => {
  let tab: Tab;

  beforeAll(async () => {
    tab = await start();
  });

  afterAll(() => tab.close());

  it('files of every kind become releases that are analysed, then again without the network', async () => {
    const host = await serve(`${dist}site/`);
    await open(tab, host.address);
    await give(tab, 'pm-participate', study);
    await see(tab, 'Drop a file here');
    const releases: InputFile[] = [];
    const make = async (file: InputFile): Promise<void> => {
      const json = await makeRelease(tab, file);
      expect((JSON.parse(json) as Released).rows, file.name).toBeGreaterThan(4800);
      releases.push({ name: `${file.name}.release.json`, bytes: Buffer.from(json) });
    };
    await make(sampleTable('site-01', 'csv'));
    await make(sampleTable('site-02', 'parquet'));
    await make(sampleTable('site-03', 'arrow'));
    await make(sampleTable('site-04', 'csv'));
    await open(tab, `${host.address}analyse.html`);
    await give(tab, 'pm-analysis', study, ...releases);
    await see(tab, 'All 4 belong to this study and are intact. Six of the 10 sites are missing.');
    await see(tab, 'Canonical correlations');

    await see(tab, /works offline/);
    await tab.run(async () => {
      const { active } = await navigator.serviceWorker.ready;
      while (active?.state !== 'activated') await new Promise((resolve) => setTimeout(resolve, 20));
    }, null);
    await host.close();
    await open(tab, host.address);
    await give(tab, 'pm-participate', study);
    await see(tab, 'Drop a file here');
    await make(sampleTable('site-05', 'parquet'));
  });

  it('a bundled page makes the same sums as Node from each kind of file, up to the noise', async () => {
    const csv = sampleTable('site-01', 'csv');
    const expected = await privatize(clear, new Blob([new Uint8Array(csv.bytes)]));
    await tab.open(own.address);
    for (const format of ['parquet', 'arrow', 'csv'] as const) {
      const released = await releaseOf(tab, sampleTable('site-01', format).bytes);
      if (typeof released === 'string') throw new Error(`${format}: ${released}`);
      expect(released.rows, format).toBe(expected.rows);
      expect(released.values).toHaveLength(expected.values.length);
      const distances = released.values.map((value, i) =>
        Math.abs(value - (expected.values[i] ?? NaN)),
      );
      expect(Math.max(...distances), format).toBeLessThan(FAR);
    }
  });

  it('a page whose policy forbids workers from a blob gets an error that says so', async () => {
    await tab.open(strict.address);
    const said = await releaseOf(tab, sampleTable('site-01', 'csv').bytes);
    expect(said).toMatch(/worker could not be started.*worker-src blob:/);
  });
});
