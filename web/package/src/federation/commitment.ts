import { concat, hashLarge, utf8 } from '../base/binary.js';

/** As much as nobody can guess. */
export const SALT_BYTES = 32;

const DOMAIN = utf8('pm/v1|commitment|');

/**
 * What says which masked release a mask belongs to: SHA-256, 64 hex digits. The salt goes to whoever gets
 * the release and to nobody else. Without it the helper of split, who has the mask, could try candidates
 * of the release until one gives this digest.
 */
export function commitmentOf(salt: Uint8Array, release: Uint8Array): Promise<string> {
  return hashLarge(concat([DOMAIN, salt, release]));
}
