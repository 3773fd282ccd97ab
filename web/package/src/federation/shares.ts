import { combine, split } from 'shamir-secret-sharing';
import { SEED_BYTES } from './keys.js';

/** A byte for each of the secret's, and the point it is at. */
export const SHARE_BYTES = SEED_BYTES + 1;

/**
 * Shamir's secret sharing byte by byte over 256 elements: any `threshold` of the `count` shares give
 * the 32 bytes back, fewer tell nothing. 2 <= threshold <= count <= 255.
 */
export async function shareSecret(
  secret: Uint8Array,
  count: number,
  threshold: number,
): Promise<Uint8Array[]> {
  return split(new Uint8Array(secret), count, threshold);
}

/** The secret, or other bytes where a share is wrong; undefined where two are at one point. */
export async function joinShares(shares: readonly Uint8Array[]): Promise<Uint8Array | undefined> {
  try {
    return await combine(shares.map((share) => new Uint8Array(share)));
  } catch {
    return undefined;
  }
}
