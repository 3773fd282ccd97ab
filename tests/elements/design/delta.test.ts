import { describe, expect, it } from 'vitest';
import { advancedInWords, advancedSettings } from '../../../web/elements/src/design/advanced.js';
import type { DesignerForm } from '../../../web/elements/src/design/designer-form.js';
import {
  emptyDraft,
  isDeltaLarge,
  largestDelta,
  type Draft,
} from '../../../web/elements/src/design/draft.js';
import { said } from '../said.js';

const draft = (patch: Partial<Draft>): Draft => ({ ...emptyDraft(), sites: '3', ...patch });

/** What the folded settings say. */
function settings(own: Draft): string {
  const form = {
    draft: own,
    error: () => undefined,
  } as unknown as DesignerForm;
  return said(
    advancedSettings(form, {
      ...{ study: undefined, advice: undefined, guarantee: undefined },
      ...{ noise: [], modes: '', helpPage: '' },
    }),
  ).replaceAll(/\s+/g, ' ');
}

describe('delta', () => {
  it('is large above a hundredth of 1 in the rows of a site, and a tenth of 1 in those of all', () => {
    for (const [rows, most] of [
      [1_000, 1e-5],
      [10_000, 1e-6],
      [100_000, 1e-7],
    ] as const) {
      expect(largestDelta(draft({ rows })), String(rows)).toBeCloseTo(most, 12);
      expect(isDeltaLarge(draft({ rows, delta: most }))).toBe(false);
      expect(isDeltaLarge(draft({ rows, delta: 1.01 * most }))).toBe(true);
    }
    expect(isDeltaLarge(draft({ rows: 1000, sites: '10', delta: 1e-5 }))).toBe(false);
    expect(isDeltaLarge(draft({ rows: 1000, sites: '11', delta: 1e-5 }))).toBe(true);
    // Each participant counts as one.
    const people = { unit: 'participant', sites: '1000' } as const;
    expect(isDeltaLarge(draft({ ...people, delta: 1e-5 }))).toBe(false);
    expect(isDeltaLarge(draft({ ...people, delta: 1e-4 }))).toBe(true);
  });

  it('is not called large where it is 0, or while the number of sites is not known', () => {
    expect(isDeltaLarge(draft({ delta: 0 }))).toBe(false);
    for (const sites of ['', 'none', '0']) {
      expect(isDeltaLarge(draft({ delta: 0.1, sites })), sites).toBe(false);
    }
  });

  it('that is large is said at its field and on the closed fold, and is not an error', () => {
    const large = draft({ rows: 5000, delta: 1e-4 });
    expect(settings(large)).toContain(
      'one of the 15,000 rows at random would have a δ of 1 in 15,000. Usual for this study: at most 1 in 500,000.',
    );
    expect(advancedInWords(large)).toContain('δ 1 in 10,000, which is large,');
    const usual = emptyDraft();
    expect(settings(usual)).not.toContain('This is large');
    expect(advancedInWords(usual)).not.toContain('large');
  });
});
