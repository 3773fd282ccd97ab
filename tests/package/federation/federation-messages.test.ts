import {
  createCipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  verify as verifyByNode,
} from 'node:crypto';
import { entropyToMnemonic } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../web/package/src/base/canonical.js';
import { isWithinRange, plainArithmetic } from '../../../web/package/src/federation/arithmetic.js';
import { fromBase64, toBase64, utf8 } from '../../../web/package/src/base/binary.js';
import {
  agree,
  isPair,
  newAgreementKeys,
  newRoleKeys,
  newSigningKeys,
  open,
  pidOf,
  seal,
  sign,
  verify,
  type Suite,
  bestSuite,
} from '../../../web/package/src/federation/keys.js';
import { maskStream } from '../../../web/package/src/intake/stream.js';
import {
  compose,
  readMessage,
  inspectMessage,
} from '../../../web/package/src/federation/message.js';
import { pairInfo, shareInfo } from '../../../web/package/src/federation/roster.js';
import { fingerprint } from '../../../web/package/src/federation/words.js';
import { addresses, insideOf, packed, roomOf, startAll, Post } from './federation-support.js';
import { failure } from '../support.js';

const SUITES: Suite[] = ['25519', 'p256'];
const bytesOf = (key: string): Buffer => Buffer.from(key.slice(key.indexOf(':') + 1), 'base64url');

/** The same key as a key object of Node. */
function jwkOf(suite: Suite, pair: { public: string; secret?: string }, crv: string): object {
  const raw = bytesOf(pair.public);
  const d = pair.secret === undefined ? {} : { d: pair.secret };
  if (suite === '25519') return { kty: 'OKP', crv, x: raw.toString('base64url'), ...d };
  const [x, y] = [raw.subarray(1, 33), raw.subarray(33)].map((part) => part.toString('base64url'));
  return { kty: 'EC', crv: 'P-256', x, y, ...d };
}

