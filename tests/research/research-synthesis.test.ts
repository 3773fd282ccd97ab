import {
  reproduceSynthesis,
  signalToSensitivity,
  synthesizers,
  type SynthesisReproduction,
  type Table,
} from 'private-moments-research';
import { describe, expect, it } from 'vitest';
import { failure } from '../package/support.js';

/** Two groups of rows about (0.5, 0.5, 0) and (-0.5, -0.5, 0), in turn. */
function groups(count: number): Table {
  const values = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const side = i % 2 === 0 ? 0.5 : -0.5;
    values.set(
      [side + 0.3 * Math.sin(i), side + 0.3 * Math.cos(3 * i), 0.3 * Math.sin(7 * i)],
      3 * i,
    );
  }
  return { columns: 3, values };
}

const rows = groups(200);
const publicRows = groups(40);
const classOf = (_: unknown, i: number): number => i % 2;
const common = {
  rows,
  publicRows,
  publicLabels: Array.from({ length: 40 }, classOf),
  epsilon: 1,
  components: 2,
  candidates: 20,
  draw: 100,
};
const labelled: Record<string, Partial<SynthesisReproduction>> = {
  none: { publicLabels: [] },
  number: { labels: Array.from({ length: 200 }, (_, i) => 0.5 - (i % 2)) },
  class: { labels: Array.from({ length: 200 }, classOf), classes: 2 },
};
const delta = (name: string): number => (name.startsWith('blocki') ? 1e-6 : 0);

