import { advise, defineStudy, forecast, mechanisms, type StudyDefinition } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { failure } from '../support.js';

function study(columns: number, changes: Partial<StudyDefinition> = {}) {
  return defineStudy({
    title: 'Advice',
    columns: Array.from({ length: columns }, (_, i) => ({
      name: `c${i}`,
      type: 'number' as const,
      min: 0,
      max: 10,
    })),
    privacy: { epsilon: 1, delta: 1e-6 },
    ...changes,
  });
}

describe('advise', () => {
  it('ranks all suitable mechanisms, those for second moments by error', async () => {
    const { choices, recommended, why } = await advise(study(20), { rows: 10_000 });
    const known = (await mechanisms()).map(({ name }) => name);
    expect(choices.map(({ mechanism }) => mechanism).sort()).toEqual(known.sort());
    const errors = choices.flatMap(({ error }) => (error === null ? [] : [error]));
    expect(errors).toEqual([...errors].sort((a, b) => a - b));
    expect(choices[0]).toMatchObject({ mechanism: 'gaussian', relative: 1, why });
    expect(recommended).toBe('gaussian');
    expect(why).toMatch(
      /delta 0\.000001; the smallest error for 20 features: two-sided-wishart has/,
    );
    for (const { content, error, relative } of choices) {
      expect(error === null).toBe(content === 'components');
      expect(relative === null).toBe(content === 'components');
    }
  });

  it('leaves out mechanisms that need a delta or the unit row if the study has neither', async () => {
    const pure = await advise(study(20, { privacy: { epsilon: 1, delta: 0 } }), { rows: 10_000 });
    expect(pure.recommended).toBe('two-sided-wishart');
    expect(pure.why).toMatch(/^pure epsilon 1, without a delta/);
    expect(pure.choices.every(({ guarantee }) => guarantee.delta === 0)).toBe(true);
    const people = await advise(study(20, { unit: 'participant' }), { rows: 100, sites: 100 });
    expect(people.choices.map(({ mechanism }) => mechanism)).not.toContain('wishart');
  });

  it('finds pure mechanisms better for few features', async () => {
    const { choices, why } = await advise(study(3, { rowNorm: 1.7 }), { rows: 1000 });
    const gaussian = choices.find(({ mechanism }) => mechanism === 'gaussian');
    expect(gaussian?.relative).toBeGreaterThan(1.2);
    expect(why).toMatch(/^pure epsilon/);
  });

  it('prefers exact arithmetic if errors are similar', async () => {
    const own = study(4, { privacy: { epsilon: 1, delta: 0 }, clipping: 'fixed' });
    const { choices } = await advise(own, { rows: 1000 });
    const [first, second] = choices;
    expect(first?.guarantee.numerics).toBe('exact');
    expect((first?.error ?? 0) / (second?.error ?? 1)).toBeLessThan(1.05);
  });

  it('states the same error as forecast for each mechanism', async () => {
    const own = study(8, { rowNorm: 2 });
    const { choices } = await advise(own, { rows: 4000, sites: 4 });
    for (const name of ['gaussian', 'laplace'] as const) {
      const other = study(8, { rowNorm: 2, mechanism: { name }, clipping: 'fixed' });
      const { covariance } = await forecast(other, { rows: 4000, sites: 4 });
      const choice = choices.find(({ mechanism }) => mechanism === name);
      expect(choice?.error).toBeCloseTo(covariance.error, 12);
    }
  });

  it('says that directions of several sites cannot be summed', async () => {
    const { choices } = await advise(study(5), { rows: 1000, sites: 5 });
    const sampling = choices.find(({ mechanism }) => mechanism === 'eigenvector-sampling');
    expect(sampling?.why).toMatch(/directions only, which cannot be summed across 5 releases/);
  });

  it('lists what would help most: releases, rows, epsilon, clip radius', async () => {
    const own = study(10, { rowNorm: Math.sqrt(10), clipping: 'fixed' });
    const { levers } = await advise(own, { rows: 5000, sites: 9 });
    const factor = (change: RegExp) => levers.find((lever) => change.test(lever.change))?.factor;
    expect(factor(/in one release/)).toBeCloseTo(1 / 3, 1);
    expect(factor(/twice the rows/)).toBeCloseTo(1 / 2, 1);
    expect(factor(/twice the epsilon/)).toBeCloseTo(0.53, 1);
    expect(factor(/rowNorm 1\.6|rowNorm 2\.2/)).toBeLessThan(0.8);
    expect(factor(/adaptive clipping/)).toBeLessThan(0.8);
    const factors = levers.map((lever) => lever.factor);
    expect(factors).toEqual([...factors].sort((a, b) => a - b));
    expect(Math.max(...factors)).toBeLessThan(1);
  });

  it('compares every way to choose the clip radius that a mechanism has', async () => {
    const options = { rows: 20_000, spread: 0.05 };
    const { choices } = await advise(study(4, { clipping: 'adaptive' }), options);
    const named = (name: string) =>
      choices.find(({ mechanism }) => mechanism === name)?.clippings ?? [];
    const kinds = (name: string) => named(name).map(({ clipping }) => clipping);
    expect(kinds('gaussian')).toEqual(['centred', 'adaptive', 'fixed']);
    expect(kinds('two-sided-wishart')).toEqual(['centred', 'fixed']);
    expect(kinds('laplace')).toEqual(['fixed']);
    expect(kinds('ppca')).toEqual([]);
    for (const { clipping, error } of named('gaussian')) {
      const { covariance } = await forecast(study(4, { clipping }), options);
      expect(error).toBe(covariance.error);
    }
    const own = choices.find(({ mechanism }) => mechanism === 'gaussian');
    expect(own).toMatchObject({ clipping: 'adaptive' });
    expect(own?.error).toBe(named('gaussian')[1]?.error);
  });

  it('proposes private centring where it has the smaller error, and nothing else than that', async () => {
    const factor = async (clipping: 'fixed' | 'centred', spread: number, offCentre: number) => {
      const own = study(4, { clipping });
      const { levers } = await advise(own, { rows: 20_000, spread, offCentre });
      const all = levers.filter(({ change }) => /centring|adaptive|fixed/.test(change));
      return Object.fromEntries(all.map((lever) => [lever.change, lever.factor]));
    };
    expect((await factor('fixed', 0.05, 0.3))['private centring']).toBeLessThan(0.2);
    expect(await factor('centred', 0.05, 0.3)).toEqual({});
  });

  it('compares independent sites with sites that share their noise, each at its default', async () => {
    const own = study(6, { federation: { mode: 'independent', sites: 9 } });
    const { modes } = await advise(own, { rows: 9000 });
    const split = study(6, { federation: { mode: 'split', sites: 9, honest: 7 } });
    const errors = {
      split: (await forecast(split, { rows: 9000 })).covariance.error,
      independent: (await forecast(own, { rows: 9000 })).covariance.error,
    };
    expect(modes?.split).toEqual({ clipping: 'fixed', error: errors.split });
    expect(modes?.independent).toEqual({ clipping: own.clipping, error: errors.independent });
    expect(modes?.factor).toBeCloseTo(
      Math.max(errors.split / errors.independent, errors.independent / errors.split),
      12,
    );
    expect(modes?.better).toBe(errors.split < errors.independent ? 'split' : 'independent');
    // The same question, asked of a study whose sites share their noise.
    const other = await advise(split, { rows: 9000 });
    expect(other.modes).toEqual(modes);
  });

  it('compares no modes for one site, whole participants, or noise that sites cannot share', async () => {
    const modes = async (changes: Partial<StudyDefinition>, sites: number) =>
      (await advise(study(4, changes), { rows: 900, sites })).modes;
    expect(await modes({}, 1)).toBeNull();
    expect(await modes({ unit: 'participant' }, 900)).toBeNull();
    expect(await modes({ mechanism: { name: 'laplace' } }, 9)).toBeNull();
    expect(await modes({}, 9)).not.toBeNull();
  });

  it('also advises a study that releases directions', async () => {
    const own = study(6, { mechanism: { name: 'ppca', components: 2 } });
    const { recommended, levers } = await advise(own, { rows: 3000 });
    expect(recommended).not.toBe('ppca');
    expect(levers).toEqual([]);
  });

  it('suggests only shareable mechanisms and changes to sites that share noise', async () => {
    for (const mode of ['split', 'ring', 'correlated']) {
      const own = study(6, { federation: { mode, sites: 9, honest: 6 } });
      const { choices, recommended, levers } = await advise(own, { rows: 9000, sites: 9 });
      const names = mode === 'correlated' ? ['gaussian'] : ['gaussian', 'two-sided-wishart'];
      expect(choices.map(({ mechanism }) => mechanism)).toEqual(names);
      expect(recommended).toBe('gaussian');
      expect(levers.map(({ change }) => change).join()).not.toMatch(/one release|adaptive/);
      expect(levers.length).toBeGreaterThan(0);
    }
  });

  it('works with a single column', async () => {
    const { choices } = await advise(study(1), { rows: 100 });
    expect(choices.map(({ mechanism }) => mechanism)).not.toContain('ppca');
  });

  it('refuses the same options as forecast', async () => {
    await failure(() => advise(study(2), {} as never), { code: 'unsupported-option' });
    await failure(() => advise({} as never, { rows: 5 }), { code: 'invalid-study' });
  });
});
