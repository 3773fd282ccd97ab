/**
 * What data are recognised by, made where the rows are. A digest of private data could be looked up by
 * whoever can guess them, so it stays in the worker: what comes out is its HMAC under a secret of the
 * ledger.
 */
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { slicesOf, type Bytes } from '../base/bytes.js';

/** What a mark was made of: a file's bytes as they are, or the exact sums of the encoded rows. */
export type MarkKind = 'bytes' | 'sums';

/** The same data, seen through any of the secrets: 64 hex digits each. */
export type Marks = string[];

/** Enough for the engine's own SHA-256 to be worth asking. */
const CHUNK_BYTES = 1 << 22;

const DIGEST_BYTES = 32;

/** The bytes of a partial sum that say on which terms it was made; see core/moments/part_bytes.cpp. */
const PART_HEAD_BYTES = 16;

/** SHA-256 over the SHA-256 of every 4 MiB, which needs no bytes but the last of them in memory. */
export class Fingerprint {
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

  /** One chunk is digested while the next one fills up: the engine has taken a copy by then. */
  async #close(): Promise<void> {
    await this.#keepLast();
    this.#last = digestOf(this.#chunk.subarray(0, this.#filled));
    this.#filled = 0;
  }

  async #keepLast(): Promise<void> {
    if (this.#last !== undefined) this.#digests.push(await this.#last);
    this.#last = undefined;
  }
}

/**
 * The digest of a file.
 * @param onRead hears how many bytes are in, and ends the reading by returning false
 */
export async function digestOfBytes(
  bytes: Bytes,
  onRead: (bytes: number) => boolean = () => true,
): Promise<Uint8Array> {
  const fingerprint = new Fingerprint();
  let read = 0;
  for await (const slice of slicesOf(bytes)) {
    await fingerprint.push(slice);
    read += slice.length;
    if (!onRead(read)) break;
  }
  return fingerprint.digest();
}

/**
 * Sums are equal for the same rows in any order and form, and for very few others; a release is made
 * of nothing else. The bytes are overwritten.
 */
export async function digestOfSums(part: Uint8Array): Promise<Uint8Array> {
  const digest = await digestOf(part.subarray(PART_HEAD_BYTES));
  part.fill(0);
  return digest;
}

/** @param secrets of the ledger, hex */
export function marksOf(secrets: readonly string[], kind: MarkKind, digest: Uint8Array): Marks {
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
  return bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)));
}

/** By the engine where the context is secure; only there it offers its own. */
async function digestOf(bytes: Uint8Array): Promise<Uint8Array> {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (crypto?.subtle === undefined) return sha256(bytes);
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
}
