import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { parquetWriteBuffer } from 'hyparquet-writer';
import {
  downloadRelease,
  entriesIn,
  everythingOn,
  expect,
  giveFile,
  longFile,
  madeUp,
  makeRelease,
  openStudy,
  sampleFile,
  sampleText,
  saved,
  test,
  whenShown,
} from './support.js';

const header = 'age,education,female,married,hours,over_50k,occupation';
const row = '39,13,0,0,40,0,office';

test('the release saved is, byte for byte, the one shown', async ({ page, site }) => {
  await openStudy(page, site);
  await makeRelease(page, sampleFile('site-01.csv'));
  const download = await downloadRelease(page);
  const text = readFileSync(await download.path(), 'utf8');
  const { id } = JSON.parse(text) as { id: string };
  const name = `people-and-work-1994-census-${id.slice(0, 8)}.release.json`;
  expect(download.suggestedFilename()).toBe(name);
  await expect(page.getByRole('status').filter({ hasText: 'Saved as' })).toContainText(
    `Saved as ${name}. This page does not send it. Send it to`,
  );

  const size = new TextEncoder().encode(text).length;
  await expect(page.getByText(`${size.toLocaleString('en')} bytes`, { exact: true })).toBeVisible();
  const shown = (await page.getByRole('region', { name: 'The exact bytes' }).textContent()) ?? '';
  expect(shown).toBe(text);
});

test('how much the release will reveal is shown before a file is dropped', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  const promised =
    'δ = 10⁻⁶. With what leaves, a guess between two equally likely versions of one row is right at most 55 times in 100. A coin gets 50.';
  await expect(page.locator('.facts .odds')).toHaveText(promised);
  await makeRelease(page, sampleFile('site-01.csv'));
  await expect(page.getByText('their best guess is right at most 55 times in 100')).toBeVisible();
});

test('each release of the same file has fresh noise', async ({ page, site }) => {
  await openStudy(page, site);
  const texts: string[] = [];
  for (let turn = 0; turn < 2; turn++) {
    await makeRelease(page, sampleFile('site-01.csv'));
    texts.push(await saved(page, 'Download release'));
    // One click opens the dialog for files.
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose another file' }).click();
    await chooser;
  }
  expect(texts[0]).not.toBe(texts[1]);
});

test('the preview counts rows, gaps and values outside the bounds', async ({ page, site }) => {
  await openStudy(page, site);
  const rows = [row, '200,13,0,0,40,0,office', '39,,0,0,40,0,office', '39,13,0,0,NaN,0,astronaut'];
  await giveFile(page, madeUp('four.csv', [header, ...rows].join('\n')));
  const number = (label: string) => page.locator('dl.numbers > div').filter({ hasText: label });
  await expect(number('Rows counted')).toContainText('4');
  await expect(number('Rows left out')).toContainText('0');
  await expect(number('Rows with a gap')).toContainText('2');
  await expect(number('Values outside bounds')).toContainText('1');
  const age = page.getByRole('row', { name: /^age/ });
  await expect(age.locator('.outside')).toHaveText('1');
  await expect(page.getByRole('row', { name: /^occupation/ }).locator('.missing')).toHaveText('1');
});

test('columns with other names are matched by hand, and the release is made from them', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  const text = sampleText('site-01.csv')
    .replace('education', 'edu_years')
    .replace('hours', 'HOURS');
  await giveFile(page, madeUp('renamed.csv', text));
  await expect(page.getByRole('alert')).toContainText('This file has 6 of the 7 columns.');
  await expect(page.getByRole('alert')).toContainText('Missing: education');
  await expect(page.getByRole('alert')).toContainText('Also in your file (not used): edu_years');
  await expect(page.getByRole('button', { name: 'Make it private' })).toBeHidden();

  await page.getByLabel('Column in your file for education').selectOption('edu_years');
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
});

test('changing the matching removes the release made before', async ({ page, site }) => {
  await openStudy(page, site);
  await makeRelease(page, sampleFile('site-01.csv'));
  await page.getByLabel('Column in your file for married').selectOption('female');
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeHidden();
  await expect(page.getByRole('button', { name: 'Make it private' })).toBeVisible();
});

