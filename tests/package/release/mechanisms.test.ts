import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  assemble,
  assembleComponents,
  defineStudy,
  mechanisms,
  parseRelease,
  privatize,
  type Column,
} from 'private-moments';
import { describe, expect, it, test } from 'vitest';
import { APPROXIMATE, contentOf, MECHANISMS } from '../../../web/package/src/study/mechanism.js';
import { exactMoments } from '../exact-moments.js';
import { failure, seeded } from '../support.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const columns: Column[] = ['a', 'b', 'c'].map((name) => ({
  name,
  type: 'number',
  min: -1,
  max: 1,
}));
const random = seeded(3);
/** Rows that are long along (3, 1, 0) and short in other directions. */
const rows = Array.from({ length: 200 }, () => {
  const along = 2 * random() - 1;
  return { a: 0.9 * along, b: 0.3 * along + 0.1 * random(), c: 0.2 * random() };
});

/** A study with one of the mechanisms, with the best options it allows. */
function studyWith(name: string, change: object = {}) {
  return defineStudy({
    title: 'Three numbers',
    columns,
    privacy: { epsilon: 1, delta: APPROXIMATE.includes(name as never) ? 1e-6 : 0 },
    mechanism: { name, components: 2 },
    ...change,
  });
}

const isMoments = (name: string) => contentOf({ name } as never) === 'moments';

