import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { decodeQR } from 'qr/decode.js';
import { expectAxeFindsNothing, expectToFitNarrow } from './look.js';
import {
  designSample,
  downloaded,
  editColumn,
  everythingOn,
  expect,
  madeUp,
  openAdvanced,
  openTwo,
  sampleFile,
  saved,
  test,
  testOffline,
  expectStill,
  watchMovement,
} from './support.js';

interface Designer extends HTMLElement {
  updateComplete: Promise<boolean>;
  scheduleUpdate(): unknown;
  shadowRoot: ShadowRoot;
}

async function openEmpty(page: Page, site: string): Promise<void> {
  await page.goto(`${site}design.html`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Design a study');
}

/** Goes to a control with the Tab key alone. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  await expect(control).toBeVisible();
  for (let steps = 0; steps < 80; steps++) {
    if (await control.evaluate((node) => node.matches(':focus'))) return;
    await page.keyboard.press('Tab');
  }
  await expect(control).toBeFocused();
}

async function typeInto(page: Page, control: Locator, text: string): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, page.getByRole('button', { name, exact: true }));
  await page.keyboard.press('Enter');
}

test('a study is designed with the keyboard alone, and its link opens in Take part', async ({
  page,
  site,
}) => {
  await openEmpty(page, site);
  await typeInto(page, page.getByLabel('Title'), 'Sleep and weight');
  for (const [index, values] of [
    { Name: 'hours', Meaning: 'Sleep per night', Lowest: '3', Highest: '11', Unit: 'h' },
    { Name: 'bmi', Meaning: 'Body mass index', Lowest: '12', Highest: '48', Unit: 'kg/m²' },
  ].entries()) {
    if (index > 0) await press(page, 'Add a column');
    for (const [label, text] of Object.entries(values)) {
      await typeInto(page, page.getByLabel(label, { exact: true }), text);
    }
    await page.keyboard.press('Enter');
    await expect(page.getByRole('button', { name: `Edit ${values.Name}` })).toBeFocused();
  }
  await press(page, 'Add two views');
  await expect(page.getByLabel('Name of view 1')).toBeFocused();
  await page.keyboard.type('sleep');
  await typeInto(page, page.getByLabel('Name of view 2'), 'body');
  for (const [column, view] of [
    ['hours', 'sleep'],
    ['bmi', 'body'],
  ] as const) {
    await tabTo(page, page.getByLabel(`View of ${column}`));
    await page.keyboard.type(view);
    await page.keyboard.press('Enter');
    await expect(page.getByLabel(`View of ${column}`)).toHaveValue(view === 'sleep' ? '1' : '2');
  }
  const link = page.getByRole('textbox', { name: 'Study link' });
  const before = await link.inputValue();
  await tabTo(page, page.getByRole('slider', { name: 'epsilon' }));
  await page.keyboard.press('ArrowRight');
  await expect(page.getByRole('slider', { name: 'epsilon' })).toHaveAttribute(
    'aria-valuetext',
    'epsilon 2',
  );
  await expect(page.getByRole('status').filter({ hasText: 'At ε = 2' })).toContainText(
    'the planned pair is clear',
  );
  await expect(link).not.toHaveValue(before);
  await tabTo(page, link);
  const address = await link.inputValue();
  await tabTo(page, page.getByRole('link', { name: 'Open it in Take part' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sleep and weight');
  expect(page.url()).toBe(address);
  await page.getByText('Study details and fingerprint').click();
  await expect(page.getByText('ε = 2, δ = 10⁻⁶')).toBeVisible();
  await expect(page.getByRole('row', { name: /^hours Sleep per night h 3 to 11/ })).toBeVisible();
});

test('an error is shown at its field once the field is left, and in the list of what is missing', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const row = await editColumn(page, 'age');
  const lowest = row.getByLabel('Lowest');
  await lowest.fill('90');
  await expect(lowest).toHaveAttribute('aria-invalid', 'false');
  await lowest.blur();
  await expect(lowest).toHaveAttribute('aria-invalid', 'true');
  await expect(lowest).toHaveAccessibleDescription(
    '“age”: highest (75) must be more than lowest (90).',
  );
  // One mistake does not hide another.
  await (await editColumn(page, 'education')).getByLabel('Name', { exact: true }).fill('age');
  await page.getByLabel('Number of sites').fill('2.5');
  await expect(page.getByRole('heading', { name: 'Study link' })).toBeHidden();
  const missing = page.locator('.missing button');
  await expect(missing).toHaveText([
    /“age”: highest \(75\) must be more than lowest \(90\)/,
    /[Tt]wo columns are called "age"/,
    /The number of sites must be a whole number of at least 1/,
  ]);
  await missing.last().click();
  await expect(page.getByLabel('Number of sites')).toBeFocused();
  await expect(page.getByLabel('Name', { exact: true })).toHaveAccessibleDescription(
    /two columns/i,
  );
  await page.getByLabel('Number of sites').fill('5');
  await page.getByLabel('Name', { exact: true }).fill('schooling');
  // The other row is closed and says what is wrong; the list opens it at the field.
  await expect(page.getByRole('listitem').filter({ hasText: '90 to 75' })).toContainText(
    'must be more than lowest',
  );
  await missing.first().click();
  await expect(lowest).toBeFocused();
  await lowest.fill('15');
  await expect(page.getByRole('heading', { name: 'Study link' })).toBeVisible();
});

test('an example file is read only after it is confirmed public, and it only proposes', async ({
  page,
  site,
}) => {
  await openEmpty(page, site);
  await page.getByRole('button', { name: 'Fill from a public example file' }).click();
  const files = page.locator('pm-drop-zone input[type=file]');
  await expect(files).toHaveCount(0);
  await page.getByLabel('This file is public or made up.').check();
  const rows = ['height;colour;note', '161,7391;red;a', '178,2103;blue;b', '183,9727;red;c'];
  const notes = Array.from({ length: 30 }, (_, i) => `170,5;blue;note ${i}`);
  await files.setInputFiles(madeUp('people.csv', [...rows, ...notes].join('\n')));
  await expect(page.getByRole('row', { name: 'height' })).toContainText('160 to 185');
  await expect(page.getByRole('row', { name: 'colour' })).toContainText('blue, red');
  await expect(page.getByText('Left out: note (free text).')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('');
  await page.getByRole('button', { name: 'Use these 2 columns' }).click();
  await expect(page.getByRole('button', { name: 'Edit height' })).toBeFocused();
  await expect(page.getByRole('listitem').filter({ hasText: 'height' })).toContainText(
    '160 to 185',
  );
  await expect(page.getByRole('listitem').filter({ hasText: 'colour' })).toContainText('blue, red');
  const shown = await everythingOn(page);
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  for (const value of ['161.7391', '178,2103', '183.9727', '170.5', 'note 7']) {
    expect(shown, value).not.toContain(value);
    expect(kept, value).not.toContain(value);
  }
});

/** Pastes text into a field as the browser does when somebody presses the keys. */
async function paste(field: Locator, rows: string[]): Promise<void> {
  await field.evaluate((target, data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', data);
    const options = { clipboardData, bubbles: true, composed: true, cancelable: true };
    target.dispatchEvent(new ClipboardEvent('paste', options));
  }, rows.join('\n'));
}

test('cells pasted from a spreadsheet become columns, and rows of data are refused', async ({
  page,
  site,
}) => {
  await openEmpty(page, site);
  const name = page.getByLabel('Name', { exact: true });
  await paste(name, ['age\tbmi', '47\t23.4', '61\t31.1']);
  await expect(page.locator('.columns .error')).toContainText('may be rows of data');
  await expect(name).toHaveValue('');
  await expectAxeFindsNothing(page, 'design pasted rows');
  await paste(name, ['name\tunit\tmin\tmax', 'age\tyears\t18\t90', 'bmi\tkg/m²\t\t']);
  await expect(page.locator('.columns .error')).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: '18 to 90' })).toContainText('years');
  // The first column without limits is open.
  await expect(page.getByLabel('Meaning')).toBeFocused();
  await expect(name).toHaveValue('bmi');
  await expect(page.getByLabel('Unit', { exact: true })).toHaveValue('kg/m²');
  await expectToFitNarrow(page, 'design pasted columns');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.locator('.columns li')).toHaveCount(1);
  await expect(name).toBeFocused();
});