test('gzip and Parquet files are read', async ({ page, site }) => {
  await openStudy(page, site);
  const text = sampleText('site-01.csv');
  const [names = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const isText = (name: string): boolean => name === 'occupation';
  const parquet = parquetWriteBuffer({
    columnData: names.map((name, at) => ({
      name,
      data: rows.map((row) => (isText(name) ? (row[at] ?? '') : Number(row[at]))),
      type: isText(name) ? 'STRING' : 'DOUBLE',
    })),
  });
  const files = [
    madeUp('rows.csv.gz', gzipSync(text)),
    madeUp('rows.parquet', new Uint8Array(parquet)),
  ];
  for (const file of files) {
    await giveFile(page, file);
    await expect(page.getByRole('button', { name: 'Make it private' })).toBeVisible();
    await expect(page.locator('dl.numbers')).toContainText(rows.length.toLocaleString('en'));
    await page.getByRole('button', { name: 'Choose another file' }).click();
  }
  // The sums show that these are the same data.
  await makeRelease(page, madeUp('rows.csv', text));
  await page.getByRole('button', { name: 'Choose another file' }).click();
  for (const file of files) {
    await giveFile(page, file);
    await expect(page.getByText('was released once before')).toBeVisible();
    await page.getByRole('button', { name: 'Choose another file' }).click();
  }
});

test('Parquet and Arrow files with other names are matched by hand, and the matching is remembered', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  const [names = [], ...rows] = sampleText('site-01.csv')
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const renamed = (name: string): string => ({ education: 'edu_years', hours: 'h' })[name] ?? name;
  const isText = (name: string): boolean => name === 'occupation';
  const columns = names.map((name, at) => ({
    name: renamed(name),
    data: rows.map((row) => (isText(name) ? (row[at] ?? '') : Number(row[at]))),
    type: isText(name) ? ('STRING' as const) : ('DOUBLE' as const),
  }));
  const parquet = parquetWriteBuffer({ columnData: columns });
  const table = tableFromArrays(Object.fromEntries(columns.map(({ name, data }) => [name, data])));
  const files = [
    madeUp('rows.parquet', new Uint8Array(parquet)),
    madeUp('rows.arrow', tableToIPC(table, 'file')),
  ];
  const [first, second] = files as [(typeof files)[0], (typeof files)[0]];

  await giveFile(page, first);
  await expect(page.getByText('This file has 5 of the 7 columns.')).toBeVisible();
  await expect(page.getByRole('alert')).toContainText(
    'Also in your file (not used): edu_years, h.',
  );
  const select = page.getByLabel('Column in your file for education');
  await expect(select.locator('option')).toHaveText(['Choose a column', ...names.map(renamed)]);
  await select.selectOption('edu_years');
  await page.getByLabel('Column in your file for hours').selectOption('h');
  await expect(page.getByRole('button', { name: 'Make it private' })).toBeVisible();
  await expect(page.locator('dl.numbers')).toContainText(rows.length.toLocaleString('en'));
  await page.getByRole('button', { name: 'Choose another file' }).click();

  // The other file has the same names in its schema.
  await giveFile(page, second);
  await expect(page.getByText('Matched as you matched a file with these columns')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make it private' })).toBeVisible();
  await page.getByRole('button', { name: 'Forget that' }).click();
  await expect(page.getByText('This file has 5 of the 7 columns.')).toBeVisible();
});

test('a Parquet file without any name of the study is matched by hand', async ({ page, site }) => {
  await openStudy(page, site);
  const columnData = ['a', 'b'].map((name) => ({ name, data: [1, 2] }));
  await giveFile(page, madeUp('rows.parquet', new Uint8Array(parquetWriteBuffer({ columnData }))));
  await expect(page.getByText('Match the 7 columns below.')).toBeVisible();
  await expect(page.getByText('The first line of the file must name')).toBeHidden();
  await expect(page.getByLabel('Column in your file for age').locator('option')).toHaveText([
    ...['Choose a column', 'a', 'b'],
  ]);
});

const unusable: [title: string, content: string | Uint8Array, words: RegExp][] = [
  ['an empty file', '', /empty/],
  ['a file with a header and no rows', `${header}\n`, /no rows/],
  ['a spreadsheet', Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0, 6, 0), /Excel or zip/],
  ['an old spreadsheet', Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1), /save it as CSV UTF-8/],
  ['a binary file', Uint8Array.of(0xff, 0xfe, 0xfd, 0xfc, 0x80), /UTF-8/],
];
for (const [title, content, words] of unusable) {
  test(`${title} is refused in words`, async ({ page, site }) => {
    await openStudy(page, site);
    await giveFile(page, madeUp('strange.csv', content));
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(words);
    await expect(page.getByRole('button', { name: 'Make it private' })).toBeHidden();
    await page.getByRole('button', { name: 'Choose another file' }).first().click();
    await expect(page.getByText('Drop a file here')).toBeVisible();
  });
}

