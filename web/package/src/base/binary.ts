import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * Bytes in memory of their own: `Uint8Array<ArrayBuffer>`, which TypeScript before 5.7 cannot write and calls
 * `Uint8Array`.
 */
export type UnsharedBytes = ReturnType<Uint8ArrayConstructor['of']>;

export { bytesToHex as toHex, hexToBytes as fromHex, utf8ToBytes as utf8 };

/** SHA-256 of a short input (a text as UTF-8): 64 lower-case hex digits. For large inputs use `hashLarge`. */
export function hashOf(content: Uint8Array | string): string {
  return bytesToHex(sha256(typeof content === 'string' ? utf8ToBytes(content) : content));
}

/** SHA-256 of a large input: 64 lower-case hex digits. */
export async function hashLarge(bytes: Uint8Array): Promise<string> {
  return bytesToHex(await digestLarge(bytes));
}

/** SHA-256 by WebCrypto, which is faster on large inputs, where there is one: in secure contexts only. */
export async function digestLarge(bytes: Uint8Array): Promise<Uint8Array> {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (crypto?.subtle === undefined) return sha256(bytes);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', unshared(bytes)));
}

/** Base64url without padding. */
export function toBase64(bytes: Uint8Array): string {
  let binary = '';
  for (let at = 0; at < bytes.length; at += CHUNK) {
    binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK));
  }
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The number of arguments that every engine accepts in one call. */
const CHUNK = 1 << 12;

/** The inverse of `toBase64`; undefined for any text that `toBase64` would not write. */
export function fromBase64(text: string): UnsharedBytes | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
  return toBase64(bytes) === text ? bytes : undefined;
}

export function concat(parts: readonly Uint8Array[]): UnsharedBytes {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** The bytes outside shared memory, copied if need be: WebCrypto rejects shared memory. */
export function unshared(bytes: Uint8Array): UnsharedBytes {
  return bytes.buffer instanceof ArrayBuffer ? (bytes as UnsharedBytes) : new Uint8Array(bytes);
}
