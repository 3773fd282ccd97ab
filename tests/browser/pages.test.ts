import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Locator, Page } from '@playwright/test';
import { expectAxeFindsNothing, expectToFit, expectToFitNarrow, takeWidePictures } from './look.js';
import {
  addFiles,
  copies,
  designSample,
  editColumn,
  downloadRelease,
  expect,
  giveFile,
  longFile,
  madeUp,
  makeRelease,
  neverConfirmed,
  openAdvanced,
  openStudy,
  sampleFile,
  sampleText,
  saved,
  setBudgetInPage,
  siteFolder,
  slowDisk,
  studyWith,
  test,
  useSample,
  expectStill,
  takeMovement,
  watchMovement,
  whenShown,
  type ReleaseText,
} from './support.js';

// By far the longest file.
test.describe.configure({ mode: 'parallel' });

const reading = { label: 'Reading' };
const takePart = (page: Page): Locator => page.locator('pm-participate');
const analyse = (page: Page): Locator => page.locator('pm-analysis');

/** The sample study, some columns of which say what they are. */
function describedStudy() {
  const study = JSON.parse(sampleText('study.json')) as { columns: { name: string }[] };
  const words: Record<string, object> = {
    age: { label: 'Age at the last birthday', unit: 'years' },
    hours: { label: 'Work', unit: 'h/week', description: 'paid work only; from h/day: times 7' },
  };
  const columns = study.columns.map((column) => ({ ...column, ...words[column.name] }));
  return madeUp('study.json', JSON.stringify({ ...study, columns }));
}

type State = (page: Page, site: string) => Promise<void>;

