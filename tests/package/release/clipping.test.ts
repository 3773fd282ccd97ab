import { assemble, defineStudy, privatize, type Release, type ReleaseJSON } from 'private-moments';
import { adaptiveRadius } from 'private-moments/internal';
import { describe, expect, it } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { failure, forged, seeded } from '../support.js';

/** Rows of two columns with correlation 0.6, standard deviation `sd` and mean 0.1. */
function normals(count: number, sd: number, seed: number) {
  const random = seeded(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return Array.from({ length: count }, () => {
    const a = normal();
    return { a: 0.1 + sd * a, b: 0.1 + sd * (0.6 * a + 0.8 * normal()) };
  });
}

const columns = ['a', 'b'].map((name) => ({ name, type: 'number' as const, min: -4, max: 4 }));
const title = 'Lengths';
const privacy = { epsilon: 1, delta: 1e-6 };
const study = defineStudy({ title, columns, privacy, clipping: 'adaptive' });
const rows = normals(3000, 0.3, 7);

describe('adaptive clipping', () => {
  it('starts at the row norm of the study, if it states one', () => {
    const of = (more: object) => defineStudy({ title, columns, privacy, ...more }).clipping;
    expect(of({ rowNorm: 1 })).toBe('fixed');
    expect(of({ rowNorm: 1, clipping: 'adaptive' })).toBe('adaptive');
  });

  it('survives a round trip through JSON', () => {
    for (const more of [{}, { clipping: 'fixed' as const }, { rowNorm: 2 }]) {
      const first = defineStudy({ title, columns, privacy, ...more });
      expect(defineStudy(first.toJSON()).id).toBe(first.id);
    }
  });

  it('chooses a short radius for short rows, with less noise', async () => {
    const short = normals(3000, 0.02, 8); // all of them are far below the shortest radius, 0.18
    const fixed = defineStudy({ title, columns, privacy, clipping: 'fixed' });
    const whole = await assemble(fixed, [await privatize(fixed, short)]);
    const chosen = await assemble(study, [await privatize(study, short)]);
    expect(whole.clipping).toBeNull();
    expect(chosen.clipping?.radii).toHaveLength(1);
    // Counts that are only noise leave the radius above R/2 in 2 of 10 million releases.
    const ratio = chosen.noise.sdOffDiagonal / whole.noise.sdOffDiagonal;
    expect(ratio).toBeLessThan(0.26);
    // The noise scales with the square of the radius; the counts cost a factor of 16/15 in variance.
    const radius = chosen.clipping?.radii[0]?.radius ?? NaN;
    expect(ratio).toBeCloseTo((radius ** 2 / 2) * Math.sqrt(16 / 15), 4);
    expect(chosen.guarantee?.epsilon).toBe(whole.guarantee?.epsilon);
    expect(chosen.guarantee?.parts?.map(({ what }) => what)).toEqual([
      'clip radius',
      'second moments',
    ]);
    // With negligible noise it is the shortest.
    const loud = defineStudy({ ...study.toJSON(), privacy: { epsilon: 1e7, delta: 1e-3 } });
    const clear = await assemble(loud, [await privatize(loud, short)]);
    expect(clear.clipping?.radii[0]?.radius).toBeCloseTo(Math.SQRT2 / 8, 12);
  });

  it('has the radii of docs/formats.md', () => {
    const radii = Array.from({ length: 7 }, (_, level) => adaptiveRadius(56, level));
    expect(radii).toEqual([56, 40, 28, 20, 14, 10, 7]);
  });

  it('reports the shortened rows to the analyst with noise, and to the participant exactly', async () => {
    const release = await privatize(study, rows);
    const { clipping } = await assemble(study, [release]);
    // The counts have a standard deviation of 41 rows. Six of them: a false alarm in 2e-9.
    expect(clipping?.sd).toBeGreaterThan(35);
    expect(clipping?.sd).toBeLessThan(50);
    const estimate = clipping?.shortened ?? NaN;
    expect(Math.abs(estimate - (release.local?.shortened ?? NaN))).toBeLessThan(6 * 41.4);
  });

  it('lets releases of different radii be summed to the moments of all rows', async () => {
    // At this epsilon noise is negligible (a fiftieth of what the comparison below allows), so each site chooses
    // the radius that shortens no row.
    const loud = defineStudy({ ...study.toJSON(), privacy: { epsilon: 1e9, delta: 1e-3 } });
    const sites = [normals(400, 0.2, 1), normals(400, 0.6, 2), normals(400, 1.1, 3)];
    const releases: Release[] = [];
    for (const site of sites) releases.push(await privatize(loud, site));
    const levels = new Set(releases.map(({ clipping }) => clipping?.level));
    expect(levels.size).toBeGreaterThan(1);
    const sum = await assemble(loud, releases);
    const exact = await exactMoments(loud, sites.flat());
    expect(sum.rows).toBe(1200);
    // As participants see it.
    for (const level of levels) {
      const radius = adaptiveRadius(loud.rowNorm, level ?? NaN);
      const near = sum.clipping?.radii.map((each) => Math.abs(each.radius / radius - 1)) ?? [];
      expect(Math.min(...near)).toBeLessThan(1e-12);
    }
    for (const key of ['mean', 'covariance', 'secondMoments'] as const) {
      for (const [i, value] of sum[key].values.entries()) {
        expect(value).toBeCloseTo(exact[key].values[i] ?? NaN, 2);
      }
    }
  });

  it('keeps the number of rows private under add-remove, with noisy counts', async () => {
    const open = defineStudy({ ...study.toJSON(), neighbours: 'add-remove', missing: 'drop' });
    const release = await privatize(open, rows);
    expect(release.rows).toBeNull();
    expect(release.clipping?.counts).toHaveLength(7);
    expect((release.clipping?.counts[6] ?? NaN) / 2 ** 16).toBeGreaterThan(3000 - 6 * 45);
    const { noise } = await assemble(open, [release]);
    expect(noise.countIsExact).toBe(false);
  });

  it('makes a release invalid if its counts did not choose its radius', async () => {
    const release = await privatize(study, rows);
    const { level } = release.clipping ?? { level: NaN };
    const change = (edit: (json: Partial<ReleaseJSON>) => void) => forged(release.toJSON(), edit);
    for (const other of [level === 0 ? 1 : level - 1, 7]) {
      const moved = change((json) => {
        if (json.clipping) json.clipping.level = other;
      });
      await failure(() => assemble(study, [moved]), { code: 'wrong-guarantee' });
    }
    const counted = change((json) => {
      if (json.clipping) json.clipping.counts = json.clipping.counts.map(() => 3000 * 2 ** 16);
    });
    await failure(() => assemble(study, [counted]), {
      code: 'wrong-guarantee',
      field: 'clipping',
    });
    const few = change((json) => json.clipping?.counts.pop());
    await failure(() => assemble(study, [few]), { code: 'wrong-guarantee', field: 'clipping' });
    const none = change((json) => delete json.clipping);
    await failure(() => assemble(study, [none]), { code: 'wrong-guarantee' });
  });

  it('is described in plain words, with the counts that leave', async () => {
    const release = await privatize(study, rows);
    expect(release.summary()).toContain('how many rows are longer than each of six public lengths');
    const fixed = defineStudy({ title, columns, privacy, clipping: 'fixed' });
    expect((await privatize(fixed, rows)).summary()).not.toContain('six public lengths');
  });
});
