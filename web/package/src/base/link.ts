import { deflateSync, Inflate } from 'fflate';
import { PrivateMomentsError } from './errors.js';

/** The largest study accepted, as canonical JSON: about a kilobyte for each of 1000 features. */
export const MAX_STUDY_BYTES = 1 << 20;

/** Longer than any link that browsers open reliably, and short enough to decode without a pause. */
export const MAX_LINK_CHARACTERS = 1 << 18;

const INFLATE_STEP = 512;

/** Text as deflated bytes in base64url, for the fragment of a link. */
export function pack(text: string): string {
  const bytes = deflateSync(new TextEncoder().encode(text), { level: 9 });
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The inverse of `pack`. Links are untrusted, so sizes are checked before memory is used. */
export function unpack(packed: string): string {
  if (packed.length > MAX_LINK_CHARACTERS) throw tooLarge();
  if (!/^[A-Za-z0-9_-]+$/.test(packed)) {
    throw new PrivateMomentsError(
      'invalid-link',
      'the link is damaged (not base64url text after the #); copy the whole link again',
    );
  }
  try {
    const binary = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return new TextDecoder('utf-8', { fatal: true }).decode(inflateBounded(bytes));
  } catch (cause) {
    if (cause instanceof PrivateMomentsError) throw cause;
    throw new PrivateMomentsError(
      'invalid-link',
      'the link is damaged; copy the whole link again',
      {},
      cause,
    );
  }
}

/** Deflate expands up to a thousandfold, so this inflates in small steps and stops at the limit. */
function inflateBounded(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let total = 0;
  const inflate = new Inflate((part) => {
    parts.push(part);
    total += part.length;
  });
  for (let at = 0; at < bytes.length; at += INFLATE_STEP) {
    inflate.push(bytes.subarray(at, at + INFLATE_STEP), at + INFLATE_STEP >= bytes.length);
    if (total > MAX_STUDY_BYTES) throw tooLarge();
  }
  const whole = new Uint8Array(total);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

function tooLarge(): PrivateMomentsError {
  return new PrivateMomentsError('link-too-large', 'the link is larger than any study can be');
}
