import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import Papa from 'papaparse';
import { describe, expect, it, test } from 'vitest';
import { cellReader, numericCellReader } from '../../../web/package/src/data/cells.js';
import type {
  CsvColumn,
  CsvLayout,
  CsvOptions,
  CsvReader,
  Raw,
  ReleaseCore,
} from '../../../web/package/src/core/raw.js';
import type { CsvDecimal, CsvDelimiter } from '../../../web/package/src/study/types.js';
import { unwrap } from '../../../web/package/src/core/unwrap.js';
import { builtCore } from '../core-support.js';
import { failure, seeded } from '../support.js';

const core = await builtCore<ReleaseCore>('private-moments');
const encoder = new TextEncoder();

const wanted = (...names: string[]) => names.map((name) => ({ name, from: name }));

function layoutOf(bytes: Uint8Array, names: string[], options: CsvOptions = { decimal: '.' }) {
  const columns = wanted(...names);
  const { layout } = unwrap(core.csvLayout(bytes, true, columns, options), columns);
  if (layout === null) throw new Error('a whole file has a whole header');
  return layout;
}

function readerOf(layout: CsvLayout, columns: readonly CsvColumn[]): CsvReader {
  const { reader } = unwrap(core.createCsvReader(layout, columns, [], []));
  reader.begin({ at: layout.headerBytes, seek: false, stop: Infinity });
  return reader;
}

/** The rows of a file whose bytes are cut at `cuts`. */
function rowsOf(
  bytes: Uint8Array,
  names: string[],
  columns: readonly CsvColumn[],
  { cuts = [], options }: { cuts?: number[]; options?: CsvOptions } = {},
): number[][] {
  const layout = layoutOf(bytes, names, options);
  const reader = readerOf(layout, columns);
  const cells: number[] = [];
  const take = (read: Raw<object>) => {
    unwrap(read, wanted(...names));
    for (const cell of reader.collected()) cells.push(cell);
  };
  let start = layout.headerBytes;
  for (const cut of [...cuts.filter((at) => at > start), bytes.length]) {
    take(reader.collect(bytes.subarray(start, cut)));
    start = cut;
  }
  take(reader.collectEnd());
  reader.delete();
  const width = names.length;
  return Array.from({ length: cells.length / width }, (_, row) =>
    cells.slice(row * width, (row + 1) * width),
  );
}

/** Reads numbers, or returns the error. */
function read(text: string, names: string[], cuts: number[] = []): number[][] {
  const numbers = names.map(() => ({ type: 'number' as const }));
  return rowsOf(encoder.encode(text), names, numbers, { cuts });
}

/**
 * Checks texts: the levels of every column are all expected texts, so that a cell matches only if it is
 * exactly the expected text. Empty cells are missing.
 */
function expectTexts(text: string, names: string[], expected: string[][], cuts: number[] = []) {
  const levels = [...new Set(expected.flat())].filter((level) => level !== '');
  const columns = names.map(() => ({ type: 'category' as const, levels: [...levels, 'none'] }));
  const rows = rowsOf(encoder.encode(text), names, columns, { cuts });
  expect(rows.map((row) => row.map((index) => levels[index] ?? ''))).toEqual(expected);
}

