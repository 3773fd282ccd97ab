import { assemble, defineStudy, parseSum, privatize, type Study } from 'private-moments';
import { maskData, guaranteeOf, sumOf, type Collector } from 'private-moments/federation';
import { guaranteeInWords } from 'private-moments/words';
import { describe, expect, it, test } from 'vitest';
import { exactMoments } from '../exact-moments.js';
import { definition, failure, seeded } from '../support.js';
import { collectedFrom } from './session-support.js';

const SITES = 4;

function studyOf(federation: object, change: object = {}): Study {
  return defineStudy({ ...definition(), ...change, federation: federation as never });
}

function rowsOf(site: number): Record<string, number | string>[] {
  const next = seeded(100 + site);
  return Array.from({ length: 60 + site }, () => ({
    age: 18 + 72 * next(),
    sleep: 12 * next(),
    work: ['day', 'night', 'none'][Math.floor(3 * next())] ?? 'day',
    mood: 10 * next() - 5,
  }));
}

/** Runs a whole session on one machine. */
const collected = (study: Study, sites = SITES): Promise<Collector> =>
  collectedFrom(
    study,
    Array.from({ length: sites }, (_, site) => rowsOf(site)),
  );

describe('rows that were summed behind masks', () => {
  test.each([
    ['split', studyOf({ mode: 'split', sites: SITES, honest: 3 })],
    ['a ring', studyOf({ mode: 'ring', sites: SITES, honest: 4, threshold: 3 })],
    ['a ring without recovery', studyOf({ mode: 'ring', sites: SITES, honest: 3, threshold: 4 })],
    ['correlated noise', studyOf({ mode: 'correlated', sites: SITES, honest: 3 })],
    [
      'split, of private numbers of rows',
      studyOf({ mode: 'split', sites: SITES, honest: 3 }, { neighbours: 'add-remove' }),
    ],
    [
      'split, with pure noise',
      studyOf({ mode: 'split', sites: SITES, honest: 3 }, { privacy: { epsilon: 1, delta: 0 } }),
    ],
    [
      'split, of whole participants',
      studyOf({ mode: 'split', sites: SITES, honest: 3 }, { unit: 'participant' }),
    ],
  ])('are those of the pooled rows plus the stated noise: %s', async (_, study) => {
    const collector = await collected(study);
    const sum = await sumOf(study, collector);
    const moments = await assemble(study, [sum.toBlob()]);
    expect(moments.noise.releases).toBe(SITES);
    expect(moments.guarantee?.honest).toBe(3);
    const exact = await exactOf(study);
    const { sdDiagonal, sdOffDiagonal, sdLinear } = moments.noise;
    const size = moments.columns.length + 1;
    const own = moments.secondMoments.values;
    for (let i = 1; i < size; i += 1) {
      for (let j = 0; j <= i; j += 1) {
        const sd = j === 0 ? sdLinear : i === j ? sdDiagonal : sdOffDiagonal;
        const off = (own[i * size + j] ?? NaN) - (exact[i * size + j] ?? NaN);
        // Rounding of rows to 2^-16 is far smaller. Sixteen standard deviations, because tails may
        // fall only as e^-x: a false alarm in 3 of 10^10 for one number.
        expect(Math.abs(off)).toBeLessThan(16 * sd);
      }
    }
  });

  it('have the noise that the honest sites need together, not that of each alone', async () => {
    const noiseOf = async (study: Study, sites: number) => {
      const { noise } = await assemble(study, [await sumOf(study, await collected(study, sites))]);
      return noise.sdOffDiagonal;
    };
    const alone = await assemble(defineStudy({ ...definition(), clipping: 'fixed' }), [
      await privatize(defineStudy({ ...definition(), clipping: 'fixed' }), rowsOf(0)),
    ]);
    const split = studyOf({ mode: 'split', sites: SITES, honest: 4, dropouts: 1 });
    // Any sum has three honest releases. The variance of four is 4/3 of that of one release with all of
    // its noise.
    expect(await noiseOf(split, 4)).toBeCloseTo(alone.noise.sdOffDiagonal * Math.sqrt(4 / 3), 4);
    expect(await noiseOf(split, 3)).toBeCloseTo(alone.noise.sdOffDiagonal, 4);
  });

  it('are one result that states its assumptions', async () => {
    const study = studyOf({ mode: 'split', sites: SITES, honest: 4, dropouts: 1 });
    const collector = await collected(study, 3);
    const sum = await sumOf(study, collector);
    expect(sum.releases).toBe(3);
    expect(sum.session).toBe(collector.session.id);
    expect(sum.guarantee).toMatchObject({ epsilon: 1, delta: 1e-6, honest: 3 });
    expect(await guaranteeOf(study)).toEqual(sum.guarantee);
    const [terms] = sum.guarantee.assumes;
    expect(terms).toBe(
      'all 4 sites are honest and the analyst and the helper never share files: no participant, real or made up, may collude with the analyst or with others, and a sum has at least 3 of the 4 releases',
    );
    expect(guaranteeInWords(sum.guarantee)).toContain(`This holds if ${terms ?? ''}.`);
    const floor = sum.guarantee.floor?.epsilon ?? NaN;
    expect(floor).toBeGreaterThan(1.5);
    expect(floor).toBeLessThan(3);
    expect(parseSum(JSON.stringify(sum)).id).toBe(sum.id);
  });
});

