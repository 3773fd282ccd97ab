import { assemble, defineStudy, privatize, type Matrix } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { failure, seeded } from '../support.js';

const views = { body: ['height', 'weight'], habits: ['sport', 'diet'], mood: ['calm', 'energy'] };
const columns = Object.values(views)
  .flat()
  .map((name) => ({ name, type: 'number' as const, min: -4, max: 4 }));
const study = defineStudy({
  title: 'Three views',
  columns,
  views,
  privacy: { epsilon: 1e7, delta: 1e-3 },
});

/** Six numbers a row. One column of each view follows a shared factor, `energy` negatively. */
const rows = (() => {
  const random = seeded(7);
  const noise = () => random() + random() + random() - 1.5;
  return Array.from({ length: 600 }, () => {
    const common = 2 * noise();
    return {
      height: common + 0.5 * noise(),
      weight: noise(),
      sport: common + 0.5 * noise(),
      diet: noise(),
      calm: noise(),
      energy: 0.5 * noise() - common,
    };
  });
})();

const at = ({ rows: names, columns: labels, values }: Matrix, row: string, column: string) =>
  values[names.indexOf(row) * labels.length + labels.indexOf(column)] ?? NaN;

describe('gcca', () => {
  it('finds what the views share, by default for all views of the study', async () => {
    const moments = await assemble(study, [await privatize(study, rows)]);
    const result = moments.gcca();
    expect(result.analysis).toBe('gcca');
    expect(result.options).toEqual({ views: ['body', 'habits', 'mood'], components: 2 });
    expect(Object.keys(result.views)).toEqual(['body', 'habits', 'mood']);
    const [first, second] = result.shared;
    expect(first?.value).toBeGreaterThan(0.85);
    expect(first?.eigenvalue).toBeCloseTo(1 + 2 * (first?.value ?? 0), 12);
    expect(first?.belowNoiseFloor).toBe(false);
    expect(second?.value).toBeLessThan(0.2);
    const { body, mood } = result.views;
    expect(body?.columns).toEqual(['height', 'weight']);
    expect(body && at(body.loadings, 'height', 'GC1')).toBeGreaterThan(0.95);
    expect(mood && at(mood.loadings, 'energy', 'GC1')).toBeLessThan(-0.95);
  });

  it('gives the correlation of each pair of views, and the weights of their variates', async () => {
    const result = (await exactMoments(study, rows)).gcca({ components: 1 });
    expect(result.pairs.rows).toEqual(['body and habits', 'body and mood', 'habits and mood']);
    const scores = Object.values(result.views).map(({ weights }) =>
      rows.map((row) =>
        weights.rows.reduce((sum, name, i) => {
          return sum + (weights.values[i] ?? NaN) * row[name as keyof typeof row];
        }, 0),
      ),
    );
    const centred = scores.map((values) => {
      const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
      return values.map((value) => value - mean);
    });
    const inner = (a: number[] = [], b: number[] = []) =>
      a.reduce((sum, value, i) => sum + value * (b[i] ?? NaN), 0) / rows.length;
    expect(inner(centred[0], centred[0])).toBeCloseTo(1, 5);
    expect(inner(centred[0], centred[2])).toBeCloseTo(at(result.pairs, 'body and mood', 'GC1'), 5);
  });

  it('is cca for two views', async () => {
    const moments = await exactMoments(study, rows);
    const two = moments.cca({ x: 'body', y: 'mood' });
    const general = moments.gcca({ views: ['body', 'mood'] });
    for (const [j, { value }] of two.correlations.entries()) {
      expect(general.shared[j]?.value).toBeCloseTo(value, 9);
      expect(general.shared[j]?.eigenvalue).toBeCloseTo(1 + value, 9);
    }
    const weights = [...(two.views.body?.weights.values ?? [])];
    for (const [i, weight] of weights.entries()) {
      expect(general.views.body?.weights.values[i]).toBeCloseTo(weight, 9);
    }
  });

  it('is returned by cca for three or more views', async () => {
    const moments = await exactMoments(study, rows);
    const names = ['body', 'mood', 'habits'] as const;
    const three = names.every((name) => Object.hasOwn(study.views ?? {}, name))
      ? names
      : (Object.keys(study.views ?? {}) as [string, string, string]);
    expect(moments.cca({ views: three })).toEqual(moments.gcca({ views: three }));
    expect(await moments.inWorker().cca({ views: three })).toEqual(moments.gcca({ views: three }));
    expect(moments.cca({ views: ['body', 'mood'] })).toEqual(moments.cca({ x: 'body', y: 'mood' }));
    await failure(() => moments.cca({ x: 'body', views: ['body', 'mood'] }), {
      code: 'invalid-view',
      field: 'views',
    });
  });

  it('takes lists of columns and names them by position', async () => {
    const moments = await exactMoments(study, rows);
    const result = moments.gcca({ views: [['height'], 'mood', ['sport', 'diet']] });
    expect(Object.keys(result.views)).toEqual(['view1', 'mood', 'view3']);
    expect(result.options.components).toBe(1);
    expect(result.toCSV()).toContain('gcca,pairs,,view1 and mood,GC1,');
  });

  it('refuses fewer than two views, unknown ones, and columns named twice', async () => {
    const moments = await exactMoments(study, rows);
    const invalid = { code: 'invalid-view', field: 'views' };
    await failure(() => moments.gcca({ views: ['body'] }), invalid);
    await failure(() => moments.gcca({ views: [] }), invalid);
    await failure(() => moments.gcca({ views: ['body', 'soul'] }), invalid);
    await failure(() => moments.gcca({ views: ['body', ['weight', 'calm']] }), {
      code: 'invalid-view',
      column: 'weight',
    });
    await failure(() => moments.gcca({ components: 3 }), { code: 'invalid-components' });
  });
});

