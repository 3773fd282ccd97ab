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

/** What writes rows somewhere. Rows come in blocks of a few megabytes. */
export interface RowWriter {
  write(rows: readonly ReleaseRow[]): Promise<void>;
  /** Once, after all rows. */
  finish(): Promise<void>;
}

/** 8 MB of words: less is slow to read for databases, more fills memory. */
const WORDS_OF_BLOCK = 1 << 20;

export function rowOf(release: Release): ReleaseRow {
  const { study, library, id, clipping, rows, values } = release;
  const counts = clipping?.counts ?? [];
  const words = BigUint64Array.from(values, (value) => BigInt.asUintN(64, BigInt(value)));
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
