import { defineStudy, inspect, privatize } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { concernsOf } from '../../../web/elements/src/take-part/concerns.js';
import { noiseOf } from '../../../web/elements/src/take-part/participant-study.js';
import { definition } from '../../package/support.js';

const study = defineStudy({
  ...definition(),
  columns: definition().columns.map((column) =>
    column.name === 'sleep'
      ? { ...column, unit: 'hours', description: 'divide minutes by 60' }
      : column,
  ),
});
const HEADER = 'age,sleep,work,mood\n';
const own = { age: 'age', sleep: 'sleep', work: 'work', mood: 'mood' };

const concerns = async (rows: string, matching = own, noise = 0.1) =>
  concernsOf({ study, counts: await inspect(study, HEADER + rows), matching, noise });

describe('what to check before budget is spent', () => {
  it('is nothing for a good file', async () => {
    expect(await concerns('40,6,day,1\n41,7,night,2\n')).toEqual([]);
  });

  it('is a column whose values are all outside its range, with what the study says', async () => {
    const found = await concerns('40,400,day,1\n41,460,night,2\n42,,night,2\n');
    expect(found.map(({ title }) => title)).toEqual([
      'All 2 values of sleep are outside 0 to 12 hours.',
    ]);
    expect(found[0]?.body).toContain('The study says: divide minutes by 60.');
    expect(await concerns('40,400,day,1\n41,6,night,2\n')).toEqual([]);
  });

  it('is words in a column of numbers, counted apart from empty cells, with the first rows', async () => {
    const rows = ['40,,day,1', '41,low,day,1', '42,12 mg,day,1', '43,x,day,1', '44,y,dusk,1'];
    const found = await concerns(`${rows.join('\n')}\n${'45,6,day,1\n'.repeat(14)}45,,day,1\n`);
    expect(found.map(({ title }) => title)).toEqual([
      '4 cells of sleep hold words, not numbers.',
      '1 cell of work holds none of the allowed values.',
    ]);
    expect(found[0]?.body).toBe(
      'The first are in rows 2, 3 and 4. Another 2 cells are empty or “not measured”. All of them count as missing. If these cells have a value, correct them in your file. If they mean “not measured”, add what they say under “What stands for ‘not measured’?”.',
    );
    expect(found[1]?.body).toContain('See row 5. No cell is empty.');
    expect(found.some(({ needsChoice }) => needsChoice)).toBe(false);
  });

  it('needs a choice if more than a fifth of the cells are words', async () => {
    const found = await concerns(`${'40,low,day,1\n'.repeat(3)}${'41,7,day,1\n'.repeat(9)}`);
    expect(found).toMatchObject([{ needsChoice: true }]);
  });

  it('leaves out a column without values, which has a notice of its own', async () => {
    expect(await concerns('40,NA,day,1\n')).toEqual([]);
  });

  it('is a column of the file that is used twice', async () => {
    const found = await concerns('40,6,day,1\n', { ...own, mood: 'sleep' });
    expect(found.map(({ title }) => title)).toEqual(['sleep is matched to sleep and mood.']);
  });

  it('is so few rows that noise alone is as large as any correlation', async () => {
    const row = '40,6,day,1\n';
    expect(await concerns(row.repeat(20), own, 0.99)).toEqual([]);
    const [found] = await concerns(row.repeat(20), own, 1.9);
    expect(found?.title).toBe('20 rows are too few for this study’s ε.');
    expect(found?.body).toContain('about 1.9 or more');
    expect(found?.body).toContain('at least 38 rows');
  });
});

describe('the least noise in a correlation', () => {
  const counts = (rows: number) => inspect(study, HEADER + '40,6,day,1\n'.repeat(rows));

  it.each(['gaussian', 'laplace', 'frobenius', 'two-sided-wishart'])(
    'is at most that of a release with %s',
    async (mechanism) => {
      const privacy = { epsilon: 1, delta: mechanism === 'gaussian' ? 1e-6 : 0 };
      const fixed = defineStudy({ ...definition(), mechanism, privacy, clipping: 'fixed' });
      const release = await privatize(fixed, HEADER + '40,6,day,1\n'.repeat(50));
      const real = release.noise.sdOffDiagonal / (50 * 0.16);
      const least = (await noiseOf(fixed, await counts(50))) ?? NaN;
      expect(least).toBeLessThan(real);
      if (mechanism === 'gaussian') expect(least).toBeGreaterThan(0.5 * real);
    },
  );

  it('falls with rows and epsilon', async () => {
    const noise = (await noiseOf(study, await counts(10))) ?? NaN;
    expect(await noiseOf(study, await counts(20))).toBeCloseTo(noise / 2, 12);
    const stronger = defineStudy({ ...definition(), privacy: { epsilon: 0.1, delta: 1e-6 } });
    expect(await noiseOf(stronger, await counts(10))).toBeGreaterThan(5 * noise);
  });

  it('is unknown where one release says nothing by itself, or has no sums of products', async () => {
    const unknown = [
      { federation: { mode: 'split', sites: 4, honest: 3 } },
      { unit: 'participant' as const },
      { mechanism: { name: 'ppca', components: 2 }, privacy: { epsilon: 1, delta: 0 } },
    ];
    for (const terms of unknown) {
      const other = defineStudy({ ...definition(), ...terms });
      expect(await noiseOf(other, await counts(9))).toBeUndefined();
    }
  });
});
