import canonicalize from 'canonicalize';
import { hashLarge, hashOf, utf8 } from './binary.js';

/** Canonical JSON (RFC 8785): every writer produces the same text for the same value, which must be plain JSON. */
export function canonicalJson(value: object): string {
  return releaseJson(value) ?? anyJson(value);
}

function anyJson(value: object): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError('not a JSON value');
  return text;
}

/**
 * A fast path for releases. Their `values` (5151 integers for 100 features) come last in canonical order,
 * and JSON.stringify already writes integers in canonical form: 0.1 ms instead of 0.9. Undefined for
 * any other value.
 */
function releaseJson(value: object): string | undefined {
  const { values, ...rest } = value as { values?: unknown };
  const keys = Object.keys(rest);
  const comesLast = keys.length > 0 && keys.every((key) => key < 'values');
  if (!comesLast || 'toJSON' in value || !Array.isArray(values)) return undefined;
  if (!values.every(Number.isSafeInteger)) return undefined;
  return `${anyJson(rest).slice(0, -1)},"values":${JSON.stringify(values)}}`;
}

/**
 * SHA-256 of the canonical JSON, 64 lower-case hex digits. Synchronous, unlike WebCrypto, because
 * `study.id` is a property.
 */
export function digest(value: object): string {
  return hashOf(canonicalJson(value));
}

/** The same digest by WebCrypto where there is one (secure contexts only): four times as fast. */
export function digestAsync(value: object): Promise<string> {
  return hashLarge(utf8(canonicalJson(value)));
}
