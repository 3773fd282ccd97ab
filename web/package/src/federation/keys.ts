import {
  Aes256Gcm,
  CipherSuite,
  DhkemP256HkdfSha256,
  DhkemX25519HkdfSha256,
  HkdfSha256,
} from '@hpke/core';
import { PrivateMomentsError } from '../base/errors.js';
import { concat, fromBase64, hashOf, unshared, sameBytes, toBase64, utf8 } from '../base/binary.js';

/**
 * Which curves a session uses, for everything: Ed25519 and X25519, or those of NIST that engines
 * without them have. All who take part must have the same.
 */
export type Suite = '25519' | 'p256';

export const SUITES: readonly Suite[] = ['25519', 'p256'];

/** What a key is for: signing, or agreeing on secrets. */
type Purpose = 'sign' | 'agree';

/**
 * Keys as plain data, so that they can be kept with what else a closed tab needs to go on. `public`
 * is `<algorithm>:<base64url>`, `secret` the base64url of 32 bytes. Whoever has `secret` is the owner.
 */
export interface KeyPair {
  readonly public: string;
  readonly secret: string;
}

/** The keys of an analyst, a coordinator or a helper: one to sign with, one to seal to. */
export interface RoleKeys {
  readonly sign: KeyPair;
  readonly seal: KeyPair;
}

/** The public halves, as the session carries them. */
export interface PublicRoleKeys {
  readonly sign: string;
  readonly seal: string;
}

/** Of an Ed25519 signature, and of an ECDSA one over P-256. */
export const SIGNATURE_BYTES = 64;
export const SEED_BYTES = 32;
const GCM_TAG_BYTES = 16;

interface Curve {
  /** What stands before the colon of a public key. */
  name: string;
  algorithm: { name: string; namedCurve?: string };
  jwk: { kty: string; crv: string };
  publicBytes: number;
}

const P256 = { jwk: { kty: 'EC', crv: 'P-256' }, publicBytes: 65 };

const CURVES: Readonly<Record<Suite, Readonly<Record<Purpose, Curve>>>> = {
  '25519': {
    sign: {
      name: 'ed25519',
      algorithm: { name: 'Ed25519' },
      jwk: { kty: 'OKP', crv: 'Ed25519' },
      publicBytes: 32,
    },
    agree: {
      name: 'x25519',
      algorithm: { name: 'X25519' },
      jwk: { kty: 'OKP', crv: 'X25519' },
      publicBytes: 32,
    },
  },
  p256: {
    sign: { name: 'ecdsa-p256', algorithm: { name: 'ECDSA', namedCurve: 'P-256' }, ...P256 },
    agree: { name: 'ecdh-p256', algorithm: { name: 'ECDH', namedCurve: 'P-256' }, ...P256 },
  },
};

/** The base points; times a secret they give the public key (of P-256: its first coordinate). */
const BASE: Readonly<Record<Suite, Uint8Array>> = {
  '25519': Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 9 : 0)),
  p256: concat([
    Uint8Array.of(4),
    hex('6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296'),
    hex('4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5'),
  ]),
};