describe('a CSV file', () => {
  it('has the requested columns in the requested order', () => {
    expectTexts(
      'a,b,c\n1,2,3\n4,5,6\n',
      ['c', 'a'],
      [
        ['3', '1'],
        ['6', '4'],
      ],
    );
  });

  it('needs no line break after its last row', () => {
    expectTexts('a,b\n1,2', ['a', 'b'], [['1', '2']]);
    expectTexts('a,b\n1,"2"', ['a', 'b'], [['1', '2']]);
  });

  it.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('may end its lines with %s', (_, newline) => {
    const text = ['a,"b"', '1,"x"', '2,y', '"3",z', ''].join(newline);
    expectTexts(
      text,
      ['a', 'b'],
      [
        ['1', 'x'],
        ['2', 'y'],
        ['3', 'z'],
      ],
    );
  });

  it('may mix the ends of its lines', () => {
    expectTexts(
      'a,b\r\n1,2\n3,4\r"5","6"\r\r\n',
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', '4'],
        ['5', '6'],
      ],
    );
  });

  it('may have quotes in unquoted fields and spaces after quoted ones', () => {
    expectTexts(
      'a,b\n5\' 10",x"y"\n"1" ,"2"\t\n',
      ['a', 'b'],
      [
        [`5' 10"`, 'x"y"'],
        ['1', '2'],
      ],
    );
  });

  it('may quote delimiters, line breaks and quotes', () => {
    const text = 'name,note\nx,"a, ""b""\nc"\n"y, z",""\n';
    expectTexts(
      text,
      ['name', 'note'],
      [
        ['x', 'a, "b"\nc'],
        ['y, z', ''],
      ],
    );
  });

  it('may have quotes and line breaks in its header', () => {
    expectTexts('"first\nname","b ""c"""\n1,2\n', ['first\nname', 'b "c"'], [['1', '2']]);
  });

  it('may have spaces around names and blank lines anywhere', () => {
    expectTexts(
      '\n\r\n a , b\n\n1,2\n   \n3,4\n\n\n',
      ['a', 'b'],
      [
        ['1', '2'],
        ['3', '4'],
      ],
    );
  });

  it.each([';', '\t', '|', ','])('may be delimited by %j', (delimiter) => {
    const text = `a${delimiter}b\n1${delimiter}2\n`;
    expectTexts(text, ['a', 'b'], [['1', '2']]);
  });

  it('is split by the delimiter with which the header has the requested columns', () => {
    expectTexts('a,x;b,y;c\n1;2;3\n', ['a,x', 'b,y'], [['1', '2']]);
    expectTexts('a,x;b,y;c\n1,2,3\n', ['x;b'], [['2']]);
  });

  it('with one column has missing cells for blank lines', () => {
    expectTexts('a\n1\n\n3\n""\n', ['a'], [['1'], [''], ['3'], ['']]);
  });

  it('reports columns that were not requested', () => {
    expect(layoutOf(encoder.encode('a,b,c\n'), ['b']).ignored).toEqual(['a', 'c']);
  });
});

