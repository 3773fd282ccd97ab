import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { expectAxeFindsNothing, expectToFit, expectToFitNarrow } from './look.js';
import {
  downloaded,
  expect,
  giveFile,
  madeUp,
  sampleFile,
  sampleText,
  expectStill,
  takeMovement,
  test,
  watchContext,
  watchMovement,
  withPackage,
  type Watch,
} from './support.js';

/** Three sites of the sample, two of which have all the noise together. */
const SITES = ['site-01.csv', 'site-02.csv', 'site-03.csv'];
/** The words on who may collude, the same on all pages of the session. */
const TERMS =
  'This holds if all 3 sites are honest and the analyst and the helper never share files: no participant, real or made up, may collude with the analyst or with others, and a sum has at least 2 of the 3 releases.';

const FEDERATION = { mode: 'split', sites: 3, honest: 3, dropouts: 1 };

function studyFile(federation: object = FEDERATION) {
  const study = JSON.parse(sampleText('study.json')) as object;
  return madeUp('study.json', JSON.stringify({ ...study, federation }));
}

/** People at separate computers, who share nothing but the files they send each other. */
class People {
  constructor(
    readonly browser: Browser,
    readonly site: string,
    readonly watch: Watch,
    readonly folder: string,
  ) {}

  async sitDown(): Promise<Page> {
    const context = await this.browser.newContext({ acceptDownloads: true });
    await watchContext(context, this.site, this.watch);
    const page = await context.newPage();
    await watchMovement(page);
    return page;
  }

  async save(page: Page, button: string): Promise<string> {
    const file = await downloaded(page, button);
    const path = join(this.folder, file.suggestedFilename());
    await file.saveAs(path);
    return path;
  }

  /** A helper with keys: their link, and their six words. */
  async helper(): Promise<{ page: Page; link: string; words: string }> {
    const page = await this.sitDown();
    await page.goto(`${this.site}help.html`);
    await page.getByRole('button', { name: 'Make keys' }).click();
    const link = await page.getByLabel('Link with your public keys').inputValue();
    const words = (await page.locator('pm-session-helper .six').textContent()) ?? '';
    return { page, link, words: words.trim() };
  }

  /** An analyst with a session: its links. */
  async analyst(keys: string): Promise<{ page: Page; participant: string; helper: string }> {
    const page = await this.sitDown();
    await page.goto(`${this.site}analyse.html`);
    await page.setInputFiles('pm-analysis input[type=file]', studyFile());
    await page.getByLabel('The helper’s keys').fill(keys);
    await page.getByRole('button', { name: 'Start the session' }).click();
    const value = (label: string) => page.getByLabel(label).inputValue();
    return {
      page,
      participant: await value('Participant link'),
      helper: await value('Helper link'),
    };
  }

  /** From the session link to the two files, saved: for analyst and helper. */
  async takePart(link: string, file: string): Promise<{ page: Page; files: [string, string] }> {
    const page = await this.sitDown();
    await page.goto(link);
    await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
    await giveFile(page, sampleFile(file));
    await page.getByRole('button', { name: 'Make it private' }).click();
    await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
    return { page, files: await this.saveBoth(page) };
  }

  async saveBoth(page: Page): Promise<[string, string]> {
    return [
      await this.save(page, 'Save the analyst’s file'),
      await this.save(page, 'Save the helper’s file'),
    ];
  }
}

const peopleTest = test.extend<{ people: People }>({
  people: async ({ browser, site, watch }, use, info) => {
    const people = new People(browser, site, watch, info.outputPath());
    await use(people);
    for (const context of browser.contexts()) await context.close();
  },
});

const give = async (page: Page, files: string[]): Promise<void> => {
  await page.setInputFiles('pm-drop-zone input[type=file]', files);
};