describe('published synthesizers', () => {
  it('each state their source, what was claimed and what holds', async () => {
    const all = await synthesizers();
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['pca-gauss-3', 'li-bernoulli', 'jiang-lda', 'modips', 'blocki']),
    );
    for (const entry of all) {
      for (const words of [entry.source, entry.claim, entry.truth]) {
        expect(words.trim(), entry.name).not.toBe('');
      }
      expect(entry.labels.length, entry.name).toBeGreaterThan(0);
    }
  });

  it('make rows with every kind of label they accept, and state their guarantee', async () => {
    for (const { name, labels, truth } of await synthesizers()) {
      for (const kind of labels) {
        const made = await reproduceSynthesis(name, {
          ...common,
          ...labelled[kind],
          delta: delta(name),
        });
        const count = made.rows.values.length / made.rows.columns;
        expect(Number.isInteger(count), name).toBe(true);
        expect(made.rows.values.every(Number.isFinite), name).toBe(true);
        expect(made.labels?.length ?? 0, name).toBe(kind === 'none' ? 0 : count);
        if (kind === 'class')
          expect(
            made.labels?.every((x) => x === 0 || x === 1),
            name,
          ).toBe(true);
        if (made.projection) expect(made.projection, name).toHaveLength(3 * made.rows.columns);
        expect(made.truth).toBe(truth);
        const flawed = name.startsWith('pca-gauss') || name === 'modips-published';
        expect(made.guarantee === null, name).toBe(flawed);
        if (made.guarantee) {
          expect(made.guarantee.neighbours).toBe('replace-one');
          expect(made.guarantee.epsilon, name).toBeGreaterThan(0);
          expect(made.guarantee.epsilon, name).toBeLessThanOrEqual(1 + 1e-9);
        }
      }
    }
  });

  it('have a guarantee with a public centre that does not hold with the mean of the data', async () => {
    const options = { ...common, ...labelled.number, components: 1 };
    expect((await reproduceSynthesis('pca-gauss-2', options)).guarantee).toBeNull();
    const open = await reproduceSynthesis('pca-gauss-2', { ...options, centre: 'public' });
    expect(open.guarantee?.epsilon).toBeCloseTo(4 / 6, 12);
    const own = await reproduceSynthesis('pca-gauss-2', {
      ...options,
      centre: 'public',
      basis: 'laplace',
    });
    expect(own.guarantee?.parts?.map(({ what }) => what)).toEqual(['basis', 'moments']);
  });

  it('do not release directions that no guarantee covers', async () => {
    const made = await reproduceSynthesis('pca-gauss-1', { ...common, publicLabels: [] });
    expect(made.projection).toBeNull();
    expect(made.rows.columns).toBe(2);
  });

  it('make the same rows for the same seed, and then have no guarantee', async () => {
    const options = { ...common, ...labelled.class };
    const once = await reproduceSynthesis('modips', { ...options, unsafeSeed: 7 });
    const again = await reproduceSynthesis('modips', { ...options, unsafeSeed: 7 });
    expect(again.rows).toEqual(once.rows);
    expect(once.guarantee).toBeNull();
    expect(once.truth).toContain('seed');
    const other = await reproduceSynthesis('modips', { ...options, unsafeSeed: 8 });
    expect(other.rows).not.toEqual(once.rows);
    const fresh = await reproduceSynthesis('modips', options);
    expect(fresh.rows).not.toEqual((await reproduceSynthesis('modips', options)).rows);
    expect(fresh.guarantee?.epsilon).toBeCloseTo(1, 12);
  });

  it('repair covariances as the options say', async () => {
    // So much noise that an eigenvalue is negative.
    const options = { ...common, publicLabels: [], epsilon: 0.01, unsafeSeed: 3 };
    const made = (repair: 'polar' | 'shift' | 'clip'): Promise<{ rows: Table }> =>
      reproduceSynthesis('pca-gauss-1', { ...options, repair });
    const [polar, shift, clip] = await Promise.all((['polar', 'shift', 'clip'] as const).map(made));
    expect(polar?.rows).not.toEqual(shift?.rows);
    expect(shift?.rows).not.toEqual(clip?.rows);
  });

  it('refuse invalid options and tables, naming the field', async () => {
    const options = { ...common, ...labelled.class };
    await failure(() => reproduceSynthesis('nonesuch', options), { code: 'invalid-mechanism' });
    await failure(() => reproduceSynthesis('modips', { ...options, epsilon: 0 }), {
      code: 'invalid-epsilon',
    });
    await failure(() => reproduceSynthesis('blocki', options), { code: 'invalid-delta' });
    await failure(
      () => reproduceSynthesis('modips', { ...options, rows: { columns: 7, values: rows.values } }),
      { code: 'unsupported-data', field: 'rows' },
    );
    const large = { columns: 3, values: rows.values.map((x) => 3 * x) };
    await failure(() => reproduceSynthesis('modips', { ...options, rows: large }), {
      code: 'invalid-bounds',
      field: 'rows',
    });
    await failure(() => reproduceSynthesis('modips', { ...options, labels: [0, 1] }), {
      code: 'unsupported-data',
      field: 'labels',
    });
    await failure(
      () => reproduceSynthesis('modips', { ...options, labels: rows.values.slice(0, 200) }),
      {
        code: 'unsupported-data',
        field: 'labels',
      },
    );
    const hole = { columns: 3, values: rows.values.map((x, i) => (i === 5 ? NaN : x)) };
    await failure(() => reproduceSynthesis('modips', { ...options, rows: hole }), {
      code: 'unsupported-data',
      field: 'rows',
    });
    await failure(() => reproduceSynthesis('modips', { ...options, centre: 'x' as never }), {
      code: 'invalid-mechanism',
      field: 'centre',
    });
    const none = { columns: 3, values: new Float64Array(0) };
    const without = { ...options, publicRows: none, publicLabels: [] };
    await failure(() => reproduceSynthesis('jiang-lda', without), {
      code: 'no-rows',
      field: 'publicRows',
    });
    await failure(() => reproduceSynthesis('modips', { ...options, unsafeSeed: -1 }), {
      code: 'unsupported-data',
      field: 'unsafeSeed',
    });
    const narrow = { columns: 2, values: new Float64Array(4) };
    await failure(() => reproduceSynthesis('modips', { ...options, publicRows: narrow }), {
      code: 'unsupported-data',
      field: 'publicRows',
    });
  });
});

describe('the ratio of signal to sensitivity', () => {
  const values = [10, 6, 4, 3, 2, 1, 0.5, 0.25];

  it('has a variant for the claim, for the published code and for the truth', async () => {
    expect(await signalToSensitivity(values, 2, 'quadratic')).toBeCloseTo(13.08380308154829, 10);
    expect(await signalToSensitivity(values, 2, 'linear')).toBeCloseTo(3.2709507703870724, 10);
    expect(await signalToSensitivity(values, 2, 'upper')).toBeCloseTo(9.812852311161217, 10);
    expect(await signalToSensitivity(values, 2)).toBeCloseTo(1.6456653615691799, 10);
    expect(await signalToSensitivity(values, 2, 'spectrum')).toBeCloseTo(0.8177376925967681, 10);
  });

  it('refuses more directions than there are, and unknown gains', async () => {
    await failure(() => signalToSensitivity(values, 9), { code: 'invalid-components' });
    await failure(() => signalToSensitivity(values, 0), { code: 'invalid-components' });
    await failure(() => signalToSensitivity(values, 1, 'x' as never), {
      code: 'invalid-mechanism',
      field: 'gain',
    });
  });
});
