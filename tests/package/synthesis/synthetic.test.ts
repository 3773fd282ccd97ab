import { assemble, defineStudy, privatize, type Moments, type Synthetic } from 'private-moments';
import { describe, expect, it } from 'vitest';
import { definition, failure, seeded } from '../support.js';

/** People of three kinds of work with different sleep and mood; the same every time. */
function workers(count: number, seed: number) {
  const random = seeded(seed);
  const bell = (): number => random() + random() + random() - 1.5;
  return Array.from({ length: count }, () => {
    const kind = Math.min(2, Math.floor(4 * random()));
    const sleep = 8.5 - 1.5 * (kind === 1 ? 2 : 0) + bell();
    return {
      age: Math.min(90, Math.max(18, 30 + 12 * kind + 14 * bell())),
      sleep,
      work: ['day', 'night', 'none'][kind] ?? 'day',
      mood: Math.min(5, Math.max(-5, 1.4 * (sleep - 7) + bell())),
    };
  });
}

const study = defineStudy(definition());

async function assembled(epsilon = 1): Promise<Moments> {
  const own = defineStudy({ ...definition(), privacy: { epsilon, delta: 1e-6 } });
  const releases = [];
  for (const site of [1, 2, 3]) releases.push(await privatize(own, workers(4000, site)));
  return assemble(own, releases);
}

/** The number of figures inside their intervals, and of all with an interval. */
function verdicts(rows: Synthetic): { inside: number; all: number } {
  const { means, deviations, correlations, canonicalCorrelations } = rows.preserves();
  const figures = [...means, ...deviations, ...correlations, ...canonicalCorrelations];
  return { inside: figures.filter(({ inside }) => inside === true).length, all: figures.length };
}

describe('synthetic rows of many sites', () => {
  it('have the study’s columns, bounds and levels, and the guarantee of the releases', async () => {
    const moments = await assembled();
    const rows = moments.synthesize({ rows: 500, seed: 1 });
    expect(rows.columns).toEqual(['age', 'sleep', 'work', 'mood']);
    expect(rows.rows).toBe(500);
    expect(rows.guarantee).toEqual(moments.guarantee);
    expect(rows.origin.releases).toBe(3);
    for (const row of rows) {
      expect(row.age).toBeGreaterThanOrEqual(18);
      expect(row.age).toBeLessThanOrEqual(90);
      expect(['day', 'night', 'none']).toContain(row.work);
    }
  });

  it('can be read by privatize as rows, a table, CSV, Arrow and Parquet', async () => {
    const rows = (await assembled()).synthesize({ rows: 300, seed: 1 });
    const inputs = [
      [...rows],
      { columns: rows.columns, values: rows.values },
      rows.toCSV(),
      new Blob([await rows.toArrow()]),
      new Blob([await rows.toParquet()]),
    ];
    for (const data of inputs) {
      const { local } = await privatize(study, data);
      expect(local).toMatchObject({ rows: 300, centred: 0 });
      for (const { missing, outside } of local?.columns ?? [])
        expect([missing, outside]).toEqual([0, 0]);
    }
  });

  it('are the same for the same seed, and differ for another seed or none', async () => {
    const moments = await assembled();
    const once = moments.synthesize({ rows: 50, seed: 7 });
    expect(moments.synthesize({ rows: 50, seed: 7 }).values).toEqual(once.values);
    expect(moments.synthesize({ rows: 50, seed: 8 }).values).not.toEqual(once.values);
    const free = moments.synthesize({ rows: 50 });
    expect(free.seed).toBeNull();
    expect(moments.synthesize({ rows: 50 }).values).not.toEqual(free.values);
  });

  it('preserve means, deviations, correlations and canonical correlations', async () => {
    const rows = (await assembled(1e4)).synthesize({ rows: 20_000, seed: 3 });
    const report = rows.preserves();
    expect(report.means.map(({ column }) => column)).toEqual([
      ...['age', 'sleep', 'work=day', 'work=night', 'work=none', 'mood'],
    ]);
    expect(report.deviations.map(({ column }) => column)).toEqual(['age', 'sleep', 'mood']);
    expect(report.correlations).toHaveLength(12);
    expect(report.canonicalCorrelations).toMatchObject([{ views: ['life', 'mind'], component: 1 }]);
    // Four or more figures of one draw outside 22 intervals at 95 % are rare.
    const { inside, all } = verdicts(rows);
    expect(all).toBe(22);
    expect(inside).toBeGreaterThanOrEqual(19);
    expect(report.summary).toMatch(/^\d of 6 means, \d of 3 standard deviations, \d+ of 12 /);
    const mood = report.correlations.find(({ columns }) => columns.join() === 'sleep,mood');
    expect(Math.abs((mood?.synthetic ?? 0) - (mood?.released ?? 1))).toBeLessThan(0.03);
  });

  it('have the means of each class with a class label', async () => {
    const rows = (await assembled(1e4)).synthesize({ rows: 8000, seed: 5, label: 'work' });
    const mean = (work: string, column: 'sleep' | 'age'): number => {
      const own = [...rows].filter((row) => row.work === work).map((row) => Number(row[column]));
      return own.reduce((sum, value) => sum + value, 0) / own.length;
    };
    expect(mean('night', 'sleep')).toBeCloseTo(5.5, 0);
    expect(mean('day', 'sleep')).toBeCloseTo(8.5, 0);
    expect(mean('none', 'age') - mean('day', 'age')).toBeGreaterThan(18);
  });

  it('are the same from a worker, and so is the report', async () => {
    const moments = await assembled();
    const here = moments.synthesize({ rows: 100, seed: 2 });
    const there = await moments.inWorker().synthesize({ rows: 100, seed: 2 });
    expect(there.values).toEqual(here.values);
    expect(there.study).toBe(moments.study);
    expect(there.toJSON()).toEqual(here.toJSON());
  });

  it('are refused with the invalid option as field', async () => {
    const moments = await assembled();
    const refused = (options: object, field: string) =>
      failure(() => moments.synthesize(options as never), { code: 'unsupported-option', field });
    await refused({}, 'options.rows');
    await refused({ rows: 0 }, 'rows');
    await refused({ rows: 1e8 }, 'rows');
    await refused({ rows: 1, seed: -1 }, 'seed');
    await refused({ rows: 1, seed: 0.5 }, 'seed');
    await refused({ rows: 1, label: 'mood' }, 'label');
    await refused({ rows: 1, count: 2 }, 'options.count');
  });
});