describe('a CSV file is refused if', () => {
  test.each<[string, string, Parameters<typeof failure>[1]]>([
    ['it is empty', '', { code: 'empty-file' }],
    ['it is blank', ' \n\n', { code: 'empty-file' }],
    ['a column is missing', 'b,c\n1,2\n', { code: 'missing-column', column: 'a', message: /"a"/ }],
    [
      'several columns are missing',
      'c,d\n1,2\n',
      { code: 'missing-column', column: 'a', message: /"a", "b"/ },
    ],
    ['a needed column occurs twice', 'a,b,a\n', { code: 'duplicate-header', column: 'a' }],
    ['a row is short', 'a,b\n1,2\n3\n', { code: 'ragged-row', row: 2 }],
    ['a row is long', 'a,b\n1,2\n\n3,4,5\n', { code: 'ragged-row', row: 2 }],
    ['a quote is not closed', 'a,b\n1,2\n3,"4\n5,6\n', { code: 'csv-malformed', row: 2 }],
    ['text follows a quote', 'a,b\n1,2\n3,"4"5\n5,6\n', { code: 'csv-malformed', row: 2 }],
    ['the header quote is not closed', '"a,b\n1,2\n', { code: 'csv-malformed' }],
  ])('%s', async (_, text, expected) => {
    await failure(() => read(text, ['a', 'b']), expected);
  });

  it('a record never ends, without reading to the end', async () => {
    const start = encoder.encode('a,b\n1,"');
    const reader = readerOf(layoutOf(start, ['a']), [{ type: 'number' }]);
    unwrap(reader.collect(start.subarray(4)));
    const piece = encoder.encode('x'.repeat(2 ** 22));
    await failure(
      () => {
        for (let i = 0; i < 10; i++) unwrap(reader.collect(piece));
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

describe('the places where a CSV file is cut into pieces', () => {
  const awkward = 'a,"b ""b"" b",c\r\n1,"x, ""y""\r\nz", 3 \r\n\r\n"4",,"6"\r\n7,"""",9';
  const names = ['c', 'a', 'b "b" b'];

  it('do not matter, for a single cut anywhere', () => {
    const whole = read(awkward, names);
    expect(whole).toHaveLength(3);
    for (let cut = 0; cut <= awkward.length; cut++) {
      expect(read(awkward, names, [cut]), `cut at ${cut}`).toEqual(whole);
    }
  });

  it('do not matter, for pieces of one character', () => {
    const cuts = Array.from(awkward, (_, index) => index + 1);
    expect(read(awkward, names, cuts)).toEqual(read(awkward, names));
  });

  it('do not matter for malformed files', async () => {
    const text = 'a,b\n1,"2"\n3,"4"5\n6,"7"\n';
    for (let cut = 0; cut <= text.length; cut++) {
      await failure(() => read(text, ['a', 'b'], [cut]), { code: 'csv-malformed', row: 2 });
    }
  });

  it('may be within a character or between the bytes of a line end', () => {
    const text = 'a,b\r\n"é"\u00a0,😴\r\n é\u3000,"😴"\u2028\r\n';
    const expected = [
      ['é', '😴'],
      ['é', '😴'],
    ];
    for (let cut = 0; cut <= encoder.encode(text).length; cut++) {
      expectTexts(text, ['a', 'b'], expected, [cut]);
    }
  });
});

interface Format {
  delimiter: CsvDelimiter;
  decimal?: CsvDecimal;
  newline: '\n' | '\r\n' | '\r';
}

/** The cells found by papaparse, converted to numbers by JavaScript. */
function expectAsPapaparse(
  text: string,
  { delimiter, decimal = '.', newline }: Format,
  cuts: number[] = [],
): number {
  const { data, errors } = Papa.parse<string[]>(text, { delimiter, newline, skipEmptyLines: true });
  expect(errors).toEqual([]);
  const [header = [], ...rows] = data;
  const names = header.map((name) => name.trim());
  // Each column is read twice: as numbers, and as its most frequent texts.
  const numbers = names.map((name) => ({ ...NUMBER, name, from: name }));
  const categories = names.map((name, at) => {
    const texts = new Set(rows.slice(0, 200).map((row) => row[at]?.trim() ?? ''));
    texts.delete('');
    return { type: 'category' as const, name, from: name, levels: ['none', ...texts] };
  });
  const columns = [...numbers, ...categories];
  const found = rowsOf(
    encoder.encode(text),
    columns.map(({ name }) => name),
    columns,
    { cuts, options: { delimiter, decimal } },
  );
  expect(found.length).toBe(rows.length);
  const readers = columns.map((column) => cellReader(column, []));
  let differences = 0;
  for (const [index, row] of rows.entries()) {
    for (const [at, readCell] of readers.entries()) {
      const cell = row[at % names.length] ?? '';
      const said = at < names.length && decimal === ',' ? pointed(cell) : cell;
      const wanted = readCell(said);
      if (!Object.is(found[index]?.[at], Number.isFinite(wanted) ? wanted : NaN)) differences += 1;
    }
  }
  expect(differences).toBe(0);
  return rows.length * columns.length;
}

const NUMBER = { type: 'number' as const, min: 0, max: 1 };

/** A number with a decimal comma in JavaScript's notation. None of them has a point. */
function pointed(cell: string): string {
  return cell.replace('.', ' ').replace(',', '.');
}

describe('cells are the same as with papaparse and JavaScript', () => {
  it('in generated tables', () => {
    const random = seeded(7);
    const pick = (count: number) => Math.floor(random() * count);
    const digits = (count: number) => Array.from({ length: count }, () => pick(10)).join('');
    const pool = ['', 'a b', 'x,y', '"', '""', '\n', '\r\n', ' "q" ', 'é', '😴', '\u00a0x\u2003'];
    const odd = ['NaN', 'Infinity', '-inf', '1e', '.', '-', '+-1', '0x10', '10 00', '1_000', '-0'];
    let cells = 0;
    for (let round = 0; round < 400; round++) {
      const delimiter = ([',', ';', '\t', '|'] as const)[round % 4] ?? ',';
      const decimal = round % 3 === 0 ? ',' : '.';
      const number = () => {
        const whole = digits(pick(8) === 0 ? pick(25) : 1 + pick(4));
        const rest = pick(3) === 0 ? '' : decimal + digits(pick(8) === 0 ? pick(25) : pick(9));
        const exponent = pick(5) === 0 ? `${'eE'[pick(2)]}${'+-'[pick(2)]}${pick(330)}` : '';
        return `${['', '-', '+', ' '][pick(6)] ?? ''}${whole}${rest}${exponent}${pick(9) ? '' : ' '}`;
      };
      const width = 2 + pick(round % 10 === 0 ? 40 : 4);
      const cell = () => {
        const kind = pick(6);
        if (kind === 0) return odd[pick(odd.length)] ?? '';
        return kind === 1 ? (pool[pick(pool.length)] ?? '') : number();
      };
      const table = Array.from({ length: 1 + pick(20) }, () => Array.from({ length: width }, cell));
      const newline = (['\n', '\r\n', '\r'] as const)[pick(3)] ?? '\n';
      const header = Array.from({ length: width }, (_, index) => `c${index}`);
      const quote = (text: string) =>
        text.includes(delimiter) || /["\r\n]/.test(text) || pick(4) === 0
          ? `"${text.replaceAll('"', '""')}"`
          : text;
      const text = [header, ...table].map((row) => row.map(quote).join(delimiter)).join(newline);
      const cuts = Array.from({ length: 4 }, () => pick(text.length)).sort((a, b) => a - b);
      cells += expectAsPapaparse(text, { delimiter, decimal, newline }, cuts);
    }
    expect(cells).toBeGreaterThan(20_000);
  });

  const folder =
    process.env.PM_DATA ?? fileURLToPath(new URL('../../../../shared/data', import.meta.url));
  it.each([
    ['lifecyclesavings/LifeCycleSavings.csv', 'with a header'],
    ['mmreg/mmreg.csv', 'with a header'],
    ['gfe/gfe_2videos_partial.csv.gz', 'with a header'],
    ['wiki_image_text/wiki_image128.csv.gz', 'with a header'],
    ['digits/digits.csv.gz', 'without'],
    ['adult/adult.data.gz', 'without'],
  ])('the real file %s', (file, header) => {
    if (!existsSync(`${folder}/${file}`)) {
      console.log(`skipped: ${file} is not in ${folder} (PM_DATA)`);
      return;
    }
    const bytes = readFileSync(`${folder}/${file}`);
    const whole = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
    // One megabyte of whole lines is enough.
    const lines = whole.slice(0, whole.lastIndexOf('\n', 2 ** 20) + 1);
    const width = lines.slice(0, lines.indexOf('\n')).split(',').length;
    const names = Array.from({ length: width }, (_, index) => `c${index}`);
    const text = header === 'without' ? `${names.join(',')}\n${lines}` : lines;
    expect(expectAsPapaparse(text, { delimiter: ',', newline: '\n' })).toBeGreaterThan(300);
  });
});

describe('a CSV file in another format', () => {
  const number = [{ type: 'number' as const }];
  const numbers = (text: string, options: CsvOptions) =>
    rowsOf(encoder.encode(text), ['a'], number, { options }).flat();

  it('may have decimal commas, and then no decimal points', () => {
    const text = 'a;b\n1,5;0\n-,25e1;0\n2;0\n1,2,3;0\n';
    const options = { decimal: ',' } as const;
    expect(numbers(text, options)).toEqual([1.5, -2.5, 2, NaN]);
    // In quotes, also if commas end fields.
    expect(numbers('a,b\n"1,5",0\n2,5\n', options)).toEqual([1.5, 2]);
  });

  it('with decimal commas is refused without the option, not read as missing cells', async () => {
    for (const cell of [
      '1,5',
      ' 1,234 ',
      '-,5',
      '"1,5e3"',
      '+20,',
      '1.234,5',
      '1,234.5',
      '1 234',
    ]) {
      const text = `a;b\n7;0\n;0\n${cell};0\n8;0\n`;
      await failure(() => numbers(text, { decimal: '.' }), {
        ...{ code: 'decimal-mark', row: 3, column: 'a' },
        message: /^row 3, column "a": .*comma or thousands separators/,
      });
    }
    const options = { decimal: ',' } as const;
    for (const cell of ['1.5', '1.234,5']) {
      await failure(() => numbers(`a;b\n1,5;0\n${cell};0\n`, options), {
        ...{ code: 'decimal-mark', row: 2, column: 'a' },
      });
    }
    // Text that is not a number with either mark is a missing cell, and a comma can be part of a level.
    expect(numbers('a;b\n1,2,3;0\nx,y;0\n', { decimal: '.' })).toEqual([NaN, NaN]);
    const levels = [{ type: 'category' as const, levels: ['1,5'] }];
    expect(rowsOf(encoder.encode('a;b\n1,5;0\n'), ['a'], levels, {}).flat()).toEqual([0]);
  });

  it('is split by the delimiter of the option, even if another fits the header', async () => {
    const text = 'a;b,c\n1;2,3\n';
    expect(numbers(text, { decimal: '.' })).toEqual([1]);
    await failure(() => numbers(text, { decimal: '.', delimiter: ',' }), {
      code: 'missing-column',
      column: 'a',
    });
  });
});

describe('text that is not UTF-8', () => {
  const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
  const label = [{ type: 'category' as const, levels: ['é', 'e'] }];

  it('is refused with its place in a header and in a cell of a category', async () => {
    await failure(() => layoutOf(bytes('a,\xe9\n1,2\n'), ['a']), { code: 'csv-encoding' });
    const file = bytes('a,b\n1,e\n2,\xe9\n');
    await failure(() => rowsOf(file, ['b'], label), {
      code: 'csv-encoding',
      row: 2,
      column: 'b',
      message: /^row 2, column "b": /,
    });
  });

  it('is a missing cell in a number column, and ignored in unused columns', () => {
    const file = bytes('a,b\n1\xff,\xe9\n2,\xe9\n');
    expect(rowsOf(file, ['a'], [{ type: 'number' }])).toEqual([[NaN], [2]]);
  });

  it.each([
    ['with a byte order mark', [0xff, 0xfe]],
    ['in the other byte order', [0xfe, 0xff]],
    ['without a mark', []],
  ])('is refused as UTF-16 %s', async (_, mark) => {
    const text = Array.from('a,b\n1,2\n', (character) => [character.charCodeAt(0), 0]).flat();
    const file = Uint8Array.from([...mark, ...text]);
    await failure(() => layoutOf(file, ['a']), { code: 'csv-encoding' });
  });

  it('except for a byte order mark, which is not part of the first name', () => {
    expect(rowsOf(bytes('\xef\xbb\xbfa\n5\n'), ['a'], [{ type: 'number' }])).toEqual([[5]]);
  });
});

describe('a number cell', () => {
  const readCell = cellReader({ name: 'a', type: 'number', min: 0, max: 1 }, []);

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

  test.each(['', ' ', NaN, null, undefined])('%o is missing', (cell) => {
    expect(readCell(cell)).toBeNaN();
  });

  test.each([
    'NaN',
    'Infinity',
    '-inf',
    '0x10',
    '0b1',
    '10 00',
    '1.2345,6',
    '192.168.0.1',
    '1_000',
    '1e',
    '1e999',
    '--1',
    '12 kg',
    'NA',
    Infinity,
    true,
    new Date(0),
    { valueOf: () => 1 },
  ])('%o is unreadable', (cell) => {
    expect(readCell(cell)).toBe(Infinity);
  });
});

test.each([
  ' -1,5 ',
  '1.234,56',
  '1,234.56',
  '1.234.567',
  '12,34,567',
  '1 234',
  "1'234.5",
  '1\u2019234',
  '1\u00a0234,5',
  '1\u2009234',
  '1\u202f234,5',
])(
  'a number with a decimal comma or thousands separators is not a missing cell: %o',
  async (cell) => {
    const column = { name: 'a', from: 'b', type: 'number' } as const;
    await failure(() => cellReader(column as never, [])(cell), {
      code: 'decimal-mark',
      column: 'a',
    });
  },
);

describe('a category cell', () => {
  const column = { name: 'a', from: 'a', type: 'category', levels: ['no', 'yes', '1'] } as const;

  test.each([
    ['no', 0],
    [' yes ', 1],
    ['1', 2],
    [1, 2],
  ])('%j is a level', (cell, index) => {
    expect(cellReader(column, [])(cell)).toBe(index);
  });

  test.each(['', ' ', null, undefined, NaN, 'n/a'])('%o is missing', (cell) => {
    expect(cellReader(column, ['n/a'])(cell)).toBeNaN();
  });

  test.each(['NO', 'maybe', 'N/A', 2, {}])('%o is unreadable', (cell) => {
    expect(cellReader(column, ['n/a'])(cell)).toBe(Infinity);
  });

  it('in a table of numbers is the index of its level', () => {
    const cells = [0, 2, 3, -1, 0.5, NaN].map(numericCellReader(column));
    expect(cells).toEqual([0, 2, Infinity, Infinity, Infinity, NaN]);
  });
});