/** Checks one state of a page: accessibility, and that nothing has moved by itself since the last check. */
const expectToLookRight = async (page: Page, state: string): Promise<void> => {
  await expectStill(page, state);
  await expectAxeFindsNothing(page, state);
  await expectToFitNarrow(page, state);
  await expectToFit(page, 1280);
  await takeMovement(page);
};

peopleTest(
  'three sites, an analyst and a helper come to a sum by files alone, and to no other',
  async ({ people }) => {
    test.setTimeout(300_000);
    const helper = await people.helper();
    expect(helper.words.split(' ')).toHaveLength(6);
    await expectToLookRight(helper.page, 'Help, keys');
    const analyst = await people.analyst(helper.link);
    await expect(analyst.page.getByText(helper.words)).toBeVisible();

    // The first site makes its files, opens the link again, and gets the same files.
    const first = await people.takePart(analyst.participant, SITES[0] ?? '');
    await expect(first.page.getByText(helper.words)).toBeVisible();
    await expect(first.page.getByText('Share files. They could read your sums')).toBeVisible();
    await expect(first.page.locator('pm-participate').getByText(TERMS).first()).toBeVisible();
    const [sumsFile, seedsFile] = first.files.map((file) => basename(file));
    const end = (to: string): string => `-site-[0-9a-f]{8}-[0-9a-f]{8}-${to}-[0-9a-f]{8}\\.pmr$`;
    expect(sumsFile).toMatch(new RegExp(`^[a-z0-9-]+-3-masked-sums${end('analyst')}`));
    expect(seedsFile).toMatch(new RegExp(`^[a-z0-9-]+-3-mask-seeds${end('helper')}`));
    for (const file of first.files) {
      const row = first.page.getByRole('listitem').filter({ hasText: basename(file) });
      const size = new Intl.NumberFormat('en').format(statSync(file).size);
      await expect(row).toContainText(`${size} bytes`);
    }
    const before = first.files.map((file) => readFileSync(file));
    await expectToLookRight(first.page, 'Take part, session, done');
    await first.page.reload();
    await expect(first.page.getByText('You took part in this session on')).toBeVisible();
    await expectToLookRight(first.page, 'Take part, session, done before');
    expect(await people.saveBoth(first.page)).toEqual(first.files);
    expect(first.files.map((file) => readFileSync(file))).toEqual(before);
    await first.page.getByRole('button', { name: 'Open ledger' }).first().click();
    await expect(first.page.getByRole('button', { name: /^Take out entry/ })).toHaveCount(1);

    const second = await people.takePart(analyst.participant, SITES[1] ?? '');
    const third = await people.takePart(analyst.participant, SITES[2] ?? '');
    const sites = [first, second, third];
    const releases = sites.map(({ files }) => files[0]);
    const seeds = sites.map(({ files }) => files[1]);

    // Files for the helper are refused by the analyst, who still has two of three after a reload.
    await give(analyst.page, [...releases.slice(0, 2), seeds[2] ?? '']);
    await expect(analyst.page.getByText('2 of up to 3 releases received.')).toBeVisible();
    await expect(analyst.page.getByText('The file is for somebody else: helper.')).toBeVisible();
    await expectToLookRight(analyst.page, 'Analyse, session, two of three');
    const put = await kept(analyst.page);
    await analyst.page.reload();
    await expect(analyst.page.getByText('2 of up to 3 releases received.')).toBeVisible();
    await give(analyst.page, [releases[2] ?? '', releases[0] ?? '']);
    await expect(analyst.page.getByText('3 of up to 3 releases received.')).toBeVisible();
    await expect(analyst.page.getByText('already added')).toBeVisible();
    await analyst.page.getByRole('button', { name: 'Close and ask the helper' }).click();
    const request = await people.save(analyst.page, 'Save the request');
    await expectToLookRight(analyst.page, 'Analyse, session, asked');

    // The helper may wait for a seed that is still missing; the others survive a reload.
    await helper.page.goto(analyst.helper);
    await give(helper.page, [request, ...seeds.slice(0, 2)]);
    await expect(
      helper.page.getByText('asks about 3 releases. You have 2 of their seeds.'),
    ).toBeVisible();
    await expectToLookRight(helper.page, 'Help, asked');
    await helper.page.getByRole('button', { name: 'Not now' }).click();
    await helper.page.reload();
    await expect(helper.page.getByText('2 seeds received')).toBeVisible();
    await give(helper.page, [seeds[2] ?? '', request]);
    await helper.page.getByRole('button', { name: 'Answer with the sum of 3' }).click();
    const answer = await people.save(helper.page, 'Save the answer');

    await hearResult(analyst.page);
    await give(analyst.page, [answer]);
    await expect(
      analyst.page.getByRole('heading', { name: 'Canonical correlations' }),
    ).toBeVisible();
    await expect(analyst.page.getByText('The sum of 3 releases is unmasked.')).toBeVisible();
    const sum = await heard(analyst.page);
    await expectAsPromised(people.browser, sum);
    await analyst.page.reload();
    await expect(
      analyst.page.getByRole('heading', { name: 'Canonical correlations' }),
    ).toBeVisible();

    // An analyst that restores an earlier state asks about two of the three.
    await putBack(analyst.page, put);
    await analyst.page.reload();
    await analyst.page.getByRole('button', { name: 'Close and ask the helper' }).click();
    const other = await people.save(analyst.page, 'Save the request');
    // A reload of a scrolled page would show its footer first, so this opens the page again.
    await helper.page.goto('about:blank');
    await helper.page.goto(analyst.helper);
    await give(helper.page, [other]);
    await expect(
      helper.page.getByText('asked about a second set, and the request was refused'),
    ).toBeVisible();
    await expectToLookRight(helper.page, 'Help, asked about others');
    await helper.page.reload();
    const proof = await people.save(helper.page, 'Save the second request');
    expect(readFileSync(proof)).toEqual(readFileSync(other));
    // The first request still gets the same answer.
    expect(readFileSync(await people.save(helper.page, 'Save the answer'))).toEqual(
      readFileSync(answer),
    );
  },
);

