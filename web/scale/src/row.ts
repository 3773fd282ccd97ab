import { createHash } from 'node:crypto';
import type { Release } from 'private-moments';

/**
 * A release as a row of a table, docs/formats.md. Plain releases and masked ones have the same form:
 * their numbers as words modulo 2^64.
 */
export interface ReleaseRow {
  /** Id of the study. */
  study: string;
  /** The first two numbers of the version that made it: versions that differ there are not mixed. */
  version: string;
  /** Of the release; of the participant where the words are masked. */
  id: string;
  /** Of the clip radius; 0 where the radius is fixed. */
  level: number;
  /** Null where the number is private. */
  rowCount: bigint | null;
  /** With adaptive clipping, its noisy counts; else none. */
  counts: readonly bigint[];
  /** SHA-256 of the words as little-endian bytes. */
  commitment: string;
  /** No word, read as a signed number, no count and no row count is larger; null behind masks. */
  largest: bigint | null;
  words: BigUint64Array;
}

/** What writes rows somewhere. Rows come in blocks of some megabytes. */
export interface RowWriter {
  write(rows: readonly ReleaseRow[]): Promise<void>;
  /** Once, after all rows. */
  finish(): Promise<void>;
}

/** 2 MB of words: a file of 10 000 releases has 200 blocks, and writing one takes some 100 MB. */
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
 * Whole numbers within 2^53 modulo 2^64, by their halves: a tenth of the time it takes to go through
 * big integers.
 */
export function wordsOf(values: readonly number[]): BigUint64Array {
  const halves = new Uint32Array(2 * values.length);
  values.forEach((value, index) => {
    halves[2 * index] = value;
    halves[2 * index + 1] = Math.floor(value / HALF);
  });
  return new BigUint64Array(halves.buffer);
}

/** Writes rows block by block; how many they were. In memory are those of one block. */
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
