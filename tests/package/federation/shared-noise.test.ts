import { webcrypto } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { IntakeOptions, ReleaseCore, Spec } from '../../../web/package/src/core/raw.js';
import type { Federation } from '../../../web/package/src/study/types.js';
import { unwrap } from '../../../web/package/src/core/unwrap.js';
import { builtCore } from '../core-support.js';

const core = await builtCore<ReleaseCore>('private-moments');

const CONSTANT = (11585 / 16384) ** 2;

function specOf(federation: Federation, neighbours: Spec['neighbours'] = 'replace-one'): Spec {
  return {
    mechanism: 'gaussian',
    shape: 'rotation-invariant',
    ...{ epsilon: 1, delta: 1e-6, neighbours, unit: 'row', dimension: 2, rowNorm: 1 },
    ...{ clipping: 'fixed', sites: 1, federation },
  };
}

function intakeOf(spec: Spec) {
  const columns: IntakeOptions['columns'] = [
    { kind: 'number', min: -1, max: 1 },
    { kind: 'number', min: -1, max: 1 },
  ];
  const { intake } = unwrap(core.createIntake({ spec, columns, missing: 'centre' }));
  unwrap(intake.add(new Float64Array([0.5, 0.25, -0.5, 0.5, 0, 1])));
  return intake;
}

const randomBytes = (length: number) => webcrypto.getRandomValues(new Uint8Array(length));

/** A deviation of the noise of `count` releases that chance exceeds with a probability below 1e-12. */
const BEYOND = 7.5;

describe('a release under a uniform mask', () => {
  const spec = specOf({ mode: 'split', sites: 3, honest: 2, dropouts: 0 });
  const { length, noise } = unwrap(core.describe(spec));

  it('is uniform bytes, and the sum without masks is that of the rows', () => {
    const { sum } = unwrap(core.createMaskSum(length));
    for (let site = 0; site < 3; site++) {
      const intake = intakeOf(spec);
      const mask = randomBytes(8 * length);
      const { payload, rows } = unwrap(intake.releaseMasked(mask));
      expect(rows).toBe(3);
      expect(payload).toHaveLength(8 * length);
      unwrap(sum.add(payload, 1));
      unwrap(sum.add(mask, -1));
      intake.delete();
    }
    const { values } = unwrap(sum.unmask(spec, 9));
    const moments = Array.from(values, (value) => value * noise.unit);
    // The count is public and has no noise, only rounding to the released grid.
    expect(moments[0]).toBeCloseTo(9 * CONSTANT, 2);
    const far = BEYOND * Math.sqrt(3) * noise.sdDiagonal;
    expect(Math.abs((moments[3] ?? NaN) - 3 * 0.5)).toBeLessThan(far);
    expect(Math.abs((moments[5] ?? NaN) - 3 * 1.3125)).toBeLessThan(far);
    sum.delete();
  });

  it('is refused as a sum with a mask left in it, or with another number of rows', () => {
    const intake = intakeOf(spec);
    const mask = randomBytes(8 * length);
    const { payload } = unwrap(intake.releaseMasked(mask));
    const { sum } = unwrap(core.createMaskSum(length));
    unwrap(sum.add(payload, 1));
    expect(sum.unmask(spec, 3)).toMatchObject({ ok: false, code: 'sum-overflow' });
    unwrap(sum.add(mask, -1));
    expect(sum.unmask(spec, 4)).toMatchObject({ ok: false, code: 'sum-overflow' });
    expect(sum.unmask(spec, 3)).toMatchObject({ ok: true });
  });

  it('never leaves without a mask', () => {
    const intake = intakeOf(spec);
    expect(intake.release()).toMatchObject({ ok: false, code: 'invalid-federation' });
    const zeros = new Uint8Array(8 * length);
    expect(intake.releaseMasked(zeros)).toMatchObject({ ok: false, code: 'no-entropy' });
    const short = randomBytes(8 * length - 8);
    expect(intake.releaseMasked(short)).toMatchObject({ ok: false, code: 'wrong-length' });
    const mask = randomBytes(8 * length);
    expect(intake.releaseMasked(mask)).toMatchObject({ ok: true });
    expect(intake.releaseMasked(mask)).toMatchObject({ ok: false, code: 'already-released' });
  });
});

describe('releases under Gaussian masks', () => {
  it('add up to the rows and their own noise, with masks that cancel exactly', () => {
    const spec = specOf({
      ...{ mode: 'correlated', sites: 3, honest: 3, ratio: 1e6, calibration: 'joint' },
    });
    const { length, noise } = unwrap(core.describe(spec));
    const keys = new Map<string, Uint8Array>();
    const { sum } = unwrap(core.createMaskSum(length));
    for (let site = 0; site < 3; site++) {
      const others = [0, 1, 2].filter((other) => other !== site);
      const shared = others.map((other) => {
        const pair = `${Math.min(site, other)}-${Math.max(site, other)}`;
        const key = keys.get(pair) ?? randomBytes(32);
        keys.set(pair, key);
        return key;
      });
      const joined = new Uint8Array(64);
      shared.forEach((key, at) => {
        joined.set(key, 32 * at);
      });
      const signs = others.map((other) => (site < other ? 1 : -1));
      const { payload } = unwrap(intakeOf(spec).releaseCorrelated(joined, signs));
      unwrap(sum.add(payload, 1));
    }
    const { values } = unwrap(sum.unmask(spec, 9));
    // A mask that did not cancel would be a thousand standard deviations of their own noise.
    const far = BEYOND * Math.sqrt(3) * noise.sdDiagonal;
    expect(Math.abs((values[5] ?? NaN) * noise.unit - 3 * 1.3125)).toBeLessThan(far);
  });
});

describe('the guarantee of a sum', () => {
  it('depends on the honest sites, and states what holds without them', () => {
    const split = unwrap(
      core.describe(specOf({ mode: 'split', sites: 20, honest: 10, dropouts: 0 })),
    );
    expect(split).toMatchObject({ epsilon: 1, delta: 1e-6, honest: 10 });
    expect(split.floor?.gdp).toBeCloseTo(Math.sqrt(10) * (split.gdp ?? NaN), 6);
    expect(split.maxRows).toBe(Math.floor((split.maxRowsOfSum ?? NaN) / 20));
    const pure = unwrap(
      core.describe({
        ...specOf({ mode: 'split', sites: 20, honest: 10, dropouts: 0 }),
        ...{ mechanism: 'two-sided-wishart', delta: 0 },
      }),
    );
    expect(pure).toMatchObject({ epsilon: 1, delta: 0, honest: 10, floor: null, freedom: 1 });
  });

  it('as published covers one message, and the stated one covers all', () => {
    const terms = { mode: 'correlated', sites: 10, honest: 7, ratio: 1 } as const;
    const paper = unwrap(core.describe(specOf({ ...terms, calibration: 'paper' }, 'add-remove')));
    expect(paper.alone).toMatchObject({ epsilon: 1, delta: 1e-6 });
    expect(paper.delta).toBeGreaterThan(1e-4);
    expect((paper.gdp ?? NaN) / (paper.alone?.gdp ?? NaN)).toBeCloseTo(Math.sqrt(2.5), 6);
    const joint = unwrap(core.describe(specOf({ ...terms, calibration: 'joint' }, 'add-remove')));
    expect(joint).toMatchObject({ epsilon: 1, delta: 1e-6 });
    expect(joint.alone).toBeUndefined();
  });
});