describe('cca', () => {
  it('relates each view to the other by cross-loadings, variance extracted and redundancy', async () => {
    const moments = await exactMoments(study, rows);
    const { correlations, views: sides } = moments.cca({ x: 'body', y: 'habits' });
    const rho = correlations[0]?.value ?? NaN;
    for (const side of Object.values(sides)) {
      const loadings = side.columns.map((name) => at(side.loadings, name, 'CC1'));
      const mean = loadings.reduce((sum, value) => sum + value ** 2, 0) / loadings.length;
      expect(at(side.variance, 'extracted', 'CC1')).toBeCloseTo(mean, 9);
      expect(at(side.variance, 'redundancy', 'CC1')).toBeCloseTo(rho ** 2 * mean, 9);
      for (const [i, name] of side.columns.entries()) {
        expect(at(side.crossLoadings, name, 'CC1')).toBeCloseTo(rho * (loadings[i] ?? NaN), 9);
      }
    }
  });
});

describe('pca', () => {
  it('gives correlations of features with scores, with squares that sum to one over all components', async () => {
    const { correlations } = (await exactMoments(study, rows)).pca();
    for (const name of correlations.rows) {
      const squares = correlations.columns.map((label) => at(correlations, name, label) ** 2);
      expect(squares.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 9);
    }
  });

  it('can be measured by the energy that its components capture of exact moments', async () => {
    const exact = await exactMoments(study, rows);
    const noisy = await assemble(study, [await privatize(study, rows)]);
    expect(exact.capturedEnergy(exact.pca({ components: 2 }).loadings)).toBeCloseTo(1, 9);
    const captured = exact.capturedEnergy(noisy.pca({ components: 2 }).loadings);
    expect(captured).toBeGreaterThan(0.99);
    expect(captured).toBeLessThanOrEqual(1);
    const worst = exact.pca().loadings;
    const last = worst.columns.length - 1;
    const direction: Matrix = {
      rows: worst.rows,
      columns: ['last'],
      values: worst.rows.reduce((values, _, i) => {
        values[i] = worst.values[i * worst.columns.length + last] ?? NaN;
        return values;
      }, new Float64Array(worst.rows.length)),
    };
    expect(exact.capturedEnergy(direction)).toBeLessThan(0.3);
  });

  it('can be measured only for loadings of the study’s features', async () => {
    const exact = await exactMoments(study, rows);
    const loadings: Matrix = { rows: ['height'], columns: ['PC1'], values: Float64Array.of(1) };
    await failure(() => exact.capturedEnergy(loadings), {
      code: 'unsupported-data',
      field: 'loadings',
    });
  });
});