peopleTest(
  'with too few seeds nothing is unmasked, and the analyst asks again',
  async ({ people }) => {
    test.setTimeout(180_000);
    const helper = await people.helper();
    const analyst = await people.analyst(helper.link);
    const one = await people.takePart(analyst.participant, SITES[0] ?? '');
    const two = await people.takePart(analyst.participant, SITES[1] ?? '');
    await give(analyst.page, [one.files[0]]);
    const close = analyst.page.getByRole('button', { name: 'Close and ask the helper' });
    await expect(analyst.page.getByText('You can close with 2 releases or more.')).toBeVisible();
    await expect(close).toBeDisabled();
    await give(analyst.page, [two.files[0]]);
    await close.click();
    const request = await people.save(analyst.page, 'Save the request');

    await helper.page.goto(analyst.helper);
    await give(helper.page, [one.files[1], request]);
    await helper.page.getByRole('button', { name: 'Tell the analyst' }).click();
    const short = await people.save(helper.page, 'Save the answer');
    await give(analyst.page, [short]);
    await expect(analyst.page.getByText('The helper has too few seeds.')).toBeVisible();
    await close.click();
    const again = await people.save(analyst.page, 'Save the request');
    await give(helper.page, [two.files[1], again]);
    await helper.page.getByRole('button', { name: 'Answer with the sum of 2' }).click();
    const answer = await people.save(helper.page, 'Save the answer');
    await give(analyst.page, [answer]);
    await expect(
      analyst.page.getByRole('heading', { name: 'Canonical correlations' }),
    ).toBeVisible();
  },
);