const states = {
  'Landing page': async (page, site) => {
    await page.goto(site);
    await expect(page.getByRole('img', { name: /^Ten sites/ })).toBeVisible();
  },
  'Landing page, much noise': async (page, site) => {
    await page.goto(site);
    await page.getByRole('textbox', { name: 'Privacy, ε' }).fill('0.1');
    await expect(page.getByText('At ε = 0.1,')).toBeVisible();
  },
  'Landing page, with a link': async (page, site) => {
    await page.goto(site);
    await page.getByRole('button', { name: 'I have a link' }).click();
    await expect(page.getByText('Drop the study file here')).toBeVisible();
    await expect(page.getByRole('img', { name: /^Ten sites/ })).toBeVisible();
  },
  'Take part, no study': async (page, site) => {
    await page.goto(`${site}#study=none`);
    await expect(page.getByRole('alert')).toBeVisible();
  },
  'Take part, what the seal says': async (page, site) => {
    await page.goto(site);
    await page.getByRole('button', { name: /^Your rows stay|^Rows stay/ }).click();
    await expect(page.getByText('disconnect from the network')).toBeVisible();
  },
  'Take part, wrong file': async (page, site) => {
    await openStudy(page, site);
    await giveFile(page, madeUp('other.csv', 'age,a_rather_long_name_of_a_column\n1,2\n'));
    await expect(page.getByRole('alert')).toBeVisible();
  },
  'Take part, dragging': async (page, site) => {
    await openStudy(page, site);
    const dataTransfer = await page.evaluateHandle(() => new DataTransfer());
    await page.locator('pm-drop-zone .zone').dispatchEvent('dragover', { dataTransfer });
    await expect(page.getByText('Drop to read it')).toBeVisible();
  },
  'Take part, rows to paste': async (page, site) => {
    await openStudy(page, site);
    await page.getByRole('button', { name: 'Paste rows' }).click();
    await expect(page.getByLabel('Rows from a spreadsheet')).toBeFocused();
  },
  'Take part, columns that say what they are': async (page, site) => {
    await openStudy(page, site, describedStudy());
    await page.getByLabel('No, some have several').check();
    await page.getByLabel('What stands for “not measured”?').fill('-999');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: 'Remove −999' })).toBeVisible();
  },
  'Take part, questions about a file': async (page, site) => {
    await openStudy(page, site, describedStudy());
    const text = sampleText('site-01.csv').split('\n').slice(0, 6).join('\n');
    await giveFile(page, madeUp('codes.csv', `${text}\n-9,13,0,0,40,0,office\n`));
    await expect(page.getByText('Does −9 mean “not measured”?')).toBeVisible();
    await page.getByLabel('Column in your file for hours').selectOption('education');
    await expect(page.getByText('Check these before you spend')).toBeVisible();
  },
  'Take part, which column is which': async (page, site) => {
    await openStudy(page, site);
    await giveFile(page, madeUp('bare.csv', '39,13,0,0,40,0,office\n'));
    await page.getByRole('button', { name: 'It is data' }).click();
    await expect(page.getByText('Which column is which?')).toBeVisible();
  },
  'Take part, reading': async (page, site) => {
    await openStudy(page, site);
    await whenShown(takePart(page), reading, 'stand still', () => giveFile(page, longFile()));
  },
  'Take part, working': async (page, site) => {
    await openStudy(page, site);
    await giveFile(page, longFile());
    const button = page.getByRole('button', { name: 'Make it private' });
    await whenShown(takePart(page), { label: 'Adding up' }, 'stand still', () => button.click());
  },
  'Take part, cancelled': async (page, site) => {
    await openStudy(page, site);
    await whenShown(takePart(page), reading, { press: 'Cancel' }, () => giveFile(page, longFile()));
    await expect(page.getByText(/^Stopped\. .*Nothing left this computer\.$/)).toBeVisible();
  },
  'Take part, the same data again': async (page, site) => {
    await openStudy(page, site);
    await makeRelease(page, sampleFile('site-01.csv'));
    await page.reload();
    await giveFile(page, sampleFile('site-01.csv'));
    await expect(page.getByText('was released once before')).toBeVisible();
  },
  'Take part, budget spent': async (page, site) => {
    await openStudy(page, site);
    await setBudgetInPage(page, 1.2);
    await makeRelease(page, sampleFile('site-01.csv'));
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await giveFile(page, sampleFile('site-01.csv'));
    await expect(page.getByText('too little privacy budget left')).toBeVisible();
  },
  'Take part, made in vain': async (page, site) => {
    await openStudy(page, site);
    await giveFile(page, sampleFile('site-01.csv'));
    const make = page.getByRole('button', { name: 'Make it private' });
    await expect(make).toBeVisible();
    await neverConfirmed(page);
    await make.click();
    await expect(
      page.getByText('Nothing left this computer, but the ledger counts the attempt.'),
    ).toBeVisible();
    await expect(page.getByRole('button', { name: 'Make it private again' })).toBeVisible();
  },
  'Take part, ledger': async (page, site) => {
    await openStudy(page, site);
    for (const file of ['site-01.csv', 'site-02.csv']) {
      await makeRelease(page, sampleFile(file));
      await page.getByRole('button', { name: 'Choose another file' }).click();
    }
    await page.getByRole('button', { name: 'Open ledger' }).click();
    await page.getByRole('button', { name: 'Take out entry 2' }).click();
    await page.getByLabel('Why does entry 2').fill('never sent');
    await page.getByRole('button', { name: 'Take it out' }).click();
    await page.getByRole('button', { name: 'Take out entry 1' }).click();
    await expect(page.getByRole('heading', { name: 'Taken out' })).toBeVisible();
  },
  'Take part, done': async (page, site) => {
    await openStudy(page, site);
    await makeRelease(page, sampleFile('site-01.csv'));
    await page.getByText('Study details and fingerprint').click();
    await page.getByText('The exact definition').click();
    await expect(page.getByRole('link', { name: 'the proof' })).toBeVisible();
    await page.getByText('What it does not protect').click();
    await page.getByRole('button', { name: 'See as a table' }).click();
  },
  'Take part, done, directions': async (page, site) => {
    await openStudy(page, site, studyWith({ name: 'eigenvector-sampling' }));
    await makeRelease(page, sampleFile('site-01.csv'));
    await page.getByText('The exact definition').click();
    await page.getByRole('button', { name: 'See as a table' }).click();
  },
  'Design a study, empty': async (page, site) => {
    await page.goto(`${site}design.html`);
    await expect(page.getByRole('heading', { name: 'Hand it out' })).toBeVisible();
  },
  'Design a study, wrong fields': async (page, site) => {
    await designSample(page, site);
    const row = await editColumn(page, 'age');
    await row.getByLabel('Lowest').fill('90');
    await page.getByLabel('Title').fill('');
    await page.getByLabel('Number of sites').fill('none');
    await editColumn(page, 'education');
    await expect(page.getByText('The study needs a title.').first()).toBeVisible();
  },
  'Design a study, from an example': async (page, site) => {
    await page.goto(`${site}design.html`);
    await page.getByRole('button', { name: 'Fill from a public example file' }).click();
    await page.getByLabel('This file is public or made up.').check();
    await page.setInputFiles('pm-drop-zone input[type=file]', sampleFile('site-01.csv'));
    await expect(page.getByRole('button', { name: 'Use these 7 columns' })).toBeVisible();
  },
  'Design a study, done': async (page, site) => {
    await designSample(page, site);
    await openAdvanced(page);
    await page.getByRole('radio', { name: 'Split' }).check();
    await page.getByText('All levers').click();
    await page.getByText('Assumptions and numbers').click();
    await expect(page.locator('pm-study-designer .honest')).toContainText(
      /everyone else colludes, ε = 2\.89/,
    );
  },
  'Analyse, empty': async (page, site) => {
    await page.goto(`${site}analyse.html`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  'Analyse, dragging': async (page, site) => {
    await page.goto(`${site}analyse.html`);
    const dataTransfer = await page.evaluateHandle(() => new DataTransfer());
    await page.locator('pm-drop-zone .zone').first().dispatchEvent('dragover', { dataTransfer });
    await expect(page.getByText('Drop to read').first()).toBeVisible();
  },
  'Analyse, reading': async (page, site) => {
    await page.goto(`${site}analyse.html`);
    await slowDisk(page);
    await whenShown(analyse(page), reading, 'stand still', () => addFiles(page, ...manyFiles()));
  },
  'Analyse, cancelled': async (page, site) => {
    await useSample(page, site);
    await slowDisk(page);
    await whenShown(analyse(page), reading, { press: 'Cancel' }, () =>
      addFiles(page, ...manyFiles()),
    );
    await expect(page.getByText('None of these files were added.')).toBeVisible();
  },
  'Analyse, many releases': async (page, site) => {
    await openStudy(page, site);
    await makeRelease(page, sampleFile('site-01.csv'));
    const release = JSON.parse(await saved(page, 'Download release')) as ReleaseText;
    const cut = copies({ ...release, rows: 0.5 }, 3).map((file) => ({
      ...file,
      name: `cut-${file.name}`,
    }));
    await page.goto(`${site}analyse.html`);
    await addFiles(page, sampleFile('study.json'), ...copies(release, 1000), ...cut);
    await expect(page.getByRole('heading', { name: 'Canonical correlations' })).toBeVisible();
    await page.getByRole('button', { name: '1,000 of 1,003 files used' }).click();
    await expect(page.getByText('1 to 25 of 1,003 files')).toBeVisible();
    await page.getByRole('button', { name: 'More files' }).click();
  },
  'Analyse, rows of one’s own': async (page, site) => {
    await useSample(page, site);
    await page.setInputFiles('pm-row-scores input[type=file]', sampleFile('site-01.csv'));
    await expect(page.getByText(/rows of site-01\.csv, read on this computer/)).toBeVisible();
    await page.getByText('See as a table').last().click();
  },
  'Analyse, done': async (page, site) => {
    await useSample(page, site);
    await page.getByLabel('Target').selectOption('hours');
    await expect(page.getByText(/of the variance of working hours is explained/)).toBeVisible();
    await expectStill(page, 'Analyse, with figures');
    // Why a file is left out is said above the answer, which makes room for it.
    await addFiles(page, madeUp('photo.json', 'no release'));
    await expect(page.getByText('left out: not a release')).toBeVisible();
    await takeMovement(page);
    await page.getByRole('button', { name: 'Show the tables' }).click();
    // Tables move what is below them, on a slow machine more than half a second after the click.
    await expect(page.getByRole('button', { name: 'Hide the tables' })).toBeVisible();
    await takeMovement(page);
  },
  'Analyse, done, directions': async (page, site) => {
    const study = studyWith({ name: 'eigenvector-sampling' });
    await openStudy(page, site, study);
    await makeRelease(page, sampleFile('site-01.csv'));
    const release = await (await downloadRelease(page)).path();
    await page.goto(`${site}analyse.html`);
    await addFiles(page, study, release);
    await expect(page.getByRole('heading', { name: 'First direction' })).toBeVisible();
    await page.getByRole('button', { name: 'Show the tables' }).click();
  },
  'Explore, everything open': async (page, site) => {
    await page.goto(`${site}explore.html`);
    const room = page.locator('pm-consortium');
    await expect(
      room.getByRole('img', { name: /^How much of the strongest link survives the noise/ }),
    ).toBeVisible();
    await room
      .getByRole('combobox', { name: 'Consortium' })
      .selectOption('Wines, chemistry and colour');
    await room.getByLabel('Sites', { exact: true }).fill('0');
    await room.getByLabel('capeCCA as published').check();
    await room.getByText('The ways, and who has to be trusted').click();
    await room.getByText('What is simulated, and on which data').click();
    await room.getByRole('button', { name: 'See as a table' }).click();
    await expect(room.getByText('A whole number from 1 to 100.')).toBeVisible();
    await expect(
      room.getByText(/like the 178 of the set|canonical correlation \(\.76\)/).first(),
    ).toBeVisible();
    await page.getByRole('link', { name: 'compare mechanisms' }).click();
    await expect(page.locator('pm-mechanism-comparison')).toContainText(/Gaussian is off by/);
    await page.getByRole('link', { name: 'attack one' }).click();
    await expect(page.locator('pm-audit')).toContainText('not attacked yet');
  },
  'Explore, audit under way, then stopped': async (page, site) => {
    await page.goto(`${site}explore.html#audit`);
    await expect(page.getByText('not attacked yet')).toBeVisible();
    await whenShown(
      page.locator('pm-audit'),
      { label: 'Attacks', beyond: 0 },
      { press: 'Stop' },
      () => page.getByRole('button', { name: 'Run 10,000 attacks' }).click(),
    );
    await expect(page.locator('pm-audit p.help', { hasText: /^Stopped after/ })).toBeVisible();
    await page.locator('pm-audit summary', { hasText: 'Method' }).click();
  },
  'Explore, a promise broken by attacks': async (page, site) => {
    await page.goto(`${site}explore.html#audit`);
    await page.locator('pm-audit').getByLabel('Mechanism').selectOption('symmetric-noise');
    await page.getByRole('button', { name: 'Run 10,000 attacks' }).click();
    await expect(page.getByRole('button', { name: 'Continue to 100,000' })).toBeVisible({
      timeout: 120_000,
    });
    await expect(page.getByText('promise broken', { exact: true })).toBeVisible();
    await page.locator('pm-audit summary', { hasText: 'See as a table' }).click();
  },
  'Explore, first look': async (page, site) => {
    await page.goto(`${site}explore.html`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  'Find me, first files': async (page, site) => {
    await page.goto(`${site}find-me.html`);
    await expect(page.getByRole('img', { name: /^Tuesday’s file/ })).toBeVisible();
    await expect(page.getByText('At ε = 1: at most 55.')).toBeVisible();
  },
  'Find me, after a game': async (page, site) => {
    await page.goto(`${site}find-me.html#epsilon=10`);
    const game = page.locator('pm-find-me');
    for (let bet = 1; bet <= 10; bet++) {
      await expect(game.getByText(`Bet ${bet} of 10.`)).toBeVisible();
      await game.getByRole('button', { name: 'Still in' }).click();
    }
    await expect(game.getByText('At ε = 10 you were right')).toBeVisible();
    await game.getByRole('button', { name: 'Let the computer bet 1,000 times' }).click();
    await expect(game.getByText(/^The computer knows all twenty/)).toBeVisible();
    await game.getByText('See as a table').click();
  },
  'Help, empty': async (page, site) => {
    await page.goto(`${site}help.html`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
  Mechanisms: async (page, site) => {
    await page.goto(`${site}mechanisms.html`);
    await expect(page.getByRole('heading', { name: 'As published' })).toBeVisible();
  },
  'Save this page': async (page, site) => {
    await page.goto(`${site}save.html`);
    await expect(page.getByText(/^[0-9a-f]{8}$/).first()).toBeVisible();
  },
  'Save this page, compared': async (page, site) => {
    await page.goto(`${site}save.html`);
    await expect(page.locator('pm-save-page .size').filter({ hasText: 'MB' })).toBeVisible();
    await page.setInputFiles('pm-save-page input', madeUp('private-moments.html', 'another'));
    await expect(page.getByText('Different: do not use it')).toBeVisible();
  },
  'Save this page, unreadable': async (page, site) => {
    await page.addInitScript(() => {
      globalThis.fetch = () => Promise.reject(new TypeError('no network'));
    });
    await page.goto(`${site}save.html`);
    await expect(page.getByText('The file could not be read.')).toBeVisible();
  },
  'Save this page, another file': async (page, site) => {
    await page.route(`${site}private-moments.html`, (route) => route.fulfill({ body: 'another' }));
    await page.goto(`${site}save.html`);
    await expect(page.getByText('This is not the file')).toBeVisible();
  },
  'Saved copy, what the seal says': async (page, site) => {
    await page.goto(`${site}private-moments.html`);
    await page.getByRole('button', { name: "connect-src 'none'" }).click();
    await expect(page.getByText('This is a saved copy.')).toBeVisible();
  },
  Docs: async (page, site) => {
    await page.goto(`${site}docs/index.html`);
    await expect(page.getByRole('heading', { name: 'Documentation' })).toBeVisible();
  },
  'Docs, search': async (page, site) => {
    await page.goto(`${site}docs/index.html`);
    await page.getByRole('searchbox').fill('noise floor');
    await expect(page.getByRole('search').getByRole('link').first()).toBeVisible();
  },
  'Docs, nothing found': async (page, site) => {
    await page.goto(`${site}docs/index.html`);
    await page.getByRole('searchbox').fill('xylophone');
    await expect(page.getByText('Nothing found for “xylophone”.').last()).toBeVisible();
  },
  'Docs, a proof': async (page, site) => {
    await page.goto(`${site}docs/mechanisms/gaussian.html`);
    await expect(page.getByRole('heading', { name: 'Statement' })).toBeVisible();
  },
  'Docs, tables and code': async (page, site) => {
    await page.goto(`${site}docs/relay.html`);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  },
} satisfies Record<string, State>;

/** The saved copy: a file to save, with a policy of its own. */
const SAVED_COPY = 'private-moments.html';

/** All pages, by address. */
function sitePages(): string[] {
  return readdirSync(siteFolder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.html') && file !== SAVED_COPY,
  );
}

/** Read slowly enough to be seen, as from a slow disk. */
function manyFiles() {
  return Array.from({ length: 24 }, (_, i) => madeUp(`site-${i + 1}.json`, 'no release'));
}

/** Names of elements on the page that are not defined. */
async function unknownElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const within = (root: Document | ShadowRoot): Element[] =>
      [...root.querySelectorAll('*')].flatMap((element) => [
        element,
        ...(element.shadowRoot === null ? [] : within(element.shadowRoot)),
      ]);
    return within(document).flatMap((element) =>
      element.matches(':not(:defined)') ? [element.localName] : [],
    );
  });
}

for (const [name, reach] of Object.entries(states)) {
  test(`axe finds nothing wrong, and nothing scrolls sideways: ${name}`, async ({ page, site }) => {
    // Also takes pictures of long pages.
    test.slow();
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await watchMovement(page);
    await reach(page, site);
    await expectStill(page, name);
    expect(await unknownElements(page), 'elements that the page does not load').toEqual([]);
    await expectAxeFindsNothing(page, name);
    await takeWidePictures(page, name);
    await expectToFitNarrow(page, name);
  });
}

for (const name of ['Take part, done', 'Design a study, done', 'Analyse, done'] as const) {
  test(`nothing scrolls sideways after the window becomes narrow: ${name}`, async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 320, height: 800 });
    await states[name](page, site);
    await expectToFit(page, 320, 360);
  });
}