test('one row is enough', async ({ page, site }) => {
  await openStudy(page, site);
  await makeRelease(page, madeUp('one.csv', `${header}\n${row}\n`));
  await expect(page.getByText('1 row became 65 sums')).toBeVisible();
});

test('an error names the row and never quotes it', async ({ page, site }) => {
  await openStudy(page, site);
  const secret = 'XQZ-7731';
  const broken = [header, row, `39,13,0,0,40,0,office,${secret}`].join('\n');
  await giveFile(page, madeUp('broken.csv', broken));
  await expect(page.getByRole('alert')).toContainText('Row 2');
  expect(await everythingOn(page)).not.toContain(secret);
});

test('a file without names is matched by position, and its first row counts and is never shown', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  // Longer than any number that noise might show by chance.
  const secret = '77318462019573';
  const first = row.replace('40', secret);
  await giveFile(page, madeUp('bare.csv', `${first}\n${row}\n`));
  await expect(page.getByText('Does the first line name the columns?')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Make it private' })).toBeHidden();
  expect(await everythingOn(page)).not.toContain(secret);

  await page.getByRole('button', { name: 'It is data' }).click();
  await expect(page.getByText('Which column is which?')).toBeVisible();
  await page.getByLabel('Column in your file for age').selectOption('Column 1');
  await page.getByRole('button', { name: 'Same order as in the study' }).click();
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.getByText('2 rows became 65 sums')).toBeVisible();
  expect(await everythingOn(page)).not.toContain(secret);
});

test('a first line of unknown names with a number can be said to hold names', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  await giveFile(page, madeUp('years.csv', `2019,2020\n1,2\n`));
  await page.getByRole('button', { name: 'It holds names' }).click();
  await expect(page.getByText('Match the 7 columns below.')).toBeVisible();
  await expect(page.getByLabel('Column in your file for age')).toContainText('2020');
});

/** A study of which the columns say what they are. */
const sleepStudy = madeUp(
  'study.json',
  JSON.stringify({
    format: 'private-moments/study@1',
    title: 'Sleep and metabolism',
    columns: [
      {
        name: 'hours',
        type: 'number',
        ...{ min: 3, max: 11, label: 'Sleep per night', unit: 'hours' },
      },
      {
        name: 'glucose',
        type: 'number',
        ...{ min: 3, max: 11, label: 'Fasting glucose', unit: 'mmol/L' },
        description: 'from mg/dL: divide by 18',
      },
    ],
    privacy: { epsilon: 1, delta: 1e-6 },
  }),
);
const nights = (lines: string[], times = 100): string => `${lines.join('\n')}\n`.repeat(times);
const make = (page: Page) => page.getByRole('button', { name: 'Make it private' });

test('the columns to have ready are shown before the drop, with a template that the study reads', async ({
  page,
  site,
}) => {
  await openStudy(page, site, sleepStudy);
  await expect(page.getByRole('row', { name: /^glucose/ })).toHaveText(
    /Fasting glucose\s*from mg\/dL: divide by 18\s*mmol\/L\s*3 to 11\s*7/,
  );
  const template = await saved(page, 'CSV template');
  expect(template).toBe('hours,glucose\r\n7,7\r\n');
  await giveFile(page, madeUp('template.csv', template));
  await expect(make(page)).toBeVisible();
});

