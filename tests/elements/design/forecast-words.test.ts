import { defineStudy, forecast, type Advice } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { forecastFinding, modesInWords } from '../../../web/elements/src/design/forecast-words.js';

const study = defineStudy({
  title: 'T',
  columns: ['a', 'b', 'c', 'd'].map((name) => ({ name, type: 'number', min: -1, max: 1 })),
  views: { left: ['a', 'b'], right: ['c', 'd'] },
  privacy: { epsilon: 1, delta: 1e-6 },
});

async function finding(rows: number, options: object = {}): Promise<string> {
  return forecastFinding(await forecast(study, { rows, ...options }), 1);
}

describe('the finding of a forecast', () => {
  it('names the pairs that are clear, those at risk, and the assumptions', async () => {
    const words = await finding(20_000, { correlations: [0.6, 0.02] });
    expect(words).toMatch(/a pair of \.60 would be clear, to within \.\d+ in 9 of 10 studies\./);
    expect(words).toMatch(/A pair of \.02 is at risk: too close to the noise floor\./);
    expect(words).toMatch(/Assumes correlations of at most 0\.8 within a view\.$/);
  });

  it('says if no pair would be clear', async () => {
    expect(await finding(500)).toMatch(/no pair would be clear, not even one of \.50/);
  });

  it('states other assumptions', async () => {
    const words = await finding(20_000, { withinViews: 0, correlations: [0.6] });
    expect(words).toMatch(/Assumes that columns within a view are uncorrelated\.$/);
  });
});

describe('the comparison of modes', () => {
  const words = (better: 'independent' | 'split', factor: number): string =>
    modesInWords({ modes: { better, factor } } as Advice);

  it('names the more accurate mode and by how much', () => {
    expect(words('independent', 2.34)).toMatch(
      /independent is more accurate\. The privacy error of split is 2\.3 times as large/,
    );
    expect(words('split', 3)).toMatch(/split is more accurate\. The privacy error of independent/);
    expect(words('split', 1.02)).toMatch(/about equally accurate/);
  });

  it('says nothing where there is nothing to compare', () => {
    expect(modesInWords({ modes: null } as Advice)).toBe('');
  });
});