test('content that appears after a click moves nothing else on a slow machine', async ({
  page,
  site,
}) => {
  test.slow();
  await watchMovement(page);
  // Shifts within half a second of a click are not counted, so a fast machine would hide them.
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  for (const name of ['Take part, budget spent', 'Analyse, done'] as const) {
    await states[name](page, site);
    await expectStill(page, name);
  }
});

test('every page states its content policy first, and holds no inline script or style', () => {
  for (const name of sitePages()) {
    const html = readFileSync(join(siteFolder, name), 'utf8');
    const policy = /http-equiv="Content-Security-Policy"\s+content="([^"]*)"/.exec(html)?.[1];
    expect(policy?.split('; ')).toEqual([
      "default-src 'none'",
      "script-src 'self' 'wasm-unsafe-eval'",
      "style-src 'self'",
      "img-src 'self' data: blob:",
      "worker-src 'self' blob:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types lit-html private-moments site',
    ]);
    expect(html.indexOf('Content-Security-Policy')).toBeLessThan(html.indexOf('<script'));
    const [, first] = /<script[^>]*\ssrc="([^"]*)"/.exec(html) ?? [];
    expect(new URL(first ?? '', `http://site/${name}`).pathname).toBe('/workers.js');
    expect(html).not.toMatch(/<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)/);
  }
});