test('semicolons with decimal commas are read, which the page says and lets be changed', async ({
  page,
  site,
}) => {
  await openStudy(page, site, sleepStudy);
  await giveFile(page, madeUp('nights.csv', `hours;glucose\n${nights(['7,25;5', '6;4,5'])}`));
  await expect(make(page)).toBeVisible();
  await expect(page.locator('dl.numbers')).toContainText('200');
  await expect(page.getByText('semicolons and numbers with a decimal comma')).toBeVisible();
  await page.getByRole('button', { name: 'Read with a decimal point' }).click();
  await expect(page.getByRole('alert')).toContainText('Row 1');
  await page.getByRole('button', { name: 'Commas are decimal marks' }).click();
  await make(page).click();
  await expect(page.getByText('200 rows became')).toBeVisible();
});

test('commas that may separate thousands are asked about, and mixed marks refused', async ({
  page,
  site,
}) => {
  await openStudy(page, site, sleepStudy);
  await giveFile(page, madeUp('three.csv', `hours;glucose\n${nights(['7,250;5'])}`));
  await expect(page.getByText('What do the commas in numbers mean?')).toBeVisible();
  await page.getByRole('button', { name: 'Commas are decimal marks' }).click();
  await expect(make(page)).toBeVisible();
  await page.getByRole('button', { name: 'Choose another file' }).click();

  await giveFile(page, madeUp('both.csv', `hours;glucose\n${nights(['7,25;5', '7;5.5'])}`));
  const alert = page.getByRole('alert');
  await expect(alert).toContainText(
    'The number in row 1 of hours has a comma, that in row 2 of glucose a point.',
  );
  await expect(make(page)).toBeHidden();
});

test('a common code for missing is asked about, and a release waits for the answer', async ({
  page,
  site,
}) => {
  await openStudy(page, site, sleepStudy);
  const text = `hours,glucose\n${nights(['7,5', '6,NA', '8,5'])}-999,4\n`;
  await giveFile(page, madeUp('codes.csv', text));
  await expect(page.locator('.chip')).toHaveText(['empty', 'NA']);
  await expect(page.getByText('Does −999 mean “not measured”?', { exact: true })).toBeVisible();
  await expect(make(page)).toBeDisabled();
  await expect(make(page)).toHaveAccessibleDescription(
    'First answer “Does −999 mean ‘not measured’?”.',
  );
  const hours = page.getByRole('row', { name: /^hours/ });
  await expect(hours.locator('.outside')).toHaveText('1');

  await page.getByRole('button', { name: 'Yes, −999 is missing' }).click();
  await expect(hours.locator('.missing')).toHaveText('1');
  await expect(hours.locator('.outside')).toHaveText('0');
  await page.getByRole('button', { name: 'Remove −999' }).click();
  await expect(hours.locator('.outside')).toHaveText('1');
  await page.getByRole('button', { name: 'No, it is a value' }).click();
  await expect(page.getByText('Does −999 mean')).toBeHidden();
  await expect(make(page)).toBeEnabled();

  await page.getByLabel('What stands for “not measured”?').fill('8');
  await page.keyboard.press('Enter');
  await expect(hours.locator('.missing')).toHaveText('100');
  await make(page).click();
  await expect(page.getByText('301 rows became')).toBeVisible();
});

test('a study can state what stands for missing, and then nobody is asked', async ({
  page,
  site,
}) => {
  const study = JSON.parse(sleepStudy.buffer.toString()) as object;
  const stating = JSON.stringify({ ...study, missingValues: ['-999'] });
  await openStudy(page, site, madeUp('study.json', stating));
  await expect(page.locator('.chip')).toHaveText(['empty', '−999']);
  await expect(page.getByText('The study states these for everyone.')).toBeVisible();
  await giveFile(page, madeUp('codes.csv', `hours,glucose\n${nights(['7,5'])}-999,4\n`));
  await expect(page.getByRole('row', { name: /^hours/ }).locator('.missing')).toHaveText('1');
  await expect(page.getByText('mean “not measured”')).toBeHidden();
});

