import { unshared } from '../base/binary.js';

/**
 * The mask of a 32-byte key: its AES-256-CTR key stream from counter 0, 8 bytes a word, to be read
 * as little-endian words.
 */
export async function maskStream(key: Uint8Array, length: number): Promise<Uint8Array> {
  const imported = await crypto.subtle.importKey('raw', unshared(key), 'AES-CTR', false, [
    'encrypt',
  ]);
  const how = { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 };
  return new Uint8Array(await crypto.subtle.encrypt(how, imported, new Uint8Array(8 * length)));
}
