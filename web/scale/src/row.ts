import { createHash } from 'node:crypto';
import type { Release, Summands } from 'private-moments';

/**
 * A release as a row of a table (docs/formats.md). Plain and masked releases have the same form: numbers
 * are words modulo 2^64.
 */
export interface ReleaseRow {
  /** Id of the study. */
  study: string;
  /** Major and minor version that made it: releases that differ in them are not mixed. */
  version: string;
  /** Id of the release, or of the participant if the words are masked. */
  id: string;
  /** Level of the clip radius; 0 if the radius is fixed, and with private centring. */
  level: number;
  /** Null if the number of rows is private. */
  rowCount: bigint | null;
  /** Noisy counts of adaptive clipping; else empty. */
  counts: readonly bigint[];
  /** With private centring the reach of its summands, else empty. */
  reach: readonly bigint[];
  /** SHA-256 of the words as little-endian bytes. */
  commitment: string;
  /** Largest magnitude of the signed words, the counts and the row count; null behind masks. */
  largest: bigint | null;
  /** Its values; with private centring its summands. */
  words: BigUint64Array;
}

/** Writes rows in blocks of a few megabytes. */
export interface RowWriter {
  write(rows: readonly ReleaseRow[]): Promise<void>;
  /** Called once, after all rows. */
  finish(): Promise<void>;
}

/** 2 MB of words: 10 000 releases make 200 blocks, and writing one takes about 100 MB of memory. */
const WORDS_OF_BLOCK = 1 << 18;
const HALF = 2 ** 32;

/** @param summands with private centring: what the release adds to sums */
export function rowOf(release: Release, summands?: Summands): ReleaseRow {
  const { study, library, id, clipping, rows, values } = release;
  const isCentred = summands !== undefined;
  const counts = isCentred ? [] : (clipping?.counts ?? []);
  const words = isCentred ? summands.words : wordsOf(values);
  let largest = rows ?? 0;
  for (const count of counts) largest = Math.max(largest, Math.abs(count));
  return {
    study,
    version: /^private-moments\/(\d+\.\d+)/.exec(library)?.[1] ?? library,
    id,
    level: isCentred ? 0 : (clipping?.level ?? 0),
    rowCount: rows === null ? null : BigInt(rows),
    counts: counts.map(BigInt),
    reach: (summands?.reach ?? []).map(BigInt),
    commitment: createHash('sha256').update(words).digest('hex'),
    largest: largestOf(words, BigInt(largest)),
    words,
  };
}

/** The largest magnitude of the words, read as signed numbers, or `least` if that is larger. */
function largestOf({ buffer, byteOffset, length }: BigUint64Array, least: bigint): bigint {
  let [low, high] = [-least, least];
  for (const value of new BigInt64Array(buffer, byteOffset, length)) {
    if (value > high) high = value;
    else if (value < low) low = value;
  }
  return -low > high ? -low : high;
}

/**
 * Whole numbers within 2^53, modulo 2^64. Writing 32-bit halves takes a tenth of the time of going
 * through big integers.
 */
export function wordsOf(values: readonly number[]): BigUint64Array {
  const halves = new Uint32Array(2 * values.length);
  values.forEach((value, index) => {
    halves[2 * index] = value;
    halves[2 * index + 1] = Math.floor(value / HALF);
  });
  return new BigUint64Array(halves.buffer);
}

/** Writes rows with one block in memory, and returns their number. */
export async function writeRows(
  rows: AsyncIterable<ReleaseRow>,
  writer: RowWriter,
): Promise<number> {
  let count = 0;
  let block: ReleaseRow[] = [];
  let words = 0;
  for await (const row of rows) {
    block.push(row);
    words += row.words.length;
    count += 1;
    if (words < WORDS_OF_BLOCK) continue;
    await writer.write(block);
    block = [];
    words = 0;
  }
  if (block.length > 0) await writer.write(block);
  await writer.finish();
  return count;
}
