import { readFileSync } from 'node:fs';
import { Table, tableToIPC, vectorFromArray } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import { defineStudy, privatize } from 'private-moments';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serve } from '../browser/server.js';
import { engines, type Tab } from './engines.js';
import { give, makeRelease, open, press, see, type GivenFile } from './page.js';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const sample = (name: string): Buffer => readFileSync(`${dist}site/sample/${name}`);
const study = { name: 'study.json', bytes: sample('study.json') };

type Format = 'csv' | 'parquet' | 'arrow';

/** The rows of a site of the sample as a file of a format. */
function siteFile(site: string, format: Format): GivenFile {
  const text = sample(`${site}.csv`).toString();
  const name = `${site}.${format}`;
  const [names = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const columns = names.map((column, at) => ({
    name: column,
    isText: column === 'occupation',
    cells: rows.map((row) => row[at] ?? ''),
  }));
  switch (format) {
    case 'csv':
      return { name, bytes: Buffer.from(text) };
    case 'parquet': {
      const columnData = columns.map(({ name: column, isText, cells }) => ({
        name: column,
        data: isText ? cells : cells.map(Number),
        type: isText ? ('STRING' as const) : ('DOUBLE' as const),
      }));
      return { name, bytes: new Uint8Array(parquetWriteBuffer({ columnData })) };
    }
    case 'arrow': {
      const vectors = columns.map(({ name: column, isText, cells }) => [
        column,
        vectorFromArray(isText ? cells : cells.map(Number)),
      ]);
      return { name, bytes: tableToIPC(new Table(Object.fromEntries(vectors)), 'file') };
    }
  }
}

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
});
const FAR = 1e6;

/** As a page without a bundler loads it, into `main`. */
async function loadPackage(tab: Tab, address: string): Promise<void> {
  await tab.run(
    (entry) =>
      new Promise<void>((resolve) => {
        const script = document.createElement('script');
        script.type = 'module';
        script.textContent = `
          import * as main from ${JSON.stringify(entry)};
          Object.assign(globalThis, { main });
          dispatchEvent(new Event('loaded'));`;
        addEventListener('loaded', () => {
          resolve();
        });
        document.head.append(script);
      }),
    address,
  );
}

describe.each(Object.entries(engines))('in %s', (_, start) => {
  let tab: Tab;

  beforeAll(async () => {
    tab = await start();
  });

  afterAll(() => tab.close());

  it('files of every kind become releases, one after another, that are analysed; then without the network', async () => {
    const host = await serve(`${dist}site/`);
    await open(tab, host.address);
    await give(tab, 'pm-participate', study);
    await see(tab, 'Your file');
    const releases: GivenFile[] = [];
    const make = async (file: GivenFile): Promise<void> => {
      const json = await makeRelease(tab, file);
      expect((JSON.parse(json) as Released).rows, file.name).toBeGreaterThan(4800);
      releases.push({ name: `${file.name}.release.json`, bytes: Buffer.from(json) });
    };
    await make(siteFile('site-01', 'csv'));
    await make(siteFile('site-02', 'parquet'));
    await make(siteFile('site-03', 'arrow'));
    await make(siteFile('site-04', 'csv'));
    await open(tab, `${host.address}analyse.html`);
    await give(tab, 'pm-analysis', study, ...releases);
    await see(tab, 'All 4 belong to this study and are intact.');
    await see(tab, 'Canonical correlations');

    await see(tab, /works offline/);
    await host.close();
    await open(tab, host.address);
    await give(tab, 'pm-participate', study);
    await see(tab, 'Your file');
    await make(siteFile('site-05', 'parquet'));
  });

  it('the package makes the sums of Node of each kind of file, but for the noise', async () => {
    const csv = siteFile('site-01', 'csv');
    const expected = await privatize(clear, new Blob([new Uint8Array(csv.bytes)]));
    const host = await serve(dist);
    await tab.open(`${host.address}THIRD-PARTY.txt`);
    await loadPackage(tab, `${host.address}index.js`);
    for (const format of ['parquet', 'arrow', 'csv'] as const) {
      const base64 = Buffer.from(siteFile('site-01', format).bytes).toString('base64');
      const released = await tab.run(
        async ([definition, content]): Promise<Released> => {
          const { main } = globalThis as unknown as { main: typeof import('private-moments') };
          const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
          const made = await main.privatize(main.parseStudy(definition), new Blob([bytes]));
          return { rows: made.rows ?? NaN, values: Array.from(made.values) };
        },
        [JSON.stringify(clear), base64] as const,
      );
      expect(released.rows, format).toBe(expected.rows);
      expect(released.values).toHaveLength(expected.values.length);
      const distances = released.values.map((value, i) =>
        Math.abs(value - (expected.values[i] ?? NaN)),
      );
      expect(Math.max(...distances), format).toBeLessThan(FAR);
    }
    await host.close();
  });
});