test('an example file without rows is refused, and another may be tried', async ({
  page,
  site,
}) => {
  await openEmpty(page, site);
  await page.getByRole('button', { name: 'Fill from a public example file' }).click();
  await page.getByLabel('This file is public or made up.').check();
  const files = page.locator('pm-drop-zone input[type=file]');
  await files.setInputFiles(madeUp('empty.csv', 'a,b\n'));
  await expect(page.getByRole('alert')).toContainText('has no rows');
  await files.setInputFiles(madeUp('one.csv', 'a,b\n1,2\n3,4\n'));
  await expect(page.getByRole('button', { name: 'Use these 2 columns' })).toBeVisible();
});

test('a draft survives a reload, and a replaced draft can be restored', async ({ page, site }) => {
  await designSample(page, site);
  await page.getByLabel('Title').fill('Mine');
  await page.reload();
  await expect(page.getByLabel('Title')).toHaveValue('Mine');
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('');
  await page.getByLabel('Title').fill('Begun');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Mine');
  // What was begun in the meantime is not lost either.
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Begun');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Mine');
  // A link to this page does not remove the draft either.
  const link = await page.getByRole('textbox', { name: 'Study link' }).inputValue();
  await page.getByLabel('Title').fill('Another');
  await page.goto(link.replace('index.html', 'design.html'));
  await expect(page.getByText('This link holds a study')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Another');
  await page.getByRole('button', { name: 'Open the study' }).click();
  await expect(page.getByLabel('Title')).toHaveValue('Mine');
});

