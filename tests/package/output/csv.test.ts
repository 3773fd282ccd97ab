import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { csvField, csvText } from '../../../web/package/src/output/csv.js';
import { csvOfRows } from '../../../web/package/src/synthesis/csv.js';

const FORMULAS = [
  '=1+1',
  '+A1',
  '-A1',
  '@SUM(A1)',
  '\t=1',
  ' =1',
  '\u00a0=1',
  '\r=1',
  '＝1',
  '＋A1',
  '－A1',
  '＠A1',
  '-1+2',
];

describe('a CSV file of this package', () => {
  it('has an apostrophe before each text that a spreadsheet would run as a formula', () => {
    for (const text of FORMULAS) {
      const { data } = Papa.parse<string[]>(csvText(['name'], [[text]]));
      expect(data[1], JSON.stringify(text)).toEqual([`'${text}`]);
    }
  });

  it('has numbers and lone signs unchanged, because no spreadsheet runs them', () => {
    for (const text of ['-1', '+1.5', '-.5e-3', '+', '-', 'a=1', "'quoted"]) {
      expect(csvField(text)).toBe(text);
    }
    expect(csvField(-1.5)).toBe('-1.5');
  });

  it('reads back as written, for any contents', () => {
    const cells = ['plain', 'a,b', 'a;b', 'a\tb', 'say "hi"', 'two\r\nlines', ''];
    const { data, errors } = Papa.parse<string[]>(
      csvText(
        ['x', 'y'],
        cells.map((cell) => [cell, 1]),
      ),
      {
        newline: '\r\n',
        skipEmptyLines: true,
      },
    );
    expect(errors).toEqual([]);
    expect(data).toEqual([['x', 'y'], ...cells.map((cell) => [cell, '1'])]);
  });

  it('has an empty cell for null, and CR LF after every line', () => {
    expect(csvText(['a', 'b', 'c', 'd'], [[null, undefined, NaN, false]])).toBe(
      'a,b,c,d\r\n,,,false\r\n',
    );
  });

  it('guards the names and levels of synthetic rows', () => {
    const columns = [
      { name: '=cmd', type: 'category', levels: ['+', '=1+1'] },
      { name: '-x', type: 'number', min: 0, max: 10 },
    ] as const;
    expect(csvOfRows(columns, Float64Array.of(0, 2.5, 1, 3))).toBe(
      "'=cmd,'-x\r\n+,2.5\r\n'=1+1,3\r\n",
    );
  });
});
