import {
  assembleComponents,
  defineStudy,
  privatize,
  type Column,
  type Components,
  type Release,
  type StudyDefinition,
} from 'private-moments';
import { beforeAll, describe, expect, it } from 'vitest';
import { componentsOf } from '../../../web/package/src/analysis/components.js';
import { failure, forged, seeded } from '../support.js';

const columns: Column[] = [
  { name: 'a', type: 'number', min: -10, max: 10 },
  { name: 'b', type: 'number', min: -1, max: 1 },
  { name: 'c', type: 'number', min: 0, max: 1 },
];
const definition: StudyDefinition = {
  title: 'Directions',
  columns,
  privacy: { epsilon: 20, delta: 0 },
  mechanism: { name: 'eigenvector-sampling', components: 3 },
};
const study = defineStudy(definition);
const bare = defineStudy({ ...definition, mechanism: { name: 'ppca', components: 2 } });

const random = seeded(11);
/** In scaled units the rows are nearly along (4, 3, 0) / 5. */
const rows = Array.from({ length: 5000 }, () => {
  const along = 2 * random() - 1;
  return { a: 8 * along, b: 0.6 * along, c: 0.5 + 0.02 * random() };
});
const half = [10, 1, 0.5];

const column = ({ loadings }: Components, index: number) =>
  loadings.rows.map((_, row) => loadings.values[row * loadings.columns.length + index] ?? NaN);
const dot = (a: number[], b: number[]) => a.reduce((sum, x, i) => sum + x * (b[i] ?? NaN), 0);

/** The release with other directions (whole columns, in any unit) and values in released units. */
function saying(release: Release, directions: number[][], values: number[] = []) {
  return forged(release.toJSON(), (content) => {
    content.values = directions.flatMap((direction, index) => {
      const value = values[index];
      return [...(value === undefined ? [] : [value]), ...direction];
    });
  });
}

let release: Release;
let bareRelease: Release;
beforeAll(async () => {
  release = await privatize(study, rows);
  bareRelease = await privatize(bare, rows);
});

describe('components of one release', () => {
  it('are named orthonormal directions whose largest entry is positive', async () => {
    const result = await assembleComponents(study, [release]);
    expect(result).toMatchObject({ columns: ['a', 'b', 'c'], rows: 5000, releases: 1 });
    expect(result.loadings.rows).toEqual(['a', 'b', 'c']);
    expect(result.loadings.columns).toEqual(['PC1', 'PC2', 'PC3']);
    for (const i of [0, 1, 2]) {
      const entries = column(result, i);
      expect(Math.max(...entries)).toBe(Math.max(...entries.map(Math.abs)));
      for (const j of [0, 1, 2]) {
        expect(dot(entries, column(result, j))).toBeCloseTo(i === j ? 1 : 0, 12);
      }
    }
  });

  it('find the direction of the rows', async () => {
    for (const [of, one] of [
      [study, release],
      [defineStudy({ ...definition, mechanism: { name: 'ppca', components: 1 } }), null],
      [
        defineStudy({
          ...definition,
          privacy: { epsilon: 20, delta: 1e-6 },
          mechanism: { name: 'power-method', components: 1 },
        }),
        null,
      ],
    ] as const) {
      const result = await assembleComponents(of, [one ?? (await privatize(of, rows))]);
      // The sine of the angle is about 0.02 at this epsilon and size.
      expect(dot(column(result, 0), [0.8, 0.6, 0]), of.mechanism.name).toBeGreaterThan(0.95);
    }
  });

  it('explain mean squares in scaled units, largest first, and shares of their total', async () => {
    const { explained } = await assembleComponents(study, [release]);
    const values = explained.map(({ value }) => value ?? NaN);
    expect(values).toEqual([...values].sort((a, b) => b - a));
    // The mean square of a uniform number between -1 and 1 is a third; (0.8, 0.6) has length 1.
    expect(values[0]).toBeCloseTo(1 / 3, 1);
    expect(explained.reduce((sum, { share }) => sum + (share ?? NaN), 0)).toBeCloseTo(1, 9);
  });

  it('have no values if the mechanism releases none, and no shares of an unknown total', async () => {
    const { explained } = await assembleComponents(bare, [bareRelease]);
    expect(explained).toEqual([
      { value: null, share: null },
      { value: null, share: null },
    ]);
    const two = defineStudy({
      ...definition,
      mechanism: { name: 'eigenvector-sampling', components: 2 },
    });
    const some = await assembleComponents(two, [await privatize(two, rows)]);
    expect(some.explained.map(({ share }) => share)).toEqual([null, null]);
    expect(some.explained[0]?.value).toBeGreaterThan(0);
  });

  it('have weights in original units', async () => {
    const { loadings, weights } = await assembleComponents(study, [release]);
    for (const [index, loading] of loadings.values.entries()) {
      expect(weights.values[index]).toBeCloseTo(loading / (half[Math.floor(index / 3)] ?? NaN), 12);
    }
  });

  it('state no number of rows if it is private', async () => {
    const open = defineStudy({ ...definition, neighbours: 'add-remove' });
    const result = await assembleComponents(open, [await privatize(open, rows)]);
    expect(result.rows).toBeNull();
    // In that case it is a sum, not a mean.
    expect(result.explained[0]?.value).toBeGreaterThan(1000);
  });

  it('count participants if the unit is participant', async () => {
    const whole = defineStudy({ ...definition, unit: 'participant' });
    const result = await assembleComponents(whole, [
      await privatize(whole, rows.slice(0, 50)),
      await privatize(whole, rows.slice(50)),
    ]);
    expect(result.rows).toBe(2);
  });

  it('can be posted and stored', async () => {
    const result = await assembleComponents(study, [release]);
    expect(structuredClone(result)).toEqual(result);
  });
});

