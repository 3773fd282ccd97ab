import { defineStudy, guaranteeOf, PrivateMomentsError, studyPreset } from 'private-moments';
import { describe, expect, it } from 'vitest';

const base = {
  title: 'Presets',
  columns: [
    { name: 'a', type: 'number', min: 0, max: 1 },
    { name: 'b', type: 'number', min: 0, max: 1 },
  ],
  privacy: { epsilon: 1, delta: 1e-5 },
} as const;
const cape = (options: object = {}, name = 'cape-pca') =>
  defineStudy({ ...base, ...studyPreset(name as never, { sites: 10, ...options }) });
const codeOf = (attempt: () => unknown): string => {
  try {
    attempt();
    return '';
  } catch (error) {
    return error instanceof PrivateMomentsError ? `${error.code} ${error.field ?? ''}` : 'other';
  }
};

describe('studyPreset', () => {
  it('writes out the published scheme: equal masks, all sites honest, noise on the upper triangle', () => {
    expect(cape({ components: 2 }).toJSON()).toMatchObject({
      mechanism: { name: 'gaussian', shape: 'upper-triangle', components: 2 },
      clipping: 'fixed',
      federation: { mode: 'correlated', sites: 10, honest: 10, ratio: 1, calibration: 'joint' },
    });
    expect(cape({}, 'cape-cca').id).toBe(cape().id);
  });

  it('promises what the study says for all messages, and as published for one alone', async () => {
    const joint = await guaranteeOf(cape());
    const published = await guaranteeOf(cape({ calibration: 'paper' }));
    expect(joint.epsilon).toBe(1);
    expect(joint.delta).toBeLessThanOrEqual(1e-5);
    expect(joint.alone).toBeUndefined();
    // docs/mechanisms/federation.md, what the published calibration costs: ten sites, all honest.
    expect(published.alone).toMatchObject({ epsilon: 1, delta: 1e-5 });
    expect(published.delta.toPrecision(2)).toBe('0.00050');
  });

  it('refuses other names and options', () => {
    expect(codeOf(() => cape({}, 'cape'))).toBe('unsupported-option preset');
    expect(codeOf(() => cape({ site: 3 }))).toBe('invalid-federation options.site');
    expect(codeOf(() => cape({ honest: 11 }))).toMatch(/^invalid-federation federation\.honest/);
    expect(codeOf(() => studyPreset('cape-pca', {} as never))).toBe(
      'invalid-federation options.sites',
    );
  });
});
