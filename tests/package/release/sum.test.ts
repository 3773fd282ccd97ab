import {
  assemble,
  checkReleases,
  createSum,
  createSummands,
  defineStudy,
  parseSum,
  privatize,
  SUMMAND_BITS,
  type Release,
  type Study,
  type SumGroup,
  type SumJSON,
  type SumParts,
  type Whole,
} from 'private-moments';
import { beforeAll, describe, expect, it, test } from 'vitest';
import { splitWhole } from '../../../web/package/src/base/whole.js';
import { definition, failure, forged, seeded } from '../support.js';

const study = defineStudy({ ...definition(), clipping: 'fixed' });

/** A whole number as written in a sum. */
function wholeOf(value: bigint): Whole {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value.toString();
}

/** The sum of releases with integers of any size, as a database computes it. */
function groupsOf(releases: readonly Release[]): SumGroup[] {
  const levels = new Map<number, Release[]>();
  for (const release of releases) {
    const level = release.clipping?.level ?? 0;
    levels.set(level, [...(levels.get(level) ?? []), release]);
  }
  const added = (lists: readonly (readonly number[])[]) =>
    (lists[0] ?? []).map((_, i) =>
      wholeOf(lists.reduce((sum, list) => sum + BigInt(list[i] ?? NaN), 0n)),
    );
  return [...levels].map(([level, members]) => ({
    level,
    releases: members.length,
    rows: members.some(({ rows }) => rows === null)
      ? null
      : members.reduce((all, { rows }) => all + (rows ?? 0), 0),
    ...(members[0]?.clipping === undefined
      ? {}
      : { counts: added(members.map(({ clipping }) => clipping?.counts ?? [])) }),
    values: added(members.map(({ values }) => values)),
  }));
}

function partsOf(releases: readonly Release[]): SumParts {
  return { members: releases.map(({ id }) => id), groups: groupsOf(releases) };
}

async function released(of: Study, count: number, least = 30): Promise<Release[]> {
  const next = seeded(5);
  const row = () => ({
    age: 18 + 70 * next(),
    sleep: 12 * next(),
    work: 'day',
    mood: 10 * next() - 5,
  });
  const releases = [];
  for (let site = 0; site < count; site += 1) {
    releases.push(await privatize(of, Array.from({ length: least + site }, row)));
  }
  return releases;
}

/** The sum of the summands of releases with private centring. */
async function summandsOf(of: Study, made: readonly Release[]): Promise<SumParts> {
  const summands = await createSummands(of);
  const words: bigint[] = [];
  const reach: number[] = [];
  for (const release of made) {
    const own = summands.of(release);
    new BigInt64Array(own.words.buffer).forEach((word, k) => {
      words[k] = (words[k] ?? 0n) + word;
    });
    for (const [j, each] of own.reach.entries()) reach[j] = Math.max(reach[j] ?? 0, each);
  }
  summands.delete();
  const high = (k: number) => (words[k + 1] ?? 0n) * 2n ** BigInt(SUMMAND_BITS);
  const values = words.flatMap((low, k) => (k % 2 === 0 ? [wholeOf(low + high(k))] : []));
  const [{ releases: count, rows }] = groupsOf(
    made.map((release) => ({ ...release.toJSON(), clipping: undefined }) as never),
  ) as [SumGroup];
  return {
    members: made.map(({ id }) => id),
    groups: [{ level: 0, releases: count, rows, reach, values }],
  };
}

let releases: Release[];
let first: Release;
let json: SumJSON;

beforeAll(async () => {
  releases = await released(study, 5);
  [first] = releases as [Release];
  json = (await createSum(study, partsOf(releases))).toJSON();
});

const forge = (change: (sum: Record<string, unknown>) => void) => forged(json as never, change);
/** A sum with changes in its first group. */
const regrouped = (change: Partial<Record<keyof SumGroup, unknown>>) =>
  forge((sum) => {
    sum.groups = [{ ...(sum.groups as object[])[0], ...change }];
  });