describe('components of several releases', () => {
  const axes = [
    [65536, 0, 0],
    [0, 65536, 0],
    [0, 0, 65536],
  ];

  it('have the sums of the values', async () => {
    const other = await privatize(study, rows.slice(0, 4000));
    const result = await assembleComponents(study, [
      saying(release, axes, [3000, 1000, 0]),
      saying(other, [axes[1] ?? [], axes[2] ?? [], axes[0] ?? []], [7000, 500, 0]),
    ]);
    const unit = release.noise.unit;
    expect(result).toMatchObject({ rows: 9000, releases: 2 });
    expect(column(result, 0)).toEqual([0, 1, 0]);
    expect(column(result, 1)).toEqual([1, 0, 0]);
    expect(result.explained[0]?.value).toBeCloseTo((8000 * unit) / 9000, 12);
    expect(result.explained[1]?.value).toBeCloseTo((3000 * unit) / 9000, 12);
    expect(result.explained[0]?.share).toBeCloseTo(8000 / 11500, 12);
  });

  it('are weighted by rows if they have no values', async () => {
    const few = await privatize(bare, rows.slice(0, 1000));
    const [a = [], b = [], c = []] = axes;
    const result = await assembleComponents(bare, [
      saying(bareRelease, [a, b]),
      saying(few, [c, b]),
    ]);
    expect(column(result, 0)).toEqual([0, 1, 0]);
    expect(column(result, 1)).toEqual([1, 0, 0]);
  });

  it('do not depend on their order', async () => {
    const other = await privatize(study, rows.slice(0, 3000));
    const [one, two] = [
      await assembleComponents(study, [release, other]),
      await assembleComponents(study, [other, release]),
    ];
    for (const [index, value] of one.loadings.values.entries()) {
      expect(two.loadings.values[index]).toBeCloseTo(value, 9);
    }
  });

  it('are refused like moments: other studies, duplicates, forgeries', async () => {
    const stranger = defineStudy({ ...definition, title: 'Another' });
    const foreign = await privatize(stranger, rows.slice(0, 10));
    await failure(() => assembleComponents(study, [foreign]), { code: 'wrong-study' });
    await failure(() => assembleComponents(study, [release, release.toJSON()]), {
      code: 'duplicate-release',
    });
    const boasting = forged(release.toJSON(), (content) => {
      (content.guarantee as { epsilon: number }).epsilon = 0.1;
    });
    await failure(() => assembleComponents(study, [boasting]), { code: 'wrong-guarantee' });
    const short = forged(release.toJSON(), (content) => (content.values as number[]).pop());
    await failure(() => assembleComponents(study, [short]), { code: 'release-unreadable' });
    await failure(() => assembleComponents(study, []), { code: 'no-releases' });
  });

  it('are refused if directions are invalid, and the error names the release', async () => {
    const [a = [], b = []] = axes;
    for (const directions of [
      [a, b, a],
      [a, b, [0, 0, 0]],
    ]) {
      const error = await failure(
        () => assembleComponents(study, [release, saying(release, directions, [3, 2, 1])]),
        { code: 'release-unreadable', field: 'values' },
      );
      expect(error).toMatchObject({ release: { index: 1 } });
    }
  });
});

describe('the combined components of the core', () => {
  const origin = { releases: 1 } as Components['origin'];
  const about = { rows: 10, origin, guarantee: {} as Components['guarantee'] };
  const identity = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

  it('become means by rows, and shares if there is a total', () => {
    const values = Float64Array.of(30, 15, 5);
    const { explained } = componentsOf(study, { loadings: identity, values }, about);
    expect(explained).toEqual([
      { value: 3, share: 0.6 },
      { value: 1.5, share: 0.3 },
      { value: 0.5, share: 0.1 },
    ]);
  });

  it('have no shares if noise made the total negative', () => {
    const values = Float64Array.of(1, -2, -3);
    const { explained } = componentsOf(study, { loadings: identity, values }, about);
    expect(explained.map(({ share }) => share)).toEqual([null, null, null]);
  });
});
