import { Float64, Table, vectorFromArray } from 'apache-arrow';
import { defineStudy, inspect, privatize } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { failure } from '../support.js';

const terms = {
  title: 'Gaps',
  columns: [
    { name: 'a', type: 'number' as const, min: -10, max: 10 },
    { name: 'b', type: 'category' as const, levels: ['x', 'y'] },
  ],
  privacy: { epsilon: 1, delta: 1e-6 },
};
const study = defineStudy(terms);
const stating = defineStudy({ ...terms, missingValues: ['-9', 'NA'] });

/** The same three rows, the second of which has -9 for a. */
const FORMS: [string, Parameters<typeof inspect>[1]][] = [
  ['CSV', 'a,b\n1,x\n-9,y\n2,y\n'],
  ['CSV that writes the number in another way', 'a,b\n1,x\n"\u22129.00",y\n2,y\n'],
  [
    'row objects',
    [
      { a: 1, b: 'x' },
      { a: -9, b: 'y' },
      { a: '2', b: 'y' },
    ],
  ],
  ['a table', { columns: ['a', 'b'], values: Float64Array.of(1, 0, -9, 1, 2, 1) }],
  [
    'Arrow',
    new Table({
      a: vectorFromArray([1, -9, 2], new Float64()),
      b: vectorFromArray(['x', 'y', 'y']),
    }),
  ],
];

const missingIn = async (...args: Parameters<typeof inspect>): Promise<(number | undefined)[]> =>
  (await inspect(...args)).columns.map(({ missing }) => missing);

describe('a number that stands for a missing value', () => {
  it.each(FORMS)('is a missing cell of %s if the study says so', async (_, data) => {
    expect(await missingIn(stating, data)).toEqual([1, 0]);
  });

  it.each(FORMS)('is a missing cell of %s if the caller says so', async (_, data) => {
    expect(await missingIn(study, data, { missingValues: ['-9'] })).toEqual([1, 0]);
    expect(await missingIn(study, data)).toEqual([0, 0]);
  });

  it('is left out of the sums', async () => {
    const options = { missingValues: ['-9'] };
    const { mean } = await exactMoments(study, 'a,b\n1,x\n-9,y\n', options);
    // The whole second row counts as the middle of the bounds.
    expect(mean.values[0]).toBeCloseTo(0.5, 3);
  });

  it('leaves columns of labels alone', async () => {
    const labels = defineStudy({
      ...terms,
      columns: [{ name: 'b', type: 'category', levels: ['1', '2'] }],
    });
    expect(await missingIn(labels, 'b\n1\n2\n', { missingValues: ['1'] })).toEqual([0]);
  });

  it('is read with several workers too', async () => {
    const rows = Array.from({ length: 40_000 }, (_, i) => (i % 4 === 0 ? '-9,x' : '1,y'));
    const data = `a,b\n${rows.join('\n')}\n`;
    expect(await missingIn(stating, data, { workers: 3 })).toEqual([10_000, 0]);
  });

  it('may be a number in untyped code, and must be in a list', async () => {
    const listed = { missingValues: [-9] as unknown as string[] };
    expect(await missingIn(study, 'a,b\n-9,x\n1,y\n', listed)).toEqual([1, 0]);
    const bare = { missingValues: '-9' as unknown as string[] };
    await failure(() => privatize(study, 'a,b\n1,x\n', bare), { code: 'unsupported-option' });
  });
});

describe('an Excel file', () => {
  it.each([
    ['xlsx', [0x50, 0x4b, 3, 4]],
    ['xls', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]],
  ])('of kind %s is recognised by its content', async (_, start) => {
    const data = new Blob([Uint8Array.from([...start, ...Array<number>(64).fill(0)])]);
    await failure(() => inspect(study, data), {
      code: 'unsupported-data',
      message: /in Excel, save it as CSV UTF-8/,
    });
  });
});
