import { createHash } from 'node:crypto';
import type { Release } from 'private-moments';

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
  /** Level of the clip radius; 0 if the radius is fixed. */
  level: number;
  /** Null if the number of rows is private. */
  rowCount: bigint | null;
  /** Noisy counts of adaptive clipping; else empty. */
  counts: readonly bigint[];
  /** SHA-256 of the words as little-endian bytes. */
  commitment: string;
  /** Largest magnitude of the signed words, the counts and the row count; null behind masks. */
  largest: bigint | null;
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

export function rowOf(release: Release): ReleaseRow {
  const { study, library, id, clipping, rows, values } = release;
  const counts = clipping?.counts ?? [];
  const words = wordsOf(values);
  let largest = rows ?? 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  for (const count of counts) largest = Math.max(largest, Math.abs(count));
  return {
    study,
    version: /^private-moments\/(\d+\.\d+)/.exec(library)?.[1] ?? library,
    id,
    level: clipping?.level ?? 0,
    rowCount: rows === null ? null : BigInt(rows),
    counts: counts.map(BigInt),
    commitment: createHash('sha256').update(words).digest('hex'),
    largest: BigInt(largest),
    words,
  };
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
