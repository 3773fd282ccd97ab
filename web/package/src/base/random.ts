/** Random bytes for keys, salts and names, checked and mixed as the core does it for noise (core/random/entropy.cpp). */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { utf8, type UnsharedBytes } from './binary.js';
import { PrivateMomentsError } from './errors.js';

const SOURCE_BYTES = 64;

/** How many seeds this thread has made. */
let made = 0;

/**
 * 32 random bytes for one use: HMAC-SHA256 of two clocks and a count, under 64 bytes of the operating system's
 * generator. Where that repeats its bytes, as in a virtual machine that is restored, the seeds differ.
 * @throws PrivateMomentsError `no-entropy`
 */
export function randomSeed(): UnsharedBytes {
  const key = systemBytes();
  made += 1;
  const moment = [Date.now(), performance.now(), performance.timeOrigin, made];
  const seed = hmac(sha256, key, utf8(`private-moments seed ${moment.join()}`));
  key.fill(0);
  return seed;
}

/** Makes the checks of the core: there is a generator, it works, and its bytes look random. */
function systemBytes(): Uint8Array {
  const bytes = new Uint8Array(SOURCE_BYTES);
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (typeof crypto?.getRandomValues !== 'function') {
    throw noEntropy(
      'no-source',
      'this machine has no cryptographic random generator; use a current browser or Node',
    );
  }
  try {
    crypto.getRandomValues(bytes);
  } catch {
    throw noEntropy('failed', "the machine's cryptographic random generator failed; try again");
  }
  const half = SOURCE_BYTES / 2;
  // Equal halves include zeros.
  if (bytes.every((byte, at) => byte === bytes[(at + half) % SOURCE_BYTES])) {
    throw noEntropy(
      'unhealthy',
      "the machine's random generator returned bytes that are not random; do not use it",
    );
  }
  return bytes;
}

function noEntropy(field: string, message: string): PrivateMomentsError {
  return new PrivateMomentsError('no-entropy', message, { field });
}