function hex(digits: string): Uint8Array {
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

/** The suite this engine has: X25519 and Ed25519 where it knows both, else those of P-256. */
export async function bestSuite(): Promise<Suite> {
  return (await isSupported('25519')) ? '25519' : 'p256';
}

const supported = new Map<Suite, Promise<boolean>>();

export function isSupported(suite: Suite): Promise<boolean> {
  const known = supported.get(suite) ?? tryOut(suite);
  supported.set(suite, known);
  return known;
}

async function tryOut(suite: Suite): Promise<boolean> {
  try {
    const keys = await newRoleKeys(suite);
    await dh(suite, keys.seal, BASE[suite]);
    return await verify(
      suite,
      keys.sign.public,
      await sign(suite, keys.sign, BASE[suite]),
      BASE[suite],
    );
  } catch {
    return false;
  }
}

/** @throws PrivateMomentsError `unsupported-suite` where the engine lacks an algorithm. */
export async function requireSuite(suite: Suite): Promise<void> {
  if (await isSupported(suite)) return;
  const message =
    suite === 'p256'
      ? 'this engine has no WebCrypto; a page needs https or localhost for it'
      : 'this engine lacks X25519 or Ed25519: update it, or ask for a session with suite p256';
  throw new PrivateMomentsError('unsupported-suite', message);
}

function requireName(suite: unknown): void {
  if ((SUITES as readonly unknown[]).includes(suite)) return;
  const message = `suite must be ${SUITES.join(' or ')}`;
  throw new PrivateMomentsError('unsupported-suite', message, { field: 'suite' });
}

/** A new pair to sign with: who a participant is. */
export async function newSigningKeys(suite: Suite): Promise<KeyPair> {
  requireName(suite);
  return newPair(CURVES[suite].sign, ['sign', 'verify']);
}

/** A new pair to agree with, or to be sealed to. */
export async function newAgreementKeys(suite: Suite): Promise<KeyPair> {
  requireName(suite);
  return newPair(CURVES[suite].agree, ['deriveBits']);
}

export async function newRoleKeys(suite: Suite): Promise<RoleKeys> {
  return { sign: await newSigningKeys(suite), seal: await newAgreementKeys(suite) };
}

async function newPair(curve: Curve, uses: KeyUsage[]): Promise<KeyPair> {
  const pair = (await crypto.subtle.generateKey(curve.algorithm, true, uses)) as CryptoKeyPair;
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const { d } = await crypto.subtle.exportKey('jwk', pair.privateKey);
  if (d === undefined) throw new TypeError('a secret key without its secret');
  return { public: `${curve.name}:${toBase64(raw)}`, secret: d };
}

/** The bytes of a public key; undefined where the text is none of this suite and purpose. */
export function publicBytes(
  suite: Suite,
  purpose: Purpose,
  text: string,
): Uint8Array<ArrayBuffer> | undefined {
  const curve = CURVES[suite][purpose];
  if (!text.startsWith(`${curve.name}:`)) return undefined;
  const bytes = fromBase64(text.slice(curve.name.length + 1));
  if (bytes?.length !== curve.publicBytes) return undefined;
  return suite === 'p256' && bytes[0] !== 4 ? undefined : bytes;
}

/** Who signs with a key: SHA-256 of the key's bytes. The key must be one. */
export function pidOf(signingKey: string): string {
  const text = typeof signingKey === 'string' ? signingKey : '';
  const bytes = fromBase64(text.slice(text.indexOf(':') + 1));
  if (bytes === undefined || bytes.length === 0) {
    throw new PrivateMomentsError('invalid-keys', 'this is not a public key', { field: 'key' });
  }
  return hashOf(bytes);
}

/** Making a secret key usable takes twice as long as signing with it. */
const usable = new WeakMap<KeyPair, Promise<CryptoKey>>();

function secretKey(suite: Suite, purpose: Purpose, pair: KeyPair): Promise<CryptoKey> {
  const known = usable.get(pair) ?? importSecret(suite, purpose, pair);
  usable.set(pair, known);
  return known;
}

async function importSecret(suite: Suite, purpose: Purpose, pair: KeyPair): Promise<CryptoKey> {
  const { algorithm, jwk } = CURVES[suite][purpose];
  const bytes = publicBytes(suite, purpose, pair.public);
  if (bytes === undefined) throw new TypeError('a public key of another suite');
  const point =
    suite === 'p256'
      ? { x: toBase64(bytes.subarray(1, 33)), y: toBase64(bytes.subarray(33)) }
      : { x: toBase64(bytes) };
  const key = { ...jwk, ...point, d: pair.secret };
  const uses: KeyUsage[] = purpose === 'sign' ? ['sign'] : ['deriveBits'];
  return crypto.subtle.importKey('jwk', key, algorithm, false, uses);
}

const ECDSA = { name: 'ECDSA', hash: 'SHA-256' };

/** 64 bytes. */
export async function sign(suite: Suite, pair: KeyPair, bytes: Uint8Array): Promise<Uint8Array> {
  const key = await secretKey(suite, 'sign', pair);
  const algorithm = suite === 'p256' ? ECDSA : CURVES[suite].sign.algorithm;
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, unshared(bytes)));
}

/** False for anything but a signature of these bytes by the owner of this key. */
export async function verify(
  suite: Suite,
  key: string,
  signature: Uint8Array,
  bytes: Uint8Array,
): Promise<boolean> {
  const raw = publicBytes(suite, 'sign', key);
  if (raw === undefined) return false;
  const { algorithm } = CURVES[suite].sign;
  try {
    const imported = await crypto.subtle.importKey('raw', raw, algorithm, false, ['verify']);
    const how = suite === 'p256' ? ECDSA : algorithm;
    return await crypto.subtle.verify(how, imported, unshared(signature), unshared(bytes));
  } catch {
    return false;
  }
}

async function dh(suite: Suite, pair: KeyPair, other: Uint8Array): Promise<Uint8Array> {
  const { algorithm } = CURVES[suite].agree;
  const mine = await secretKey(suite, 'agree', pair);
  const theirs = await crypto.subtle.importKey('raw', unshared(other), algorithm, false, []);
  const shared = await crypto.subtle.deriveBits(
    { name: algorithm.name, public: theirs },
    mine,
    8 * SEED_BYTES,
  );
  return new Uint8Array(shared);
}

