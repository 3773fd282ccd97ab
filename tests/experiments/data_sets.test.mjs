// Results come from known files, and from no others.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { have, rowsOf, SETS } from '../../experiments/support/data_sets.mjs';
import { ROOT } from '../../tools/markdown.mjs';

const folder = mkdtempSync(join(tmpdir(), 'private-moments-data-'));
afterAll(() => rmSync(folder, { recursive: true }));

test.each(Object.keys(SETS).filter((name) => !['mnist', 'gfe'].includes(name)))(
  '%s has the shape that the pages state',
  (name) => {
    if (!have(name)) return console.log(`${name}: skipped, as it is not in PM_DATA`);
    const rows = rowsOf(name);
    const { shape, label } = SETS[name];
    expect([rows.length, rows[0].length - (label ? 1 : 0)]).toEqual(shape);
    expect(rows.every((row) => row.every(Number.isFinite))).toBe(true);
  },
);

test('a file that is not the one results come from is refused by its name', () => {
  mkdirSync(join(folder, 'wine'));
  writeFileSync(join(folder, 'wine/wine_data.csv'), '178,13\n1,2\n');
  const reader = join(ROOT, 'experiments/support/data_sets.mjs');
  const ran = spawnSync(
    'node',
    ['--input-type=module', '-e', `(await import('${reader}')).rowsOf('wine')`],
    { env: { ...process.env, PM_DATA: folder }, encoding: 'utf8' },
  );
  expect(ran.status).not.toBe(0);
  expect(ran.stderr).toContain('wine/wine_data.csv has SHA-256');
});