describe('the cryptography of a session', () => {
  for (const suite of SUITES) {
    it(`makes signatures that Node verifies, suite ${suite}`, async () => {
      const pair = await newSigningKeys(suite);
      const text = utf8('a few words');
      const signature = await sign(suite, pair, text);
      expect(signature.length).toBe(64);
      const key = createPublicKey({ key: jwkOf(suite, pair, 'Ed25519'), format: 'jwk' } as never);
      const how = suite === 'p256' ? { key, dsaEncoding: 'ieee-p1363' as const } : { key };
      expect(verifyByNode(suite === 'p256' ? 'sha256' : null, text, how, signature)).toBe(true);
      expect(await verify(suite, pair.public, signature, text)).toBe(true);
      expect(await verify(suite, pair.public, signature, utf8('other words'))).toBe(false);
      const other = await newSigningKeys(suite);
      expect(await verify(suite, other.public, signature, text)).toBe(false);
      expect(await verify(suite, 'ed25519:AAAA', signature, text)).toBe(false);
    });

    it(`agrees on the keys that Node derives, suite ${suite}`, async () => {
      const [one, two] = [await newAgreementKeys(suite), await newAgreementKeys(suite)];
      const key = await agree(suite, one, two.public, 'pm/v1|mask|x');
      expect(await agree(suite, two, one.public, 'pm/v1|mask|x')).toEqual(key);
      expect(await agree(suite, two, one.public, 'pm/v1|gauss|x')).not.toEqual(key);
      const shared = diffieHellman({
        privateKey: createPrivateKey({ key: jwkOf(suite, one, 'X25519'), format: 'jwk' } as never),
        publicKey: createPublicKey({ key: jwkOf(suite, two, 'X25519'), format: 'jwk' } as never),
      });
      const derived = hkdfSync('sha256', shared, new Uint8Array(0), 'pm/v1|mask|x', 32);
      expect(key).toEqual(new Uint8Array(derived));
    });

    it(`recognises whether a secret belongs to a key, suite ${suite}`, async () => {
      const [one, two] = [await newAgreementKeys(suite), await newAgreementKeys(suite)];
      const secret = fromBase64(one.secret) ?? new Uint8Array();
      expect(await isPair(suite, secret, one.public)).toBe(true);
      expect(await isPair(suite, secret, two.public)).toBe(false);
      expect(await isPair(suite, new Uint8Array(32), one.public)).toBe(false);
    });

    it(`opens only payloads sealed to this key, for this use and with these bytes, suite ${suite}`, async () => {
      const { seal: to } = await newRoleKeys(suite);
      const [text, aad] = [utf8('thirty-two bytes, or a vector'), utf8('header')];
      const sealed = await seal(suite, to.public, 'use', aad, text);
      expect(sealed.length).toBe(text.length + (suite === 'p256' ? 65 : 32) + 16);
      expect(await open(suite, to, 'use', aad, sealed)).toEqual(text);
      expect(await open(suite, to, 'another', aad, sealed)).toBeUndefined();
      expect(await open(suite, to, 'use', utf8('Header'), sealed)).toBeUndefined();
      const other = await newAgreementKeys(suite);
      expect(await open(suite, other, 'use', aad, sealed)).toBeUndefined();
      for (const at of [0, 40, sealed.length - 1]) {
        const changed = sealed.slice();
        changed[at] = (changed[at] ?? 0) ^ 1;
        expect(await open(suite, to, 'use', aad, changed)).toBeUndefined();
      }
      expect(await open(suite, to, 'use', aad, sealed.subarray(0, 20))).toBeUndefined();
    });

    it(`names a participant by the digest of its key, suite ${suite}`, async () => {
      const { public: key } = await newSigningKeys(suite);
      expect(pidOf(key)).toBe(createHash('sha256').update(bytesOf(key)).digest('hex'));
    });
  }

  it('accepts no key of small order, with which everyone would derive the same secret', async () => {
    const pair = await newAgreementKeys('25519');
    for (const first of [0, 1]) {
      const point = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? first : 0));
      expect(await agree('25519', pair, `x25519:${toBase64(point)}`, 'x')).toBeUndefined();
    }
    const off = Uint8Array.from({ length: 65 }, (_, at) => (at === 0 ? 4 : 1));
    const p256 = await newAgreementKeys('p256');
    expect(await agree('p256', p256, `ecdh-p256:${toBase64(off)}`, 'x')).toBeUndefined();
  });

  it('derives keys for one session, one set of members, one pair and one use', async () => {
    const ring = (await roomOf({ mode: 'ring', sites: 3, honest: 3, threshold: 2 })).session;
    const id = ring.id;
    expect(pairInfo(ring, 'group', 'b', 'a')).toBe(`pm/v1|mask|${id}|group|a|b|1`);
    expect(pairInfo(ring, 'group', 'a', 'b')).toBe(`pm/v1|mask|${id}|group|a|b|1`);
    expect(shareInfo(ring, 'roster', 'b', 'a')).toBe(`pm/v1|share|${id}|roster|b|a`);
    const other = (await roomOf({ mode: 'correlated', sites: 3, honest: 2 })).session;
    expect(pairInfo(other, 'group', 'a', 'b')).toBe(`pm/v1|gauss|${other.id}|group|a|b|1`);
  });

  it('makes masks from the key stream of AES-256 in counter mode', async () => {
    const key = Uint8Array.from({ length: 32 }, (_, at) => 7 * at + 1);
    const cipher = createCipheriv('aes-256-ctr', key, new Uint8Array(16));
    const stream = cipher.update(new Uint8Array(8 * 5151));
    expect(Buffer.compare(await maskStream(key, 5151), stream)).toBe(0);
  });

  it('chooses the better suite by default', async () => {
    expect(await bestSuite()).toBe('25519');
  });

  it('shows digests as the first words of BIP-39', () => {
    const digest = createHash('sha256').update('a roster').digest();
    const words = entropyToMnemonic(digest.subarray(0, 16), wordlist).split(' ');
    expect(fingerprint(digest.toString('hex'))).toBe(words.slice(0, 6).join(' '));
  });
});

describe('sums of masks', () => {
  it('are exact modulo 2^64, as the slow way confirms', async () => {
    const word = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
    const term = fc.record({
      words: fc.tuple(word, word, word),
      sign: fc.constantFrom<1 | -1>(1, -1),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(term), async (terms) => {
        const sum = plainArithmetic.sum(3);
        const slow = [0n, 0n, 0n];
        for (const { words, sign: way } of terms) {
          await sum.add(packed(words), way);
          for (const [at, one] of words.entries()) slow[at] = (slow[at] ?? 0n) + BigInt(way) * one;
        }
        const expected = packed(slow.map((one) => BigInt.asUintN(64, one)));
        expect(await sum.bytes()).toEqual(expected);
      }),
      { seed: 1 },
    );
  });

  it('are in range from -2^62 to below 2^62', () => {
    const edge = 1n << 62n;
    for (const [word, isIn] of [
      [0n, true],
      [edge - 1n, true],
      [-edge, true],
      [edge, false],
      [-edge - 1n, false],
      [-(1n << 63n), false],
    ] as const) {
      expect(isWithinRange(packed([0n, BigInt.asUintN(64, word)])), String(word)).toBe(isIn);
    }
  });
});

