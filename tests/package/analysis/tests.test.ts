import { assemble, defineStudy, privatize, type Moments } from 'private-moments';
import { beforeAll, describe, expect, it } from 'vitest';
import { failure, seeded } from '../support.js';

const columns = ['a', 'b', 'c', 'd', 'e', 'f'];
/** With hardly any noise: in noise, pairs of nothing pass a test at .05 in up to one of twenty releases. */
const study = defineStudy({
  title: 'One pair',
  columns: columns.map((name) => ({ name, type: 'number', min: -3, max: 3 })),
  views: { left: ['a', 'b', 'c'], right: ['d', 'e', 'f'] },
  privacy: { epsilon: 1e5, delta: 1e-6 },
});

/** `a` and `d` share a part; nothing else is related. */
const rows = (() => {
  const random = seeded(41);
  const noise = () => random() + random() + random() - 1.5;
  return Array.from({ length: 5000 }, () => {
    const common = noise();
    return {
      a: common + noise(),
      b: noise(),
      c: noise(),
      d: common + noise(),
      e: noise(),
      f: noise(),
    };
  });
})();

let moments: Moments;
beforeAll(async () => {
  moments = await assemble(study, [await privatize(study, rows)]);
});

describe('a test of how many pairs there are', () => {
  it('counts the one there is, with p-values that do not decrease', () => {
    const { test, options } = moments.cca({ test: 0.05, draws: 199 });
    expect(options).toMatchObject({ test: 0.05, draws: 199, seed: 1 });
    expect(test).toMatchObject({ alpha: 0.05, pairs: 1 });
    const [first, second, third] = test?.p.values ?? [];
    expect(test?.p.columns).toEqual(['CC1', 'CC2', 'CC3']);
    expect(first).toBeCloseTo(1 / 200, 12);
    expect(second).toBeGreaterThan(0.05);
    expect(third).toBeGreaterThanOrEqual(second ?? NaN);
  });

  it('is the same for gcca of two views, and in a worker', async () => {
    const options = { test: 0.05, draws: 60 };
    const { test } = moments.cca(options);
    expect(moments.gcca(options).test?.p.values).toEqual(test?.p.values);
    expect((await moments.inWorker().cca(options)).test?.p.values).toEqual(test?.p.values);
  });

  it('is absent unless asked for, and refuses other levels', async () => {
    expect(moments.cca()).not.toHaveProperty('test');
    await failure(() => moments.cca({ test: 5 }), { code: 'invalid-interval', field: 'test' });
  });
});

describe('p-values of figures', () => {
  it('are below .05 where the 95 % interval does not hold 0', () => {
    const { views } = moments.cca({ level: 0.95 });
    const { coefficients } = moments.ridge({ target: 'a', level: 0.95 });
    const { loadings } = moments.pca({ level: 0.95 });
    const figures = [
      ...coefficients.map(({ low, high, p }) => ({ low, high, p })),
      ...[views.left?.loadings, views.right?.weights, loadings].flatMap((matrix) =>
        Array.from(matrix?.p ?? [], (p, i) => ({
          low: matrix?.low?.[i],
          high: matrix?.high?.[i],
          p,
        })),
      ),
    ];
    expect(figures.length).toBeGreaterThan(30);
    for (const { low = NaN, high = NaN, p = NaN } of figures) {
      expect(p < 0.05).toBe(low > 0 || high < 0);
    }
    expect(coefficients.find(({ column }) => column === 'd')?.p).toBeLessThan(1e-4);
  });
});
