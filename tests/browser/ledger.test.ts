import type { BrowserContext, Page } from '@playwright/test';
import {
  downloadRelease,
  entriesIn,
  expect,
  giveFile,
  madeUp,
  makeRelease,
  neverConfirmed,
  openStudy,
  sampleFile,
  sampleText,
  saved,
  test,
  testOffline,
  setBudgetInPage,
} from './support.js';

const FILE = sampleFile('site-01.csv');

/** Makes this many releases of the same file. */
async function makeReleases(page: Page, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn++) {
    await makeRelease(page, FILE);
    await page.getByRole('button', { name: 'Choose another file' }).first().click();
  }
}

async function openLedger(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open ledger' }).first().click();
  await expect(page.getByRole('dialog', { name: 'Ledger' })).toBeVisible();
}

async function setBudget(page: Page, epsilon: string): Promise<void> {
  await openLedger(page);
  await page.getByRole('textbox', { name: 'Epsilon' }).fill(epsilon);
  await page.getByRole('button', { name: 'Set the budget' }).click();
  await expect(page.getByText(`may cost ε ${epsilon} together`)).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
}

test('a release is in the ledger before it can be saved, and the budget bar shows it', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  await makeRelease(page, FILE);
  await expect(page.getByText(/Written to the ledger in this browser on/)).toContainText(
    'Entry 1.',
  );
  await expect(page.getByRole('img', { name: 'epsilon 1 of 3 used, at delta 10⁻⁶' })).toBeVisible();
  await expect(page.getByText('2 of 3 left')).toBeVisible();
  await openLedger(page);
  await expect(page.getByRole('heading', { name: 'site-01.csv' })).toBeVisible();
});

test('the same data again, under another name and in another order, come with a warning', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  await makeReleases(page, 1);
  const [header = '', ...rows] = sampleText('site-01.csv').trim().split('\n');
  await giveFile(page, madeUp('sorted.csv', [header, ...rows.sort()].join('\n')));
  const warning = page.getByRole('status').filter({ hasText: 'was released once before' });
  await expect(warning).toContainText(
    'uses ε 0.46 more of your 3. Sending the first one again is free.',
  );
  await page.getByRole('button', { name: 'Make it private again' }).click();
  await expect(page.getByText('ε 1.46 used')).toBeVisible();

  await page.getByRole('button', { name: 'Choose another file' }).click();
  await giveFile(page, sampleFile('site-02.csv'));
  await expect(page.getByRole('button', { name: 'Make it private', exact: true })).toBeVisible();
  await expect(warning).toBeHidden();
});

test('a spent budget refuses, and an earlier release is sent again to the byte', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  await makeRelease(page, FILE);
  const first = await saved(page, 'Download release');
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await setBudget(page, '1');
  await giveFile(page, FILE);
  await expect(page.getByText('This data set has no privacy budget left.')).toBeVisible();
  await expect(page.getByRole('button', { name: /Make it private/ })).toBeHidden();

  await page.getByRole('button', { name: 'Send an earlier release again' }).click();
  await expect(page.getByText('Sending it again costs nothing.')).toBeVisible();
  expect(await saved(page, 'Download release')).toBe(first);
  expect(await entriesIn(page)).toBe(1);
});

test('a larger budget, set while the file is open, makes room', async ({ page, site }) => {
  await openStudy(page, site);
  await makeReleases(page, 1);
  await setBudget(page, '1');
  await giveFile(page, FILE);
  await expect(page.getByText('This data set has no privacy budget left.')).toBeVisible();
  await setBudget(page, '2');
  await expect(page.getByRole('button', { name: 'Make it private again' })).toBeVisible();
});

test('an entry is taken out with a reason, which stays', async ({ page, site }) => {
  await openStudy(page, site);
  await makeReleases(page, 1);
  await openLedger(page);
  await page.getByRole('button', { name: 'Take out entry 1' }).click();
  await page.getByLabel('Why does entry 1 not count?').fill('never sent');
  await page.getByRole('button', { name: 'Take it out' }).click();
  await expect(page.getByRole('cell', { name: 'never sent' })).toBeVisible();
  await page.keyboard.press('Escape');
  await giveFile(page, FILE);
  await expect(page.getByRole('button', { name: 'Make it private', exact: true })).toBeVisible();
});

