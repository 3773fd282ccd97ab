import { Float64, Table, tableFromArrays, Utf8, vectorFromArray } from 'apache-arrow';
import { defineStudy, inspect, privatize } from 'private-moments';
import { describe, expect, test } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { failure } from '../support.js';

const study = defineStudy({
  title: 'Changes',
  columns: ['a', 'b'].map((name) => ({ name, type: 'number' as const, min: -10, max: 10 })),
  privacy: { epsilon: 1, delta: 1e-6 },
});

/** The same two rows in every form with text cells. */
function forms(cell: string): [string, Parameters<typeof privatize>[1]][] {
  const quoted = `"${cell}"`;
  const texts = vectorFromArray(['1', cell], new Utf8());
  return [
    ['CSV', `a,b\n1,0\n${quoted},0\n`],
    [
      'row objects',
      [
        { a: '1', b: 0 },
        { a: cell, b: 0 },
      ],
    ],
    ['Arrow', new Table({ a: texts, b: vectorFromArray([0, 0], new Float64()) })],
  ];
}

describe('a cell of a number column', () => {
  test.each([
    ['\u22122.5', -2.5],
    [' \u22122.5 ', -2.5],
    ['\u2212.5', -0.5],
    ['\u22125e\u22121', -0.5],
    ['+2.5', 2.5],
  ])('%j is a number', async (cell, value) => {
    for (const [form, data] of forms(cell)) {
      const { mean } = await exactMoments(study, data);
      expect(mean.values[0], form).toBeCloseTo((1 + value) / 2, 3);
    }
  });

  test.each([
    ...['\u20135', '\u20145', '\u20105', '\uff0d5', '\ufe635', '- 5', '5-', '\u22121,5'],
    ...['\uff15', '1\uff0e5', '\u0663\u066b\u0665', '\u06f1\u06f2'],
    ...['5%', '5 %', '5\uff05', '$5', '-$5', '$-5', '5 \u20ac', '\u00a31,234.50', '(5)', '($5)'],
  ])('%j is refused as a number in an unsupported form', async (cell) => {
    for (const [, data] of forms(cell)) {
      await failure(() => inspect(study, data), {
        ...{ code: 'decimal-mark', column: 'a', row: 2, message: /^row 2, column "a": the number/ },
      });
    }
  });

  test.each([
    ...['', '-', '\u2212', '\u2013', '$', '%', '()', 'NA', '5 kg', '5%%', '(5', '5)', '--5', '-5-'],
    ...['1-2', '$5$', '2024-01-31', '31.12.2024', '(NA)', 'Infinity', '0x5', '5\u{1f4a9}'],
  ])('%j is a missing cell', async (cell) => {
    for (const [form, data] of forms(cell)) {
      const { columns } = await inspect(study, data);
      expect(columns[0]?.missing, form).toBe(1);
    }
  });

  test('in a table of numbers is used as it is', async () => {
    const table = tableFromArrays({ a: Float64Array.of(1, -2), b: Float64Array.of(0, 0) });
    expect((await exactMoments(study, table)).mean.values[0]).toBeCloseTo(-0.5, 3);
  });
});