/**
 * 32 bytes that only the owners of the two keys can compute, for one use: HKDF-SHA-256 of what the
 * curve gives, without salt, with `info` in UTF-8. Undefined where the other key is not on the curve,
 * or of small order: WebCrypto refuses both.
 */
export async function agree(
  suite: Suite,
  pair: KeyPair,
  other: string,
  info: string,
): Promise<Uint8Array | undefined> {
  const bytes = publicBytes(suite, 'agree', other);
  if (bytes === undefined) return undefined;
  let shared: Uint8Array;
  try {
    shared = await dh(suite, pair, bytes);
  } catch {
    return undefined;
  }
  const key = await crypto.subtle.importKey('raw', unshared(shared), 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(info) };
  return new Uint8Array(
    await crypto.subtle.deriveBits({ ...how, info: unshared(how.info) }, key, 8 * SEED_BYTES),
  );
}

/** Whether `secret` is the other half of the public key. */
export async function isPair(
  suite: Suite,
  secret: Uint8Array,
  itsPublic: string,
): Promise<boolean> {
  const bytes = publicBytes(suite, 'agree', itsPublic);
  if (bytes === undefined) return false;
  try {
    const pair = { public: itsPublic, secret: toBase64(secret) };
    const product = await dh(suite, pair, BASE[suite]);
    return sameBytes(product, suite === 'p256' ? bytes.subarray(1, 33) : bytes);
  } catch {
    return false;
  }
}

export function randomSeed(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(SEED_BYTES));
}

/** Encrypts under a key that is used once: AES-256-GCM with nonce 0. 16 bytes longer. */
export async function encryptOnce(key: Uint8Array, plain: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', unshared(key), 'AES-GCM', false, [
    'encrypt',
  ]);
  const how = { name: 'AES-GCM', iv: new Uint8Array(12) };
  return new Uint8Array(await crypto.subtle.encrypt(how, imported, unshared(plain)));
}

/** The inverse; undefined for what was not encrypted under this key. */
export async function decryptOnce(
  key: Uint8Array,
  sealed: Uint8Array,
): Promise<Uint8Array | undefined> {
  const imported = await crypto.subtle.importKey('raw', unshared(key), 'AES-GCM', false, [
    'decrypt',
  ]);
  try {
    const how = { name: 'AES-GCM', iv: new Uint8Array(12) };
    return new Uint8Array(await crypto.subtle.decrypt(how, imported, unshared(sealed)));
  } catch {
    return undefined;
  }
}

function hpke(suite: Suite): CipherSuite {
  const kem = suite === 'p256' ? new DhkemP256HkdfSha256() : new DhkemX25519HkdfSha256();
  return new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() });
}

/** How much longer a sealed text is: the one-time public key and the tag. */
function sealBytes(suite: Suite): number {
  return CURVES[suite].agree.publicBytes + GCM_TAG_BYTES;
}

/** HPKE (RFC 9180), base mode, HKDF-SHA-256, AES-256-GCM: one-time public key, then ciphertext. */
export async function seal(
  suite: Suite,
  to: string,
  info: string,
  aad: Uint8Array,
  plain: Uint8Array,
): Promise<Uint8Array> {
  const bytes = publicBytes(suite, 'agree', to);
  if (bytes === undefined) throw new TypeError('a key of another suite');
  const cipher = hpke(suite);
  const recipientPublicKey = await cipher.kem.importKey('raw', bytes.buffer, true);
  const { enc, ct } = await cipher.seal({ recipientPublicKey, info: utf8(info) }, plain, aad);
  return concat([new Uint8Array(enc), new Uint8Array(ct)]);
}

/** The inverse; undefined for what was not sealed so, to this key. */
export async function open(
  suite: Suite,
  pair: KeyPair,
  info: string,
  aad: Uint8Array,
  sealed: Uint8Array,
): Promise<Uint8Array | undefined> {
  const { publicBytes: head } = CURVES[suite].agree;
  if (sealed.length < sealBytes(suite)) return undefined;
  const cipher = hpke(suite);
  const secret = fromBase64(pair.secret);
  if (secret === undefined) throw new TypeError('not a secret key');
  const recipientKey = await cipher.kem.importKey('raw', secret.buffer, false);
  try {
    const [enc, text] = [sealed.slice(0, head), sealed.slice(head)];
    return new Uint8Array(await cipher.open({ recipientKey, enc, info: utf8(info) }, text, aad));
  } catch {
    return undefined;
  }
}
