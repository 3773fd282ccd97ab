import { published, reproduce } from 'private-moments-research';
import { describe, expect, it } from 'vitest';
import { MECHANISMS } from '../../web/package/src/study/mechanism.js';
import { failure } from '../package/support.js';

const scatter = { dimension: 3, values: Float64Array.of(60, 10, 5, 10, 40, 0, 5, 0, 20) };
const options = { scatter, rows: 120, epsilon: 1, delta: 1e-6, components: 1 };
/** Published, and not private whatever its parameters. */
const FLAWED = ['symmetric-noise', 'jiang-wishart'];

describe('published mechanisms', () => {
  it('each state their source, what was claimed and what holds', async () => {
    for (const entry of await published()) {
      for (const words of [entry.name, entry.source, entry.claim, entry.truth]) {
        expect(words.trim(), entry.name).not.toBe('');
      }
    }
  });

  it('have names of their own, which no study can use', async () => {
    const names = (await published()).map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => (MECHANISMS as readonly string[]).includes(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['non-private', ...FLAWED]));
  });

  it('run on a matrix and give numbers of the shape they state', async () => {
    for (const { name, truth } of await published()) {
      const result = await reproduce(name, options);
      expect(result.values, name).toHaveLength(result.shape[0] * result.shape[1]);
      expect(result.values.every(Number.isFinite), name).toBe(true);
      expect(result.truth).toBe(truth);
      if (result.guarantee !== null) expect(result.guarantee.epsilon, name).toBeGreaterThan(0);
    }
  });

  it('return the matrix itself, and promise nothing, if no noise is added', async () => {
    const result = await reproduce('non-private', options);
    expect(result.guarantee).toBeNull();
    expect(result.shape).toEqual([3, 3]);
    for (const [index, value] of scatter.values.entries()) {
      expect(result.values[index]).toBeCloseTo(value, 9);
    }
  });

  it.each(FLAWED)('promise nothing where the claim is false: %s', async (name) => {
    const result = await reproduce(name, options);
    expect(result.guarantee).toBeNull();
    expect(result.truth).not.toBe('');
  });

  it('refuse unknown names and invalid matrices', async () => {
    await failure(() => reproduce('nonesuch', options), { code: 'invalid-mechanism' });
    const short = { dimension: 3, values: new Float64Array(8) };
    await failure(() => reproduce('non-private', { ...options, scatter: short }), {
      code: 'unsupported-data',
      field: 'scatter',
    });
    const holes = { dimension: 2, values: Float64Array.of(1, NaN, NaN, 1) };
    await failure(() => reproduce('non-private', { ...options, scatter: holes }), {
      code: 'unsupported-data',
    });
    await failure(() => reproduce('non-private', { ...options, epsilon: 0 }), {
      code: 'invalid-epsilon',
    });
    await failure(() => reproduce('non-private', { ...options, components: 4 }), {
      code: 'invalid-components',
    });
    await failure(() => reproduce('non-private', { ...options, neighbours: 'x' as never }), {
      code: 'invalid-neighbours',
    });
  });
});