test('a record has no secret; the whole ledger is added in another browser', async ({
  page,
  site,
  browser,
}) => {
  await openStudy(page, site);
  await makeReleases(page, 1);
  await openLedger(page);
  expect(await saved(page, 'Save a record')).not.toContain('"secret"');
  const whole = await saved(page, 'Save the whole ledger');

  const other = await browser.newContext();
  const there = await other.newPage();
  await openStudy(there, site);
  await makeRelease(there, sampleFile('site-02.csv'));
  await openLedger(there);
  await there.setInputFiles('pm-ledger input[type=file]', madeUp('ledger.json', whole));
  await expect(there.getByRole('heading', { name: 'site-01.csv' })).toBeVisible();
  await there.getByRole('button', { name: 'Close' }).click();
  await there.getByRole('button', { name: 'Choose another file' }).click();
  await giveFile(there, FILE);
  await expect(there.getByText('was released once before')).toBeVisible();
  await other.close();
});

test('a reload keeps the study and the ledger but not the data', async ({ page, site }) => {
  await openStudy(page, site);
  await makeRelease(page, FILE);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('People and work, 1994 census');
  await expect(page.getByText('Drop a file here')).toBeVisible();
  await expect(page.getByText('1 release of 1 data set')).toBeVisible();
  await page.getByRole('button', { name: 'Show it again' }).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
});

test('two tabs cannot both spend the last of a budget', async ({ context, page, site }) => {
  await openStudy(page, site);
  await makeReleases(page, 1);
  await setBudget(page, '1.5');
  const tabs = [await newTab(context, site), await newTab(context, site)];
  for (const tab of tabs) {
    await giveFile(tab, FILE);
    await expect(tab.getByRole('button', { name: 'Make it private again' })).toBeVisible();
  }
  await Promise.all(
    tabs.map((tab) => tab.getByRole('button', { name: 'Make it private again' }).click()),
  );
  const made = (tab: Page) => tab.getByRole('heading', { name: 'What leaves this computer' });
  const refused = (tab: Page) => tab.getByText('too little privacy budget left');
  for (const tab of tabs) await expect(made(tab).or(refused(tab))).toBeVisible();
  const outcomes = await Promise.all(tabs.map((tab) => made(tab).isVisible()));
  expect(outcomes.filter(Boolean)).toHaveLength(1);
  expect(await entriesIn(page)).toBe(2);
});

async function newTab(context: BrowserContext, site: string): Promise<Page> {
  const tab = await context.newPage();
  await openStudy(tab, site);
  return tab;
}

test('a release in another tab is shown before a second one is made from the same data', async ({
  context,
  page,
  site,
}) => {
  const tab = await context.newPage();
  for (const each of [page, tab]) {
    await openStudy(each, site);
    await giveFile(each, FILE);
    await expect(each.getByRole('button', { name: 'Make it private' })).toBeVisible();
  }
  await tab.getByRole('button', { name: 'Make it private' }).click();
  await expect(tab.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.getByText('This data set was released once before.')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeHidden();
  expect(await entriesIn(page)).toBe(1);
  await page.getByRole('button', { name: 'Make it private again' }).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
  expect(await entriesIn(page)).toBe(2);
});

testOffline(
  'the network is switched off after the first visit, and everything works',
  async ({ context, page, site }) => {
    await page.goto(site);
    await expect(page.getByText('works offline')).toBeVisible();
    await context.setOffline(true);
    await page.reload();
    await page.getByRole('button', { name: 'I have a link' }).click();
    await expect(page.getByText('Drop the study file here')).toBeVisible();
    await giveFile(page, sampleFile('study.json'));
    await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
    await makeRelease(page, FILE);
    await page.getByRole('button', { name: /^Your rows stay|^Rows stay/ }).click();
    await expect(page.getByText('offline now')).toBeVisible();
    await page.reload();
    await expect(page.getByText('1 release of 1 data set')).toBeVisible();
  },
);

test('nothing is released if the browser stores nothing, and the page says so', async ({
  page,
  site,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(globalThis, 'indexedDB', { value: undefined });
  });
  await openStudy(page, site);
  await giveFile(page, FILE);
  await expect(page.getByRole('alert')).toContainText('This browser cannot keep a ledger here.');
  await expect(page.getByRole('button', { name: /Make it private/ })).toBeHidden();
});

test('a release is shown even if the ledger can no longer be read', async ({ page, site }) => {
  await openStudy(page, site);
  await giveFile(page, FILE);
  await expect(page.getByRole('button', { name: 'Make it private' })).toBeVisible();
  await page.evaluate(() => {
    const { ledger } = document.querySelector('pm-participate') as unknown as { ledger: object };
    const fails = () => Promise.reject(new Error('not read'));
    Object.assign(ledger, { dataSets: fails, budget: fails });
  });
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
  await expect(page.getByText('No release was made')).toBeHidden();
  expect(await entriesIn(page)).toBe(1);
  expect((await downloadRelease(page)).suggestedFilename()).toMatch(
    /^people-and-work-1994-census-[0-9a-f]{8}\.release\.json$/,
  );
});

