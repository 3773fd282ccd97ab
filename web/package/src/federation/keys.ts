import {
  Aes256Gcm,
  CipherSuite,
  DhkemP256HkdfSha256,
  DhkemX25519HkdfSha256,
  HkdfSha256,
} from '@hpke/core';
import { PrivateMomentsError } from '../base/errors.js';
import {
  concat,
  fromBase64,
  hashOf,
  unshared,
  sameBytes,
  toBase64,
  utf8,
  type UnsharedBytes,
} from '../base/binary.js';

/**
 * The curves of a session: Ed25519 and X25519, or NIST P-256 for engines without these. Everyone in a
 * session must use the same suite.
 */
export type Suite = '25519' | 'p256';

export const SUITES: readonly Suite[] = ['25519', 'p256'];

/** The purpose of a key: signing, or agreeing on secrets. */
type Purpose = 'sign' | 'agree';

/**
 * Keys as plain data, so that they can be stored with the other state of a closed tab. `public` is
 * `<algorithm>:<base64url>` and `secret` the base64url of 32 bytes. Anyone with `secret` can act as the owner.
 */
export interface KeyPair {
  readonly public: string;
  readonly secret: string;
}

/** The keys of an analyst, a coordinator or a helper: one for signing, and one that others seal to. */
export interface RoleKeys {
  readonly sign: KeyPair;
  readonly seal: KeyPair;
}

/** The public halves, which are part of the session. */
export interface PublicRoleKeys {
  readonly sign: string;
  readonly seal: string;
}

/** Size of an Ed25519 signature, and of an ECDSA signature over P-256. */
export const SIGNATURE_BYTES = 64;
export const SEED_BYTES = 32;
const GCM_TAG_BYTES = 16;

interface Curve {
  /** The text before the colon of a public key. */
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

/** The base points. Multiplied by a secret they give the public key (for P-256 its first coordinate). */
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

/** The best suite of this engine: X25519 and Ed25519 if it has both, otherwise P-256. */
export async function bestSuite(): Promise<Suite> {
  return (await isSupported('25519')) ? '25519' : 'p256';
}

const supported = new Map<Suite, Promise<boolean>>();

export function isSupported(suite: Suite): Promise<boolean> {
  const result = supported.get(suite) ?? tryOut(suite);
  supported.set(suite, result);
  return result;
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
  } catch (error) {
    // Another failure, for lack of memory for example, may not happen again.
    if ((error as Partial<Error> | null)?.name !== 'NotSupportedError') supported.delete(suite);
    return false;
  }
}

/** @throws PrivateMomentsError `unsupported-suite` if the engine lacks an algorithm */
export async function requireSuite(suite: Suite): Promise<void> {
  if (await isSupported(suite)) return;
  const message =
    suite === 'p256'
      ? 'WebCrypto is not available; open the page over https or on localhost'
      : 'this browser or engine lacks X25519 or Ed25519; update it, or ask for a session with suite p256';
  throw new PrivateMomentsError('unsupported-suite', message);
}

function requireName(suite: unknown): void {
  if ((SUITES as readonly unknown[]).includes(suite)) return;
  const message = `suite must be ${SUITES.join(' or ')}`;
  throw new PrivateMomentsError('unsupported-suite', message, { field: 'suite' });
}

/** A new key pair for signing. A participant is identified by it. */
export async function newSigningKeys(suite: Suite): Promise<KeyPair> {
  requireName(suite);
  return newPair(CURVES[suite].sign, ['sign', 'verify']);
}

/** A new key pair for agreeing on secrets or for receiving sealed messages. */
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

/** The bytes of a public key; undefined if the text is not a key of this suite and purpose. */
export function publicBytes(
  suite: Suite,
  purpose: Purpose,
  text: string,
): UnsharedBytes | undefined {
  const curve = CURVES[suite][purpose];
  if (!text.startsWith(`${curve.name}:`)) return undefined;
  const bytes = fromBase64(text.slice(curve.name.length + 1));
  if (bytes?.length !== curve.publicBytes) return undefined;
  return suite === 'p256' && bytes[0] !== 4 ? undefined : bytes;
}

