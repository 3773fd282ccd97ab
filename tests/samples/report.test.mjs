import { describe, expect, test } from 'vitest';
import { correlationMap, firstPairBars } from '../../samples/demo/figures.mjs';
import { renderReport } from '../../samples/demo/report.mjs';
import {
  bytes,
  correlation,
  difference,
  guaranteeInWords,
  guessesIn100,
  list,
  ordinal,
  probability,
  significant,
} from '../../samples/demo/words.mjs';

const guarantee = {
  epsilon: 1,
  delta: 1e-6,
  gdp: 0.2367043806631764,
  zcdp: 0.028,
  neighbours: 'replace-one',
  unit: 'row',
  assumes: ['one person is one row'],
};

/** A run as run.mjs gives it, with two features a view and signs of the reference turned round. */
function madeUpRun(over = {}) {
  const loadings = (rows, values) => ({
    rows,
    columns: ['CC1'],
    values: Float64Array.from(values),
  });
  const names = ['age', 'female', 'over_50k', 'occupation=office'];
  return {
    title: 'People & <work>',
    id: 'ab'.repeat(32),
    views: ['people', 'work'],
    rows: 200,
    guarantee,
    noise: { perRelease: 39.6, sum: 56, perEntry: 0.28 },
    planted: false,
    sites: ['site-01', 'site-02'].map((name) => ({
      name,
      rows: 100,
      read: 2000,
      sent: 700,
      ms: 12,
      id: 'cd'.repeat(32),
    })),
    pairs: [
      { estimate: 0.61, reference: 0.6, noiseFloor: 0.05, belowNoiseFloor: false },
      { estimate: 0.02, reference: 0.04, noiseFloor: 0.08, belowNoiseFloor: true },
    ],
    result: {
      views: {
        people: { loadings: loadings(names.slice(0, 2), [-0.9, 0.4]) },
        work: { loadings: loadings(names.slice(2), [-0.8, 0.1]) },
      },
    },
    reference: {
      views: {
        people: { loadings: loadings(names.slice(0, 2), [0.88, -0.41]) },
        work: { loadings: loadings(names.slice(2), [0.79, -0.1]) },
      },
    },
    moments: {
      covariance: {
        rows: names,
        columns: names,
        values: Float64Array.from(
          [
            [4, -1, 1, 0],
            [-1, 1, 0.5, 0],
            [1, 0.5, 1, 0],
            [0, 0, 0, -0.01],
          ].flat(),
        ),
      },
    },
    ...over,
  };
}

function madeUpReport() {
  const census = madeUpRun();
  const cohort = madeUpRun({
    planted: true,
    pairs: census.pairs.map((pair) => ({ ...pair, planted: 0.6 })),
  });
  const bars = firstPairBars(census);
  return renderReport({
    census,
    cohort,
    bars,
    map: correlationMap(census),
    made: '2026-01-01',
    version: '1.2.3',
  });
}

describe('report', () => {
  test('loads nothing from anywhere and runs nothing', () => {
    const html = madeUpReport();
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(html).not.toMatch(
      /<(script|link|img|iframe|object|embed)\b|\bsrc=|\bhref=|@import|url\((?!#)/,
    );
  });

  test('text of the study is shown, not interpreted', () => {
    const html = madeUpReport();
    expect(html).toContain('<h1>People &amp; &lt;work&gt;</h1>');
    expect(html).not.toContain('<work>');
  });

  test('a pair below the noise floor is marked so and counted as such', () => {
    const html = madeUpReport();
    expect(html).toContain('below the noise floor: do not interpret');
    expect(html).toContain('One pair stands out of the noise; one cannot be told from it.');
  });

  test('no number is missing from it', () => {
    expect(madeUpReport()).not.toMatch(/NaN|undefined|null|Infinity/);
  });
});

describe('first pair', () => {
  test('the private signs are turned so that income rises, and the exact ones follow', () => {
    const [people, work] = firstPairBars(madeUpRun());
    expect(people.features.map((f) => f.private)).toEqual([0.9, -0.4]);
    expect(people.features.map((f) => f.reference)).toEqual([0.88, -0.41]);
    expect(work.features[0].private).toBe(0.8);
  });

  test('a sentence names what goes with a high score and what goes against it', () => {
    const [people, work] = firstPairBars(madeUpRun());
    expect(people.sentence).toBe('A high score goes with age, and against being a woman.');
    expect(work.sentence).toBe('A high score goes with an income over $50,000.');
  });
});

describe('heat map', () => {
  test('shows correlations, and none where noise left a variance of nothing', () => {
    const { labels, values } = correlationMap(madeUpRun());
    expect(values.slice(4, 8)).toEqual([-0.5, 1, 0.5, 0]);
    expect(values.slice(12)).toEqual([0, 0, 0, 1]);
    expect(labels[3]).toEqual({ group: 'occupation', name: 'office' });
  });
});

describe('words', () => {
  test('the guarantee of epsilon 1, delta 1e-6 is 55 right guesses in 100', () => {
    expect(guessesIn100(guarantee)).toBeCloseTo(54.71, 2);
    expect(guaranteeInWords(guarantee).join(' ')).toMatch(/replaced by any other.*right 55 times/);
    expect(
      guaranteeInWords({ ...guarantee, neighbours: 'add-remove', unit: 'participant' })[0],
    ).toContain('for one participant added or removed');
  });

  test('numbers are written as people read them', () => {
    for (const [written, wanted] of [
      [correlation(0.6179), '.618'],
      [correlation(-0.04), '\u2212.040'],
      [correlation(-0.0001), '.000'],
      [correlation(1), '1.000'],
      [difference(0.0042), '+.004'],
      [difference(-0.0042), '\u2212.004'],
      [difference(0), '.000'],
      [significant(39.6), '40'],
      [significant(0.00256), '0.0026'],
      [significant(125.2), '125'],
      [probability(1e-6), '10⁻⁶'],
      [probability(3e-12), '3 × 10⁻¹²'],
      [probability(0.05), '0.05'],
      [bytes(600), '600 bytes'],
      [bytes(1489), '1.5 kB'],
      [bytes(111562), '112 kB'],
      [bytes(1113538), '1.1 MB'],
      [ordinal(0), '1st'],
      [ordinal(3), '4th'],
      [list(['a', 'b', 'c']), 'a, b and c'],
      [list(['a']), 'a'],
    ]) {
      expect(written).toBe(wanted);
    }
  });
});