describe('correlated noise as published', () => {
  it('states the guarantee of all messages, and the published claim for one', async () => {
    const study = studyOf({ mode: 'correlated', sites: SITES, honest: 3, calibration: 'paper' });
    const { guarantee } = await sumOf(study, await collected(study));
    expect(guarantee.alone).toMatchObject({ epsilon: 1, delta: 1e-6 });
    expect(guarantee.epsilon).toBe(1);
    // The distance is sqrt(2 S/(h + 1)) times that of the claim: at epsilon 1 delta is 5e-5 to 5e-4.
    expect(guarantee.delta).toBeGreaterThan(5e-5);
    expect(guarantee.delta).toBeLessThan(5e-4);
    expect(guaranteeInWords(guarantee).join(' ')).toContain('someone who sees one message');
    const joint = studyOf({ mode: 'correlated', sites: SITES, honest: 3 });
    const sum = await sumOf(joint, await collected(joint));
    expect(sum.guarantee).toMatchObject({ epsilon: 1, delta: 1e-6 });
    expect(sum.guarantee.alone).toBeUndefined();
  });
});

/** The sums of all sites' rows, in scaled units. */
async function exactOf(study: Study): Promise<Float64Array> {
  const sites = Array.from({ length: SITES }, (_, site) => rowsOf(site));
  if (study.unit === 'row') {
    return (await exactMoments(study, sites.flat())).secondMoments.values;
  }
  const each = await Promise.all(sites.map((rows) => exactMoments(study, rows)));
  const first = each[0]?.secondMoments.values ?? new Float64Array();
  return first.map((_, i) =>
    each.reduce((all, { rows, secondMoments }) => all + (secondMoments.values[i] ?? NaN) / rows, 0),
  );
}

describe('data of a study behind masks', () => {
  const study = studyOf({ mode: 'split', sites: SITES, honest: 3 });
  const seeds = [{ key: new Uint8Array(32).fill(7), sign: 1 as const }];

  it('are never released on their own', async () => {
    await failure(() => privatize(study, rowsOf(0)), { code: 'needs-session' });
  });

  it('are masked only once, and counted for the participant', async () => {
    const data = maskData(study, rowsOf(0));
    expect(data.local).toBeNull();
    const { payload, rows } = await data.mask(seeds);
    expect([payload.length, rows]).toEqual([8 * 28, 60]);
    expect(data.local).toMatchObject({ rows: 60, used: 60 });
    await failure(() => data.mask(seeds), { code: 'already-released' });
  });

  it('can be masked after a failure, which spends nothing', async () => {
    const abort = new AbortController();
    const failing = maskData(study, [{ age: 1 }] as never);
    await failure(() => failing.mask(seeds), { code: 'missing-column' });
    await failure(() => failing.mask(seeds), { code: 'missing-column' });
    const cancelled = maskData(study, rowsOf(0), { signal: abort.signal });
    abort.abort();
    await failure(() => cancelled.mask(seeds), { code: 'cancelled' });
  });

  it('are not sent without a mask', async () => {
    await failure(() => maskData(study, rowsOf(0)).mask([]), { code: 'no-entropy' });
  });

  it('need a study that masks', async () => {
    await failure(() => maskData(defineStudy(definition()), rowsOf(0)), {
      code: 'invalid-federation',
    });
  });
});
