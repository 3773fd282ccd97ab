import { defineStudy, type Study } from 'private-moments';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../web/elements/src/analyse/release-entries.js';
import { verdict } from '../../../web/elements/src/analyse/release-table.js';
import { definition } from '../../package/support.js';

const used = { name: 'one.json', bytes: 1, saved: 0, release: {} } as Entry;
const out: Entry = {
  ...used,
  refusal: { check: 'intact', words: 'left out: cannot be used', sentence: '' },
};
const expecting = (sites?: number): Study =>
  defineStudy({
    ...definition(),
    federation: { mode: 'independent', ...(sites === undefined ? {} : { sites }) },
  });

describe('the verdict on the files', () => {
  it('says how many of the sites that the study expects are missing', () => {
    expect(verdict([used, used], expecting(3))).toBe(
      'All 2 belong to this study and are intact. One of the 3 sites is missing.',
    );
    expect(verdict([used, out], expecting(3))).toBe(
      'One belongs to this study and is intact. One more was left out. Two of the 3 sites are missing.',
    );
  });

  it('does not say so if none is, or the study does not say how many it expects', () => {
    const all = 'All 2 belong to this study and are intact.';
    for (const study of [expecting(2), expecting(1), expecting()]) {
      expect(verdict([used, used], study)).toBe(all);
    }
  });

  it('counts the releases in a sum', () => {
    const sum = { ...used, release: { groups: [], releases: 9 } } as unknown as Entry;
    expect(verdict([sum], expecting(10))).toContain('One of the 10 sites is missing.');
  });
});
