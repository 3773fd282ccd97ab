import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { emptyDraft, type Draft } from '../../../web/elements/src/design/draft.js';
import { loadDraft, saveDraft } from '../../../web/elements/src/design/saved-draft.js';

const KEY = 'draft';

beforeEach(() => {
  const texts = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => texts.set(key, text),
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

function kept(draft: Draft): Draft | undefined {
  saveDraft(KEY, draft);
  return loadDraft(KEY);
}

describe('a saved draft', () => {
  const { plan } = emptyDraft();

  it('comes back with rows and assumptions, so that its verdict is the same', () => {
    const own = {
      correlations: [0.7, 0.2],
      withinViews: 0.4,
      offCentre: 0.1,
      spread: 0.07,
      between: ['sleep', 'diet'],
      isUnseen: true,
    };
    const draft = { ...emptyDraft(), rows: 321, plan: own };
    expect(kept(draft)).toEqual(draft);
  });

  it('of version 0.1, whose columns have no usual spread, is opened', () => {
    const draft = emptyDraft();
    const without = (key: string, value: unknown) => (key === 'deviation' ? undefined : value);
    localStorage.setItem(KEY, JSON.stringify({ ...draft, title: 'Old' }, without));
    expect(loadDraft(KEY)).toEqual({ ...draft, title: 'Old' });
    for (const columns of [[null], ['age'], [{ key: 1 }]]) {
      localStorage.setItem(KEY, JSON.stringify({ ...draft, columns }));
      expect(loadDraft(KEY), JSON.stringify(columns)).toBeUndefined();
    }
  });

  it('is dropped if it is damaged, as a forecast of it would fail', () => {
    const damages: object[] = [
      { correlations: [] },
      { correlations: [1] },
      { correlations: ['half'] },
      { withinViews: -0.1 },
      { offCentre: 0.5 },
      { spread: 0 },
      { spread: '0.2' },
      { between: [1, 2] },
    ];
    for (const damage of damages) {
      const draft = { ...emptyDraft(), plan: { ...plan, ...damage } };
      expect(kept(draft), JSON.stringify(damage)).toBeUndefined();
    }
  });
});
