import { defineStudy, type Study } from 'private-moments';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../web/elements/src/analyse/release-entries.js';
import { PmReleaseTable, verdict } from '../../../web/elements/src/analyse/release-table.js';
import { definition } from '../../package/support.js';
import { said } from '../said.js';

const used = { name: 'one.json', bytes: 1, saved: 0, release: {} } as Entry;
const out: Entry = {
  ...used,
  refusal: { check: 'intact', words: 'left out: cannot be used', detail: '', remedy: '' },
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

describe('a file that is left out', () => {
  const refused = (name: string): Entry => ({
    ...{ name, bytes: 1, saved: 0 },
    refusal: {
      ...{ check: 'intact', words: 'left out: rows, not a release' },
      ...{ detail: 'They were not used.', remedy: 'Ask for a release.' },
    },
  });
  const table = (entries: readonly Entry[]): string => {
    const element = Object.assign(new PmReleaseTable(), { entries, folded: true });
    return said((element as unknown as { render(): unknown }).render()).replace(/\s+/g, ' ');
  };

  it('is listed once, with its reason and what to do', () => {
    const text = table([used, refused('rows.csv')]);
    for (const once of ['left out: rows', 'They were not used. Ask for a release.']) {
      expect(text.split(once)).toHaveLength(2);
    }
    expect(text).not.toContain('one.json');
  });

  it('is counted if there are more than fit a page', () => {
    const many = Array.from({ length: 30 }, (_, i) => refused(`rows-${i}.csv`));
    expect(table(many)).toContain('25 of 30 files that are left out.');
    expect(table(many.slice(0, 25))).not.toContain('files that are left out');
  });
});