test('columns are moved and removed by keyboard, and the focus follows them', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const names = page.locator('.columns .name');
  await editColumn(page, 'age');
  await page.getByRole('button', { name: 'Move age down' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Move age down' })).toBeFocused();
  await expect(names.first()).toHaveText('education');
  await page.getByRole('button', { name: 'Remove age' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  const others = ['education', 'female', 'married', 'hours', 'over_50k', 'occupation'];
  await expect(names).toHaveText(others);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Edit age' })).toBeFocused();
  await expect(names).toHaveText(['education', 'age', ...others.slice(1)]);
});

test('whatever is lost in columns and views can be brought back, without losing what came after', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const undo = page.getByRole('button', { name: 'Undo' });
  const code = page.getByRole('region', { name: 'Code' });
  await page.getByRole('button', { name: 'Remove the view work' }).click();
  await expect(page.locator('.undo')).toContainText('The view work is removed.');
  await page.getByLabel('Title').fill('Later');
  await page.getByLabel('View of hours').selectOption('people');
  await undo.click();
  await expect(page.getByLabel('Name of view 2')).toHaveValue('work');
  await expect(page.getByLabel('View of occupation').locator(':checked')).toHaveText('work');
  await expect(page.getByLabel('View of hours').locator(':checked')).toHaveText('people');
  await expect(code).toContainText("title: 'Later'");

  // Escape drops the changes of a row; so it does those of a new column.
  const row = await editColumn(page, 'age');
  await row.getByLabel('Unit').fill('weeks');
  await row.getByLabel('Unit').press('Escape');
  await expect(page.locator('.undo')).toContainText('The changes of age are dropped.');
  await undo.click();
  await expect(page.getByRole('listitem').filter({ hasText: '15 to 75' })).toContainText('weeks');
  await page.getByRole('button', { name: 'Add a column' }).click();
  await page.getByLabel('Name', { exact: true }).fill('height');
  await page.getByLabel('Name', { exact: true }).press('Escape');
  await expect(page.locator('.undo')).toContainText('height is removed.');
  await undo.click();
  await expect(page.getByRole('button', { name: 'Edit height' })).toBeFocused();

  // An example replaces the columns.
  await page.getByRole('button', { name: 'Fill from a public example file' }).click();
  await page.getByLabel('This file is public or made up.').check();
  await page.setInputFiles('pm-drop-zone input[type=file]', madeUp('one.csv', 'a,b\n1,2\n3,4\n'));
  await page.getByRole('button', { name: 'Use these 2 columns' }).click();
  await expect(page.locator('.columns .name')).toHaveText(['a', 'b']);
  await undo.click();
  await expect(page.locator('.columns .name')).toHaveCount(8);
});

test('a weight changes the forecast, is kept by the link, and is brought back where another limit removes it', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const power = page.locator('.power');
  const code = page.getByRole('region', { name: 'Code' });
  const row = await editColumn(page, 'age');
  await row.getByText('Weight', { exact: true }).click();
  // Private centring, which is the default, has no room for weights, and the row says so.
  await expect(row.getByText('Weights need the same limit for every row.')).toBeVisible();
  await row.getByRole('button', { name: 'Use the same limit for every row' }).click();
  const weight = row.getByLabel('Weight, 1 if empty');
  await expect(weight).toBeFocused();
  await expect(power).toContainText('A test at 5 % finds a correlation of .50 in');
  const before = await power.textContent();
  await weight.fill('4');
  await expect(power).not.toHaveText(before ?? '');
  await expect(code).toContainText('spread: 7.5');
  await weight.press('Enter');
  const line = page.getByRole('listitem').filter({ hasText: '15 to 75' });
  await expect(line).toContainText('weight 4');

  await openAdvanced(page);
  await page.getByLabel('Limit for long rows').selectOption('centred');
  await expect(page.locator('.undo')).toContainText('The weights of columns are removed.');
  await expect(line).not.toContainText('weight');
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(line).toContainText('weight 4');
  await expect(page.getByLabel('Limit for long rows')).toHaveValue('fixed');

  // The link is renewed together with the code.
  await expect(code).toContainText('spread: 7.5');
  const link = await page.getByRole('textbox', { name: 'Study link' }).inputValue();
  await page.getByRole('button', { name: 'Start over' }).click();
  await expect(line).toBeHidden();
  await page.goto(link.replace('index.html', 'design.html'));
  await expect(line).toContainText('weight 4');
});

test('where fields contradict each other, the one edited last has the error', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const row = await editColumn(page, 'age');
  const [lowest, highest] = [row.getByLabel('Lowest'), row.getByLabel('Highest')];
  await highest.fill('10');
  await row.getByLabel('Unit').focus();
  await expect(highest).toHaveAttribute('aria-invalid', 'true');
  await expect(lowest).toHaveAttribute('aria-invalid', 'false');
  await lowest.fill('12');
  await row.getByLabel('Unit').focus();
  await expect(lowest).toHaveAttribute('aria-invalid', 'true');
  await expect(highest).toHaveAttribute('aria-invalid', 'false');
  await lowest.fill('5');
  await expect(page.getByRole('heading', { name: 'Study link' })).toBeVisible();

  // The first of two columns with the same name, if it was renamed.
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('hours');
  await page.getByLabel('Unit', { exact: true }).focus();
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await name.press('Escape');

  await openAdvanced(page);
  await page.getByRole('radio', { name: 'Split' }).check();
  await page.getByLabel('Minimum number of honest sites').fill('8');
  const sites = page.getByLabel('Number of sites');
  await sites.fill('4');
  await sites.blur();
  await expect(sites).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByLabel('Minimum number of honest sites')).toHaveAttribute(
    'aria-invalid',
    'false',
  );
});

