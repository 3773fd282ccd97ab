import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { censusCsv, censusStudy, dealOut, SITES, writeSample } from '../../samples/split.mjs';
import { plainCca } from './plain-cca.mjs';

const readme = readFileSync(new URL('../../samples/census/README.md', import.meta.url), 'utf8');
const packed = readFileSync(new URL('../../samples/census/census.csv.gz', import.meta.url));
const sha256 = (data) => createHash('sha256').update(data).digest('hex');

const csv = censusCsv();
const study = censusStudy();
const [header, ...rows] = csv
  .trimEnd()
  .split('\n')
  .map((line) => line.split(','));

/** The features of the study, numbers in scaled units; the last level of the category is left out. */
function features() {
  const values = [];
  for (const row of rows) {
    study.columns.forEach((column, i) => {
      if (column.type === 'category') {
        for (const level of column.levels.slice(0, -1)) values.push(row[i] === level ? 1 : 0);
      } else {
        const z = (2 * Number(row[i]) - column.min - column.max) / (column.max - column.min);
        values.push(Math.min(1, Math.max(-1, z)));
      }
    });
  }
  return values;
}

describe('census sample', () => {
  test('the file is small, and the one that its README describes', () => {
    expect(readme).toContain(sha256(packed));
    expect(readme).toContain(sha256(csv));
    expect(packed.length).toBeLessThan(400_000);
  });

  test('it has all 48,842 rows, and only the columns of the study', () => {
    expect(rows).toHaveLength(48_842);
    expect(header).toEqual(study.columns.map((column) => column.name));
    expect(rows.every((row) => row.length === header.length)).toBe(true);
  });

  test('its guide says what the study tells participants about each column', () => {
    const text = readFileSync(new URL('../../docs/sample-study.md', import.meta.url), 'utf8');
    for (const { name, label, unit = '', min = '', max = '', description = '' } of study.columns) {
      const cells = ['', `\`${name}\``, label, unit, min, max, description, ''].join(' | ');
      expect(text).toContain(cells.trim().replaceAll(/ {2,}/g, ' '));
    }
  });

  test('every cell is valid in the study', () => {
    study.columns.forEach((column, i) => {
      const readable = (cell) =>
        column.type === 'category' ? column.levels.includes(cell) : /^\d+$/.test(cell);
      expect(rows.filter((row) => !readable(row[i])).length, column.name).toBe(0);
    });
  });

  test('totals agree with those published for the data set', () => {
    const total = (name) => rows.filter((row) => row[header.indexOf(name)] === '1').length;
    expect(total('over_50k')).toBe(11_687);
    expect(total('female')).toBe(16_192);
  });

  test('its canonical correlations are those in the documentation', () => {
    const found = plainCca(features(), 9, 4);
    [0.6179, 0.4775, 0.1711, 0.0432].forEach((r, i) => expect(found[i]).toBeCloseTo(r, 4));
  });
});

describe('split over sites', () => {
  test('row i goes to site i mod 10, and no row is lost or duplicated', () => {
    const sites = dealOut(csv, SITES);
    expect(sites.map((site) => site.name)).toEqual(
      ['01', '02', '03', '04', '05', '06', '07', '08', '09', '10'].map((n) => `site-${n}.csv`),
    );
    const hands = sites.map((site) => site.csv.trimEnd().split('\n'));
    hands.forEach((lines) => expect(lines[0]).toBe(header.join(',')));
    const back = rows.map((_, i) => hands[i % SITES][1 + Math.floor(i / SITES)]);
    expect(back.join('\n')).toBe(rows.map((row) => row.join(',')).join('\n'));
    expect(hands.reduce((sum, lines) => sum + lines.length - 1, 0)).toBe(rows.length);
  });

  test('writes the study and one file per site into a new folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'private-moments-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const paths = writeSample(join(folder, 'new'));
    expect(readdirSync(join(folder, 'new'))).toHaveLength(SITES + 1);
    expect(JSON.parse(readFileSync(join(folder, 'new', 'study.json'), 'utf8'))).toEqual(study);
    expect(readFileSync(paths[9], 'utf8')).toBe(dealOut(csv, SITES)[9].csv);
  });
});
