import { assemble, createSum, defineStudy, privatize, type Study } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { APPROXIMATE, contentOf, MECHANISMS } from '../../../web/package/src/study/mechanism.js';
import { TAILS } from '../../../web/package/src/analysis/plausible.js';
import { definition, failure, forged, people } from '../support.js';

const rows = people(900, 1.2, 1);
const study = defineStudy(definition());
const code = 'release-implausible';

/** A release of the study as someone else might write it. */
async function written(of: Study, change: (values: number[]) => number[]) {
  const release = await privatize(of, rows);
  return forged(release.toJSON(), (content) => {
    content.values = change([...release.values]);
  });
}

describe('an impossible release', () => {
  it('is refused for negative squares, or sums too large for its rows', async () => {
    const negative = await written(study, (values) => values.map((value) => 0 - value));
    await failure(() => assemble(study, [negative]), { code, field: 'values' });
    const huge = await written(study, (values) => values.map(() => 2 ** 53 - 1));
    await failure(() => assemble(study, [huge]), { code, field: 'values' });
    const one = await written(study, (values) => values.map((v, i) => (i === 8 ? v + 2 ** 50 : v)));
    await failure(() => assemble(study, [one]), { code, field: 'values' });
  });

  it('is refused for a private number of rows that is too large or below 0', async () => {
    const open = defineStudy({ ...definition(), neighbours: 'add-remove' });
    for (const count of [-(2 ** 45), 2 ** 53 - 1]) {
      const counted = await written(open, (values) => values.map((v, i) => (i === 0 ? count : v)));
      await failure(() => assemble(open, [counted]), { code, field: 'values' });
    }
  });

  it('is also refused as a sum', async () => {
    const fixed = defineStudy({ ...definition(), clipping: 'fixed' });
    const { id, values } = await privatize(fixed, rows);
    const group = { level: 0, releases: 1, rows: 900 };
    const summed = (values: number[]) =>
      createSum(fixed, { members: [id], groups: [{ ...group, values }] });
    const [honest, negative] = [await summed(values), await summed(values.map((v) => 0 - v))];
    expect((await assemble(fixed, [honest])).rows).toBe(900);
    await failure(() => assemble(fixed, [negative]), { code, field: 'values' });
  });
});

describe('an honest release', () => {
  it('is accepted if all rows are at a bound of the only column', async () => {
    const columns = [{ name: 'a', type: 'number' as const, min: 0, max: 1 }];
    for (const clipping of ['fixed', 'adaptive', 'centred'] as const) {
      const of = defineStudy({ title: 'One', columns, clipping, privacy: definition().privacy });
      for (const a of [0, 1]) {
        const all = Array.from({ length: 5000 }, () => ({ a }));
        expect((await assemble(of, [await privatize(of, all)])).rows).toBe(5000);
      }
    }
  });

  const mechanisms = MECHANISMS.filter((name) => contentOf({ name }) === 'moments');

  // At the limit of what rows can give. Each of these 300 is refused with a probability of at most 1e-9.
  it.each(mechanisms)('of %s is accepted with any noise', async (name) => {
    const columns = [
      { name: 'a', type: 'number' as const, min: 0, max: 2 },
      { name: 'b', type: 'number' as const, min: 0, max: 2 },
    ];
    for (const epsilon of [0.01, 1, 100]) {
      for (const neighbours of ['replace-one', 'add-remove'] as const) {
        const of = defineStudy({
          ...{ title: name, columns, neighbours, mechanism: { name } },
          privacy: { epsilon, delta: APPROXIMATE.includes(name) ? 1e-6 : 0 },
        });
        for (let k = 0; k < 10; k++) {
          const edge = Array.from({ length: 3 }, () =>
            k % 2 === 0 ? { a: 1, b: 1 } : { a: 2, b: 2 },
          );
          const { noise } = await assemble(of, [await privatize(of, edge)]);
          expect(noise.releases).toBe(1);
          expect(TAILS).toHaveProperty(noise.distribution);
        }
      }
    }
  });
});