test('a study link opens in Take part, and Analyse keeps the study', async ({ page, site }) => {
  await openStudy(page, site);
  const link = await page.evaluate(() => {
    const room = document.querySelector('pm-participate') as unknown as {
      agreed: { toLink(base: string): string };
    };
    return room.agreed.toLink(location.href);
  });
  await page.goto('about:blank');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  const title = await page.getByRole('heading', { level: 1 }).textContent();
  await page.getByRole('link', { name: 'Analyse' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title ?? '');
});

test('the licences of everything on the pages are one click away', async ({ page, site }) => {
  await page.goto(site);
  const text = await page
    .getByRole('link', { name: 'Licences' })
    .evaluate(async (link: HTMLAnchorElement) => (await fetch(link.href)).text());
  for (const name of ['Apache License', 'lit-html', 'fflate', 'minisearch', 'Eigen (MPL-2.0']) {
    expect(text).toContain(name);
  }
});

/** How many files the page has requested so far, and their bytes, compressed, but for what its visitor came to save. */
function loaded(page: Page, site: string): () => { files: number; bytes: number } {
  const files = new Set<string>();
  page.on('request', (request) => {
    const [address = ''] = request.url().split('#');
    const file = address.slice(site.length) || 'index.html';
    if (address.startsWith(site) && file !== SAVED_COPY) files.add(file);
  });
  return () => {
    let bytes = 0;
    for (const file of files) bytes += gzipSync(readFileSync(join(siteFolder, file))).length;
    return { files: files.size, bytes };
  };
}

/** The address of the sample study in Take part. */
async function linkOfSample(browser: Browser, site: string): Promise<string> {
  const page = await browser.newPage();
  await openStudy(page, site, madeUp('study.json', sampleText('study.json')));
  await expect(page).toHaveURL(/#study=/);
  const link = page.url();
  await page.close();
  return link;
}

test('a first visit loads at most fourteen files and less than 343 kB, compressed', async ({
  browser,
  site,
}) => {
  // The largest page of the documentation stands for all of them. The landing page does others' work besides.
  const rooms = sitePages().filter((name) => !name.startsWith('docs') && name !== 'index.html');
  const link = (await linkOfSample(browser, site)).slice(site.length);
  for (const name of [...rooms, 'docs/api/analysing.html', link]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const size = loaded(page, site);
    await page.goto(`${site}${name}`, { waitUntil: 'networkidle' });
    const { files, bytes } = size();
    console.log(`${name.slice(0, 20)}: ${files} files, ${(bytes / 1000).toFixed(0)} kB`);
    expect(files, name).toBeLessThanOrEqual(14);
    expect(bytes, name).toBeLessThan(343_000);
    await context.close();
  }
});

test('the landing page loads less than 830 kB, compressed, with ten files and what analyses them', async ({
  browser,
  site,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const size = loaded(page, site);
  await page.goto(site);
  await expect(page.getByRole('img', { name: /^Ten sites/ })).toBeVisible();
  console.log(`landing page: ${(size().bytes / 1000).toFixed(0)} kB`);
  expect(size().bytes).toBeLessThan(830_000);
  await context.close();
});

test('a page loads its own room and no other', async ({ page, site }) => {
  const rooms = {
    'index.html': 'pm-participate',
    'design.html': 'pm-study-designer',
    'analyse.html': 'pm-analysis',
    'explore.html': 'pm-explorer',
    'help.html': 'pm-session-helper',
    'mechanisms.html': 'pm-mechanisms',
    'find-me.html': 'pm-find-me',
    'save.html': 'pm-save-page',
  };
  for (const [name, own] of Object.entries(rooms)) {
    await page.goto(`${site}${name}`, { waitUntil: 'networkidle' });
    const known = await page.evaluate(
      (all) => all.filter((element) => customElements.get(element) !== undefined),
      Object.values(rooms),
    );
    expect(known, name).toEqual([own]);
  }
});

test('taking part loads less than 413 kB, compressed, sample aside', async ({ browser, site }) => {
  const link = await linkOfSample(browser, site);
  const context = await browser.newContext();
  const page = await context.newPage();
  const size = loaded(page, site);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  await makeRelease(page, sampleFile('site-01.csv'));
  const { files, bytes } = size();
  console.log(`taking part: ${files} files, ${(bytes / 1000).toFixed(0)} kB`);
  expect(bytes).toBeLessThan(413_000);
  await context.close();
});

test('nothing moves by itself while a release is made', async ({ page, site }) => {
  await watchMovement(page);
  await openStudy(page, site);
  await giveFile(page, longFile());
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
  await expectStill(page);
});

test('the main job is done with the keyboard alone', async ({ page, site }) => {
  await page.goto(site);
  const press = async (name: string): Promise<void> => {
    const button = page.getByRole('button', { name });
    await expect(button).toBeVisible();
    for (let steps = 0; steps < 40; steps++) {
      if (await button.evaluate((node) => node.matches(':focus'))) break;
      await page.keyboard.press('Tab');
    }
    await expect(button).toBeFocused();
    await page.keyboard.press('Enter');
  };
  await press('I have a link');
  await press('Try the sample study');
  await press('Try a sample file');
  // Once the file is read, the focus moves to what was counted.
  await expect(page.getByText('Rows counted', { exact: true })).toBeVisible();
  await page.getByLabel('Yes, every person has one row').focus();
  await page.keyboard.press('Space');
  await expect(page.getByLabel('Yes, every person has one row')).toBeChecked();
  await press('Make it private');
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeFocused();
  await Promise.all([page.waitForEvent('download'), press('Download release')]);

  await press('Open ledger');
  await expect(page.getByRole('heading', { name: 'Ledger', exact: true })).toBeFocused();
  await press('Take out entry 1');
  await page.keyboard.press('Tab');
  await page.keyboard.type('never sent');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('cell', { name: 'never sent' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
  await expect(page.getByText('it is not counted')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Open ledger' })).toBeFocused();
});