describe('the list of mechanisms', () => {
  it('is that of the core and of studies, with the default first', async () => {
    expect((await mechanisms()).map(({ name }) => name)).toEqual(MECHANISMS);
  });

  it('agrees with studies on the need for a delta and the content of releases', async () => {
    const list = await mechanisms();
    const approximate = list.filter(({ guarantee }) => guarantee === '(epsilon, delta)');
    expect(approximate.map(({ name }) => name)).toEqual(APPROXIMATE);
    for (const { name, content } of list) expect(content, name).toBe(contentOf({ name }));
  });

  it('has a different title, source and summary for each', async () => {
    const list = await mechanisms();
    for (const words of ['title', 'summary', 'errorOrder', 'source'] as const) {
      for (const entry of list) expect(entry[words].trim(), entry.name).not.toBe('');
    }
    expect(new Set(list.map(({ title }) => title)).size).toBe(list.length);
    expect(new Set(list.map(({ summary }) => summary)).size).toBe(list.length);
  });

  it('states the same arithmetic as releases', async () => {
    for (const { name, numerics } of await mechanisms()) {
      const release = await privatize(studyWith(name), rows);
      expect([release.numerics, release.guarantee.numerics], name).toEqual([numerics, numerics]);
    }
  });

  it('has exactly the units that studies accept', async () => {
    for (const { name, units } of await mechanisms()) {
      const participant = () => studyWith(name, { unit: 'participant' });
      if (units.includes('participant')) expect(participant().unit).toBe('participant');
      else await failure(participant, { code: 'invalid-unit', field: 'unit' });
    }
  });

  it('has a documentation page for each', () => {
    for (const name of MECHANISMS) {
      const page = `${root}docs/mechanisms/${name}.md`;
      expect(existsSync(page), page).toBe(true);
      expect(readFileSync(page, 'utf8')).toMatch(/^# /);
    }
  });
});

describe('a study names a mechanism', () => {
  it('and gets all its defaults', () => {
    const { mechanism } = studyWith('eigenvector-sampling', {
      mechanism: { name: 'eigenvector-sampling' },
    });
    expect(mechanism).toEqual({ name: 'eigenvector-sampling', method: 'rayleigh', components: 3 });
    expect(studyWith('power-method').mechanism).toEqual({
      name: 'power-method',
      components: 2,
      rounds: 3,
    });
    expect(studyWith('laplace', { mechanism: { name: 'laplace' } }).mechanism).toEqual({
      name: 'laplace',
    });
  });

  it('or gets the default for its delta', () => {
    const privacy = { epsilon: 1, delta: 0 };
    const pure = studyWith('', { privacy, mechanism: undefined });
    expect(pure.mechanism).toEqual({ name: 'two-sided-wishart' });
    const other = studyWith('', { privacy: { epsilon: 1, delta: 1e-9 }, mechanism: undefined });
    expect(other.mechanism).toEqual({ name: 'gaussian', shape: 'rotation-invariant' });
  });

  it.each(MECHANISMS)('%s, and its JSON gives the same study', (name) => {
    const study = studyWith(name);
    const again = defineStudy(study.toJSON());
    expect(again.id).toBe(study.id);
    expect(again.mechanism).toEqual(study.mechanism);
  });

  test.each<[string, object, string, string]>([
    ['gaussian with delta 0', { name: 'gaussian' }, 'invalid-delta', 'privacy.delta'],
    ['wishart with delta 0', { name: 'wishart' }, 'invalid-delta', 'privacy.delta'],
    [
      'power-method with delta 0',
      { name: 'power-method', components: 1 },
      'invalid-delta',
      'privacy.delta',
    ],
    ['ppca without components', { name: 'ppca' }, 'invalid-components', 'mechanism.components'],
    [
      'ppca with as many components as features',
      { name: 'ppca', components: 3 },
      'invalid-components',
      'mechanism.components',
    ],
    [
      'more components than features',
      { name: 'laplace', components: 4 },
      'invalid-components',
      'mechanism.components',
    ],
    [
      'no components',
      { name: 'eigenvector-sampling', components: 0 },
      'invalid-components',
      'mechanism.components',
    ],
    [
      'half a component',
      { name: 'eigenvector-sampling', components: 1.5 },
      'invalid-components',
      'mechanism.components',
    ],
    [
      'an unknown method',
      { name: 'eigenvector-sampling', method: 'fast' },
      'invalid-mechanism',
      'mechanism.method',
    ],
    [
      'an option of another mechanism',
      { name: 'laplace', shape: 'upper-triangle' },
      'invalid-mechanism',
      'mechanism.shape',
    ],
  ])('but not %s', async (_, mechanism, code, field) => {
    const privacy = { epsilon: 1, delta: 0 };
    await failure(() => studyWith('', { privacy, mechanism }), { code, field });
  });

  it('but not power-method without rounds, or with more than a hundred rounds', async () => {
    for (const rounds of [0, 101, 2.5]) {
      const mechanism = { name: 'power-method', components: 1, rounds };
      await failure(() => studyWith('power-method', { mechanism }), {
        code: 'invalid-mechanism',
        field: 'mechanism.rounds',
      });
    }
  });

  it('and with delta 0 the error suggests others', async () => {
    const error = await failure(
      () => studyWith('gaussian', { privacy: { epsilon: 1, delta: 0 } }),
      { code: 'invalid-delta' },
    );
    expect(error.message).toContain('two-sided-wishart');
    expect(error.message).not.toContain('power-method');
  });

  it.each(['sn', 'SN', 'symmetric-noise', 'jiang-wishart'])(
    'but never %s, which is not private',
    async (name) => {
      const error = await failure(() => studyWith(name), {
        code: 'invalid-mechanism',
        field: 'mechanism.name',
      });
      expect(error.message).toContain('is not differentially private');
      for (const known of MECHANISMS) expect(error.message).toContain(known);
    },
  );

  it('but no other published one, and the error lists the names', async () => {
    for (const name of ['kapralov-talwar', 'non-private', 'dw', '']) {
      const error = await failure(() => studyWith(name), { code: 'invalid-mechanism' });
      for (const known of MECHANISMS) expect(error.message).toContain(known);
      expect(error.message).not.toContain('is not differentially private');
    }
  });
});

describe.each(MECHANISMS)('%s', (name) => {
  const isPure = !APPROXIMATE.includes(name);
  const units = name === 'wishart' ? (['row'] as const) : (['row', 'participant'] as const);

  it('has the guarantee that its study asks for, for each relation and unit', async () => {
    for (const neighbours of ['replace-one', 'add-remove']) {
      for (const unit of units) {
        const { guarantee } = await privatize(studyWith(name, { neighbours, unit }), rows);
        expect(guarantee).toMatchObject({ neighbours, unit });
        expect(guarantee.epsilon).toBeGreaterThan(0.5);
        expect(guarantee.epsilon).toBeLessThanOrEqual(1 + 1e-12);
        expect(guarantee.delta > 0).toBe(!isPure);
        expect(guarantee.delta).toBeLessThanOrEqual(1e-6);
        expect(guarantee.assumes.length).toBeGreaterThan(0);
      }
    }
  });

  it('has delta 0 if it is pure, even if the study allows more', async () => {
    const study = studyWith(name, { privacy: { epsilon: 1, delta: 1e-3 } });
    const { guarantee } = await privatize(study, rows);
    expect(guarantee.delta > 0).toBe(!isPure);
    expect(guarantee.delta).toBeLessThanOrEqual(1e-3);
  });

  it('has parts that together cost at least as much as the whole', async () => {
    const { guarantee } = await privatize(studyWith(name), rows);
    const { parts } = guarantee;
    if (parts === undefined) return;
    expect(parts.length).toBeGreaterThan(1);
    const sum = parts.reduce((total, { epsilon }) => total + epsilon, 0);
    expect(sum).toBeGreaterThanOrEqual(guarantee.epsilon * (1 - 1e-9));
  });

  it('makes releases of the stated form that can be read back unchanged', async () => {
    const release = await privatize(studyWith(name), rows);
    const again = parseRelease(await release.toBlob().text());
    expect(again.toJSON()).toEqual(release.toJSON());
    expect(release.content).toBe(isMoments(name) ? 'moments' : 'components');
    expect(release.mechanism).toEqual(studyWith(name).mechanism);
    const perComponent = name === 'ppca' ? 3 : 4;
    expect(release.values).toHaveLength(isMoments(name) ? 10 : 2 * perComponent);
    expect(release.noise.rng).toBe('chacha20-fke/1');
  });

  it('draws fresh noise every time', async () => {
    const [first, second] = [
      await privatize(studyWith(name), rows),
      await privatize(studyWith(name), rows),
    ];
    expect(first.values).not.toEqual(second.values);
  });

  it('describes its guarantee in words', async () => {
    const release = await privatize(studyWith(name), rows);
    const words = release.summary();
    expect(words).toContain('epsilon 1');
    expect(words).toContain(isMoments(name) ? 'sums over all rows' : '2 directions');
    expect(words.includes('times what it was, plus ')).toBe(!isPure);
    expect(words.includes('floating point')).toBe(release.numerics === 'idealized');
    expect(words).not.toMatch(/undefined|NaN|\[object/);
    // With few digits, rounded so that the guarantee never looks better than it is.
    const delta = Number(/, delta ([^)]+)\)\.$/m.exec(words)?.[1] ?? 0);
    expect(delta).toBeGreaterThanOrEqual(release.guarantee.delta);
    expect(delta).toBeLessThanOrEqual(1.01 * release.guarantee.delta);
    expect(words).not.toMatch(/[1-9]\.\d{3}|0\.0*[1-9]\d{3}/);
  });

  it('is combined from several releases, only by the function for its content', async () => {
    const study = studyWith(name);
    const releases = [
      await privatize(study, rows.slice(0, 100)),
      await privatize(study, rows.slice(100)),
    ];
    const [right, wrong] = isMoments(name)
      ? [assemble, assembleComponents]
      : [assembleComponents, assemble];
    const result = await right(study, releases);
    expect(result.rows).toBe(200);
    expect(result.columns).toEqual(['a', 'b', 'c']);
    expect(result.guarantee?.epsilon).toBeLessThanOrEqual(1 + 1e-12);
    const code = isMoments(name) ? 'not-components' : 'not-moments';
    await failure(() => wrong(study, releases), { code });
  });
});