test('another unit, a column used twice and too few rows are shown before budget is spent', async ({
  page,
  site,
}) => {
  await openStudy(page, site, sleepStudy);
  await giveFile(page, madeUp('few.csv', `hours,glucose\n${nights(['7,90', '6,110'], 1)}`));
  const card = page.locator('.concerns');
  await expect(card).toContainText('All 2 values of glucose are outside 3 to 11 mmol/L.');
  await expect(card).toContainText('The study says: from mg/dL: divide by 18.');
  await expect(card).toContainText('2 rows are too few for this study’s ε.');
  await expect(make(page)).toBeHidden();
  await expect(page.getByRole('button', { name: 'Make it anyway' })).toBeEnabled();
  await page.getByLabel('Column in your file for glucose').selectOption('hours');
  await expect(card).toContainText('hours is matched to hours and glucose.');
  await expect(make(page)).toBeVisible();
  expect(await entriesIn(page)).toBe(0);

  await page.getByRole('button', { name: 'Choose another file' }).first().click();
  await giveFile(page, madeUp('good.csv', `glucose,hours\n${nights(['5,7', '4.5,6'])}`));
  await expect(make(page)).toBeVisible();
  await expect(card).toBeHidden();
});

test('the promise is about a person only if the participant says that each has one row', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  await expect(page.locator('.facts')).toContainText('Each row of your file.');
  await page.getByLabel('Yes, every person has one row').check();
  await expect(page.locator('.facts')).toContainText('Each person in your file.');
  await expect(page.locator('.facts .odds')).toContainText(
    'two equally likely versions of one person’s row',
  );
  await makeRelease(page, sampleFile('site-01.csv'));
  await expect(
    page.getByRole('heading', { name: 'What it reveals about one person' }),
  ).toBeVisible();

  await page.getByLabel('No, some have several').check();
  await expect(page.locator('.facts')).toContainText('Each row of your file.');
  await expect(page.getByRole('heading', { name: 'What it reveals about one row' })).toBeVisible();
  await expect(page.getByText('“One person is one row” does not hold for this file')).toBeVisible();
  await page.getByText('What it does not protect').click();
  await expect(page.getByText('People with several rows')).toBeVisible();
});

test('no budget is spent before it is known whether one row is one person', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  await page.getByRole('button', { name: 'Try a sample file' }).click();
  await expect(make(page)).toBeDisabled();
  await expect(make(page)).toHaveAccessibleDescription('First answer “Is one row one person?”.');
  await make(page).focus();
  await page.keyboard.press('Enter');
  await expect(make(page)).toBeVisible();
  expect(await entriesIn(page)).toBe(0);

  await page.getByLabel('No, some have several').check();
  await expect(page.locator('.offer')).toContainText('does not hold for this file');
  await make(page).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
  expect(await entriesIn(page)).toBe(1);
});

test('a matching by hand is remembered for the header, and can be forgotten', async ({
  page,
  site,
}) => {
  await openStudy(page, site, sleepStudy);
  const file = (name: string) => madeUp(name, `schlaf,zucker\n${nights(['7,5'])}`);
  await giveFile(page, file('first.csv'));
  await page.getByLabel('Column in your file for hours').selectOption('schlaf');
  await page.getByLabel('Column in your file for glucose').selectOption('zucker');
  await expect(make(page)).toBeVisible();

  await openStudy(page, site, sleepStudy);
  await giveFile(page, file('second.csv'));
  await expect(make(page)).toBeVisible();
  await expect(page.getByText('Matched as you matched a file')).toBeVisible();
  await page.getByRole('button', { name: 'Forget that' }).click();
  await expect(page.getByText('Match the 2 columns below.')).toBeVisible();

  await openStudy(page, site, sleepStudy);
  await giveFile(page, file('third.csv'));
  await expect(page.getByText('Match the 2 columns below.')).toBeVisible();
});

/** Drops a made-up file on an element of the page, or a folder. */
async function drop(page: Page, selector: string, file: [name: string, text: string] | 'folder') {
  const dataTransfer = await page.evaluateHandle((file) => {
    const transfer = new DataTransfer();
    const [name, text] = file === 'folder' ? ['folder', ''] : file;
    transfer.items.add(new File([text], name));
    if (file === 'folder') {
      DataTransferItem.prototype.webkitGetAsEntry = () =>
        ({ isDirectory: true }) as FileSystemEntry;
    }
    return transfer;
  }, file);
  await page.locator(selector).first().dispatchEvent('dragover', { dataTransfer });
  await page.locator(selector).first().dispatchEvent('drop', { dataTransfer });
}

