import { unshared } from '../base/binary.js';

/**
 * The mask of a 32-byte key: its AES-256-CTR key stream from counter 0, as `length` little-endian words
 * of 8 bytes.
 */
export async function maskStream(key: Uint8Array, length: number): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', unshared(key), 'AES-CTR', false, [
    'encrypt',
  ]);
  const cipher = { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 };
  return new Uint8Array(await crypto.subtle.encrypt(cipher, imported, new Uint8Array(8 * length)));
}
