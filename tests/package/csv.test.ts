import Papa from 'papaparse';
import { describe, expect, it, test } from 'vitest';
import { cellReader, numericCellReader } from '../../web/package/src/cells.js';
import { CsvReader } from '../../web/package/src/csv.js';
import { failure, seeded } from './support.js';

const wanted = (...names: string[]) => names.map((name) => ({ name, from: name }));

/** Reads text cut at the given places. */
function read(text: string, names: string[], cuts: number[] = []): string[][] {
  const rows: string[][] = [];
  const reader = new CsvReader(wanted(...names), (cells) => rows.push([...cells]));
  let start = 0;
  for (const cut of [...cuts, text.length]) {
    reader.push(text.slice(start, cut));
    start = cut;
  }
  reader.end();
  return rows;
}

describe('a CSV file', () => {
  it('gives the wanted columns in the order asked for', () => {
    expect(read('a,b,c\n1,2,3\n4,5,6\n', ['c', 'a'])).toEqual([
      ['3', '1'],
      ['6', '4'],
    ]);
  });

  it('needs no line break after the last row', () => {
    expect(read('a,b\n1,2', ['a', 'b'])).toEqual([['1', '2']]);
    expect(read('a,b\n1,"2"', ['a', 'b'])).toEqual([['1', '2']]);
  });

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('may end its lines in %s', (_, newline) => {
    const text = ['a,"b"', '1,"x"', '2,y', '"3",z', ''].join(newline);
    expect(read(text, ['a', 'b'])).toEqual([
      ['1', 'x'],
      ['2', 'y'],
      ['3', 'z'],
    ]);
  });

  it('may mix the ends of its lines', () => {
    expect(read('a,b\r\n1,2\n3,4\r"5","6"\r\r\n', ['a', 'b'])).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
    ]);
  });

  it('may have quotes within unquoted fields and spaces after quoted ones', () => {
    expect(read('a,b\n5\' 10",x"y"\n"1" ,"2"\t\n', ['a', 'b'])).toEqual([
      [`5' 10"`, 'x"y"'],
      ['1', '2'],
    ]);
  });

  it('may quote delimiters, line breaks and quotes', () => {
    const text = 'name,note\nx,"a, ""b""\nc"\n"y, z",""\n';
    expect(read(text, ['name', 'note'])).toEqual([
      ['x', 'a, "b"\nc'],
      ['y, z', ''],
    ]);
  });

  it('may have quotes and line breaks in its header', () => {
    expect(read('"first\nname","b ""c"""\n1,2\n', ['first\nname', 'b "c"'])).toEqual([['1', '2']]);
  });

  it('may have spaces around names and blank lines anywhere', () => {
    expect(read('\n\r\n a , b\n\n1,2\n   \n3,4\n\n\n', ['a', 'b'])).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  it.each([';', '\t', '|', ','])('may be delimited by %j', (delimiter) => {
    const text = `a${delimiter}b\n1${delimiter}2\n`;
    expect(read(text, ['a', 'b'])).toEqual([['1', '2']]);
  });

  it('is split by the delimiter under which the header has the wanted columns', () => {
    expect(read('a,x;b,y;c\n1;2;3\n', ['a,x', 'b,y'])).toEqual([['1', '2']]);
    expect(read('a,x;b,y;c\n1,2,3\n', ['x;b'])).toEqual([['2']]);
  });

  it('of one column has missing cells where lines are blank', () => {
    expect(read('a\n1\n\n3\n""\n', ['a'])).toEqual([['1'], [''], ['3'], ['']]);
  });

  it('tells which columns nobody asked for', () => {
    const reader = new CsvReader(wanted('b'), () => undefined);
    reader.push('a,b,c\n');
    expect(reader.ignored).toEqual(['a', 'c']);
  });
});

describe('a CSV file is refused when', () => {
  test.each<[string, string, Parameters<typeof failure>[1]]>([
    ['it is empty', '', { code: 'empty-file' }],
    ['it is blank', ' \n\n', { code: 'empty-file' }],
    ['a column is missing', 'b,c\n1,2\n', { code: 'missing-column', column: 'a', message: /"a"/ }],
    [
      'several columns are missing',
      'c,d\n1,2\n',
      { code: 'missing-column', column: 'a', message: /"a", "b"/ },
    ],
    ['a needed column is there twice', 'a,b,a\n', { code: 'duplicate-header', column: 'a' }],
    ['a row is short', 'a,b\n1,2\n3\n', { code: 'ragged-row', row: 2 }],
    ['a row is long', 'a,b\n1,2\n\n3,4,5\n', { code: 'ragged-row', row: 2 }],
    ['a quote is not closed', 'a,b\n1,2\n3,"4\n5,6\n', { code: 'csv-malformed', row: 2 }],
    ['text follows a quote', 'a,b\n1,2\n3,"4"5\n5,6\n', { code: 'csv-malformed', row: 2 }],
    ['the header quote is not closed', '"a,b\n1,2\n', { code: 'csv-malformed' }],
  ])('%s', async (_, text, expected) => {
    await failure(() => read(text, ['a', 'b']), expected);
  });

  it('a record never ends, without reading on for ever', async () => {
    const reader = new CsvReader(wanted('a'), () => undefined);
    reader.push('a,b\n1,"');
    const piece = 'x'.repeat(2 ** 22);
    await failure(
      () => {
        for (let i = 0; i < 10; i++) reader.push(piece);
      },
      { code: 'csv-malformed', row: 1 },
    );
  });

  it('and the message does not quote the row', async () => {
    const error = await failure(() => read('a,b\n1,SECRET,"SEC""RET\n', ['a', 'b']), {
      code: 'csv-malformed',
    });
    expect(error.message).not.toMatch(/SEC/);
  });
});

