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

interface Hearing extends Window {
  heard?: unknown[];
}

/**
 * Records what every worker sends to the page: as texts and numbers, bytes as both. In frames, too, as workers
 * that hold rows start in one.
 */
async function hearWorkers(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const numbers = (view: DataView): number[] => {
      const all: number[] = [];
      for (let at = 0; at + 4 <= view.byteLength; at++) {
        // At every place, noise would be one of the cells in one run of a million.
        if (at % 4 === 0) all.push(view.getFloat32(at, true));
        if (at + 8 <= view.byteLength) all.push(view.getFloat64(at, true));
      }
      return all;
    };
    const plain = (value: unknown): unknown => {
      if (typeof value === 'bigint') return String(value);
      if (typeof value !== 'object' || value === null) return value;
      if (value instanceof ArrayBuffer) {
        const bytes = new Uint8Array(value).slice();
        return [new TextDecoder('latin1').decode(bytes), numbers(new DataView(bytes.buffer))];
      }
      if (value instanceof DataView) return plain(value.buffer);
      if (ArrayBuffer.isView(value))
        return [[...(value as Int8Array)].map(plain), plain(value.buffer)];
      if (value instanceof Error)
        return [value.name, value.message, value.stack, plain(value.cause)];
      if (value instanceof Map || value instanceof Set) return [...value].map(plain);
      if (Array.isArray(value)) return value.map(plain);
      if (Object.getPrototypeOf(value) === Object.prototype)
        return Object.entries(value).map(plain);
      return `not searched: ${Object.prototype.toString.call(value)}`;
    };
    const heard = ((window.top as Hearing).heard ??= []);
    window.Worker = class extends Worker {
      constructor(...args: ConstructorParameters<typeof Worker>) {
        super(...args);
        // Before any other listener, which may hand buffers on.
        this.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
          heard.push(plain(data));
        });
      }
    };
  });
}

/** What workers have sent since the page was loaded. */
async function messagesOf(page: Page): Promise<unknown[]> {
  const messages = await page.evaluate(() => (window as Hearing).heard ?? []);
  expect(JSON.stringify(messages)).not.toContain('not searched');
  return messages;
}

function telltaleStudy() {
  const { format } = JSON.parse(sampleText('study.json')) as { format: string };
  return madeUp('study.json', JSON.stringify({ format, ...TELLTALE_STUDY }));
}

test('no cell of a file is in an error, a log, a title, an address, the name of a release, a message of a worker or anything stored', async ({
  page,
  site,
}) => {
  test.slow();
  const logged: string[] = [];
  page.on('console', (message) => logged.push(message.text()));
  await hearWorkers(page);
  await openStudy(page, site, telltaleStudy());
  let releases = 0;
  const unheard: string[] = [];
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
    const messages = await messagesOf(page);
    if (messages.length === 0) unheard.push(name);
    expect(found(messages), name).toEqual([]);
    expect(found([await traces(page), await alert.allInnerTexts(), logged]), name).toEqual([]);
    await page.reload();
    await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  }
  // The page itself sees that there is no header.
  expect(unheard).toEqual(['no header']);
  expect(releases).toBeGreaterThan(0);
  expect(releases).toBeLessThan(FILES.length);
});

test('a cell that the worker with the rows adds to its messages is found in every form', async ({
  page,
  site,
}) => {
  await hearWorkers(page);
  await page.route(/\/assets\/worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const script = await response.text();
    await route.fulfill({ response, body: `(${String(plant)})();${script}` });
  });
  await openStudy(page, site, telltaleStudy());
  await giveFile(page, madeUp('rows.csv', TELLTALE_FILES['cells in order'] ?? ''));
  await page.getByRole('button', { name: /^Make it (private|anyway)/ }).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
  expect(found(await messagesOf(page))).toEqual([
    '7319.44189453125',
    '7319.4421',
    '91827.364',
    'Hagebuttentee',
    'Quittengelee',
    'Zwetschgenkuchen',
  ]);
});

/** Runs in the worker, before its own script. */
function plant(): void {
  const post = self.postMessage.bind(self) as (message: object, ...rest: unknown[]) => void;
  const bytes = new DataView(new ArrayBuffer(20));
  bytes.setFloat64(3, 91827.364, true);
  const planted = [
    new Map([['text', 'Zwetschgenkuchen']]),
    new TextEncoder().encode('Quittengelee'),
    { Hagebuttentee: 1 },
    Float64Array.of(7319.4421),
    [Float32Array.of(7319.4421)],
    bytes.buffer,
  ];
  self.postMessage = (message: object, ...rest: unknown[]) => {
    post({ ...message, planted }, ...rest);
  };
}