test('files may be dropped anywhere on the page, the study first and then the data', async ({
  page,
  site,
}) => {
  await page.goto(site);
  await page.locator('pm-participate pm-drop-zone').waitFor({ state: 'attached' });
  await drop(page, 'footer', ['study.json', sleepStudy.buffer.toString()]);
  await expect(page.getByRole('heading', { name: 'Sleep and metabolism' })).toBeVisible();
  await drop(page, 'header', ['nights.csv', `hours,glucose\n${nights(['7,5'])}`]);
  await expect(page.locator('.file .title')).toHaveText('nights.csv');
  await expect(make(page)).toBeVisible();
  await drop(page, 'footer', ['others.csv', `hours,glucose\n${nights(['6,5'])}`]);
  await expect(page.locator('.file .title')).toHaveText('others.csv');
});

test('a folder is refused, and the page says what to drop', async ({ page, site }) => {
  await openStudy(page, site, sleepStudy);
  await drop(page, 'footer', 'folder');
  await expect(page.getByRole('alert')).toHaveText(
    'That is a folder. Open it and drop the file inside.',
  );
});

test('cells that cannot be read are counted, and never shown', async ({ page, site }) => {
  await openStudy(page, site);
  const secret = 'XQZ-7731';
  const rows = [row, `${secret},13,0,0,40,0,${secret}`];
  await giveFile(page, madeUp('odd.csv', [header, ...rows].join('\n')));
  await expect(page.getByRole('button', { name: 'Make it anyway' })).toBeVisible();
  await expect(page.locator('.concerns')).toContainText(
    '1 cell of age holds a word, not a number. See row 2. No cell is empty.',
  );
  await expect(page.getByRole('row', { name: /^age/ }).locator('.missing')).toHaveText('1');
  expect(await everythingOn(page)).not.toContain(secret);
});

test('a file of older Excel is read, and the page says how', async ({ page, site }) => {
  const names = { hours: 'Schlafstunden', glucose: 'Blutzucker (nüchtern)' };
  const study = JSON.parse(sleepStudy.buffer.toString()) as { columns: { name: string }[] };
  const columns = study.columns.map(({ name, ...rest }) => ({
    ...rest,
    name: names[name as keyof typeof names],
  }));
  const german = JSON.stringify({ ...study, columns, views: undefined });
  await openStudy(page, site, madeUp('study.json', german));
  const text = `${names.hours};${names.glucose}\r\n${nights(['7,5;5', '6;4,5'])}`;
  const bytes = Buffer.from(text, 'latin1');
  await giveFile(page, { name: 'nacht.csv', mimeType: 'text/csv', buffer: bytes });
  await expect(page.locator('[data-writing]')).toContainText(
    'the letters of an older Excel (Windows-1252)',
  );
  await expect(make(page)).toBeVisible();
});

test('something that is not a study is refused and names the field', async ({ page, site }) => {
  await page.goto(site);
  const study = JSON.parse(sampleText('study.json')) as { privacy: { epsilon: number } };
  study.privacy.epsilon = 0;
  await page.setInputFiles(
    'pm-participate input[type=file]',
    madeUp('study.json', JSON.stringify(study)),
  );
  await expect(page.getByRole('alert')).toContainText('epsilon must be above 0');
  await page.setInputFiles('pm-participate input[type=file]', madeUp('study.json', 'rows, rows'));
  await expect(page.getByRole('alert')).toContainText('not a study');
});

test('a damaged study link says so', async ({ page, site }) => {
  await page.goto(`${site}#study=AAAA`);
  await expect(page.getByRole('alert')).toContainText('This study cannot be opened.');
});