describe.each(MECHANISMS.filter(isMoments))('moments by %s', (name) => {
  // With 50 pairs of releases the mean is off by 6 standard errors once in 10^8 times.
  it('are unbiased and vary as stated', async () => {
    const study = studyWith(name, { clipping: 'fixed' });
    const exact = await exactMoments(study, rows);
    const diagonal: number[] = [];
    const offDiagonal: number[] = [];
    for (let run = 0; run < 50; run++) {
      const moments = await assemble(study, [
        await privatize(study, rows.slice(0, 50)),
        await privatize(study, rows.slice(50)),
      ]);
      const error = moments.secondMoments.values.map(
        (value, index) => value - (exact.secondMoments.values[index] ?? NaN),
      );
      expect(Math.abs(error[0] ?? NaN)).toBeLessThan(1e-3);
      diagonal.push((error[5] ?? NaN) / moments.noise.sdDiagonal);
      offDiagonal.push((error[6] ?? NaN) / moments.noise.sdOffDiagonal);
    }
    for (const errors of [diagonal, offDiagonal]) {
      const mean = errors.reduce((sum, value) => sum + value, 0) / errors.length;
      const square = errors.reduce((sum, value) => sum + value ** 2, 0) / errors.length;
      expect(Math.abs(mean)).toBeLessThan(0.85);
      // For Laplace, the law with the heaviest tails here, the standard error is 0.26.
      expect(square).toBeGreaterThan(0.2);
      expect(square).toBeLessThan(4);
    }
    // Every release of `wishart` calibrates its noise, a hundred of which take seconds.
  }, 120_000);

  it('state the law of their noise', async () => {
    const study = studyWith(name);
    const release = await privatize(study, rows);
    const moments = await assemble(study, [release]);
    expect(moments.noise.distribution).toBe(release.noise.distribution);
    expect(moments.noise.countIsExact).toBe(true);
  });

  it('estimate a private count within the stated noise', async () => {
    const study = studyWith(name, { neighbours: 'add-remove', clipping: 'fixed' });
    const moments = await assemble(study, [await privatize(study, rows)]);
    expect(moments.rows).not.toBe(200);
    expect(moments.noise.countIsExact).toBe(false);
    // Even Laplace noise exceeds twelve standard deviations only once in 10^7 times.
    const constant = study.rowNorm * (11585 / 16384);
    const allowed = (12 * moments.noise.sdDiagonal) / constant ** 2;
    expect(Math.abs(moments.rows - 200)).toBeLessThan(allowed);
  });

  it('have the number of components of the study, up to the number of features', async () => {
    const study = studyWith(name, { views: { x: ['a'], y: ['b', 'c'] } });
    const moments = await assemble(study, [await privatize(study, rows)]);
    expect(moments.pca().explained).toHaveLength(2);
    expect(moments.pca({ components: 3 }).explained).toHaveLength(3);
    expect(moments.cca().correlations).toHaveLength(1);
  });
});