test('a row reads as participants will read it, and opens in place', async ({ page, site }) => {
  await designSample(page, site);
  const withoutUnit = await editColumn(page, 'female');
  await expect(withoutUnit.getByLabel('Unit')).toBeFocused();
  await page.keyboard.press('Enter');
  const row = await editColumn(page, 'age');
  await expect(row.getByLabel('Name', { exact: true })).toBeFocused();
  await row.getByLabel('Meaning').fill('Age at interview');
  await row.getByLabel('Unit').fill('years');
  await row.getByLabel('Note for participants').fill('In whole years.');
  await page.keyboard.press('Enter');
  const edit = page.getByRole('button', { name: 'Edit age' });
  await expect(edit).toBeFocused();
  const closed = page.getByRole('listitem').filter({ has: edit });
  await expect(closed).toContainText(/age\s+Age at interview\s+15 to 75\s+years/);

  // Escape puts back everything since the row was opened.
  await edit.press('Enter');
  await expect(row.getByLabel('Name', { exact: true })).toBeFocused();
  await row.getByLabel('Name', { exact: true }).fill('old');
  await page.getByLabel('Highest').fill('7');
  await page.getByLabel('View', { exact: true }).selectOption('work');
  await page.getByLabel('Highest').press('Escape');
  await expect(edit).toBeFocused();
  await expect(closed).toContainText('15 to 75');
  await expect(closed.getByLabel('View of age')).toHaveValue('1');

  // Enter does not close a row that is wrong, and leads to what is.
  await edit.press('Enter');
  await row.getByLabel('Lowest').fill('');
  await row.getByLabel('Unit').press('Enter');
  await expect(row.getByLabel('Lowest')).toBeFocused();
  await expect(row.getByLabel('Lowest')).toHaveAccessibleDescription('“age” needs a lowest value.');
  await row.getByLabel('Lowest').press('Escape');

  // A column that was added is removed again.
  await page.getByRole('button', { name: 'Add a column' }).click();
  await page.getByLabel('Name', { exact: true }).press('Escape');
  await expect(page.getByRole('button', { name: 'Add a column' })).toBeFocused();
  await expect(page.locator('.columns li')).toHaveCount(7);
  await page.getByLabel('View of age').selectOption('work');
  const code = page.getByRole('region', { name: 'Code' });
  await expect(code).toContainText("label: 'Age at interview'");
  await expect(code).toContainText("description: 'In whole years.'");
  await expect(code).toContainText("work: ['age', 'hours', 'over_50k', 'occupation']");
});