test.describe('cancelling', () => {
  const reading = { label: 'Reading' };
  const adding = { label: 'Adding up' };
  const room = (page: Page) => page.locator('pm-participate');
  // 130 MB: half a second.
  const rows = 6_000_000;

  async function nothingIsThere(page: Page): Promise<void> {
    await expect(page.getByText(/^Stopped\. .*Nothing left this computer\.$/)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeHidden();
    await expect(page.getByRole('progressbar')).toBeHidden();
    await expect(page.getByRole('button', { name: 'Download release' })).toBeHidden();
    expect(await entriesIn(page)).toBe(0);
  }

  test('stops the reading and leaves no result', async ({ page, site }) => {
    await openStudy(page, site);
    const path = longFile(rows);
    await whenShown(room(page), reading, { press: 'Cancel' }, () => giveFile(page, path));
    await nothingIsThere(page);
    await expect(page.getByRole('button', { name: 'Make it private' })).toBeHidden();
  });

  test('stops the release, leaves no result, and a later attempt works', async ({ page, site }) => {
    await openStudy(page, site);
    await giveFile(page, longFile(rows));
    const made = page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener('pm-release', () => {
            resolve('made');
          });
          document.addEventListener('stopped', () => {
            resolve('nothing');
          });
        }),
    );
    const button = page.getByRole('button', { name: 'Make it private' });
    await whenShown(room(page), adding, { press: 'Cancel' }, () => button.click());
    await nothingIsThere(page);
    await expect(page.getByRole('heading', { name: 'Make it private' })).toBeFocused();
    await page.evaluate(() => document.dispatchEvent(new Event('stopped')));
    expect(await made).toBe('nothing');

    await page.getByRole('button', { name: 'Choose another file' }).first().click();
    await makeRelease(page, sampleFile('site-01.csv'));
  });
});

test('the page shows who asks and where the file goes, if the study says so', async ({
  page,
  site,
}) => {
  const study = JSON.parse(sampleText('study.json')) as object;
  const words = { organizer: 'The census office', contact: 'Room 4, second floor' };
  await openStudy(page, site, madeUp('study.json', JSON.stringify({ ...study, ...words })));
  await expect(page.getByText(words.organizer)).toBeVisible();
  await makeRelease(page, sampleFile('site-01.csv'));
  await expect(page.getByText(`Send it to ${words.contact}, and keep a copy.`)).toBeVisible();
});

test('after a stop, a matching without usable rows offers no release', async ({ page, site }) => {
  await openStudy(page, site);
  await giveFile(page, longFile(3_000_000));
  const button = page.getByRole('button', { name: 'Make it private' });
  await whenShown(page.locator('pm-participate'), { label: 'Adding up' }, { press: 'Cancel' }, () =>
    button.click(),
  );
  await expect(page.getByText('Your file is still matched.')).toBeVisible();
  await page.getByLabel('Column in your file for age').selectOption('occupation');
  await expect(page.getByText('No row has a usable value of this column.')).toBeVisible();
  await expect(button).toBeHidden();
});

/** Delays the result of a method whose first argument ends with a text, until it is released. */
async function hold(
  page: Page,
  of: string,
  method: string,
  end = '',
): Promise<() => Promise<void>> {
  const name = `${of}.${method}`;
  await page.evaluate(
    ([name, of, method, end]) => {
      const owners: Record<string, object> = {
        ledger: (document.querySelector('pm-participate') as unknown as { ledger: object }).ledger,
        blob: Blob.prototype,
        window: globalThis,
      };
      const owner = owners[of] ?? {};
      const own = Reflect.get(owner, method) as (...args: unknown[]) => Promise<unknown>;
      let letGo = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      Object.assign(globalThis, { [name]: letGo });
      Reflect.set(owner, method, async function (this: unknown, ...args: unknown[]) {
        const isHeld = end === '' || (typeof args[0] === 'string' && args[0].endsWith(end));
        if (isHeld) Reflect.set(owner, method, own);
        const result = await own.apply(this, args);
        if (isHeld) await held;
        return result;
      });
    },
    [name, of, method, end] as const,
  );
  return () =>
    page.evaluate((name) => {
      (globalThis as unknown as Record<string, () => void>)[name]?.();
    }, name);
}

test('a file replaced while its first line was read does not come back', async ({ page, site }) => {
  await openStudy(page, site);
  const letGo = await hold(page, 'blob', 'text');
  await giveFile(page, madeUp('other.csv', `${header.replace('age', 'years')}\n${row}\n`));
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await giveFile(page, madeUp('two.csv', `${header}\n${row}\n${row}\n`));
  await expect(page.getByRole('button', { name: 'Make it private' })).toBeVisible();
  await letGo();
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.getByText('2 rows became 65 sums')).toBeVisible();
});

const LEAVING: Record<string, (page: Page) => Promise<unknown>> = {
  'choosing another file': (page) =>
    page.getByRole('button', { name: 'Choose another file' }).first().click(),
  'changing the matching': (page) =>
    page.getByLabel('Column in your file for age').selectOption('hours'),
};

