import type { ConsortiumOutcome, ConsortiumWay } from 'private-moments-research';
import { describe, expect, it } from 'vitest';
import type { Curves } from '../../../web/research/elements/consortium/consortium-curves.js';
import {
  SETS,
  type ConsortiumSet,
} from '../../../web/research/elements/consortium/consortium-sets.js';
import {
  gridOf,
  RANGES,
  settingOf,
  settingsAlong,
  withSites,
  type Along,
} from '../../../web/research/elements/consortium/consortium-setting.js';
import {
  caption,
  finding,
  miss,
  share,
} from '../../../web/research/elements/consortium/consortium-words.js';

const setOf = (id: string): ConsortiumSet => {
  const set = SETS.find((each) => each.id === id);
  if (set === undefined) throw new Error(`there is no set ${id}`);
  return set;
};
const [sleep, diabetes] = [setOf('sleep'), setOf('diabetes')];

/** Curves in which the ways recover these shares. */
function curves(recovered: Partial<Record<ConsortiumWay, number>>, sites = 10): Curves {
  const setting = { ...settingOf(sleep), sites };
  const present = Object.entries(recovered).map(([way, value]): ConsortiumOutcome => ({
    way: way as ConsortiumWay,
    ...{ deviation: 1, epsilon: 1, first: value, all: value, error: value },
  }));
  return {
    set: sleep,
    along: 'epsilon',
    grid: [1],
    settings: [setting],
    setting,
    runs: 500,
    correlations: [0.62, 0.31, 0.06],
    outcomes: [present],
    present,
  };
}

describe('settings', () => {
  it('have axes with rising round numbers from end to end', () => {
    for (const along of Object.keys(RANGES) as Along[]) {
      const grid = gridOf(along);
      expect([grid[0], grid.at(-1)]).toEqual([...RANGES[along]]);
      expect(grid).toEqual([...new Set(grid)].sort((a, b) => a - b));
    }
    expect(gridOf('sites').every(Number.isInteger)).toBe(true);
  });

  it('keep the share of honest sites, rounded up, when the number of sites changes', () => {
    const ten = { ...settingOf(sleep), sites: 10, honest: 7 };
    expect(withSites(ten, 20).honest).toBe(14);
    expect(withSites(ten, 3).honest).toBe(3);
    expect(withSites(ten, 1).honest).toBe(1);
    for (const { sites, honest } of settingsAlong('sites', ten)) {
      expect(honest).toBeGreaterThanOrEqual(1);
      expect(honest).toBeLessThanOrEqual(sites);
    }
  });

  it('start with the number of rows in the set', () => {
    const { sites, rows } = settingOf(diabetes);
    expect(Math.abs(sites * rows - (diabetes.rows ?? NaN))).toBeLessThanOrEqual(sites);
  });
});

describe('words', () => {
  it('round shares down and errors up', () => {
    expect(share(0.9999)).toBe('99%');
    expect(share(0.57)).toBe('57%');
    expect(share(1)).toBe('100%');
    expect(miss(0.0512)).toBe('.06');
    expect(miss(0.0031)).toBe('.004');
  });

  it('say what every shared way reaches, or what each reaches if they differ', () => {
    const near = { pooled: 0.999, split: 0.998, cape: 0.995, conventional: 0.981, local: 0.914 };
    expect(finding(curves(near), 'first')).toBe(
      'At ε = 1, every shared way recovers at least 98%. One site alone gets 91%.',
    );
    const far = { pooled: 0.999, split: 0.998, cape: 0.9, conventional: 0.6, local: 0.05 };
    expect(finding(curves(far), 'first')).toBe(
      'At ε = 1, these recover: pooled 99%, split 99%, capeCCA 90%, conventional 60%, one site alone 5%.',
    );
    expect(finding(curves(near, 1), 'first')).toMatch(/^With one site there is nothing to share/);
    const errors = { pooled: 0.001, split: 0.001, cape: 0.002, conventional: 0.0051, local: 0.03 };
    expect(finding(curves(errors), 'error')).toBe(
      'At ε = 1, every shared way misses a correlation by .006 or less. One site alone misses by .03.',
    );
  });

  it('say if there are more rows than in the set', () => {
    const setting = settingOf(diabetes);
    const own = { ...curves({}), set: diabetes, setting };
    expect(caption(own, 'first')).not.toContain('As if');
    const more = { ...own, setting: { ...setting, rows: 10_000 } };
    expect(caption(more, 'first')).toContain('As if there were 40,000 patients like the 442');
  });
});