/** The id of the owner of a signing key: SHA-256 of the key's bytes. @throws PrivateMomentsError `invalid-keys` */
export function pidOf(signingKey: string): string {
  const text = typeof signingKey === 'string' ? signingKey : '';
  const bytes = fromBase64(text.slice(text.indexOf(':') + 1));
  if (bytes === undefined || bytes.length === 0) {
    throw new PrivateMomentsError('invalid-keys', 'this is not a public key', { field: 'key' });
  }
  return hashOf(bytes);
}

/** Imported secret keys: importing one takes twice as long as signing with it. */
const importedKeys = new WeakMap<KeyPair, Promise<CryptoKey>>();

function secretKey(suite: Suite, purpose: Purpose, pair: KeyPair): Promise<CryptoKey> {
  const key = importedKeys.get(pair) ?? importSecret(suite, purpose, pair);
  importedKeys.set(pair, key);
  key.catch(() => importedKeys.delete(pair));
  return key;
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

/** Signs bytes; the signature has 64 bytes. */
export async function sign(suite: Suite, pair: KeyPair, bytes: Uint8Array): Promise<Uint8Array> {
  const key = await secretKey(suite, 'sign', pair);
  const algorithm = suite === 'p256' ? ECDSA : CURVES[suite].sign.algorithm;
  return new Uint8Array(await crypto.subtle.sign(algorithm, key, unshared(bytes)));
}

/** Whether `signature` is a signature of these bytes by the owner of this key. */
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
    const scheme = suite === 'p256' ? ECDSA : algorithm;
    return await crypto.subtle.verify(scheme, imported, unshared(signature), unshared(bytes));
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
 * 32 bytes for one use that only the owners of the two keys can compute: HKDF-SHA-256 of the shared
 * secret, without salt, with `info` in UTF-8. Undefined if the other key is not on the curve or has small
 * order; WebCrypto refuses both.
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
  const hkdf = {
    ...{ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0) },
    info: unshared(utf8(info)),
  };
  return new Uint8Array(await crypto.subtle.deriveBits(hkdf, key, 8 * SEED_BYTES));
}

/** Whether `secret` is the secret half of the public key. */
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

/** Encrypts with a key that is used only once: AES-256-GCM with nonce 0. Adds 16 bytes. */
export async function encryptOnce(key: Uint8Array, plain: Uint8Array): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', unshared(key), 'AES-GCM', false, [
    'encrypt',
  ]);
  const cipher = { name: 'AES-GCM', iv: new Uint8Array(12) };
  return new Uint8Array(await crypto.subtle.encrypt(cipher, imported, unshared(plain)));
}

/** Decrypts what `encryptOnce` made; undefined if it was encrypted with another key or changed. */
export async function decryptOnce(
  key: Uint8Array,
  sealed: Uint8Array,
): Promise<Uint8Array | undefined> {
  const imported = await crypto.subtle.importKey('raw', unshared(key), 'AES-GCM', false, [
    'decrypt',
  ]);
  try {
    const cipher = { name: 'AES-GCM', iv: new Uint8Array(12) };
    return new Uint8Array(await crypto.subtle.decrypt(cipher, imported, unshared(sealed)));
  } catch {
    return undefined;
  }
}

function hpke(suite: Suite): CipherSuite {
  const kem = suite === 'p256' ? new DhkemP256HkdfSha256() : new DhkemX25519HkdfSha256();
  return new CipherSuite({ kem, kdf: new HkdfSha256(), aead: new Aes256Gcm() });
}

/** Bytes that sealing adds: the one-time public key and the tag. */
function sealBytes(suite: Suite): number {
  return CURVES[suite].agree.publicBytes + GCM_TAG_BYTES;
}

/** Seals with HPKE (RFC 9180), base mode, HKDF-SHA-256, AES-256-GCM: one-time public key, then ciphertext. */
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

/** Opens what `seal` made; undefined if it was sealed to another key, with another `info` or `aad`, or changed. */
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