describe('a sum of releases with private centring', () => {
  const GAUSSIAN = { epsilon: 1, delta: 1e-6 };
  const PURE = { epsilon: 1, delta: 0 };
  const cases = [GAUSSIAN, PURE].flatMap((privacy) =>
    (['replace-one', 'add-remove'] as const).flatMap((neighbours) =>
      [1, 5].map((count) => ({ privacy, neighbours, count })),
    ),
  );

  test.each(cases)('gives the moments of its releases to the bit: %o', async (each) => {
    const { privacy, neighbours, count } = each;
    const own = defineStudy({ ...definition(), clipping: 'centred', privacy, neighbours });
    const made = await released(own, count, 2000);
    const sum = await createSum(own, await summandsOf(own, made));
    const [one, other] = [await assemble(own, made), await assemble(own, [sum])];
    expect(other.toJSON()).toEqual(one.toJSON());
    expect(other.pca({ level: 0.9 }).toJSON()).toEqual(one.pca({ level: 0.9 }).toJSON());
    expect((await assemble(own, [...made].reverse())).toJSON()).toEqual(one.toJSON());
    expect((await assemble(own, [await sum.toBlob().text()])).toJSON()).toEqual(one.toJSON());
  });

  it('is refused with numbers that no releases have, or as a sum of values', async () => {
    const own = defineStudy({ ...definition(), clipping: 'centred' });
    const made = await released(own, 2);
    const parts = await summandsOf(own, made);
    const [group] = parts.groups as [SumGroup];
    const refused = async (change: Partial<SumGroup>): Promise<string> => {
      const sum = await createSum(own, { ...parts, groups: [{ ...group, ...change }] });
      return assemble(own, [sum]).then(
        () => 'assembled',
        (error: unknown) => (error as { code: string }).code,
      );
    };
    const { values, reach = [] } = group;
    const changed = <T>(list: readonly T[], at: number, to: T): T[] =>
      list.map((item, k) => (k === at ? to : item));
    expect(await refused({})).toBe('assembled');
    expect(await refused({ rows: (group.rows ?? 0) + 1 })).toBe('release-unreadable');
    expect(await refused({ values: changed(values, 6, 0) })).toBe('release-unreadable');
    expect(
      await refused({ values: changed(values, values.length - 1, (2n ** 102n).toString()) }),
    ).toBe('release-unreadable');
    expect(await refused({ reach: changed(reach, 0, 0) })).toBe('release-unreadable');
    expect(await refused({ values: values.slice(1) })).toBe('release-unreadable');
    expect(await refused({ reach: reach.slice(1) })).toBe('release-unreadable');
    expect(await refused({ values: made[0]?.values ?? [] })).toBe('release-unreadable');
    await failure(() => createSummands(study), { code: 'invalid-clipping' });
    const summands = await createSummands(own);
    await failure(() => summands.of(first), { code: 'wrong-study' });
    summands.delete();
  });
});

describe('a sum of releases', () => {
  test.each([
    ['with a fixed radius', { clipping: 'fixed' as const }],
    ['with radii of their own', { clipping: 'adaptive' as const }],
    ['of private numbers of rows', { clipping: 'adaptive', neighbours: 'add-remove' } as const],
    ['with pure noise', { clipping: 'fixed' as const, privacy: { epsilon: 1, delta: 0 } }],
  ])('%s gives the moments of its releases to the bit', async (_, change) => {
    const own = defineStudy({ ...definition(), ...change });
    const made = await released(own, 4);
    const sum = await createSum(own, partsOf(made));
    const [one, other] = [await assemble(own, made), await assemble(own, [sum])];
    expect(other.secondMoments).toEqual(one.secondMoments);
    expect(other.noise).toEqual(one.noise);
    expect(other.rows).toBe(one.rows);
    expect(other.clipping).toEqual(one.clipping);
    expect(other.guarantee).toEqual(one.guarantee);
    expect(other.origin).toEqual(one.origin);
  });

  it('is the same when read from its JSON as text, bytes, object or file', async () => {
    const sum = parseSum(json);
    const text = await sum.toBlob().text();
    expect(parseSum(text).toJSON()).toEqual(json);
    expect(parseSum(new TextEncoder().encode(text)).id).toBe(json.id);
    const { secondMoments } = await assemble(study, [sum]);
    expect((await assemble(study, [sum.toBlob()])).secondMoments).toEqual(secondMoments);
  });

  it('does not depend on the order of its members', async () => {
    const turned = [...releases].reverse();
    expect((await createSum(study, partsOf(turned))).id).toBe(json.id);
  });

  it('can have the digest of its members instead of the members', async () => {
    const members = { digest: json.members };
    expect((await createSum(study, { members, groups: groupsOf(releases) })).id).toBe(json.id);
    const wrong = { digest: 'abc' };
    await failure(() => createSum(study, { members: wrong, groups: groupsOf(releases) }), {
      code: 'release-unreadable',
      field: 'members',
    });
  });

  it('can be larger than exact numbers', async () => {
    const large = 2n ** 60n + 1n;
    const { high, low } = splitWhole([`-${large}`, '9007199254740993', -5]);
    const back = Array.from(high, (h, i) => BigInt(h) * 2n ** 53n + BigInt(low[i] ?? NaN));
    expect(back).toEqual([-large, 9007199254740993n, -5n]);
    const values = json.groups[0]?.values.map(() => `${large}`) ?? [];
    // This number of rows with such a fine grid can have these sums.
    const fine = defineStudy({ ...study.toJSON(), privacy: { epsilon: 1e7, delta: 1e-3 } });
    const sum = await createSum(fine, {
      members: ['a'],
      groups: [{ level: 0, releases: 1e6, rows: 1e12, values }],
    });
    const { secondMoments } = await assemble(fine, [sum]);
    expect(secondMoments.values.at(-1)).toBe(Number(large) * sum.noise.unit);
  });

  it('cannot be combined with releases', async () => {
    const sum = parseSum(json);
    for (const together of [
      [sum, first],
      [first, sum],
      [sum, sum],
    ]) {
      await failure(() => assemble(study, together), { code: 'sum-not-alone' });
    }
  });
});

