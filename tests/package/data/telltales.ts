/** Cells that occur nowhere else, in files with every kind of fault, and a search for them. */

const WORDS = [
  'Zwetschgenkuchen',
  'Quittengelee',
  'Hagebuttentee',
  '48x15q',
  '7319.4421',
  '91827.364',
  '7319,4421',
];
const NUMBERS = [7319.4421, 91827.364].flatMap((number) => [number, Math.fround(number)]);

export const TELLTALE_STUDY = {
  title: 'Telltales',
  columns: [
    { name: 'a', type: 'number' as const, min: 0, max: 10_000 },
    { name: 'b', type: 'number' as const, min: 0, max: 1 },
    { name: 'c', type: 'category' as const, levels: ['x', 'y'] },
  ],
  privacy: { epsilon: 1, delta: 1e-6 },
};

const GOOD = Array.from({ length: 30 }, (_, i) => `${i},0.5,${i % 2 === 0 ? 'x' : 'y'}`).join('\n');

function file(...lines: string[]): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(['a,b,c', GOOD, ...lines, ''].join('\n'));
}

export const TELLTALE_FILES: Record<string, Uint8Array<ArrayBuffer>> = {
  'cells in order': file('7319.4421,0.5,x'),
  'a number outside its bounds': file('91827.364,0.5,x'),
  'a text in a column of numbers': file('Zwetschgenkuchen,0.5,x', '48x15q,0.5,y'),
  'a level that the study has not': file('7319.4421,0.5,Quittengelee'),
  'too many fields': file('7319.4421,0.5,x,Zwetschgenkuchen'),
  'too few fields': file('7319.4421,0.5'),
  'one field': file('Hagebuttentee'),
  'a quote that is not closed': file('"7319.4421,Zwetschgenkuchen,x'),
  'a quote inside a field': file('7319.4421,Zwetschgen"kuchen",x'),
  'text after a quote': file('"7319.4421"Hagebuttentee,0.5,x'),
  'bytes that are not UTF-8': new Uint8Array([
    ...file('7319.4421,0.5,Quittengelee'),
    ...[0xff, 0xfe, 0x2c, 0xc3, 0x0a],
  ]),
  'a decimal comma': new TextEncoder().encode(
    `a;b;c\n${'1,5;0,5;x\n'.repeat(9)}7319,4421;0,5;Hagebuttentee\n`,
  ),
  'no header': new TextEncoder().encode('7319.4421,Zwetschgenkuchen,Quittengelee\n1,0.5,x\n'),
  'a header with a name twice': new TextEncoder().encode('a,b,c,a\n7319.4421,1,x,91827.364\n'),
  'nothing that can be read': new TextEncoder().encode(
    `a,b,c\n${'Zwetschgenkuchen,48x15q,Quittengelee\n'.repeat(50)}`,
  ),
  'one long field': file(`${'Zwetschgenkuchen'.repeat(5000)},0.5,x`),
};

const row = { a: 1, b: 0.5, c: 'x' };

export const TELLTALE_ROWS: Record<string, readonly object[]> = {
  'a text for a number': [row, { ...row, a: 'Zwetschgenkuchen' }],
  'another level': [row, { ...row, c: 'Quittengelee' }],
  'an object for a cell': [row, { ...row, a: { Hagebuttentee: 7319.4421 } }],
  'a text for a row': [row, 'Zwetschgenkuchen' as never],
  'a field that is missing': [row, { a: 7319.4421, b: 91827.364 }],
};

/** The telltale cells anywhere in a value: its texts, numbers, bytes, keys and causes. */
export function found(value: unknown): string[] {
  const hits = new Set<string>();
  const seen = new Set<object>();
  const look = (one: unknown): void => {
    if (typeof one === 'string') for (const word of WORDS) if (one.includes(word)) hits.add(word);
    if (typeof one === 'number' && NUMBERS.includes(one)) hits.add(String(one));
    if (typeof one !== 'object' || one === null || seen.has(one)) return;
    seen.add(one);
    if (one instanceof ArrayBuffer) look(new TextDecoder('latin1').decode(one));
    else if (ArrayBuffer.isView(one)) {
      look(one.buffer);
      if (Symbol.iterator in one) for (const item of one as Float64Array) look(item);
    } else if (one instanceof Map || one instanceof Set) for (const item of one) look(item);
    for (const key of ArrayBuffer.isView(one) ? [] : Reflect.ownKeys(one)) {
      look(key);
      look((one as Record<PropertyKey, unknown>)[key]);
    }
  };
  look(value);
  return [...hits].sort();
}