describe('where a CSV file is cut into pieces', () => {
  const awkward = 'a,"b ""b"" b",c\r\n1,"x, ""y""\r\nz", 3 \r\n\r\n"4",,"6"\r\n7,"""",9';
  const names = ['c', 'a', 'b "b" b'];

  it('does not matter, for one cut anywhere', () => {
    const whole = read(awkward, names);
    expect(whole).toHaveLength(3);
    for (let cut = 0; cut <= awkward.length; cut++) {
      expect(read(awkward, names, [cut]), `cut at ${cut}`).toEqual(whole);
    }
  });

  it('does not matter, one character at a time', () => {
    const cuts = Array.from(awkward, (_, index) => index + 1);
    expect(read(awkward, names, cuts)).toEqual(read(awkward, names));
  });

  it('does not matter for malformed files either', async () => {
    const text = 'a,b\n1,"2"\n3,"4"5\n6,"7"\n';
    for (let cut = 0; cut <= text.length; cut++) {
      await failure(() => read(text, ['a', 'b'], [cut]), { code: 'csv-malformed', row: 2 });
    }
  });

  it('does not matter for made-up tables, read as papaparse reads them', () => {
    const random = seeded(7);
    const pick = (count: number) => Math.floor(random() * count);
    const pool = ['', '1', '-2.5e3', 'a b', 'x,y', '"', '""', '\n', '\r\n', ' "q" ', 'é', '😴'];
    for (let round = 0; round < 200; round++) {
      const width = 2 + pick(3);
      const table = Array.from({ length: 1 + pick(6) }, () =>
        Array.from({ length: width }, () => pool[pick(pool.length)] ?? ''),
      );
      const newline = round % 2 === 0 ? '\n' : '\r\n';
      const header = Array.from({ length: width }, (_, index) => `c${index}`);
      const quote = (cell: string) =>
        /[",\r\n]/.test(cell) || pick(3) === 0 ? `"${cell.replaceAll('"', '""')}"` : cell;
      const text = [header, ...table].map((row) => row.map(quote).join(',')).join(newline);
      const cuts = Array.from({ length: 4 }, () => pick(text.length)).sort((a, b) => a - b);
      const [, ...expected] = Papa.parse<string[]>(text, { delimiter: ',', newline }).data;
      expect(read(text, header, cuts)).toEqual(table);
      expect(expected).toEqual(table);
    }
  });
});

describe('a number cell', () => {
  const readCell = cellReader({ name: 'a', from: 'a', type: 'number', min: 0, max: 1 });

  test.each([
    ['1', 1],
    [' -1.5e3 ', -1500],
    ['+.5', 0.5],
    ['2.', 2],
    ['007', 7],
    [3, 3],
    [4n, 4],
  ])('%s is read as %d', (cell, value) => {
    expect(readCell(cell)).toBe(value);
  });

  test.each([
    '',
    ' ',
    'NaN',
    'Infinity',
    '-inf',
    '0x10',
    '0b1',
    '1,5',
    '1 000',
    '1_000',
    '1e',
    '1e999',
    '--1',
    '12 kg',
    'NA',
    NaN,
    Infinity,
    null,
    undefined,
    true,
    new Date(0),
    { valueOf: () => 1 },
  ])('%o is missing', (cell) => {
    expect(readCell(cell)).toBeNaN();
  });
});

describe('a category cell', () => {
  const column = { name: 'a', from: 'a', type: 'category', levels: ['no', 'yes', '1'] } as const;

  test.each([
    ['no', 0],
    [' yes ', 1],
    ['1', 2],
    [1, 2],
  ])('%j is a level', (cell, index) => {
    expect(cellReader(column)(cell)).toBe(index);
  });

  test.each(['', 'NO', 'maybe', 2, null, undefined, {}])('%o is missing', (cell) => {
    expect(cellReader(column)(cell)).toBeNaN();
  });

  it('in a table of numbers is the index of its level', () => {
    const cells = [0, 2, 3, -1, 0.5, NaN].map(numericCellReader(column));
    expect(cells).toEqual([0, 2, NaN, NaN, NaN, NaN]);
  });
});
