import { defineStudy, forecast, type Advice } from 'private-moments';
import { describe, expect, it } from 'vitest';
import {
  enoughInWords,
  errorInWords,
  modesInWords,
  powerInWords,
  verdict,
} from '../../../web/elements/src/design/forecast/forecast-words.js';
import { intervalOf, readingsOf } from '../../../web/elements/src/figures/forecast-reading.js';
import { pointOf, type ForecastPoint } from '../../../web/elements/src/figures/forecast-surface.js';

const study = defineStudy({
  title: 'T',
  columns: ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'number', min: -1, max: 1 })),
  views: { left: ['a', 'b'], right: ['c', 'd'] },
  privacy: { epsilon: 1, delta: 1e-6 },
});

/** A point with one noise floor and the margins of its pairs. */
function point(floor: number, ...margins: number[]): ForecastPoint {
  const pairs = margins.map((margin) => ({ error: margin / 1.96, margin, risk: 0, power: 1 }));
  return { ratio: 0.2, floor, pairs };
}

describe('a planned correlation', () => {
  const reading = (truth: number, floor: number, margin: number) =>
    readingsOf([truth], point(floor, margin))[0];

  it('is clear if its whole interval is above the noise floor', () => {
    expect(reading(0.6, 0.25, 0.14)).toBe('clear');
    expect(reading(0.3, 0.2, 0.14)).toBe('borderline');
    expect(reading(0.1, 0.25, 0.14)).toBe('lost');
  });

  it('is not clear if its interval is wider than half of it, or too often below the floor', () => {
    expect(reading(0.3, 0.05, 0.16)).toBe('borderline');
    const risky = point(0.05, 0.1);
    risky.pairs = risky.pairs.map((pair) => ({ ...pair, risk: 0.06 }));
    expect(readingsOf([0.3], risky)).toEqual(['borderline']);
  });

  it('that is clear is clear in the forecast too', async () => {
    for (const rows of [2000, 8000, 20_000, 60_000, 200_000]) {
      const expected = await forecast(study, { rows, correlations: [0.6, 0.2] });
      const readings = readingsOf([0.6, 0.2], pointOf(expected));
      for (const [i, { clear }] of expected.correlations.entries()) {
        if (readings[i] === 'clear') expect(clear, `${rows} rows, pair ${i}`).toBe(true);
      }
    }
  });

  it('has an interval within 0 and 1', () => {
    expect(intervalOf(0.1, point(0.05, 0.2), 0)).toEqual([0, 0.1 + 0.2]);
    expect(intervalOf(0.9, point(0.05, 0.2), 0)).toEqual([0.9 - 0.2, 1]);
  });
});

describe('the power of a test', () => {
  const powers = (...all: number[]): ForecastPoint => ({
    ratio: 0.2,
    floor: 0.1,
    pairs: all.map((power) => ({ error: 0.1, margin: 0.2, risk: 0, power })),
  });

  it('is said as studies of 100 in which the test finds the pair', () => {
    expect(powerInWords([0.3], powers(0.82))).toBe(
      'A test at 5 % finds a correlation of .30 in 82 of 100 studies.',
    );
    expect(powerInWords([0.5, 0.3, 0.1], powers(1, 0.816, 0.001))).toBe(
      'A test at 5 % finds a correlation of .50 in more than 99 of 100 studies, of .30 in 82 and of .10 in fewer than 1.',
    );
  });

  it('comes with a caution about private centring', () => {
    expect(powerInWords([0.3], powers(0.82), true)).toMatch(/it may find fewer\.$/);
  });

  it('is not said of a pair that is not there', () => {
    expect(powerInWords([0.3, 0], powers(0.82, 0.05))).not.toContain('.00');
    expect(powerInWords([0], powers(0.05))).toBe('');
  });
});

describe('the verdict', () => {
  const truths = [0.6, 0.3, 0.1];

  it('says how each pair could be read', () => {
    expect(verdict(truths, point(0.25, 0.14, 0.15, 0.15), 'At ε = 1')).toBe(
      'At ε = 1 the first pair is clear, the second is borderline and the third is lost in noise.',
    );
    expect(verdict(truths, point(0.07, 0.05, 0.05, 0.06), 'At ε = 1')).toBe(
      'At ε = 1 the first and second pairs are clear and the third is borderline.',
    );
    expect(verdict(truths, point(0.01, 0.02, 0.02, 0.02), 'With 12 sites')).toBe(
      'With 12 sites all 3 pairs are clear.',
    );
    expect(verdict([0.6, 0.3], point(0.01, 0.02, 0.02), 'At ε = 1')).toBe(
      'At ε = 1 both pairs are clear.',
    );
    expect(verdict([0.6], point(0.1, 0.1), 'At ε = 1')).toBe('At ε = 1 the planned pair is clear.');
  });

  it('advises against a study in which everything is lost', () => {
    expect(verdict(truths, point(0.8, 0.3, 0.3, 0.3), 'At ε = 1')).toBe(
      'At ε = 1 every pair is lost in noise under these assumptions. Do not run this study as it is.',
    );
  });

  it('is about the covariance if no pairs are planned', () => {
    expect(verdict([], point(0), 'At ε = 1')).toMatch(/covariance is clear: privacy error is 20%/);
    expect(verdict([], { ...point(0), ratio: 0.7 }, 'At ε = 1')).toContain('borderline');
    expect(verdict([], { ...point(0), ratio: 1.2 }, 'At ε = 1')).toContain('Do not run this study');
  });
});

describe('what would be enough', () => {
  it('is the smallest size at which another pair is clear', () => {
    const now = point(0.25, 0.14, 0.15);
    const curve = [
      { size: 15, point: point(0.22, 0.1, 0.12) },
      { size: 20, point: point(0.15, 0.1, 0.12) },
      { size: 40, point: point(0.1, 0.05, 0.05) },
    ];
    expect(enoughInWords([0.6, 0.3], now, curve, 'sites')).toBe(
      'With about 20 sites the second pair is clear.',
    );
    expect(enoughInWords([0.6, 0.3], now, curve.slice(0, 1), 'sites')).toBe('');
  });

  it('is compared by the margin of the strongest pair, or by the covariance', () => {
    expect(errorInWords(point(0.2, 0.14, 0.3))).toBe('± .14');
    expect(errorInWords(point(0.2, 0.004))).toBe('± .004');
    expect(errorInWords(point(0))).toBe('20%');
  });
});

describe('the comparison of modes', () => {
  const words = (better: 'independent' | 'split', factor: number): string =>
    modesInWords({ modes: { better, factor } } as Advice, false);

  it('names the more accurate mode and by how much', () => {
    expect(words('independent', 2.34)).toMatch(
      /independent is more accurate\. The privacy error of split is 2\.3 times as large/,
    );
    expect(words('split', 3)).toMatch(/split is more accurate\. The privacy error of independent/);
    expect(words('split', 1.02)).toMatch(/about equally accurate/);
  });

  it('says why first, where independent sites would centre their rows', () => {
    const modes = { better: 'independent', factor: 2 };
    expect(modesInWords({ modes } as Advice, true)).toMatch(
      /^Sites cannot centre their rows privately behind masks\. Forecast/,
    );
    expect(modesInWords({ modes: { ...modes, better: 'split' } } as Advice, true)).not.toContain(
      'masks',
    );
  });

  it('says nothing where there is nothing to compare', () => {
    expect(modesInWords({ modes: null } as Advice, true)).toBe('');
  });
});
