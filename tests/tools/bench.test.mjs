import assert from 'node:assert/strict';
import test from 'node:test';
import { decades, logFigure } from '../../bench/lib/figure.mjs';
import { median, powerLaw, quantile, ratio, summary } from '../../bench/lib/statistics.mjs';
import { count, figure, table } from '../../bench/lib/text.mjs';
import { takeTurns } from '../../bench/lib/turns.mjs';

const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-12 * Math.max(1, Math.abs(b)), `${a}, ${b}`);

test('quantiles are those of numpy, in any order of the values', () => {
  const values = [7, 1, 4, 10, 2];
  near(median(values), 4);
  near(quantile(values, 0.25), 2);
  near(quantile(values, 0.9), 8.8);
  near(median([1, 2]), 1.5);
  near(median([10, 9, 100]), 10);
  assert.deepEqual(values, [7, 1, 4, 10, 2]);
  assert.throws(() => median([]), RangeError);
});

test('spread is the interquartile range as a share of the median', () => {
  const { median: middle, min, spread } = summary([4, 8, 2, 16, 6]);
  near(middle, 6);
  near(min, 2);
  near(spread, (8 - 4) / 6);
});

test('ratios are taken in each turn, so that a slow moment cancels', () => {
  const found = ratio(summary([2, 40, 6, 4, 9]), summary([1, 10, 3, 1, 3]));
  near(found.median, 3);
  near(found.low, 2);
  near(found.high, 4);
});

test('a power law is recovered, with the quality of its fit', () => {
  const exact = powerLaw([1, 10, 100, 1000].map((x) => ({ x, y: 0.3 * x ** 1.7 })));
  near(exact.exponent, 1.7);
  near(exact.factor, 0.3);
  near(exact.r2, 1);
  // numpy.polyfit on the logarithms of (1, 1), (2, 4), (4, 8).
  const points = [
    { x: 1, y: 1 },
    { x: 2, y: 4 },
    { x: 4, y: 8 },
  ];
  const rough = powerLaw(points);
  near(rough.exponent, 1.5);
  near(rough.factor, 2 ** (1 / 6));
  near(rough.r2, 27 / 28);
  near(powerLaw([1, 2, 3].map((x) => ({ x, y: 5 }))).exponent, 0);
});

test('a power law needs two points, positive coordinates and different x', () => {
  assert.throws(() => powerLaw([{ x: 1, y: 1 }]), RangeError);
  assert.throws(
    () =>
      powerLaw([
        { x: 1, y: 0 },
        { x: 2, y: 1 },
      ]),
    RangeError,
  );
  assert.throws(
    () =>
      powerLaw([
        { x: 2, y: 1 },
        { x: 2, y: 3 },
      ]),
    RangeError,
  );
});

test('numbers have three digits, counts are grouped, tables are aligned', () => {
  assert.deepEqual([0.012345, 1.2345, 123.45, 12345.6, NaN].map(figure), [
    '0.0123',
    '1.23',
    '123',
    '12346',
    '-',
  ]);
  assert.equal(count(1234567), '1 234 567');
  assert.equal(
    table(
      ['', 'ms'],
      [
        ['a', '1.5'],
        ['longer', '10'],
      ],
    ),
    '|        |  ms |\n| ------ | --: |\n| a      | 1.5 |\n| longer |  10 |',
  );
});

/** A contender with these times, which records when it ran. */
const contender = (name, ms, log, check) => ({
  name,
  run: (times) => {
    log.push(`${name}${times}`);
    return Promise.resolve({ ms, check });
  },
});

test('contenders take turns after two runs that do not count', async () => {
  const log = [];
  const { times } = await takeTurns([contender('a', 100, log), contender('b', 10, log)], {
    turns: 2,
  });
  assert.deepEqual(log, ['a1', 'a1', 'b1', 'b3', 'a1', 'b3', 'a1', 'b3']);
  assert.equal(times.get('b').median, 10);
});

test('a contender that fails or has another result is left out with its reason', async () => {
  const broken = { name: 'broken', run: () => Promise.reject(new Error('no module\nat line 3')) };
  const { times, failed } = await takeTurns(
    [
      contender('a', 50, [], 1000),
      broken,
      contender('close', 50, [], 1000.01),
      contender('wrong', 50, [], 1001),
    ],
    { turns: 1 },
  );
  assert.deepEqual([...times.keys()], ['a', 'close']);
  assert.deepEqual(
    [...failed],
    [
      ['broken', 'no module'],
      ['wrong', 'gave 1001 where a gave 1000'],
    ],
  );
});

test('axes end at powers of ten around all values', () => {
  assert.deepEqual(decades([1, 1000]), [0, 1, 2, 3]);
  assert.deepEqual(decades([0.02, 3]), [-2, -1, 0, 1]);
  assert.deepEqual(decades([5]), [0, 1]);
  assert.deepEqual(decades([10]), [1, 2]);
});

test('a figure places points and the fitted line on the same axes', () => {
  const points = [1, 10, 100].map((x) => ({ x, y: x ** 2 }));
  const svg = logFigure([
    {
      title: 'a < b',
      x: 'n',
      y: 'ms',
      series: [{ name: 's', points, fit: { factor: 1, exponent: 2, from: 1, to: 100 } }],
    },
  ]);
  const circles = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [
    Number(x),
    Number(y),
  ]);
  assert.equal(circles.length, 3);
  near(circles[0][0] + circles[2][0], 2 * circles[1][0]);
  near(circles[0][1] + circles[2][1], 2 * circles[1][1]);
  assert.ok(svg.includes(`M${circles[0]}L${circles[2]}`));
  assert.ok(svg.includes('a &#60; b'));
  assert.ok(svg.includes('10²'));
});