peopleTest(
  'an aborted session ends everywhere, and another attempt is another session',
  async ({ people }) => {
    const helper = await people.helper();
    const analyst = await people.analyst(helper.link);
    const one = await people.takePart(analyst.participant, SITES[0] ?? '');
    await helper.page.goto(analyst.helper);
    await give(helper.page, [one.files[1]]);
    await expect(helper.page.getByText('1 seed received')).toBeVisible();

    await analyst.page.getByRole('button', { name: 'Abort this session' }).click();
    await analyst.page.getByRole('button', { name: 'Abort it' }).click();
    const end = await people.save(analyst.page, 'Save the notice');
    await expectToLookRight(analyst.page, 'Analyse, session, aborted');
    await give(helper.page, [end]);
    await expect(helper.page.getByText('All seeds are deleted.')).toBeVisible();

    // The helper's keys stay the same, with the same words.
    await expect(analyst.page.getByLabel('The helper’s keys')).toHaveValue(helper.link);
    await expect(analyst.page.getByText(helper.words)).toBeVisible();
    await analyst.page.getByRole('button', { name: 'Start the session' }).click();
    await expect(analyst.page.getByRole('heading', { name: 'Hand out attempt 2' })).toBeVisible();
    const next = await analyst.page.getByLabel('Participant link').inputValue();
    await give(analyst.page, [one.files[0]]);
    await expect(analyst.page.getByText('another session or to another attempt')).toBeVisible();

    // The ledger recognises the data, and says what a second release costs.
    await one.page.goto('about:blank');
    await one.page.goto(next);
    await expect(one.page.getByRole('heading', { name: 'Your file' })).toBeVisible();
    await giveFile(one.page, sampleFile(SITES[0] ?? ''));
    await expect(one.page.getByText('was released once before')).toBeVisible();
  },
);

peopleTest(
  'keys come back from their backup, and then somebody has to vouch',
  async ({ people }) => {
    const helper = await people.helper();
    const backup = await people.save(helper.page, 'Backup with the secret halves');
    const elsewhere = await people.sitDown();
    await elsewhere.goto(`${people.site}help.html`);
    await elsewhere.setInputFiles('pm-session-helper input[type=file]', sampleFile('study.json'));
    await expect(elsewhere.getByRole('alert')).toBeVisible();
    await elsewhere.setInputFiles('pm-session-helper input[type=file]', backup);
    await expect(elsewhere.getByText(helper.words)).toBeVisible();

    const analyst = await people.analyst(helper.link);
    const parts = [
      await people.takePart(analyst.participant, SITES[0] ?? ''),
      await people.takePart(analyst.participant, SITES[1] ?? ''),
    ];
    await give(
      analyst.page,
      parts.map(({ files }) => files[0]),
    );
    await analyst.page.getByRole('button', { name: 'Close and ask the helper' }).click();
    const request = await people.save(analyst.page, 'Save the request');
    await elsewhere.goto(analyst.helper);
    await give(elsewhere, [request, ...parts.map(({ files }) => files[1])]);
    const answer = elsewhere.getByRole('button', { name: 'Answer with the sum of 2' });
    await expect(answer).toBeDisabled();
    await elsewhere.getByLabel('These keys were restored from a backup.').check();
    await answer.click();
    await expect(elsewhere.getByRole('button', { name: 'Save the answer' })).toBeVisible();
  },
);

peopleTest(
  'a study alone opens no session, and links of other sessions say which page to use',
  async ({ people }) => {
    const page = await people.sitDown();
    await page.goto(people.site);
    await page.setInputFiles('pm-participate input[type=file]', studyFile());
    await expect(
      page.getByText('This link is for the analyst. Ask the analyst for the participant link.'),
    ).toBeVisible();
    await page.setInputFiles(
      'pm-participate input[type=file]',
      studyFile({ mode: 'ring', sites: 4, honest: 2 }),
    );
    await expect(page.getByText('with private-moments/federation and a relay')).toBeVisible();
  },
);