describe('assemble refuses a sum', () => {
  test.each<[string, () => object, string, string | undefined]>([
    [
      'of another format',
      () => ({ ...json, format: 'private-moments/sum@2' }),
      'release-version',
      'format',
    ],
    ['that was changed', () => ({ ...json, session: json.id }), 'release-altered', undefined],
    [
      'with noise from another random generator',
      () =>
        forge((sum) => {
          sum.noise = { ...json.noise, rng: 'mersenne-twister' };
        }),
      'release-unsafe',
      'noise.rng',
    ],
    [
      'from a test build',
      () =>
        forge((sum) => {
          sum.library = `${json.library}+UNSAFE-TEST-RNG`;
        }),
      'release-unsafe',
      'noise.rng',
    ],
    [
      'of another study',
      () =>
        forge((sum) => {
          sum.study = json.id;
        }),
      'wrong-study',
      'study',
    ],
    [
      'that states less noise',
      () =>
        forge((sum) => {
          sum.noise = { ...json.noise, sdDiagonal: 0 };
        }),
      'wrong-guarantee',
      'guarantee',
    ],
    [
      'that promises more',
      () =>
        forge((sum) => {
          sum.guarantee = { ...json.guarantee, epsilon: 0.1 };
        }),
      'wrong-guarantee',
      'guarantee',
    ],
    [
      'of another mode',
      () =>
        forge((sum) => {
          sum.mode = 'split';
        }),
      'wrong-guarantee',
      'guarantee',
    ],
    [
      'without groups',
      () =>
        forge((sum) => {
          sum.groups = [];
        }),
      'release-unreadable',
      undefined,
    ],
    [
      'of no releases',
      () => regrouped({ releases: 0 }),
      'release-unreadable',
      'groups[0].releases',
    ],
    [
      'with a private number of rows',
      () => regrouped({ rows: null }),
      'release-unreadable',
      'groups',
    ],
    ['with fewer rows than releases', () => regrouped({ rows: 4 }), 'release-unreadable', 'groups'],
    [
      'with a radius that the study does not have',
      () => regrouped({ level: 1 }),
      'release-unreadable',
      'groups',
    ],
    ['with too few values', () => regrouped({ values: [1, 2] }), 'release-unreadable', 'groups'],
    [
      'with a value that is not whole',
      () => regrouped({ values: [0.5] }),
      'release-unreadable',
      undefined,
    ],
    [
      'with a small value in digits',
      () => regrouped({ values: ['9007199254740991'] }),
      'release-unreadable',
      undefined,
    ],
    [
      'with a level twice',
      () =>
        forge((sum) => {
          sum.groups = [...json.groups, ...json.groups];
        }),
      'release-unreadable',
      undefined,
    ],
  ])('%s', async (_, bent, code, field) => {
    const place = field === undefined ? {} : { field };
    await failure(() => assemble(study, [bent()]), { code, ...place });
  });

  it('and single releases of a study that sums behind masks', async () => {
    const masked = defineStudy({
      ...definition(),
      federation: { mode: 'split', sites: 5, honest: 3 },
    });
    const lone = forged(first.toJSON(), (content) => {
      content.study = masked.id;
    });
    await failure(() => assemble(masked, [lone]), { code: 'not-a-sum' });
  });
});

describe('checkReleases', () => {
  const checked = async (releases: Iterable<object>): Promise<string[]> => {
    const ids: string[] = [];
    for await (const { id } of checkReleases(study, releases)) ids.push(id);
    return ids;
  };

  it('yields releases one by one, in order', async () => {
    const texts = releases.map((release) => release.toJSON());
    expect(await checked(texts)).toEqual(releases.map(({ id }) => id));
    expect(await checked([])).toEqual([]);
  });

  it('refuses what assemble refuses, after yielding the releases before it', async () => {
    const ids: string[] = [];
    const second = forged(first.toJSON(), (content) => {
      content.rows = 99;
      content.noise = { ...first.noise, sdDiagonal: 0 };
    });
    const error = await failure(
      async () => {
        for await (const { id } of checkReleases(study, [first, second])) ids.push(id);
      },
      { code: 'wrong-guarantee' },
    );
    expect(error).toMatchObject({ release: { index: 1 } });
    expect(ids).toEqual([first.id]);
    await failure(() => checked([first, first]), { code: 'duplicate-release' });
    await failure(() => checked([json]), { code: 'release-unreadable' });
  });
});
