import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import canonicalize from 'canonicalize';

/** Canonical JSON (RFC 8785): one text per value, whoever writes it. The value must be plain JSON. */
export function canonicalJson(value: object): string {
  return withIntegers(value) ?? slowly(value);
}

function slowly(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/**
 * The same of a release, whose whole numbers, 5151 for 100 features, come last and are in canonical
 * form as JSON.stringify writes them: 0.1 ms instead of 0.9, of which the digest takes none.
 */
function withIntegers(value: object): string | undefined {
  const { values, ...rest } = value as { values?: unknown };
  const keys = Object.keys(rest);
  const comesLast = keys.length > 0 && keys.every((key) => key < 'values');
  if (!comesLast || 'toJSON' in value || !Array.isArray(values)) return undefined;
  if (!values.every(Number.isSafeInteger)) return undefined;
  return `${slowly(rest).slice(0, -1)},"values":${JSON.stringify(values)}}`;
}

/**
 * SHA-256 of the canonical JSON, 64 lower-case hex digits. Synchronous, unlike WebCrypto, because
 * `study.id` is a property.
 */
export function digest(value: object): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(value))));
}

/** The same by the engine's own SHA-256, four times as fast; only secure contexts have it. */
export async function digestSoon(value: object): Promise<string> {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (crypto?.subtle === undefined) return digest(value);
  const text = new TextEncoder().encode(canonicalJson(value));
  return bytesToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', text)));
}
