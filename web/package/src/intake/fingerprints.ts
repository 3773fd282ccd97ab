/**
 * Fingerprints by which a ledger recognises data, computed in the worker that has the rows. Anyone who
 * can guess private data could look up a plain digest of them, so the digest stays in the worker: only
 * its HMAC under a secret of the ledger leaves.
 */
import { digestLarge } from '../base/binary.js';
import { randomSeed } from '../base/random.js';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { slicesOf, type Bytes } from '../base/bytes.js';

/** What is fingerprinted: the bytes of a file, or the exact sums of the encoded rows. */
export type FingerprintSource = 'bytes' | 'sums';

/** Fingerprints of the same data, one for each secret: 64 hex digits each. */
export type Fingerprints = string[];

/** Large enough that calls to the engine's own SHA-256 pay off. */
const CHUNK_BYTES = 1 << 22;

const DIGEST_BYTES = 32;

/** The header of a partial sum, which states its terms; see core/moments/part_bytes.cpp. */
const PART_HEAD_BYTES = 16;

/** SHA-256 over the SHA-256 of each 4 MiB chunk, so that only the last chunk is held in memory. */
export class ChunkedDigest {
  readonly #chunk = new Uint8Array(CHUNK_BYTES);
  readonly #digests: Uint8Array[] = [];
  #filled = 0;
  #last: Promise<Uint8Array> | undefined;

  async push(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      const step = Math.min(bytes.length - at, CHUNK_BYTES - this.#filled);
      this.#chunk.set(bytes.subarray(at, at + step), this.#filled);
      at += step;
      this.#filled += step;
      if (this.#filled === CHUNK_BYTES) await this.#close();
    }
  }

  async digest(): Promise<Uint8Array> {
    await this.#close();
    await this.#keepLast();
    this.#chunk.fill(0);
    return sha256(concatBytes(...this.#digests));
  }

  /** The engine copies the chunk, so the next one can be filled while this one is digested. */
  async #close(): Promise<void> {
    await this.#keepLast();
    this.#last = digestLarge(this.#chunk.subarray(0, this.#filled));
    this.#filled = 0;
  }

  async #keepLast(): Promise<void> {
    if (this.#last !== undefined) this.#digests.push(await this.#last);
    this.#last = undefined;
  }
}

/**
 * The digest of a file.
 * @param onRead called with the number of bytes read so far; returns false to stop
 */
export async function digestOfBytes(
  bytes: Bytes,
  onRead: (bytes: number) => boolean | Promise<boolean> = () => true,
): Promise<Uint8Array> {
  const chunks = new ChunkedDigest();
  let read = 0;
  for await (const slice of slicesOf(bytes)) {
    await chunks.push(slice);
    read += slice.length;
    if (!(await onRead(read))) break;
  }
  return chunks.digest();
}

/**
 * The digest of the exact sums, from which alone a release is made. Sums are equal for the same rows in
 * any order and file format, and for very few others. The bytes are overwritten.
 */
export async function digestOfSums(part: Uint8Array): Promise<Uint8Array> {
  const digest = await digestLarge(part.subarray(PART_HEAD_BYTES));
  part.fill(0);
  return digest;
}

/** @param secrets the secrets of the ledger, hex */
export function fingerprintsOf(
  secrets: readonly string[],
  kind: FingerprintSource,
  digest: Uint8Array,
): Fingerprints {
  const text = concatBytes(utf8ToBytes(`private-moments/${kind}\0`), digest);
  return secrets.map((secret) => bytesToHex(hmac(sha256, hexToBytes(secret), text)));
}

export function newSecret(): string {
  return randomHex(DIGEST_BYTES);
}

export function newId(): string {
  return randomHex(16);
}

function randomHex(bytes: number): string {
  return bytesToHex(randomSeed().subarray(0, bytes));
}