for (const [what, leave] of Object.entries(LEAVING)) {
  test(`${what} stops the release under way`, async ({ page, site }) => {
    await openStudy(page, site);
    await giveFile(page, sampleFile('site-01.csv'));
    const letGo = await hold(page, 'ledger', 'gate');
    await page.getByRole('button', { name: 'Make it private' }).click();
    await leave(page);
    await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden();
    await letGo();
    if (what === 'choosing another file') await giveFile(page, sampleFile('site-01.csv'));
    await page.getByRole('button', { name: 'Make it private', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
    // Releases are made one after another, so an earlier one would be there by now.
    expect(await entriesIn(page)).toBe(1);
  });

  test(`${what} stops the reading under way`, async ({ page, site }) => {
    await openStudy(page, site);
    await giveFile(page, sampleFile('site-01.csv'));
    await expect(page.getByRole('button', { name: 'Make it private' })).toBeVisible();
    await page.evaluate(() => {
      const { ledger } = document.querySelector('pm-participate') as unknown as {
        ledger: { standing?: object };
      };
      const standing = (_study: unknown, _file: unknown, { signal }: { signal: AbortSignal }) => {
        delete ledger.standing;
        Object.assign(globalThis, { reading: signal });
        return new Promise(() => undefined);
      };
      ledger.standing = standing;
    });
    await page.getByLabel('Column in your file for education').selectOption('married');
    await page.waitForFunction(() => 'reading' in globalThis);
    const isStopped = () =>
      page.evaluate(() => (globalThis as unknown as { reading: AbortSignal }).reading.aborted);
    expect(await isStopped()).toBe(false);
    await leave(page);
    expect(await isStopped()).toBe(true);
  });
}

test('a sample file that arrives late does not replace the participant’s own file', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  const letGo = await hold(page, 'window', 'fetch', 'site-01.csv');
  await page.getByRole('button', { name: 'Try a sample file' }).click();
  await giveFile(page, madeUp('own.csv', `${header}\n${row}\n`));
  await expect(page.getByRole('button', { name: 'Make it private' })).toBeVisible();
  await letGo();
  await page.getByRole('button', { name: 'Make it private' }).click();
  await expect(page.getByText('1 row became 65 sums')).toBeVisible();
});

test('a release discarded while the ledger was read does not come back', async ({ page, site }) => {
  await openStudy(page, site);
  await makeRelease(page, sampleFile('site-01.csv'));
  const letGo = await hold(page, 'ledger', 'dataSets');
  await page.evaluate(() => {
    const room = document.querySelector('pm-participate')?.shadowRoot;
    room?.querySelector('pm-ledger')?.dispatchEvent(new CustomEvent('pm-ledger-changed'));
  });
  await page.getByRole('button', { name: 'Choose another file' }).click();
  await letGo();
  await page.getByRole('button', { name: 'Open ledger' }).first().click();
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeHidden();
});

test('rows that are given before their study is open are read once it is', async ({
  page,
  site,
}) => {
  await page.goto(site);
  await page.evaluate(() => {
    // A slow disk for the study only.
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
    const read = Blob.prototype.text;
    Blob.prototype.text = async function (this: Blob) {
      if ((this as File).name === 'study.json') await new Promise((done) => setTimeout(done, 800));
      return read.call(this);
    };
  });
  await giveFile(page, sampleFile('study.json'));
  await giveFile(page, sampleFile('site-01.csv'));
  await expect(page.getByRole('button', { name: 'Make it private' })).toBeVisible();
  await expect(page.getByText('site-01.csv')).toBeVisible();
});

test('the study opened last stays, even if an earlier one arrives later', async ({
  page,
  site,
}) => {
  await page.goto(site);
  const letGo = await hold(page, 'window', 'fetch', 'study.json');
  const open = (study: string): Promise<void> =>
    page.evaluate((study) => {
      (document.querySelector('pm-participate') as unknown as { study: string }).study = study;
    }, study);
  const study = JSON.parse(sampleText('study.json')) as object;
  await open('sample/study.json');
  await open(JSON.stringify({ ...study, title: 'The other one' }));
  await expect(page.getByRole('heading', { name: 'Your file' })).toBeVisible();
  await letGo();
  await makeRelease(page, sampleFile('site-01.csv'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The other one');
});
