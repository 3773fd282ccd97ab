import { assemble, defineStudy, privatize } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, people } from '../support.js';

const study = defineStudy(definition());
const rows = people(900, 0.5, 0.5);
const exact = await exactMoments(study, rows);

describe('sparsePca', () => {
  it('is pca without sparsity', () => {
    const sparse = exact.sparsePca({ components: 2, sparsity: 0 });
    const plain = exact.pca({ components: 2 });
    sparse.weights.values.forEach((weight, i) => {
      expect(weight).toBeCloseTo(plain.weights.values[i] ?? NaN, 9);
    });
    expect(sparse.explained[1]?.share).toBeCloseTo(plain.explained[1]?.share ?? NaN, 9);
    expect(sparse.explained[0]?.nonzeros).toBe(exact.columns.length);
    expect(sparse.weights.columns).toEqual(['SPC1', 'SPC2']);
  });

  it('counts the weights that are not exactly 0, which are fewer than all', () => {
    const counts = [0, 1].map((sparsity) => {
      const { explained, weights } = exact.sparsePca({ components: 1, sparsity });
      const nonzeros = weights.values.filter((weight) => weight !== 0).length;
      expect(explained[0]?.nonzeros).toBe(nonzeros);
      return nonzeros;
    });
    expect(counts[0]).toBeGreaterThan(counts[1] ?? NaN);
  });

  it('has at most three components by default and states its options', () => {
    expect(exact.sparsePca().options).toEqual({ components: 3, sparsity: 1 });
  });

  it('refuses intervals and options out of range', async () => {
    const refused = { code: 'unsupported-option', field: 'level' };
    await failure(() => exact.sparsePca({ level: 0.95 } as never), refused);
    const negative = { code: 'invalid-alpha', field: 'sparsity' };
    await failure(() => exact.sparsePca({ sparsity: -1 }), negative);
    const many = { code: 'invalid-components', field: 'components' };
    await failure(() => exact.sparsePca({ components: 99 }), many);
  });
});

describe('sparseCca', () => {
  it('gives a pair of few columns with the correlation of cca', () => {
    const { correlations, views, options } = exact.sparseCca();
    const [pair] = correlations;
    const plain = exact.cca().correlations[0]?.value ?? NaN;
    expect(pair?.value).toBeLessThanOrEqual(plain + 1e-9);
    expect(pair?.value).toBeGreaterThan(0.8 * plain);
    expect(pair?.belowNoiseFloor).toBe(false);
    for (const [name, { weights }] of Object.entries(views)) {
      const nonzeros = weights.values.filter((weight) => weight !== 0).length;
      expect(pair?.nonzeros[name]).toBe(nonzeros);
    }
    expect(options).toMatchObject({ components: 1, sparsity: 1 });
  });

  it('has no weights where noise hides everything between the views', async () => {
    const few = await assemble(study, [await privatize(study, rows.slice(0, 20))]);
    const { correlations, noiseFloor } = few.sparseCca({ sparsity: 3 });
    expect(correlations[0]).toMatchObject({ value: 0, belowNoiseFloor: true });
    expect(Object.values(correlations[0]?.nonzeros ?? {})).toEqual([0, 0]);
    expect(noiseFloor).toBe(0);
  });

  it('is the same in a worker', async () => {
    const there = await exact.inWorker().sparseCca({ sparsity: 2 });
    expect(there).toEqual(exact.sparseCca({ sparsity: 2 }));
    expect(await exact.inWorker().sparsePca()).toEqual(exact.sparsePca());
  });

  it('refuses what cca refuses, and intervals', async () => {
    const refused = { code: 'unsupported-option', field: 'level' };
    await failure(() => exact.sparseCca({ level: 0.95 } as never), refused);
    await failure(() => exact.sparseCca({ x: 'nothing' }), { code: 'invalid-view' });
  });
});