test('what is folded under Advanced is said, and it opens by itself when something in it is wrong', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const fold = page.locator('details').filter({ hasText: 'Advanced' }).first();
  await expect(fold.locator('summary')).toHaveText(
    /Advanced\s*one row protected, δ 1 in 1,000,000, Gaussian noise\s*$/,
  );
  await expect(fold).not.toHaveAttribute('open');
  await openAdvanced(page);
  await page.getByLabel('Codes for missing values').fill('-999, NA');
  await expect(page.getByRole('region', { name: 'Code' })).toContainText(
    "missingValues: ['-999', 'NA']",
  );
  await page.getByRole('radio', { name: 'Split' }).check();
  await page.getByLabel('Minimum number of honest sites').fill('3');
  await fold.locator('summary').click();
  await expect(fold).not.toHaveAttribute('open');
  await expect(fold.locator('summary')).toContainText(
    'split between the sites, -999 and NA missing',
  );
  await fold.locator('summary').click();
  await page.getByLabel('Minimum number of honest sites').fill('12');
  await fold.locator('summary').click();
  await page.getByLabel('Title').fill('Another');
  await expect(fold).toHaveAttribute('open');
  await expect(page.getByLabel('Minimum number of honest sites')).toBeVisible();
  // It stays open while the mistake is corrected.
  await page.getByLabel('Minimum number of honest sites').fill('2');
  await expect(page.getByRole('heading', { name: 'Study link' })).toBeVisible();
  await expect(fold).toHaveAttribute('open');
});

test('the ways to share noise say what they require, how much noise they add, and what is left after collusion', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  await openAdvanced(page);
  const mode = (name: string) => page.locator('.mode').filter({ hasText: name });
  await expect(mode('Independent')).toContainText('noise × 3.16');
  await expect(mode('Split')).toContainText('noise × 1.2');
  await page.getByRole('radio', { name: 'Split' }).check();
  const rests = page.locator('.honest .terms');
  await expect(rests).toContainText(
    'This holds if at least 7 of the 10 sites are honest and the analyst',
  );
  await expect(rests).toContainText('everyone else colludes, ε = 2.89');
  const missing = page.getByLabel('Sites that may fail to send');
  await missing.fill('4');
  await missing.blur();
  await expect(mode('Split')).toContainText('noise × 1.83');
  await expect(rests).toContainText('a sum has at least 6 of the 10 releases');
  await missing.fill('7');
  await missing.blur();
  await expect(page.locator('.error')).toContainText('may hold no honest release');
  await expect(rests).toHaveCount(0);
  await missing.fill('0');
  await page.getByLabel('Minimum number of honest sites').fill('10');
  await expect(mode('Split')).toContainText('noise × 1');
  // Some noise cannot be shared.
  await page.getByLabel('Correlated').check();
  await page.getByLabel('Chance of a larger leak, δ').selectOption('0');
  await expect(page.getByText(/the mechanism must be gaussian/).first()).toBeVisible();
});

test('the study is handed out as a file, QR code, consent text and code', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const download = await downloaded(page, /^Study file$/);
  expect(download.suggestedFilename()).toBe('people-and-work-1994-census.study.json');
  const file = JSON.parse(readFileSync(await download.path(), 'utf8')) as { title: string };
  expect(file.title).toBe('People and work, 1994 census');
  await expect(page.getByRole('img', { name: 'QR code of the study link' })).toBeVisible();
  await expect(page.locator('.hand-out > .prose')).toContainText(
    /This one is [0-9a-f]{8}…, for 10 sites\./,
  );
  const consent = page.getByRole('region', { name: 'Consent text' });
  await expect(consent).toContainText('- Age: a number from 15 to 75 years');
  await expect(consent).toContainText('their best guess is right at most 55 times in 100');
  await expect(page.getByRole('region', { name: 'Code' })).toContainText("label: 'Working hours'");
  expect(await saved(page, 'SVG')).toMatch(/^<svg xmlns/);
  expect(await saved(page, 'CSV template')).toMatch(/^age,education,[^\n]*\n45,10,/);
});

