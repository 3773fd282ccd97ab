import { closeSync, openSync, rmSync, writeSync } from 'node:fs';

/** Writes a CSV file of numbers with four decimals, which repeat after a thousand rows. */
function writeRows(path, rows, columns) {
  const names = Array.from({ length: columns }, (_, i) => `x${i}`);
  let state = 1;
  const number = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state / 2 ** 32) * 2000 - 1000).toFixed(4);
  };
  const lines = Array.from({ length: 1000 }, () => `${names.map(number).join(',')}\n`);
  const file = openSync(path, 'w');
  writeSync(file, `${names.join(',')}\n`);
  for (let left = rows; left > 0; left -= lines.length) {
    writeSync(file, lines.slice(0, left).join(''));
  }
  closeSync(file);
}

/** Gives a page of the browser such a file, calls `use` with the page and a label, and removes both. */
export async function withRowsFile({ browser, root }, rows, columns, use) {
  const path = `${root}build/bench/rows.csv`;
  writeRows(path, rows, columns);
  const page = await browser.page();
  await page.choose(path);
  const bytes = await page.call('files', 'takeFile', { columns });
  await use(page, `CSV, ${(bytes / 1e6).toFixed(0)} MB`);
  await page.close();
  rmSync(path);
}
