import type { Page } from '@playwright/test';
import { found, TELLTALE_FILES, TELLTALE_STUDY } from '../package/data/telltales.js';
import {
  downloadRelease,
  expect,
  giveFile,
  madeUp,
  openStudy,
  sampleText,
  test,
} from './support.js';

/** Files of every way to end: a release, an error of the file, one of a row, one of a cell. */
const FILES = [
  'cells in order',
  'a text in a column of numbers',
  'a level that the study has not',
  'too many fields',
  'a quote that is not closed',
  'no header',
  'nothing that can be read',
];

/** Everything that outlives the file on this page or leaves the page: as texts and numbers. */
async function traces(page: Page): Promise<unknown> {
  return page.evaluate(async () => {
    const plain = (value: unknown): unknown => {
      if (value instanceof ArrayBuffer) return new TextDecoder('latin1').decode(value);
      if (ArrayBuffer.isView(value)) return [...(value as Float64Array), plain(value.buffer)];
      if (Array.isArray(value)) return value.map(plain);
      if (typeof value !== 'object' || value === null) return value;
      return Object.entries(value).map((entry) => plain(entry));
    };
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => {
          resolve(request.result);
        };
        request.onerror = () => {
          reject(new Error('not read'));
        };
      });
    const stored: unknown[] = [];
    for (const { name = '' } of await indexedDB.databases()) {
      const database = await ask(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const objects = database.transaction(store).objectStore(store);
        stored.push(name, await ask(objects.getAllKeys()), await ask(objects.getAll()));
      }
      database.close();
    }
    const cached = [];
    for (const key of await caches.keys()) {
      const requests = await (await caches.open(key)).keys();
      cached.push(...requests.map(({ url }) => url));
    }
    return plain({
      stored,
      cached,
      kept: [Object.entries(localStorage), Object.entries(sessionStorage)],
      place: [document.title, location.href, history.length, history.state],
    });
  });
}

test('no cell of a file is in an error, a log, a title, an address, the name of a release or anything stored', async ({
  page,
  site,
}) => {
  test.slow();
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  const { format } = JSON.parse(sampleText('study.json')) as { format: string };
  const study = madeUp('study.json', JSON.stringify({ format, ...TELLTALE_STUDY }));
  await openStudy(page, site, study);
  let releases = 0;
  for (const name of FILES) {
    const alert = page.getByRole('alert');
    const make = page.getByRole('button', { name: /^Make it (private|anyway)/ });
    const question = page.getByRole('button', { name: 'It holds names' });
    const released = page.getByRole('heading', { name: 'What leaves this computer' });
    await giveFile(page, madeUp('rows.csv', TELLTALE_FILES[name] ?? ''));
    await expect(make.or(alert).or(question).first()).toBeVisible();
    if (await make.isVisible()) {
      await make.click();
      await expect(released.or(alert).first()).toBeVisible();
    }
    if (await released.isVisible()) {
      releases++;
      const download = await downloadRelease(page);
      expect(found([download.suggestedFilename(), download.url()]), name).toEqual([]);
    }
    expect(found([await traces(page), await alert.allInnerTexts(), logged]), name).toEqual([]);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  }
  expect(releases).toBeGreaterThan(0);
  expect(releases).toBeLessThan(FILES.length);
});