test('the QR code leads to the study link, on the screen in light and dark and when saved', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const link = await page.getByLabel('Study link', { exact: true }).inputValue();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const code = await page.getByRole('img', { name: 'QR code of the study link' }).screenshot();
    expect(await readCode(page, code, 'image/png'), colorScheme).toBe(link);
  }
  const image = Buffer.from(await saved(page, 'SVG'));
  expect(await readCode(page, image, 'image/svg+xml')).toBe(link);
});

/** The text of the QR code in a picture, which the browser decodes into pixels. */
async function readCode(page: Page, picture: Buffer, type: string): Promise<string> {
  const pixels = await page.evaluate(
    async ({ address }) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const width = image.naturalWidth;
      const height = image.naturalHeight;
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const data = context?.getImageData(0, 0, width, height).data ?? [];
      // As one string: a million numbers would take Playwright seconds.
      let text = '';
      for (const value of data) text += String.fromCharCode(value);
      return { width, height, text };
    },
    { address: `data:${type};base64,${picture.toString('base64')}` },
  );
  const { width, height, text } = pixels;
  return decodeQR({ width, height, data: Buffer.from(text, 'latin1') });
}

test('a study too long for a QR code says so', async ({ page, site }) => {
  await designSample(page, site);
  const levels = Array.from({ length: 600 }, (_, i) => `level ${(i * 7919) % 10_007}`);
  const row = await editColumn(page, 'occupation');
  await row.getByLabel('Levels, separated by commas').fill(levels.join(', '));
  await expect(page.getByText(/A QR code holds 2,953 characters/)).toBeVisible();
});

const figure = (page: Page): Locator => page.locator('pm-forecast-figure');
const readings = (page: Page): Locator => page.locator('.pairs .tag');

test('an invalid planned correlation is reported at its field, and the last forecast stays', async ({
  page,
  site,
}) => {
  test.slow();
  await designSample(page, site);
  const drawn = (): Promise<readonly number[]> =>
    figure(page).evaluate(
      (element) => (element as HTMLElement & { truths: readonly number[] }).truths,
    );
  const finding = page.getByRole('status').filter({ hasText: 'At ε = 1' });
  const [planned, said] = [await drawn(), await finding.textContent()];
  const first = page.getByLabel('1st pair', { exact: true });
  for (const wrong of ['1.5', '1', '-0.2', 'much', '']) {
    await first.fill(wrong);
    await first.blur();
    await expect(page.locator('.forecast [role=alert]')).toContainText(
      'The forecast waits for one field. Enter a number from 0 to below 1.',
      { useInnerText: true },
    );
    await expect(page.locator('.stale').first()).toHaveCSS('opacity', '0.35');
    await expect(first).toHaveAttribute('aria-invalid', 'true');
    await expect(first).toHaveValue(wrong);
    expect(await drawn()).toEqual(planned);
    await page.getByRole('button', { name: 'Go to it' }).click();
    await expect(first).toBeFocused();
  }
  await expectAxeFindsNothing(page, 'design no correlation');
  await expectToFitNarrow(page, 'design no correlation');
  await first.fill('0.5');
  await first.blur();
  await expect(finding).toHaveText(said ?? '');
  await expect(page.locator('.stale')).toHaveCount(0, { timeout: 120_000 });
  await first.fill('.9');
  await first.blur();
  await expect(first).toHaveAttribute('aria-invalid', 'false');
  await expect.poll(async () => (await drawn())[0]).toBe(0.9);

  // The correlations are sorted, and each field shows its own.
  await first.fill('0.001');
  await first.blur();
  await expect(page.getByLabel('3rd pair', { exact: true })).toHaveValue('.001');
});

test('a wrong field keeps the last forecast, pale, and the notice leads to the field', async ({
  page,
  site,
}) => {
  test.slow();
  await designSample(page, site);
  await expect(readings(page)).toHaveText(['clear', 'clear', 'lost in noise']);
  const row = await editColumn(page, 'age');
  await row.getByLabel('Lowest').fill('90');
  await row.getByLabel('Unit').focus();
  const alert = page.locator('.forecast [role=alert]');
  await expect(alert).toContainText('The forecast waits for one field.');
  await expect(alert).toContainText('age');
  await expect(page.locator('.stale').first()).toHaveCSS('opacity', '0.35');
  await expect(readings(page)).toHaveText(['clear', 'clear', 'lost in noise']);
  await page.getByRole('button', { name: 'Go to it' }).click();
  await expect(row.getByLabel('Lowest')).toBeFocused();
  await row.getByLabel('Lowest').fill('15');
  await expect(alert).toHaveCount(0);
  // Levers are computed last, which takes long on a busy machine.
  await expect(page.locator('.stale')).toHaveCount(0, { timeout: 120_000 });
});

