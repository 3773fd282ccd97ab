import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { canonicalJson, digest } from '../../../web/package/src/base/canonical.js';

describe('canonical JSON', () => {
  it('sorts keys by UTF-16 code units, as in RFC 8785 section 3.2.3', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    };
    expect(Object.values(JSON.parse(canonicalJson(value)) as object)).toHaveLength(7);
    const order = [...canonicalJson(value).matchAll(/:"(\w+)/g)].map((match) => match[1]);
    expect(order).toEqual(['Carriage', 'One', 'Control', 'Latin', 'Euro', 'Emoji', 'Hebrew']);
  });

  it('writes numbers as in RFC 8785 appendix B', () => {
    const numbers = [-0, 5e-324, 9007199254740992, 1e21, 1e-7, 333333333.3333333];
    expect(canonicalJson(numbers)).toBe('[0,5e-324,9007199254740992,1e+21,1e-7,333333333.3333333]');
  });

  it('writes the whole numbers of a release like the canonicalize library, whatever surrounds them', () => {
    const values = [0, -0, 1, -7, 2 ** 53 - 1, -(2 ** 53 - 1), 1e15];
    const cases = [
      { study: 'a"b', values, id: 'f', noise: { z: 1, a: [0.5] } },
      { values: [], b: 1 },
      { values, b: 1, wider: 2 },
      { values },
      { values: [1, 0.5], b: 1 },
      { values: ['1'], b: undefined, a: 2 },
    ];
    for (const value of cases) expect(canonicalJson(value)).toBe(canonicalize(value));
  });

  it('has the SHA-256 that sha256sum computes for the same text', () => {
    // echo -n '{"a":[1,"é"],"b":null}' | sha256sum
    expect(digest({ b: null, a: [1, 'é'] })).toBe(
      '1e02bc81a26af2f027329541e97eef36f3290bedc6dfe043dbe66b057ecb13ba',
    );
  });
});
