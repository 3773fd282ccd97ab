import { execFileSync } from 'node:child_process';
import { median, powerLaw } from '../lib/statistics.mjs';
import { takeTurns } from '../lib/turns.mjs';
import { cell } from '../lib/comparison.mjs';
import { logFigure } from '../lib/figure.mjs';
import { count, figure, percent, table } from '../lib/text.mjs';

/** The measurements: their variable, its values, and the value from which the exponent is fitted. */
const CURVES = [
  {
    name: 'privatize',
    work: 'release',
    over: 'n',
    fixed: { d: 20 },
    values: [1000, 10_000, 100_000, 300_000, 1_000_000],
    from: 100_000,
  },
  {
    name: 'privatize',
    work: 'release',
    over: 'd',
    fixed: { n: 10_000 },
    values: [10, 20, 50, 100, 200, 400, 800],
    from: 100,
  },
  {
    name: 'pca',
    work: 'pca',
    over: 'd',
    fixed: {},
    values: [20, 50, 100, 200, 400, 800],
    from: 100,
  },
  {
    name: 'cca',
    work: 'cca',
    over: 'd',
    fixed: {},
    values: [20, 50, 100, 200, 400, 800],
    from: 100,
  },
  {
    name: 'assemble',
    work: 'sum',
    over: 'sites',
    fixed: { d: 100 },
    values: [1, 10, 100, 1000],
    from: 10,
  },
];

const AXES = { n: 'rows n', d: 'columns d', sites: 'releases S' };

const labelOf = ({ name, fixed }) =>
  [name, ...Object.entries(fixed).map(([axis, value]) => `${axis} = ${count(value)}`)].join(', ');

export async function growth({ root, browser, quick, turns, say, save }) {
  say('## How cost grows\n');
  say(
    'The public calls in Chromium, from memory to memory, with one worker: `pca` and `cca` of one release without ' +
      'intervals, `assemble` from texts. The exponent is the least-squares slope of the logarithms over the stated range.\n',
  );
  const curves = [];
  for (const curve of CURVES) {
    // One page for each, so that its data are freed when it closes.
    const page = await browser.page();
    const values = quick ? curve.values.slice(0, -1) : curve.values;
    const label = (value) => `${curve.name}, ${curve.over} = ${count(value)}`;
    const { times, failed } = await takeTurns(
      values.map((value) => ({
        name: label(value),
        prepare: () =>
          page.prepare('growth', curve.work, { ...curve.fixed, [curve.over]: value }, label(value)),
        run: (repeats) => page.run(label(value), repeats),
      })),
      { turns: Math.min(turns, 3) },
    );
    for (const [name, reason] of failed) say(`Not run: ${name}: ${reason}\n`);
    const points = values
      .map((value) => ({ x: value, times: times.get(label(value)) }))
      .filter((point) => point.times !== undefined)
      .map((point) => ({ ...point, y: point.times.median }));
    const fitted = points.filter(({ x }) => x >= curve.from);
    const fit =
      fitted.length < 2
        ? undefined
        : { ...powerLaw(fitted), from: fitted[0].x, to: fitted.at(-1).x };
    curves.push({ ...curve, points, fit });
    await page.close();
  }

  for (const over of Object.keys(AXES)) {
    const own = curves.filter((curve) => curve.over === over);
    const values = [...new Set(own.flatMap(({ points }) => points.map(({ x }) => x)))];
    values.sort((a, b) => a - b);
    say(`Over ${AXES[over]}, milliseconds\n`);
    say(
      table(
        ['', ...values.map(count), 'exponent', 'fitted over', 'r2'],
        own.map((curve) => [
          labelOf(curve),
          ...values.map((value) => cell(curve.points.find(({ x }) => x === value)?.times)),
          curve.fit ? curve.fit.exponent.toFixed(2) : '-',
          curve.fit ? `${count(curve.fit.from)} to ${count(curve.fit.to)}` : '-',
          curve.fit ? curve.fit.r2.toFixed(3) : '-',
        ]),
      ),
    );
    say('');
  }
  save(
    'growth.svg',
    logFigure(
      Object.entries(AXES).map(([over, label]) => ({
        title: `Time over ${label}`,
        x: label,
        y: 'milliseconds',
        series: curves
          .filter((curve) => curve.over === over)
          .map((curve) => ({ ...curve, name: labelOf(curve) })),
      })),
    ),
  );
  say('![Time against rows, columns and releases, both axes logarithmic](growth.svg)\n');

  say('Largest resident memory of a Node process that makes one release of 1000 rows, medians\n');
  const resident = (d) =>
    median(
      Array.from({ length: quick ? 1 : 3 }, () =>
        Number(
          execFileSync(process.execPath, [`${root}bench/parts/memory-of-release.mjs`, String(d)], {
            encoding: 'utf8',
          }),
        ),
      ),
    );
  const base = resident(0);
  const sizes = quick ? [20, 400] : [20, 100, 400, 800];
  say(
    table(
      ['columns', 'MB', 'above the package alone, MB', 'of these, the input rows'],
      sizes.map((d) => {
        const all = resident(d);
        const above = all - base;
        return [String(d), figure(all), figure(above), percent((8e3 * d) / 1e6 / above)];
      }),
    ),
  );
  say(`\nThe package alone, loaded but not used: ${figure(base)} MB.`);
}