test('chart, table and sentence agree along every axis, and the switch changes the axis only', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const finding = page.locator('.verdict');
  const rest = 'the first and second pairs are clear and the third is lost in noise.';
  const link = page.getByRole('textbox', { name: 'Study link' });
  const before = await link.inputValue();
  for (const [name, start] of [
    ['rows per site', 'With 5,000 rows per site'],
    ['sites', 'With 10 sites'],
    ['ε', 'At ε = 1'],
  ] as const) {
    await page.locator('.segments').getByText(name, { exact: true }).click();
    await expect(finding).toHaveText(`${start} ${rest}`);
    await expect(readings(page)).toHaveText(['clear', 'clear', 'lost in noise']);
    // The description holds what the table does.
    const described = figure(page).getByRole('img');
    for (const [i, seen] of (await page.locator('.pairs td.right').allInnerTexts()).entries()) {
      const words = seen === 'nothing to read' ? 'lost in noise' : seen;
      await expect(described).toHaveAttribute(
        'aria-label',
        new RegExp(`${['1st', '2nd', '3rd'][i] ?? ''} pair[^.]*\\.[^:]*:[^:]*${words}`),
      );
    }
  }
  await expect(link).toHaveValue(before);
});

test('the line of the chart is moved by keyboard and by dragging, and the field moves with it', async ({
  page,
  site,
}) => {
  await designSample(page, site);
  const line = figure(page).getByRole('slider', { name: 'Choice on the chart' });
  await line.focus();
  await page.keyboard.press('PageUp');
  const epsilon = page.getByRole('textbox', { name: 'How strong, ε' });
  await expect(epsilon).toHaveValue('2');
  await expect(page.locator('.verdict')).toContainText('At ε = 2');
  await page.keyboard.press('PageDown');
  await expect(epsilon).toHaveValue('1');
  await page.keyboard.press('ArrowRight');
  await expect(epsilon).toHaveValue('1.1');
  await page.keyboard.press('ArrowLeft');
  await expect(epsilon).toHaveValue('1');

  await line.scrollIntoViewIfNeeded();
  const box = await line.locator('.grip').boundingBox();
  if (box === null) throw new Error('no line');
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y, { steps: 4 });
  await page.mouse.up();
  await expect(epsilon).not.toHaveValue('1');
  const dragged = Number(await epsilon.inputValue());
  expect(dragged).toBeGreaterThan(1.2);
  expect(dragged).toBeLessThan(4);

  await page.locator('.segments').getByText('sites', { exact: true }).click();
  await line.focus();
  await page.keyboard.press('ArrowRight');
  await expect(page.getByLabel('Number of sites')).toHaveValue('11');
  await expect(page.locator('.verdict')).toContainText('With 11 sites');
});

test('a lever is used and undone', async ({ page, site }) => {
  // Levers are computed after the curves.
  test.slow();
  await designSample(page, site);
  const code = page.getByRole('region', { name: 'Code' });
  const link = page.getByRole('textbox', { name: 'Study link' });
  const before = await link.inputValue();
  await page.getByText('All levers').click();
  await page.getByRole('button', { name: 'Use Split noise' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeFocused();
  await expect(page.locator('.lever')).toContainText(
    /Split noise is on: the first pair ± \.\d+ instead of ± \.\d+/,
  );
  await expect(code).toContainText("mode: 'split'");
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(link).toHaveValue(before);
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);

  // Another change of the same setting leaves nothing to undo.
  await page.getByRole('button', { name: 'Use ε = 2' }).click();
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible();
  await page.getByRole('textbox', { name: 'How strong, ε' }).fill('3');
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0);
});

test('a study of directions has no forecast, and says why', async ({ page, site }) => {
  // The advice on mechanisms is computed after the curves and the levers.
  test.slow();
  await designSample(page, site);
  await openAdvanced(page);
  await expect(page.getByLabel('Mechanism').getByRole('option')).not.toHaveCount(1, {
    timeout: 120_000,
  });
  await page.getByLabel('Mechanism').selectOption('power-method');
  await page.getByLabel('Directions to release').fill('2');
  await page.getByLabel('Directions to release').blur();
  await expect(
    page.getByRole('status').filter({ hasText: 'directions, not moments' }),
  ).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Study link' })).toBeVisible();
});

