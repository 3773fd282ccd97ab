import {
  keysToLink,
  keysToText,
  keyWords,
  newRoleKeys,
  parseKeys,
  parseSecretKeys,
  publicKeys,
  secretKeysToText,
} from 'private-moments/federation';
import { describe, expect, it } from 'vitest';
import { failure } from '../support.js';

const PAGE = 'https://example.org/analyse.html';

describe('the keys of a role', () => {
  for (const suite of ['25519', 'p256'] as const) {
    it(`can be passed on as a link, as a file and as a backup, suite ${suite}`, async () => {
      const keys = await newRoleKeys(suite);
      const link = keysToLink(keys, PAGE);
      expect(link.startsWith(`${PAGE}#keys=`)).toBe(true);
      expect(parseKeys(link)).toEqual(publicKeys(keys));
      expect(parseKeys(keysToText(keys))).toEqual(publicKeys(keys));
      expect(await parseSecretKeys(secretKeysToText(keys))).toEqual(keys);
    });
  }

  it('contain no secret when passed on', async () => {
    const keys = await newRoleKeys('p256');
    const text = keysToText(keys);
    for (const { secret } of [keys.sign, keys.seal]) expect(text).not.toContain(secret);
  });

  it('have six words, which differ for other keys and if either half differs', async () => {
    const [one, two] = [await newRoleKeys('25519'), await newRoleKeys('25519')];
    expect(keyWords(one).split(' ')).toHaveLength(6);
    expect(keyWords(one)).toBe(keyWords(publicKeys(one)));
    expect(keyWords({ ...one, seal: two.seal })).not.toBe(keyWords(one));
    expect(keyWords({ ...one, sign: two.sign })).not.toBe(keyWords(one));
  });

  it('are refused if they are invalid, of two suites, or not a pair', async () => {
    const [one, two] = [await newRoleKeys('p256'), await newRoleKeys('p256')];
    const other = await newRoleKeys('25519');
    for (const text of [
      'no keys',
      '{}',
      `${PAGE}#study=abc`,
      secretKeysToText(one),
      keysToText({ sign: one.sign, seal: other.seal }),
      keysToText({ sign: one.seal, seal: one.seal }),
    ]) {
      await failure(() => parseKeys(text), { code: 'invalid-keys' });
    }
    await failure(() => parseKeys(`${PAGE}#keys=!`), { code: 'damaged-link' });
    const mixed = keysToLink(one, PAGE).replace(
      /=.*\./,
      /=.*\./.exec(keysToLink(two, PAGE))?.[0] ?? '',
    );
    await failure(() => parseKeys(mixed), { code: 'damaged-link' });
    const swapped = { public: one.sign.public, secret: two.sign.secret };
    const sealed = { public: one.seal.public, secret: two.seal.secret };
    for (const keys of [
      { ...one, sign: swapped },
      { ...one, seal: sealed },
    ]) {
      await failure(() => parseSecretKeys(secretKeysToText(keys)), { code: 'invalid-keys' });
    }
    const broken = secretKeysToText(one).slice(0, -4);
    const error = await failure(() => parseSecretKeys(broken), { code: 'invalid-keys' });
    // No error quotes a backup.
    expect(String(error)).not.toContain(one.seal.secret.slice(0, 8));
  });
});
