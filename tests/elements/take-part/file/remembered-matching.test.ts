import { defineStudy } from 'private-moments';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  forgetMatching,
  rememberedMatching,
  rememberMatching,
} from '../../../../web/elements/src/take-part/file/remembered-matching.js';
import { definition } from '../../../package/support.js';

const study = defineStudy(definition());
const header = ['years', 'hours', 'shift', 'wellbeing'];
const matching = { age: 'years', mood: 'wellbeing', work: undefined };

let items: Map<string, string>;
beforeEach(() => {
  items = new Map();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, text: string) => items.set(key, text),
    removeItem: (key: string) => items.delete(key),
  });
});

describe('a matching made by hand', () => {
  it('is that of the next file with the same header, and of no other', async () => {
    await rememberMatching(header, matching);
    expect(await rememberedMatching(study, header)).toEqual({ age: 'years', mood: 'wellbeing' });
    expect(await rememberedMatching(study, [...header].reverse())).toEqual({});
  });

  it('is stored without the names of the file', async () => {
    await rememberMatching(header, matching);
    const stored = [...items.values()].join();
    expect(stored).toContain('"mood":3');
    for (const name of header) expect(stored).not.toContain(name);
  });

  it('can be forgotten', async () => {
    await rememberMatching(header, matching);
    await forgetMatching(header);
    expect(await rememberedMatching(study, header)).toEqual({});
    expect(items.size).toBe(0);
  });

  it('is the latest, of at most forty headers', async () => {
    for (let i = 0; i < 45; i++) await rememberMatching([`a${i}`, 'b'], { age: `a${i}` });
    await rememberMatching(['a44', 'b'], { age: 'b' });
    expect(await rememberedMatching(study, ['a44', 'b'])).toEqual({ age: 'b' });
    expect(await rememberedMatching(study, ['a5', 'b'])).toEqual({ age: 'a5' });
    expect(await rememberedMatching(study, ['a4', 'b'])).toEqual({});
  });

  it.each(['no JSON', '{}', '[1, null, {"header":"x"}]'])(
    'starts again if the browser stored %s',
    async (text) => {
      items.set('private-moments/matchings', text);
      expect(await rememberedMatching(study, header)).toEqual({});
      await rememberMatching(header, matching);
      expect(await rememberedMatching(study, header)).toMatchObject({ age: 'years' });
    },
  );

  it('is not needed where a browser stores nothing', async () => {
    vi.stubGlobal('localStorage', {
      getItem: () => {
        throw new DOMException('denied', 'SecurityError');
      },
      setItem: () => {
        throw new DOMException('full', 'QuotaExceededError');
      },
    });
    await rememberMatching(header, matching);
    expect(await rememberedMatching(study, header)).toEqual({});
  });
});