peopleTest('two tabs of one browser take one part together', async ({ people }) => {
  const helper = await people.helper();
  const { participant } = await people.analyst(helper.link);
  const one = await people.sitDown();
  const tabs = [one, await one.context().newPage()];
  for (const tab of tabs) {
    await tab.goto(participant);
    await expect(tab.getByRole('heading', { name: 'Your file' })).toBeVisible();
    await giveFile(tab, sampleFile(SITES[0] ?? ''));
    await expect(tab.getByRole('button', { name: 'Make it private' })).toBeVisible();
  }
  await Promise.all(
    tabs.map((tab) =>
      tab.evaluate(() => {
        const room = document.querySelector('pm-participate')?.shadowRoot;
        const buttons = [...(room?.querySelectorAll('button') ?? [])];
        buttons.find(({ textContent }) => textContent.trim() === 'Make it private')?.click();
      }),
    ),
  );
  const names: string[][] = [];
  for (const tab of tabs) {
    await expect(tab.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
    names.push(await tab.locator('pm-session-leaves .handed .mono').allTextContents());
  }
  expect(names[0]).toHaveLength(2);
  expect(names[1]).toEqual(names[0]);
  await one.getByRole('button', { name: 'Open ledger' }).first().click();
  await expect(one.getByRole('button', { name: /^Take out entry/ })).toHaveCount(1);
});

peopleTest('a key link fills in the keys, and the rest works by keyboard', async ({ people }) => {
  const helper = await people.helper();
  const page = await people.sitDown();
  await page.goto(helper.link);
  await page.setInputFiles('pm-analysis input[type=file]', studyFile());
  await expect(page.getByText(helper.words)).toBeVisible();
  const begin = page.getByRole('button', { name: 'Start the session' });
  await begin.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Hand out the session' })).toBeFocused();
});

peopleTest(
  'a part that another tab made from another file is shown as such',
  async ({ people }) => {
    const helper = await people.helper();
    const { participant } = await people.analyst(helper.link);
    const one = await people.sitDown();
    const two = await one.context().newPage();
    for (const [tab, file] of [
      [one, SITES[0] ?? ''],
      [two, SITES[1] ?? ''],
    ] as const) {
      await tab.goto(participant);
      await expect(tab.getByRole('heading', { name: 'Your file' })).toBeVisible();
      await giveFile(tab, sampleFile(file));
    }
    for (const tab of [one, two]) {
      await tab.getByRole('button', { name: 'Make it private' }).click();
      await expect(tab.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
    }
    // Once the part is made, the matching can no longer change.
    await expect(one.getByText('Done in')).toBeVisible();
    await expect(one.getByLabel('Column in your file for age')).toBeDisabled();
    await expect(two.getByText(`You took part in this session on`)).toContainText(SITES[0] ?? '');
    await expect(two.getByText('Done in')).toBeHidden();
    await expect(two.getByText(SITES[1] ?? '')).toBeHidden();
  },
);

// Saves the state of the analyst's browser, to act as an analyst that undoes what it did.

async function kept(page: Page): Promise<[string, unknown][]> {
  return page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('private-moments-sessions', 1);
      opening.onsuccess = () => {
        resolve(opening.result);
      };
    });
    const store = database.transaction('roles').objectStore('roles');
    const ask = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve) => {
        request.onsuccess = () => {
          resolve(request.result);
        };
      });
    const [keys, values] = await Promise.all([ask(store.getAllKeys()), ask(store.getAll())]);
    database.close();
    return keys.map((key, i): [string, unknown] => [key as string, values[i]]);
  });
}

async function putBack(page: Page, all: [string, unknown][]): Promise<void> {
  await page.evaluate(async (entries) => {
    const database = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('private-moments-sessions', 1);
      opening.onsuccess = () => {
        resolve(opening.result);
      };
    });
    const transaction = database.transaction('roles', 'readwrite');
    for (const [key, value] of entries) transaction.objectStore('roles').put(value, key);
    await new Promise((resolve) => {
      transaction.oncomplete = resolve;
    });
    database.close();
  }, all);
}

interface Sum {
  values: number[];
  noise: { releases: number; sdDiagonal: number; sdOffDiagonal: number; sdLinear: number };
}

