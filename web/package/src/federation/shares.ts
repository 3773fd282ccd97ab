import { combine, split } from 'shamir-secret-sharing';
import { SEED_BYTES } from './keys.js';

/** One byte for each byte of the secret, and one for the point of the share. */
export const SHARE_BYTES = SEED_BYTES + 1;

/**
 * Shamir's secret sharing, byte by byte over the field of 256 elements: any `threshold` of the `count`
 * shares restore the 32 bytes, and fewer reveal nothing. 2 <= threshold <= count <= 255.
 */
export async function shareSecret(
  secret: Uint8Array,
  count: number,
  threshold: number,
): Promise<Uint8Array[]> {
  return split(new Uint8Array(secret), count, threshold);
}

/** The secret, or other bytes if a share is wrong; undefined if two shares have the same point. */
export async function joinShares(shares: readonly Uint8Array[]): Promise<Uint8Array | undefined> {
  try {
    return await combine(shares.map((share) => new Uint8Array(share)));
  } catch {
    return undefined;
  }
}