/** Records the last question to the designer's worker, from the next load on, and its answers. */
async function countPoints(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const counter = Object.assign(globalThis, { points: { id: 0, asked: NaN, come: 0 } });
    // eslint-disable-next-line @typescript-eslint/unbound-method -- called on what it was called on
    const post = Worker.prototype.postMessage;
    const heard = new WeakSet<Worker>();
    Worker.prototype.postMessage = function (
      this: Worker,
      message: { type: string; id: number; points?: unknown[] },
    ) {
      if (message.type === 'ask') {
        counter.points = { id: message.id, asked: message.points?.length ?? NaN, come: 0 };
      }
      if (!heard.has(this)) {
        heard.add(this);
        this.addEventListener('message', ({ data }: MessageEvent<{ type: string; id: number }>) => {
          if (data.type === 'point' && data.id === counter.points.id) counter.points.come += 1;
        });
      }
      post.call(this, message);
    };
  });
}

const pointsOf = (page: Page): Promise<{ id: number; asked: number; come: number }> =>
  page.evaluate(() => (globalThis as unknown as { points: never }).points);

test('a step of a slider redraws each curve once, and computes no point again', async ({
  page,
  site,
}) => {
  test.slow();
  await countPoints(page);
  await designSample(page, site);
  // Waits until the surface is filled.
  await expect(async () => {
    const { asked, come } = await pointsOf(page);
    expect(come).toBe(asked);
  }).toPass({ timeout: 120_000 });
  expect((await pointsOf(page)).asked).toBeGreaterThan(50);
  const before = (await pointsOf(page)).id;
  // `make bench` measures how long a step takes.
  const steps = await page.evaluate(async () => {
    const designer = document.querySelector<Designer>('pm-study-designer');
    if (designer === null) throw new Error('no designer');
    const slider = designer.shadowRoot.querySelector<Designer>('pm-log-slider');
    const range = slider?.shadowRoot.querySelector('input[type=range]');
    const figures = [...designer.shadowRoot.querySelectorAll<Designer>('pm-forecast-figure')];
    const drawn = (): string =>
      figures.map(({ shadowRoot }) => shadowRoot.querySelector('svg')?.innerHTML).join();
    const drawings = new Map<Designer, number>();
    for (const part of [designer, ...figures]) {
      const draw = part.scheduleUpdate.bind(part);
      part.scheduleUpdate = () => {
        drawings.set(part, (drawings.get(part) ?? 0) + 1);
        return draw();
      };
    }
    const all: { moved: boolean; most: number; asked: number }[] = [];
    for (const key of 'Right Right Left Left Left Left Right Right'.split(' ')) {
      const curves = drawn();
      drawings.clear();
      range?.dispatchEvent(
        new KeyboardEvent('keydown', { key: `Arrow${key}`, bubbles: true, cancelable: true }),
      );
      await designer.updateComplete;
      await Promise.all(figures.map((figure) => figure.updateComplete));
      const { points } = globalThis as unknown as { points: { asked: number } };
      const most = Math.max(...drawings.values());
      all.push({ moved: drawn() !== curves, most, asked: points.asked });
      await new Promise(requestAnimationFrame);
    }
    return all;
  });
  expect(steps).toEqual(Array.from({ length: 8 }, () => ({ moved: true, most: 1, asked: 0 })));
  expect((await pointsOf(page)).id).toBe(before + 8);
});

test('nothing moves while the forecast comes in', async ({ page, site }) => {
  await designSample(page, site);
  await watchMovement(page);
  await page.reload();
  await expect(page.getByRole('status').filter({ hasText: 'At ε = 1' })).toBeVisible();
  await page.waitForTimeout(1500);
  await expectStill(page);
});

testOffline(
  'the page works without the network after the first visit',
  async ({ page, site, context }) => {
    await page.goto(`${site}design.html`);
    await expect(page.getByText('works offline')).toBeVisible();
    await context.setOffline(true);
    await page.reload();
    await page.setInputFiles('#study-file', sampleFile('study.json'));
    await expect(page.getByRole('status').filter({ hasText: 'At ε = 1' })).toBeVisible();
    await expect(page.getByRole('img', { name: 'QR code of the study link' })).toBeVisible();
  },
);

test('the study opened last stays, even if an earlier one arrives later', async ({
  page,
  site,
}) => {
  await page.goto(`${site}design.html`);
  await openTwo(page, 'pm-study-designer');
  await expect(page.getByLabel('Title')).toHaveValue('The second');
  await expect(page.getByText('This link holds a study')).toHaveCount(0);
});