test('a release that fails after its ledger entry is reported to have cost its budget', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  await setBudgetInPage(page, 1.2);
  await giveFile(page, FILE);
  const make = page.getByRole('button', { name: 'Make it private' });
  await expect(make).toBeVisible();
  await neverConfirmed(page);
  await make.click();
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(
    'Nothing left this computer, but the ledger counts the attempt.',
  );
  await expect(alert).toContainText('The ledger could not be written a second time');
  await expect(alert).toContainText('Entry 1 had been written to the ledger');
  await expect(page.getByText('No release was made')).toBeHidden();
  // The notice beside it says that the rest of the budget is too small for another release.
  await expect(page.getByText('too little privacy budget left')).toBeVisible();
  await expect(make).toBeHidden();
  expect(await entriesIn(page)).toBe(1);

  await openLedger(page);
  await page.getByRole('button', { name: 'Take out entry 1' }).click();
  await page.getByLabel('Why does entry 1 not count?').fill('never left');
  await page.getByRole('button', { name: 'Take it out' }).click();
  await expect(page.getByRole('cell', { name: 'never left' })).toBeVisible();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(alert).toContainText('No release was made. Nothing left this computer.');
  await expect(make).toBeVisible();
});

test('the page leaves open whether a failed release counts if the ledger cannot be read', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  await giveFile(page, FILE);
  const make = page.getByRole('button', { name: 'Make it private' });
  await expect(make).toBeVisible();
  await neverConfirmed(page);
  await page.evaluate(() => {
    const { ledger } = document.querySelector('pm-participate') as unknown as { ledger: object };
    Object.assign(ledger, { entries: () => Promise.reject(new Error('not read')) });
  });
  await make.click();
  await expect(page.getByRole('alert')).toContainText('the ledger may count the attempt');
  await expect(page.getByText('No release was made')).toBeHidden();
});

/** Delays the ledger while a release is made, until the test continues. */
async function holdMaking(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const { ledger } = document.querySelector('pm-participate') as unknown as {
      ledger: { gate(...asked: unknown[]): Promise<unknown> };
    };
    const gate = ledger.gate.bind(ledger);
    const held = new Promise<void>((letGo) => {
      Object.assign(globalThis, { letGo });
    });
    ledger.gate = async (...asked) => {
      await held;
      return gate(...asked);
    };
  });
  return () =>
    page.evaluate(() => {
      (globalThis as unknown as { letGo: () => void }).letGo();
    });
}

async function tellOfChange(page: Page): Promise<void> {
  await page.evaluate(() => {
    const room = document.querySelector('pm-participate')?.shadowRoot;
    room?.querySelector('pm-ledger')?.dispatchEvent(new CustomEvent('pm-ledger-changed'));
  });
}

for (const end of ['made', 'stopped'] as const) {
  test(`a ledger change during a release waits until the release is ${end}`, async ({
    page,
    site,
  }) => {
    await openStudy(page, site);
    await giveFile(page, FILE);
    const letGo = await holdMaking(page);
    await page.getByRole('button', { name: 'Make it private' }).click();
    const cancel = page.getByRole('button', { name: 'Cancel' });
    await expect(cancel).toBeVisible();
    await setBudgetInPage(page, end === 'made' ? 1.1 : 0.5);
    await tellOfChange(page);
    // Leaves enough time for anything that the change would have started immediately.
    await expect(cancel).toBeVisible();
    if (end === 'stopped') await cancel.click();
    await letGo();
    if (end === 'made') {
      await expect(page.getByRole('img', { name: /^epsilon 1 of 1.1 used/ })).toBeVisible();
    } else {
      await expect(page.getByText('needs more than the privacy budget')).toBeVisible();
    }
    expect(await entriesIn(page)).toBe(end === 'made' ? 1 : 0);
  });
}

test('an unreadable saved release does not stop its study from opening', async ({ page, site }) => {
  await openStudy(page, site);
  await makeRelease(page, FILE);
  await page.evaluate(async () => {
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => {
          resolve(request.result);
        };
      });
    const database = await ask(indexedDB.open('private-moments-releases', 1));
    const store = database.transaction('releases', 'readwrite').objectStore('releases');
    for (const id of await ask(store.getAllKeys())) await ask(store.put('{"torn', id));
    database.close();
  });
  await page.reload();
  await expect(page.getByText('1 release of 1 data set')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show it again' })).toBeHidden();
});
