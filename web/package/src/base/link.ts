import { deflateSync, Inflate } from 'fflate';
import { fromBase64, hashOf, toBase64 } from './binary.js';
import { PrivateMomentsError } from './errors.js';

/** The largest study accepted, as canonical JSON: about a kilobyte for each of 1000 features. */
export const MAX_STUDY_BYTES = 1 << 20;

/** Longer than any link that browsers open reliably, and short enough to decode without a pause. */
export const MAX_LINK_CHARACTERS = 1 << 18;

const INFLATE_STEP = 512;

/** Eight digits of a SHA-256, a point, base64url. Of 2^32 damaged links that can be read at all, one passes. */
const PART = /^([0-9a-f]{8})\.([A-Za-z0-9_-]+)$/;

/** A part of a link: the content in base64url, after the first digits of the content's SHA-256. */
export function toPart(content: Uint8Array | string, packed: string): string {
  return `${hashOf(content).slice(0, 8)}.${packed}`;
}

/**
 * The content of a part. `decode` gives undefined for what it cannot read.
 * @throws PrivateMomentsError `damaged-link` if the content is not what the digits say
 */
export function fromPart<T extends Uint8Array | string>(
  part: string,
  decode: (packed: string) => T | undefined,
): T {
  const [, digits = '', packed] = PART.exec(part) ?? [];
  const content = packed === undefined ? undefined : decode(packed);
  if (content !== undefined && hashOf(content).startsWith(digits)) return content;
  throw new PrivateMomentsError(
    'damaged-link',
    'the link was cut or changed on its way; copy the whole link again, or ask for a new one',
  );
}

/** Text as deflated bytes in base64url, for the fragment of a link. */
export function pack(text: string): string {
  const bytes = deflateSync(new TextEncoder().encode(text), { level: 9 });
  return toPart(text, toBase64(bytes));
}

/** The inverse of `pack`. Links are untrusted, so sizes are checked before memory is used. */
export function unpack(part: string): string {
  if (part.length > MAX_LINK_CHARACTERS) throw tooLarge();
  return fromPart(part, (packed) => {
    const bytes = fromBase64(packed);
    if (bytes === undefined) return undefined;
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(inflateBounded(bytes));
    } catch (error) {
      if (error instanceof PrivateMomentsError) throw error;
      return undefined;
    }
  });
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
