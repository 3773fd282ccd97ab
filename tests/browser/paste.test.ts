import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { answerPerson, expect, giveFile, openStudy, sampleText, test } from './support.js';

/** The first rows of the sample, with the cells apart by `delimiter`. */
function rows(delimiter: string): string {
  return sampleText('site-01.csv').split('\n').slice(0, 40).join('\n').replaceAll(',', delimiter);
}

/** Pastes text as the browser does when somebody presses the keys. */
async function paste(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Paste rows' }).click();
  const field = page.getByLabel('Rows from a spreadsheet');
  await expect(field).toBeFocused();
  await field.evaluate((target, data) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', data);
    target.dispatchEvent(
      new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
    );
  }, text);
}

for (const [name, delimiter] of [
  ['tabs', '\t'],
  ['commas', ','],
  ['semicolons', ';'],
] as const) {
  test(`rows pasted from a spreadsheet are read like a file: ${name}`, async ({ page, site }) => {
    await openStudy(page, site);
    await paste(page, rows(delimiter));
    await expect(page.getByText('pasted-rows.csv', { exact: true })).toBeVisible();
    await answerPerson(page);
    await page.getByRole('button', { name: 'Make it private' }).click();
    await expect(page.getByRole('heading', { name: 'What leaves this computer' })).toBeVisible();
  });
}

test('rows of an Excel file, which cannot be read, can be pasted instead', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  const bytes = Buffer.from('PK\x03\x04 and so on', 'latin1');
  await giveFile(page, { name: 'ward.xlsx', mimeType: 'application/zip', buffer: bytes });
  await page.getByRole('button', { name: 'Paste its rows instead' }).click();
  await expect(page.getByLabel('Rows from a spreadsheet')).toBeFocused();
  await expect(page.getByText('ward.xlsx')).toBeHidden();
});

test('pasted text without rows changes nothing', async ({ page, site }) => {
  await openStudy(page, site);
  await paste(page, ' \n');
  await expect(page.getByLabel('Rows from a spreadsheet')).toBeFocused();
  await expect(page.getByText('pasted-rows.csv')).toBeHidden();
});

test('a code for a missing value is asked about in a compressed file, too', async ({
  page,
  site,
}) => {
  await openStudy(page, site);
  const text = `${rows(',')}\n-9,13,0,0,40,0,office\n`;
  await giveFile(page, {
    name: 'rows.csv.gz',
    mimeType: 'application/gzip',
    buffer: gzipSync(text),
  });
  await expect(page.getByText('Does −9 mean “not measured”?')).toBeVisible();
});
