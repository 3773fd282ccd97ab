import { concat, hashLarge, utf8 } from '../base/binary.js';

/** Long enough that no one can guess it. */
export const SALT_BYTES = 32;

const DOMAIN = utf8('pm/v1|commitment|');

/**
 * Identifies the masked release that a mask belongs to: SHA-256, 64 hex digits. Only the recipient of the
 * release gets the salt. Without a salt the helper of split, who has the mask, could try candidates for
 * the release until one has this digest.
 */
export function commitmentOf(salt: Uint8Array, release: Uint8Array): Promise<string> {
  return hashLarge(concat([DOMAIN, salt, release]));
}
