import { canonicalJson } from '../../base/canonical.js';
import { checker } from '../../base/check.js';
import { PrivateMomentsError } from '../../base/errors.js';
import { MAX_LINK_CHARACTERS, pack, unpack } from '../../base/link.js';
import { hashOf, sameBytes, utf8 } from '../../base/binary.js';
import {
  open,
  publicBytes,
  requireSuite,
  seal,
  sign,
  SUITES,
  verify,
  type KeyPair,
  type PublicRoleKeys,
  type RoleKeys,
  type Suite,
} from '../keys.js';
import { publicKeys } from '../session.js';
import { addressOf } from './transport.js';
import { fingerprint } from '../words.js';

/** The format of public halves, which are for others. */
export const KEYS_FORMAT = 'private-moments/keys@1';
/** The format of whole pairs, which the owner must keep safe. */
const SECRET_KEYS_FORMAT = 'private-moments/secret-keys@1';
const LINK_KEY = 'keys';

const check = checker('invalid-keys');

/** The public halves as the JSON text of a file. */
export function keysToText(keys: PublicRoleKeys | RoleKeys): string {
  return canonicalJson({ format: KEYS_FORMAT, ...publicKeys(keys) });
}

/**
 * A link to `page` with the public halves in its fragment.
 * @throws PrivateMomentsError `invalid-link`
 */
export function keysToLink(keys: PublicRoleKeys | RoleKeys, page: string | URL): string {
  const url = addressOf(page);
  if (url === undefined) {
    throw new PrivateMomentsError('invalid-link', 'the address of the page must be absolute');
  }
  url.hash = `${LINK_KEY}=${pack(keysToText(keys))}`;
  return url.href;
}

/**
 * Reads public keys of one suite from the text of a file or a link, from any source.
 * @throws PrivateMomentsError `invalid-keys`, `damaged-link`, `link-too-large`
 */
export function parseKeys(text: string): PublicRoleKeys {
  if (typeof text !== 'string') throw invalid('keys must be a text');
  const hash = text.indexOf('#');
  const packed = hash < 0 ? null : new URLSearchParams(text.slice(hash + 1)).get(LINK_KEY);
  const fields = check.object(parsed(packed === null ? text : unpack(packed)), 'keys', [
    ...['format', 'sign', 'seal'],
  ]);
  if (fields.format !== KEYS_FORMAT) throw invalid(`format must be ${KEYS_FORMAT}`);
  const keys = { sign: check.text(fields.sign, 'sign'), seal: check.text(fields.seal, 'seal') };
  suiteOfKeys(keys);
  return keys;
}

/** Whole pairs as text. Anyone who has it can act as the owner. */
export function secretKeysToText(keys: RoleKeys): string {
  publicKeys(keys);
  const { sign, seal } = keys;
  return canonicalJson({ format: SECRET_KEYS_FORMAT, sign: { ...sign }, seal: { ...seal } });
}

/**
 * Reads what `secretKeysToText` wrote, and checks that the halves belong together.
 * @throws PrivateMomentsError `invalid-keys`, `unsupported-suite`
 */
export async function parseSecretKeys(text: string): Promise<RoleKeys> {
  const fields = check.object(parsed(text), 'keys', ['format', 'sign', 'seal']);
  if (fields.format !== SECRET_KEYS_FORMAT) throw invalid(`format must be ${SECRET_KEYS_FORMAT}`);
  const keys = { sign: readPair(fields.sign, 'sign'), seal: readPair(fields.seal, 'seal') };
  const suite = suiteOfKeys(publicKeys(keys));
  await requireSuite(suite);
  if (await belongTogether(suite, keys)) return keys;
  throw invalid('the secret keys do not belong to the public keys');
}

/**
 * Six English words for public keys, to compare over the telephone: the first 66 bits of the SHA-256 of
 * their file, 11 bits a word. The keys of anyone else have other words.
 */
export function keyWords(keys: PublicRoleKeys | RoleKeys): string {
  return fingerprint(hashOf(keysToText(keys)));
}

/** @throws PrivateMomentsError `invalid-keys` */
export function suiteOfKeys(keys: PublicRoleKeys): Suite {
  const { sign, seal } = publicKeys(keys);
  const suite = SUITES.find(
    (candidate) =>
      publicBytes(candidate, 'sign', sign) !== undefined &&
      publicBytes(candidate, 'agree', seal) !== undefined,
  );
  if (suite !== undefined) return suite;
  throw invalid('sign and seal must be public keys of one suite');
}

async function belongTogether(suite: Suite, keys: RoleKeys): Promise<boolean> {
  const text = utf8('pm/v1/try');
  const none = new Uint8Array(0);
  try {
    const signature = await sign(suite, keys.sign, text);
    const sealed = await seal(suite, keys.seal.public, 'pm/v1/try', none, text);
    const plain = await open(suite, keys.seal, 'pm/v1/try', none, sealed);
    return (
      plain !== undefined &&
      sameBytes(plain, text) &&
      (await verify(suite, keys.sign.public, signature, text))
    );
  } catch {
    return false;
  }
}

function readPair(value: unknown, field: string): KeyPair {
  const fields = check.object(value, field, ['public', 'secret']);
  return {
    public: check.text(fields.public, `${field}.public`),
    secret: check.text(fields.secret, `${field}.secret`),
  };
}

function parsed(text: string): unknown {
  if (typeof text === 'string' && text.length <= MAX_LINK_CHARACTERS) {
    try {
      return JSON.parse(text);
    } catch {
      // Reported below, because the message of JSON.parse may quote a secret.
    }
  }
  throw invalid('this is neither a link with keys nor a file of keys');
}

function invalid(message: string): PrivateMomentsError {
  return new PrivateMomentsError('invalid-keys', message, { field: 'keys' });
}