describe('a message', () => {
  it('is PMR2, the length of its header, canonical JSON, payload and signature', async () => {
    const pair = await newSigningKeys('25519');
    const session = 'ab'.repeat(32);
    const header = { type: 'abort', session, key: pair.public, reason: 'session-aborted' };
    const text = utf8(canonicalJson(header));
    const bytes = await compose('25519', pair, text, Uint8Array.of(1, 2, 3));
    const buffer = Buffer.from(bytes);
    expect(buffer.toString('latin1', 0, 4)).toBe('PMR2');
    expect(buffer.readUInt32LE(4)).toBe(text.length);
    expect(JSON.parse(buffer.toString('utf8', 8, 8 + text.length))).toEqual(header);
    expect([...buffer.subarray(8 + text.length, -64)]).toEqual([1, 2, 3]);
    const key = createPublicKey({ key: jwkOf('25519', pair, 'Ed25519'), format: 'jwk' } as never);
    expect(verifyByNode(null, buffer.subarray(0, -64), { key }, buffer.subarray(-64))).toBe(true);
    expect(inspectMessage(bytes)).toEqual({ type: 'abort', session, from: pidOf(pair.public) });
  });

  it('with a header that is not canonical, or has extra or missing keys, is invalid', async () => {
    const pair = await newSigningKeys('25519');
    const session = 'ab'.repeat(32);
    const key = pair.public;
    const of = (text: string): Promise<Uint8Array> =>
      compose('25519', pair, utf8(text), new Uint8Array(0));
    const right = canonicalJson({ type: 'abort', session, key, reason: 'x' });
    expect(readMessage(await of(right)).type).toBe('abort');
    for (const text of [
      `${right} `,
      right.replace('"x"', '"\\u0078"'),
      JSON.stringify({ type: 'abort', session, key, reason: 'x' }),
      canonicalJson({ type: 'abort', session, key, reason: 'x', more: 1 }),
      canonicalJson({ type: 'abort', session, key }),
      canonicalJson({ type: 'abort', session: 'ab', key, reason: 'x' }),
      canonicalJson({ type: 'toString', session, key, reason: 'x' }),
      canonicalJson({ type: 'abort', session, key: 'ed25519:AAAA', reason: 'x' }),
      `{"__proto__":1,${right.slice(1)}`,
      `{"type":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
      '{"type":1e999}',
      '[]',
      'null',
      '{',
    ]) {
      await failure(async () => readMessage(await of(text)), { code: 'message-unreadable' });
    }
  });

  it('of an earlier version is reported as such, with what to do', async () => {
    const pair = await newSigningKeys('25519');
    const header = { type: 'abort', session: 'ab'.repeat(32), key: pair.public, reason: 'x' };
    const bytes = await compose('25519', pair, utf8(canonicalJson(header)), new Uint8Array());
    bytes.set(utf8('PMR1'));
    await failure(() => readMessage(bytes), {
      code: 'message-unreadable',
      message: /an earlier version.*begin a new session/,
    });
  });

  it('never makes a role throw, for any contents and any signer', async () => {
    const types = [
      ...['seed', 'masked', 'close', 'masks', 'short', 'join', 'roster', 'shares', 'deal'],
      ...['survivors', 'agree', 'agreed', 'reveal', 'result', 'abort', 'hello'],
    ];
    const digest = fc.constantFrom('00'.repeat(32), 'ab'.repeat(32), 'xy');
    const value = fc.oneof(
      fc.constantFrom<unknown>(null, -1, 0, 1, 3, 2 ** 53, 'x', '', [], {}, [1, 2], true),
      digest,
      fc.array(digest, { maxLength: 4 }),
      fc.array(fc.nat({ max: 300 }), { maxLength: 4 }),
    );
    const fields = fc.dictionary(
      fc.constantFrom(
        ...['commitment', 'rows', 'group', 'releases', 'close', 'mask', 'share', 'joins'],
        ...['roster', 'self', 'dealers', 'survivors', 'agrees', 'reason', 'extra'],
      ),
      value,
      { maxKeys: 4 },
    );
    const rooms = [
      await roomOf({ mode: 'split', sites: 3, honest: 2 }),
      await roomOf({ mode: 'ring', sites: 4, honest: 3, threshold: 3 }, { present: 3 }),
      await roomOf({ mode: 'correlated', sites: 3, honest: 2 }),
    ];
    for (const room of rooms) await startAll(room, new Post(room));
    const messages = fc.record({
      room: fc.constantFrom(...rooms),
      type: fc.constantFrom(...types),
      fields,
      who: fc.nat(),
      whom: fc.nat(),
      payload: fc.uint8Array({ maxLength: 200 }),
    });
    await fc.assert(
      fc.asyncProperty(messages, async ({ room, type, who, whom, payload, ...rest }) => {
        const roles = [...addresses(room).values()];
        const signers = [room.keys.sign, ...room.participants.map((role) => insideOf(role).sign)];
        const signer = signers[who % signers.length] ?? room.keys.sign;
        const { id: session, suite } = room.session;
        const header = { type, session, key: signer.public, ...rest.fields };
        const message = await compose(suite, signer, utf8(canonicalJson(header)), payload);
        const step = await roles[whom % roles.length]?.receive(message);
        if (step?.refused != null) expect(step.refused.reason.length).toBeGreaterThan(10);
      }),
      { seed: 3, numRuns: 1000 },
    );
  });
});