/** The detail of the page's result event. */
async function hearResult(page: Page): Promise<void> {
  await page.evaluate(() => {
    document.addEventListener('pm-result', (event) => {
      const { secondMoments, noise } = (
        (event as CustomEvent).detail as {
          result: { moments: { secondMoments: { values: number[] }; noise: object } };
        }
      ).result.moments;
      const { values } = secondMoments;
      Object.assign(globalThis, { heard: { values: [...values], noise: structuredClone(noise) } });
    });
  });
}

function heard(page: Page): Promise<Sum> {
  return page.evaluate(() => (globalThis as unknown as { heard: Sum }).heard);
}

/** Checks that the sum is that of all rows, plus noise of the stated distribution. */
async function expectAsPromised(browser: Browser, { values, noise }: Sum): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  const [header = ''] = sampleText(SITES[0] ?? '').split('\n');
  const rows = SITES.map((name) => sampleText(name).trim().split('\n').slice(1).join('\n'));
  const input = { definition: studyFile().buffer.toString(), text: [header, ...rows].join('\n') };
  const exact = await withPackage(page, (built) =>
    built.evaluate(async ({ main, research }, { definition, text }) => {
      const study = main.defineStudy(JSON.parse(definition) as never);
      const { secondMoments } = await research.exactMoments(study, new Blob([text]));
      return [...secondMoments.values];
    }, input),
  );
  expect(noise.releases).toBe(3);
  const size = Math.sqrt(exact.length);
  const scores = exact.map((value, at) => {
    const [i, j] = [Math.floor(at / size), at % size];
    const sd = i === j ? noise.sdDiagonal : i * j === 0 ? noise.sdLinear : noise.sdOffDiagonal;
    return i + j === 0 || j < i ? 0 : ((values[at] ?? NaN) - value) / sd;
  });
  const n = (size * (size + 1)) / 2 - 1;
  // 65 standard normal numbers: each beyond 6, or their mean square outside, less often than 1e-6.
  expect(Math.max(...scores.map(Math.abs))).toBeLessThan(6);
  const meanSquare = scores.reduce((sum, score) => sum + score ** 2, 0) / n;
  expect(meanSquare).toBeGreaterThan(0.3);
  expect(meanSquare).toBeLessThan(2.2);
}

