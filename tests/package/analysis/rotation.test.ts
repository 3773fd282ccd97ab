import { assemble, defineStudy, privatize, project, type Matrix } from 'private-moments';
import { report } from 'private-moments/report';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Moments } from 'private-moments';
import { failure, seeded } from '../support.js';

const names = ['reading', 'writing', 'spelling', 'sums', 'fractions', 'shapes'];
const columns = names.map((name) => ({ name, type: 'number' as const, min: -4, max: 4 }));
const definition = { title: 'School', columns };
const clear = defineStudy({ ...definition, privacy: { epsilon: 1e4, delta: 1e-3 } });
const noisy = defineStudy({ ...definition, privacy: { epsilon: 0.01, delta: 1e-3 } });

/** Three columns follow one skill, three another; the skills correlate. */
const random = seeded(17);
const normal = (): number => 2 * (random() + random() + random() - 1.5);
const rows = Array.from({ length: 4000 }, () => {
  const words = normal();
  const numbers = 0.5 * words + 0.85 * normal();
  return Object.fromEntries(
    names.map((name, i) => [name, (i < 3 ? words : numbers) + 0.5 * normal()]),
  );
});

const at = ({ columns: labels, values }: Matrix, i: number, k: number): number =>
  values[i * labels.length + k] ?? NaN;

let moments: Moments;
let drowned: Moments;
beforeAll(async () => {
  moments = await assemble(clear, [await privatize(clear, rows)]);
  drowned = await assemble(noisy, [await privatize(noisy, rows)]);
});

describe('rotated principal components', () => {
  it('separate two skills that every component mixes', () => {
    const plain = moments.pca({ components: 2 });
    const { rotation, ...rest } = moments.pca({ components: 2, rotation: 'varimax' });
    expect(plain.rotation).toBeUndefined();
    expect(rest.loadings).toEqual(plain.loadings);
    expect(Math.abs(at(plain.correlations, 0, 0))).toBeGreaterThan(0.6);
    expect(Math.abs(at(plain.correlations, 3, 0))).toBeGreaterThan(0.6);
    if (rotation === undefined) throw new Error('there is no rotation');
    const skill = at(rotation.loadings, 0, 0) > at(rotation.loadings, 3, 0) ? 0 : 1;
    for (let i = 0; i < 6; i++) {
      const own = i < 3 ? skill : 1 - skill;
      expect(at(rotation.loadings, i, own)).toBeGreaterThan(0.75);
      expect(at(rotation.loadings, i, 1 - own)).toBeLessThan(0.4);
    }
    expect(rotation).toMatchObject({ method: 'varimax', components: 2, note: null });
    expect(rotation.loadings).toEqual(rotation.correlations);
    const shares = rotation.explained.reduce((sum, { share }) => sum + share, 0);
    expect(shares).toBeCloseTo((plain.explained[0]?.share ?? 0) + (plain.explained[1]?.share ?? 0));
  });

  it('correlate with promax, whose loadings are nearer to 0 or 1', () => {
    const { rotation } = moments.pca({ components: 2, rotation: 'promax' });
    if (rotation === undefined) throw new Error('there is no rotation');
    expect(at(rotation.phi, 0, 0)).toBe(1);
    expect(at(rotation.phi, 0, 1)).toBeGreaterThan(0.35);
    const small = Math.min(at(rotation.loadings, 0, 0), at(rotation.loadings, 0, 1));
    expect(Math.abs(small)).toBeLessThan(0.15);
  });

  it('have scores of variance 1 that correlate as phi says', async () => {
    const result = moments.pca({ components: 2, rotation: 'promax' });
    const { values, columns: labels } = await project(clear, rows, result, { rotated: true });
    expect(labels).toEqual(['RC1', 'RC2']);
    const product = (j: number, k: number): number =>
      rows.reduce((sum, _, i) => sum + (values[2 * i + j] ?? 0) * (values[2 * i + k] ?? 0), 0) /
      rows.length;
    expect(product(0, 0)).toBeCloseTo(1, 1);
    expect(product(1, 1)).toBeCloseTo(1, 1);
    expect(product(0, 1)).toBeCloseTo(at(result.rotation?.phi ?? result.loadings, 0, 1), 1);
  });

  it('have intervals with a level, about each figure', () => {
    const options = { components: 2, level: 0.9, draws: 50 } as const;
    const { rotation } = moments.pca({ ...options, rotation: 'promax' });
    for (const key of ['weights', 'loadings', 'correlations', 'phi'] as const) {
      const { values, low, high } = rotation?.[key] ?? { values: new Float64Array(1) };
      for (const [i, value] of values.entries()) {
        expect(low?.[i]).toBeLessThanOrEqual(value + 1e-12);
        expect(high?.[i]).toBeGreaterThanOrEqual(value - 1e-12);
      }
    }
    const [first] = rotation?.explained ?? [];
    expect(first?.shareLow).toBeLessThan(first?.share ?? 0);
    const { rotation: without, ...rest } = moments.pca({ ...options, rotation: 'none' });
    const { rotation: some, ...same } = moments.pca({ ...options, rotation: 'varimax' });
    expect(without).toBeUndefined();
    expect(some).toBeDefined();
    expect(rest.correlations).toEqual(same.correlations);
  });

  it('are the same from a worker, in parts', async () => {
    const options = { components: 2, level: 0.9, draws: 60, rotation: 'promax' } as const;
    const here = moments.pca(options);
    const there = await moments.inWorker({ workers: 2 }).pca(options);
    expect(JSON.stringify(there)).toBe(JSON.stringify(here));
  });

  it('leave out what noise hides, and say so', async () => {
    // Noise alone is above its floor in one release of twenty, so the number is not known.
    const { explained, rotation } = drowned.pca({ rotation: 'varimax' });
    const above = explained.filter(({ belowNoiseFloor }) => !belowNoiseFloor).length;
    expect(above).toBeLessThan(6);
    expect(rotation).toMatchObject({ components: above });
    expect(rotation?.loadings.columns).toHaveLength(above);
    expect(rotation?.note).toMatch(above < 2 ? 'nothing to rotate' : 'the others are left out');
    await failure(() => project(clear, rows, moments.pca(), { rotated: true }), {
      code: 'unsupported-data',
      field: 'rotated',
    });
    expect(moments.pca({ components: 1, rotation: 'varimax' }).rotation?.note).toMatch('alone');
  });

  it('refuse a rotation that does not exist', async () => {
    await failure(() => moments.pca({ rotation: 'oblimin' as never }), {
      code: 'unsupported-option',
      field: 'rotation',
    });
  });

  it('are in reports, as tables and in words, and in CSV', () => {
    const result = moments.pca({ components: 2, rotation: 'promax', level: 0.9, draws: 50 });
    const html = report(result);
    expect(html).toContain('Rotated components (promax)');
    expect(html).toContain('Correlations of the rotated components');
    expect(html).toMatch(/RC1, \d+%: High/);
    const alone = moments.pca({ components: 1, rotation: 'varimax' });
    expect(report(alone)).toContain('One component alone cannot be rotated.');
    expect(report(moments.pca())).not.toContain('Rotated');
    expect(result.toCSV()).toContain('rotation.phi,,RC1,RC2');
  });
});
