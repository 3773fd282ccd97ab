import type { Page } from '@playwright/test';
import { entriesIn, expect, giveFile, openStudy, sampleFile, test } from './support.js';

const FILE = sampleFile('site-01.csv');

const released = (page: Page) => page.getByRole('heading', { name: 'What leaves this computer' });
const makeButton = (page: Page) => page.getByRole('button', { name: /^Make it private/ });

/** How a write to the browser's database fails. */
type Failure = 'the disk is full' | 'the transaction is aborted';

/**
 * Lets every write of this page fail from the given one on, until it is healed.
 * @param first 1 for the first write
 */
async function failWrites(page: Page, failure: Failure, first: number): Promise<void> {
  await page.evaluate(
    ([failure, first]) => {
      let writes = 0;
      // eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key) {
        if (++writes < first) return put.call(this, value, key);
        if (failure === 'the disk is full') throw new DOMException('full', 'QuotaExceededError');
        const request = put.call(this, value, key);
        this.transaction.abort();
        return request;
      };
      Object.assign(globalThis, {
        heal: () => {
          IDBObjectStore.prototype.put = put;
          return writes;
        },
      });
    },
    [failure, first] as const,
  );
}

/** @returns how many writes there were */
async function heal(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as { heal: () => number }).heal());
}

for (const failure of ['the disk is full', 'the transaction is aborted'] as const) {
  test(`if ${failure} at any write of a release, the page says so, and no release is missing in the ledger`, async ({
    browser,
    site,
  }) => {
    test.slow();
    let first = 0;
    for (let writes = 0; writes >= first;) {
      first++;
      const context = await browser.newContext();
      const page = await context.newPage();
      await openStudy(page, site);
      await failWrites(page, failure, first);
      await giveFile(page, FILE);
      const alert = page.getByRole('alert');
      await expect(makeButton(page).or(alert).first()).toBeVisible();
      if (await makeButton(page).isVisible()) {
        await makeButton(page).click();
        await expect(released(page).or(alert).first()).toBeVisible();
      }
      const isReleased = await released(page).isVisible();
      if (!isReleased) {
        await expect(alert.first()).toContainText(
          /cannot keep a ledger here|Nothing left this computer/,
        );
      }
      writes = await heal(page);
      const counted = await entriesIn(page);
      expect(counted, `write ${first}`).toBe(isReleased ? 1 : Math.min(counted, 1));
      // An attempt that counts is named as such.
      if (!isReleased && counted === 1) {
        await expect(alert.filter({ hasText: 'the ledger counts the attempt' })).toBeVisible();
      }

      await page.reload();
      await giveFile(page, FILE);
      await makeButton(page).click();
      await expect(released(page)).toBeVisible();
      expect(await entriesIn(page), `after write ${first}`).toBe(counted + 1);
      await context.close();
    }
    // The key of the ledger, the attempt, the release, and the copy of it that can be shown again.
    expect(first).toBeGreaterThanOrEqual(4);
  });
}

/** How browsers withhold storage: in private windows, with cookies blocked, in sandboxed frames. */
const withheld = {
  'the database cannot be opened': () => {
    IDBFactory.prototype.open = function () {
      const request = new EventTarget() as IDBOpenDBRequest;
      Object.defineProperty(request, 'error', {
        value: new DOMException('private', 'InvalidStateError'),
      });
      setTimeout(() => {
        request.onerror?.call(request, new Event('error'));
      });
      return request;
    };
  },
  'opening the database throws': () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('denied', 'SecurityError');
    };
  },
  'all storage is denied': () => {
    for (const name of ['indexedDB', 'localStorage', 'sessionStorage', 'caches']) {
      Object.defineProperty(globalThis, name, {
        get(): unknown {
          throw new DOMException('denied', 'SecurityError');
        },
      });
    }
  },
  'another version of the database is there': () => {
    const open = indexedDB.open.bind(indexedDB);
    IDBFactory.prototype.open = (name) => {
      open(name, 2).onsuccess = ({ target }) => {
        (target as IDBOpenDBRequest).result.close();
      };
      return open(name, 1);
    };
  },
};

for (const [how, deny] of Object.entries(withheld)) {
  test(`nothing is released if ${how}, and the page says so`, async ({ page, site }) => {
    await page.addInitScript(deny);
    await openStudy(page, site);
    await giveFile(page, FILE);
    await expect(page.getByRole('alert')).toContainText('This browser cannot keep a ledger here.');
    await expect(makeButton(page)).toBeHidden();
  });
}

test('site data that are cleared in another tab do not block, and the next release starts a new ledger', async ({
  context,
  page,
  site,
}) => {
  await openStudy(page, site);
  await giveFile(page, FILE);
  await makeButton(page).click();
  await expect(released(page)).toBeVisible();
  const other = await context.newPage();
  await other.goto(site);
  const cleared = await other.evaluate(
    () =>
      new Promise<string>((resolve) => {
        const request = indexedDB.deleteDatabase('private-moments');
        request.onsuccess = () => {
          resolve('cleared');
        };
        request.onblocked = () => {
          resolve('blocked');
        };
      }),
  );
  expect(cleared).toBe('cleared');
  await page.getByRole('button', { name: 'Choose another file' }).first().click();
  await giveFile(page, FILE);
  await makeButton(page).click();
  await expect(released(page)).toBeVisible();
  expect(await entriesIn(page)).toBe(1);
});
