import { mechanisms } from 'private-moments';
import { compareMechanisms, published, type ComparisonOptions } from 'private-moments-research';
import { describe, expect, it } from 'vitest';
import { failure } from '../package/support.js';

const mean = { dimension: 3, values: Float64Array.of(0.5, 0.1, 0, 0.1, 0.3, 0.05, 0, 0.05, 0.2) };
const options: ComparisonOptions = {
  mean,
  rows: 1000,
  epsilon: 1,
  delta: 1e-6,
  mechanisms: ['gaussian'],
  runs: 5,
};

const rootMeanSquare = (values: Float64Array): number =>
  Math.hypot(...values) / values.length ** 0.5;

describe('compareMechanisms', () => {
  it('runs every mechanism of both registries and says what each promises', async () => {
    const [known, flawed] = await Promise.all([mechanisms(), published()]);
    const names = [...known, ...flawed].map(({ name }) => name);
    const { mechanisms: compared, zero } = await compareMechanisms({
      ...options,
      mechanisms: names,
    });
    expect(compared.map(({ name }) => name)).toEqual(names);
    expect(zero).toBeCloseTo(Math.hypot(...mean.values), 12);
    for (const { name, problem, seconds, distances, shares, guarantee } of compared) {
      expect(problem, name).toBeNull();
      expect(seconds, name).toBeGreaterThanOrEqual(0);
      const output = flawed.find((entry) => entry.name === name)?.output;
      const isMatrix = output === undefined ? name !== 'ppca' : output === 'matrix';
      expect([...distances].every(Number.isFinite), name).toBe(isMatrix);
      expect([...shares].every(Number.isFinite), name).toBe(output !== 'weights');
      if (output === undefined) expect(guarantee?.epsilon, name).toBeLessThanOrEqual(1);
    }
    const promised = Object.fromEntries(compared.map(({ name, guarantee }) => [name, guarantee]));
    expect(promised['symmetric-noise']).toBeNull();
    expect(promised['analyze-gauss-one-over-n']?.epsilon).toBeGreaterThan(1.1);
  });

  it('repeats its runs with the same seed, and makes others with another seed', async () => {
    const [first, again, other] = await Promise.all(
      [3, 3, 4].map((seed) => compareMechanisms({ ...options, seed })),
    );
    expect(first?.mechanisms[0]?.distances).toEqual(again?.mechanisms[0]?.distances);
    expect(first?.mechanisms[0]?.distances).not.toEqual(other?.mechanisms[0]?.distances);
  });

  it('has smaller errors with more rows, and takes the options of a mechanism', async () => {
    const run = (more: Partial<ComparisonOptions>): Promise<number> =>
      compareMechanisms({ ...options, runs: 400, ...more }).then(({ mechanisms: [first] }) =>
        rootMeanSquare(first?.distances ?? new Float64Array(0)),
      );
    const [few, many] = [await run({}), await run({ rows: 10_000 })];
    // The same noise in sums of ten times the rows.
    expect(few / many).toBeCloseTo(10, 3);
    const upper = await run({ mechanisms: [{ name: 'gaussian', shape: 'upper-triangle' }] });
    // sqrt(2 d/(d + 1)) for d = 3; the standard error of the ratio is below 0.05.
    expect(Math.abs(upper / few - Math.sqrt(1.5))).toBeLessThan(0.25);
  });

  it('says which mechanism does not accept the parameters, and runs the others', async () => {
    const compared = await compareMechanisms({
      ...options,
      delta: 0,
      components: 3,
      mechanisms: ['gaussian', 'ppca', 'laplace'],
    });
    expect(compared.mechanisms.map(({ problem }) => problem?.code)).toEqual([
      'invalid-delta',
      'invalid-components',
      undefined,
    ]);
    expect(compared.mechanisms.map(({ distances }) => distances.length)).toEqual([0, 0, 5]);
  });

  it('refuses invalid options', async () => {
    const wrong: [Partial<ComparisonOptions>, string][] = [
      [{ mean: { dimension: 3, values: new Float64Array(8) } }, 'unsupported-data'],
      [{ mean: { dimension: 2, values: Float64Array.of(1, NaN, NaN, 1) } }, 'unsupported-data'],
      [{ runs: 0 }, 'unsupported-option'],
      [{ seed: -1 }, 'unsupported-option'],
      [{ mechanisms: ['nonesuch'] }, 'invalid-mechanism'],
      [{ rows: 0.5 }, 'no-rows'],
      [{ epsilon: 0 }, 'invalid-epsilon'],
      [{ neighbours: 'x' as never }, 'invalid-neighbours'],
      [{ delta: -1 }, 'invalid-delta'],
      [{ components: 0 }, 'unsupported-option'],
      [{ components: 99 }, 'unsupported-option'],
      [{ components: 1.5 }, 'unsupported-option'],
      [{ mean: { dimension: 2, values: Float64Array.of(5, 1, -3, 7) } }, 'invalid-dimension'],
      [{ mean: { dimension: 2, values: Float64Array.of(1e30, 0, 0, 1e30) } }, 'invalid-row-norm'],
    ];
    for (const [more, code] of wrong) {
      await failure(() => compareMechanisms({ ...options, ...more }), { code });
      // As wrong where nothing is compared.
      if (more.mechanisms === undefined) {
        await failure(() => compareMechanisms({ ...options, ...more, mechanisms: [] }), { code });
      }
    }
  });

  it('takes as many columns as studies with the most features', async () => {
    const dimension = 400;
    const values = new Float64Array(dimension ** 2);
    for (let i = 0; i < dimension; i++) values[i * (dimension + 1)] = 1 / dimension;
    const { zero } = await compareMechanisms({
      ...options,
      ...{ mean: { dimension, values }, mechanisms: [] },
    });
    expect(zero).toBeCloseTo(dimension ** -0.5, 12);
  });

  it('has the same runs in slices, if the estimates are too large to be kept together', async () => {
    const dimension = 200;
    const values = new Float64Array(dimension ** 2);
    for (let i = 0; i < dimension; i++) values[i * (dimension + 1)] = 1 / dimension;
    const wide = { ...options, mean: { dimension, values }, rows: 1e6 };
    const [few, many] = await Promise.all(
      [20, 30].map((runs) => compareMechanisms({ ...wide, runs })),
    );
    const { distances, shares, seconds } = many?.mechanisms[0] ?? {};
    expect([...(distances?.subarray(0, 20) ?? [])]).toEqual([
      ...(few?.mechanisms[0]?.distances ?? []),
    ]);
    expect([distances?.length, shares?.length]).toEqual([30, 30]);
    expect([...(distances ?? [])].every((value) => value > 0)).toBe(true);
    expect(seconds).toBeGreaterThan(0);
  });
});