/** Delays the session of the page until the returned function is called. */
async function hold(page: Page, role: string): Promise<() => Promise<void>> {
  await page.evaluate(
    (name) =>
      new Promise<void>((held) => {
        void navigator.locks.request(`private-moments-sessions ${name}`, () => {
          held();
          return new Promise<void>((letGo) => {
            Object.assign(globalThis, { letGo });
          });
        });
      }),
    role,
  );
  return () =>
    page.evaluate(async () => {
      (globalThis as unknown as { letGo: () => void }).letGo();
      // Leaves enough time for anything that must not appear.
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
}

async function openInstead(page: Page, element: string, study: string): Promise<void> {
  await page.evaluate(
    ([name, source]) => {
      Object.assign(document.querySelector(name) ?? {}, { study: source });
    },
    [element, study] as const,
  );
}

peopleTest(
  'late results of one session are not shown after another was opened',
  async ({ people }) => {
    const helper = await people.helper();
    const analyst = await people.analyst(helper.link);
    const one = await people.takePart(analyst.participant, SITES[0] ?? '');
    const collector = (await kept(analyst.page))[0]?.[0] ?? '';
    const first = studyFile().buffer.toString();
    const second = studyFile({ ...FEDERATION, sites: 4 }).buffer.toString();

    const letAnalyst = await hold(analyst.page, collector);
    await analyst.page.getByRole('button', { name: 'Abort this session' }).click();
    await analyst.page.getByRole('button', { name: 'Abort it' }).click();
    await openInstead(analyst.page, 'pm-analysis', second);
    const begin = analyst.page.getByRole('heading', { name: 'Start a session' });
    await expect(begin).toBeVisible();
    await letAnalyst();
    await expect(begin).toBeVisible();
    await openInstead(analyst.page, 'pm-analysis', first);
    await expect(analyst.page.getByText('has ended without a result')).toBeVisible();
    await analyst.page.getByRole('button', { name: 'Start the session' }).click();
    const next = await analyst.page.getByLabel('Helper link').inputValue();

    await helper.page.goto(analyst.helper);
    await expect(helper.page.getByText('0 seeds received')).toBeVisible();
    const letHelper = await hold(helper.page, collector.replace('collector', 'helper'));
    await give(helper.page, one.files);
    await openInstead(helper.page, 'pm-session-helper', next);
    await expect(helper.page.getByText('attempt 2')).toBeVisible();
    await letHelper();
    await expect(helper.page.getByText('attempt 2')).toBeVisible();
    await expect(helper.page.getByText('0 seeds received')).toBeVisible();
    // The file for the analyst was refused in the session before.
    await expect(helper.page.getByText('The file is for somebody else')).toBeHidden();
  },
);

peopleTest('a late refusal in one session is not shown in another', async ({ people }) => {
  const helper = await people.helper();
  const analyst = await people.analyst(helper.link);
  const { files } = await people.takePart(analyst.participant, SITES[0] ?? '');
  const collector = (await kept(analyst.page))[0]?.[0] ?? '';
  const first = studyFile().buffer.toString();
  const second = studyFile({ ...FEDERATION, sites: 4 }).buffer.toString();
  const sites = (count: number) => analyst.page.getByText(`0 of up to ${count} releases received.`);

  await openInstead(analyst.page, 'pm-analysis', second);
  await analyst.page.getByRole('button', { name: 'Start the session' }).click();
  await expect(sites(4)).toBeVisible();
  await openInstead(analyst.page, 'pm-analysis', first);
  await expect(sites(3)).toBeVisible();
  const letAnalyst = await hold(analyst.page, collector);
  await give(analyst.page, [files[1]]);
  await openInstead(analyst.page, 'pm-analysis', second);
  await expect(sites(4)).toBeVisible();
  await letAnalyst();
  await expect(sites(4)).toBeVisible();
  await expect(analyst.page.getByText('The file is for somebody else')).toBeHidden();
  // The file is accepted in its own session.
  await give(analyst.page, [files[1]]);
  await expect(analyst.page.getByText('another session')).toBeVisible();
});

/** Makes saving the session fail from the second time on, after the part has been made. */
async function forgetful(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, value: unknown, key) {
      const { notes } = value as { notes?: unknown };
      if (this.name === 'roles' && notes !== null) throw new DOMException('full', 'QuotaExceeded');
      return put.call(this, value, key);
    };
    Object.assign(globalThis, {
      remember: () => {
        IDBObjectStore.prototype.put = put;
      },
    });
  });
  return () =>
    page.evaluate(() => {
      (globalThis as unknown as { remember: () => void }).remember();
    });
}

peopleTest(
  'a part that fails after it was made is reported to have cost its budget, and is made again as another',
  async ({ people }) => {
    const helper = await people.helper();
    const { participant } = await people.analyst(helper.link);
    const page = await people.sitDown();
    await page.goto(participant);
    await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
    await giveFile(page, sampleFile(SITES[0] ?? ''));
    const remember = await forgetful(page);
    await page.getByRole('button', { name: 'Make it private' }).click();
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(
      'Nothing left this computer, but the ledger counts the attempt.',
    );
    await expect(alert).toContainText('Entry 1 had been written to the ledger');
    await expect(page.getByText('No release was made')).toBeHidden();
    await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeHidden();
    await remember();
    await page.getByRole('button', { name: 'Make it private again' }).click();
    await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
    await expect(page.getByText(/Written to the ledger in this browser on/)).toContainText(
      'Entry 2.',
    );
    await expect(alert).toBeHidden();
  },
);
