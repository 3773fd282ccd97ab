import { compose, defineStudy, privatize, type Guarantee } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { failure } from '../support.js';

const promise = (change: Partial<Guarantee>): Guarantee => ({
  epsilon: 1,
  delta: 0,
  neighbours: 'replace-one',
  unit: 'row',
  numerics: 'exact',
  assumes: [],
  ...change,
});

describe('composition', () => {
  it('of Gaussian releases adds their squared mus', async () => {
    const gaussian = promise({ delta: 1e-6, gdp: 0.3, zcdp: 0.045, totalVariation: 1e-40 });
    const whole = await compose([gaussian, gaussian, gaussian, gaussian], { delta: 1e-6 });
    expect(whole.gdp).toBeCloseTo(0.6, 12);
    expect(whole.zcdp).toBeCloseTo(0.18, 12);
    const single = promise({ delta: 1e-6, gdp: 0.6, totalVariation: 4e-40 });
    const one = await compose([single], { delta: 1e-6 });
    expect(whole.epsilon).toBeCloseTo(one.epsilon, 9);
    expect(whole.parts).toHaveLength(4);
    expect(whole.totalVariation).toBeCloseTo(4e-40, 50);
    expect(whole.parts?.[0]?.totalVariation).toBe(1e-40);
  });

  it('includes the distance of each release from exact, for any number of entries', async () => {
    // 1000 sites under Gaussian masks with 1000 features: 2^-106, more than a general assumption of 2^-118.
    const masks = promise({ epsilon: 60, delta: 1e-6, gdp: 7, totalVariation: 2 ** -106.13 });
    const none = { ...masks, totalVariation: 0 };
    const at = async (one: Guarantee, delta: number) => (await compose([one], { delta })).epsilon;
    expect(await at(masks, 1e-6)).toBeGreaterThanOrEqual(await at(none, 1e-6));
    // At epsilon 64 that adds 6e-5 to delta, below which nothing is proved.
    const more = { ...masks, gdp: 7.5 };
    await failure(() => compose([more], { delta: 1e-6 }), { code: 'invalid-delta' });
    expect(await at({ ...more, totalVariation: 2 ** -118 }, 1e-6)).toBeLessThan(65);
  });

  it('uses only epsilon and delta of a mu whose distance from exact is not stated', async () => {
    const vague = promise({ epsilon: 1, delta: 1e-6, gdp: 0.2 });
    expect((await compose([vague, vague], { delta: 2e-6 })).epsilon).toBe(2);
  });

  it('of a single release is what that release states', async () => {
    const study = defineStudy({
      title: 'One',
      columns: [{ name: 'a', type: 'number', min: -1, max: 1 }],
      privacy: { epsilon: 1, delta: 1e-6 },
      clipping: 'fixed',
    });
    const { guarantee } = await privatize(study, [{ a: 0.5 }, { a: -0.25 }]);
    // Only two entries have noise, because the count is public.
    expect(guarantee.totalVariation).toBe(2 * 2 ** -144);
    const again = await compose([guarantee], { delta: guarantee.delta });
    expect(again.totalVariation).toBe(guarantee.totalVariation);
    expect(again.gdp).toBeGreaterThanOrEqual(guarantee.gdp ?? NaN);
    expect(again.gdp).toBeCloseTo(guarantee.gdp ?? NaN, 14);
    expect(again.epsilon).toBeCloseTo(1, 5);
  });

  it('of few pure releases is the sum of their epsilons, without a delta', async () => {
    const whole = await compose([promise({}), promise({ epsilon: 0.5 })], { delta: 0 });
    expect(whole).toMatchObject({ epsilon: 1.5, delta: 0 });
  });

  it('of many pure releases has a smaller epsilon at a positive delta', async () => {
    const many = Array.from({ length: 100 }, () => promise({ epsilon: 0.1, zcdp: 0.005 }));
    const whole = await compose(many, { delta: 1e-6 });
    expect(whole.epsilon).toBeLessThan(5.3);
    expect(whole.delta).toBe(1e-6);
    const drawn = many.map((one) => ({ ...one, zcdp: 0.1 ** 2 / 8 }));
    expect((await compose(drawn, { delta: 1e-6 })).epsilon).toBeLessThan(2.5);
  });

  it('counts each step of a release separately', async () => {
    const study = defineStudy({
      title: 'Directions',
      columns: ['a', 'b', 'c'].map((name) => ({ name, type: 'number', min: -1, max: 1 })),
      privacy: { epsilon: 1, delta: 0 },
      mechanism: { name: 'eigenvector-sampling', components: 2 },
    });
    const rows = Array.from({ length: 50 }, (_, i) => ({
      a: Math.sin(i),
      b: Math.cos(i),
      c: Math.sin(2 * i),
    }));
    const { guarantee } = await privatize(study, rows);
    expect(guarantee.parts?.map(({ epsilon }) => epsilon)).toEqual([0.5, 0.5]);
    const whole = await compose(
      Array.from({ length: 60 }, () => guarantee),
      { delta: 1e-6 },
    );
    const asPure = await compose(
      Array.from({ length: 60 }, () => promise({ zcdp: 0.5 })),
      { delta: 1e-6 },
    );
    expect(whole.epsilon).toBeLessThan(asPure.epsilon / 1.5);
    expect(whole.numerics).toBe('exact');
  });

  it('adds plain (epsilon, delta) guarantees', async () => {
    const wishart = promise({ delta: 1e-6 });
    const whole = await compose([wishart, wishart], { delta: 3e-6 });
    expect(whole.epsilon).toBe(2);
    await failure(() => compose([wishart, wishart], { delta: 1.5e-6 }), { code: 'invalid-delta' });
  });

  it('refuses guarantees of different kinds, and an empty list', async () => {
    const other = promise({ neighbours: 'add-remove' });
    await failure(() => compose([promise({}), other], { delta: 0 }), {
      code: 'invalid-neighbours',
      field: 'neighbours',
    });
    const participant = promise({ unit: 'participant' });
    await failure(() => compose([promise({}), participant], { delta: 0 }), {
      code: 'invalid-unit',
    });
    await failure(() => compose([], { delta: 0 }), { code: 'no-releases' });
    await failure(() => compose([promise({})], { delta: 1 }), { code: 'invalid-delta' });
  });

  it('gives no guarantee for Gaussian noise beyond the range of its sampler', async () => {
    const huge = promise({ epsilon: 1e7, delta: 1, gdp: 4000 });
    await failure(() => compose([huge], { delta: 1e-6 }), { code: 'invalid-delta' });
  });
});
