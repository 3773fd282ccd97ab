// The miniature of every experiment runs, and pictures and pages are those of the results here.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { drawn, PAPERS, picturesOf } from '../../experiments/run.mjs';
import { readCsv } from '../../experiments/support/csv.mjs';
import { chart } from '../../experiments/support/chart.mjs';
import { withMargin } from '../../experiments/support/pages.mjs';
import { ROOT } from '../../tools/markdown.mjs';

const quick = (paper) => join(ROOT, 'build/experiments/quick', paper.name);
const namesOf = (file) => readFileSync(file, 'utf8').split('\n', 1)[0];

test.each(drawn())('%s follows from the results here', (file, content) => {
  expect(readFileSync(join(ROOT, file), 'utf8')).toBe(content);
});

describe.each(PAPERS)('$name', (paper) => {
  beforeAll(() => {
    const ran = spawnSync('node', ['experiments/run.mjs', paper.name], {
      cwd: ROOT,
      env: { ...process.env, QUICK: '1' },
      encoding: 'utf8',
    });
    for (const line of ran.stdout.split('\n')) if (/skipped/.test(line)) console.log(line);
    if (ran.status !== 0) throw new Error(ran.stderr);
  });

  test('has in miniature the columns of its results, and every number is finite', () => {
    const names = [...new Set(paper.figures.map((figure) => figure.csv ?? figure.name))];
    const made = names.filter((name) => existsSync(join(quick(paper), `${name}.csv`)));
    expect(made.length, 'figures that need no program beyond the build').toBeGreaterThan(0);
    for (const name of made) {
      const file = join(quick(paper), `${name}.csv`);
      const kept = join(ROOT, 'experiments', paper.name, 'results', `${name}.csv`);
      expect(namesOf(file), name).toBe(namesOf(kept));
      expect(readFileSync(file, 'utf8')).not.toMatch(/nan|inf/i);
      expect(readCsv(file).length).toBeGreaterThan(0);
    }
  });

  test('draws each figure in miniature', () => {
    for (const [name, svg] of picturesOf(paper, quick(paper))) {
      expect(svg).not.toMatch(/NaN|undefined/);
      expect(existsSync(join(quick(paper), name))).toBe(true);
    }
  });

  test('shows each of its figures on its page', () => {
    const page = readFileSync(join(ROOT, 'docs/experiments', paper.page), 'utf8');
    for (const { name } of paper.figures) {
      expect(page).toContain(`(../images/experiments/${paper.name}-${name}.svg)`);
    }
  });
});

describe('a figure', () => {
  const figure = {
    name: 'error',
    title: 'Error, by epsilon',
    description: 'It falls.',
    series: { column: 'method' },
    x: { column: 'epsilon', scale: 'log', label: 'epsilon' },
    y: { column: 'error', scale: 'linear', from: 0, to: 1, label: 'error' },
  };
  const row = (method, epsilon, error, margin) => ({
    method,
    epsilon,
    error,
    error_low: error - margin,
    error_high: error + margin,
  });
  const rows = [row('laplace', 1, 0.75, 0.25), row('gaussian', 1, 0.5, 0.1)];

  test('has the methods in the same order, however the rows are sorted', () => {
    const legend = (svg) => [...svg.matchAll(/class="key"[^>]*>([^<]+)/g)].map(([, name]) => name);
    expect(legend(chart(figure, rows))).toEqual(['gaussian', 'Laplace, tight']);
    expect(legend(chart(figure, rows.toReversed()))).toEqual(['gaussian', 'Laplace, tight']);
  });

  test('draws an interval from its lower to its upper end', () => {
    const intervals = [
      ...chart(figure, rows).matchAll(/class="interval" d="M[\d.]+ ([\d.]+)V([\d.]+)"/g),
    ];
    expect(intervals.map(([, low, high]) => [Number(low), Number(high)])).toEqual([
      [70.8, 47.2],
      [59, 0],
    ]);
  });

  test('refuses a method that has no colour', () => {
    expect(() => chart(figure, [row('unheard-of', 1, 0.5, 0)])).toThrow('unheard-of');
  });
});

test('a mean is written with half the width of its interval', () => {
  expect(withMargin({ share: 0.5, share_low: 0.375, share_high: 0.625 }, 'share', 3)).toBe(
    '0.500 ± 0.125',
  );
  expect(withMargin({ share: 0.5 }, 'share')).toBe('0.50');
});
