import {
  createSum,
  PrivateMomentsError,
  SUMMAND_BITS,
  type ErrorCode,
  type Study,
  type Sum,
  type SumGroup,
  type Whole,
} from 'private-moments';

/** How to remove the masks from a sum. */
export interface Unmasking {
  /** Id of the session whose messages were summed. */
  session: string;
  /** Turns words modulo 2^64, masks included, into sums. */
  unmask: (words: BigUint64Array) => Whole[];
}

const WORDS = 1n << 64n;
const MOST_LEVEL = 6;
const MOST_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);

/** One row of the result of sum.sql. */
interface Line {
  level: number;
  releases: number;
  members: string;
  rows: bigint | null;
  /** Largest magnitude among the summed numbers; null behind masks. */
  largest: bigint | null;
  counts: bigint[];
  /** With private centring, else empty. */
  reach: number[];
  words: BigUint64Array;
}

/**
 * Reads the JSON lines that sum.sql made of a study's releases, as `private-moments/sum@1`. The sums of
 * the database are trusted; checked is that no release was counted twice, that none were mixed, and that
 * no sum can have overflowed 64 bits.
 * @throws PrivateMomentsError that says which check failed; its field is the one of the result
 */
export async function readResult(study: Study, text: string, masked?: Unmasking): Promise<Sum> {
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(rowOf);
  const [first] = rows;
  if (first === undefined) {
    throw refusal('no-releases', 'the result has no rows: there were no releases');
  }
  const lines = rows.map((row) => readLine(study, row));
  const releases = lines.reduce((all, line) => all + line.releases, 0);
  if (rows.some((row) => whole(row, 'distinct_ids') !== BigInt(releases))) {
    const message = 'some releases were counted twice: remove them, then sum again';
    throw refusal('duplicate-release', message, 'distinct_ids');
  }
  if (rows.some((row) => row.members !== first.members)) {
    const message = 'the rows of the result come from different queries';
    throw unreadableResult(message, 'members');
  }
  if (rows.some((row) => row.first_version !== first.first_version)) throw mixedVersions();
  const groups = lines.map((line): SumGroup => {
    const counts = line.counts.map(wholeOf);
    return {
      level: line.level,
      releases: line.releases,
      rows: line.rows === null ? null : Number(line.rows),
      ...(counts.length === 0 ? {} : { counts }),
      ...(line.reach.length === 0 ? {} : { reach: line.reach }),
      values: valuesOf(study, line, masked),
    };
  });
  const members = { digest: lines[0]?.members ?? '' };
  return createSum(study, { session: masked?.session ?? null, members, groups });
}

function valuesOf({ clipping }: Study, line: Line, masked: Unmasking | undefined): Whole[] {
  if (masked !== undefined) return unmasked(line, masked);
  const sums = lift(line);
  return (clipping === 'centred' ? joined(sums) : sums).map(wholeOf);
}

/** The numbers of which each has two words: its lowest bits, and what is above them. */
function joined(sums: readonly bigint[]): bigint[] {
  return sums.flatMap((low, at) =>
    at % 2 === 0 ? [low + (sums[at + 1] ?? 0n) * 2n ** BigInt(SUMMAND_BITS)] : [],
  );
}

/** Reads words as signed numbers, which is exact if no sum can overflow. */
function lift({ releases, largest, words }: Line): bigint[] {
  if (largest === null) {
    const message =
      'these releases are masked: their sum means nothing without the sum of the masks';
    throw unreadableResult(message, 'largest_of_all');
  }
  if (BigInt(releases) * largest >= WORDS / 2n) {
    const message = `${releases} releases with numbers up to ${largest} can overflow the 64 bits of their sum: sum them in smaller parts`;
    throw refusal('sum-overflow', message, 'largest_of_all');
  }
  return Array.from(words, (word) => BigInt.asIntN(64, word));
}

function unmasked({ largest, words }: Line, { unmask }: Unmasking): Whole[] {
  if (largest === null) return unmask(words);
  const message = 'these releases are not masked, but a sum of masks was given';
  throw unreadableResult(message, 'largest_of_all');
}

/** A whole number as it is written in a sum: as text beyond 2^53. */
export function wholeOf(value: bigint): Whole {
  const near = Number(value);
  return Number.isSafeInteger(near) ? near : value.toString();
}

type Row = Record<string, unknown>;

function rowOf(line: string): Row {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    json = undefined;
  }
  if (typeof json === 'object' && json !== null && !Array.isArray(json)) return json as Row;
  throw unreadableResult('the result is not JSON lines from sum.sql');
}

function readLine(study: Study, row: Row): Line {
  if (row.first_study !== study.id || row.last_study !== study.id) {
    const message = 'some releases belong to another study, or to another version of this one';
    throw refusal('wrong-study', message, 'first_study');
  }
  if (row.first_version !== row.last_version) throw mixedVersions();
  const releases = whole(row, 'releases');
  const words = wholes(row, 'word_sums', 0n, WORDS - 1n);
  const counts = wholes(row, 'count_sums', -WORDS / 2n, WORDS / 2n - 1n);
  requireLengths(row, ['shortest', 'longest'], words.length);
  requireLengths(row, ['fewest_counts', 'most_counts'], counts.length);
  const reach = wholes(row, 'greatest_reach', 0n, MOST_NUMBER).map(Number);
  requireLengths(row, ['fewest_reaches', 'most_reaches'], reach.length);
  return {
    level: Number(whole(row, 'level', 0n, BigInt(MOST_LEVEL))),
    releases: Number(releases),
    members: typeof row.members === 'string' ? row.members : '',
    rows: whereAll(row, 'counted', releases, 'rows_sum'),
    largest: whereAll(row, 'measured', releases, 'largest_of_all', WORDS / 2n),
    counts,
    reach,
    words: BigUint64Array.from(words),
  };
}

/** SQL sums skip nulls, so a column must be filled for all releases or for none. */
function whereAll(
  row: Row,
  count: string,
  releases: bigint,
  name: string,
  most = MOST_NUMBER,
): bigint | null {
  const there = whole(row, count);
  if (there === 0n) return null;
  if (there === releases) return whole(row, name, 0n, most);
  throw unreadableResult('a column is filled for some releases and empty for others', name);
}

function requireLengths(row: Row, names: readonly string[], length: number): void {
  const odd = names.find((name) => whole(row, name) !== BigInt(length));
  if (odd !== undefined) throw unreadableResult('the releases differ in length', odd);
}

function mixedVersions(): PrivateMomentsError {
  const message = 'the releases come from versions that may encode rows differently';
  return refusal('mixed-versions', message, 'first_version');
}

function unreadableResult(message: string, field?: string): PrivateMomentsError {
  return refusal('release-unreadable', message, field);
}

function refusal(code: ErrorCode, message: string, field?: string): PrivateMomentsError {
  return new PrivateMomentsError(code, message, { field });
}

function wholes(row: Row, name: string, least: bigint, most: bigint): bigint[] {
  const list = row[name];
  if (!Array.isArray(list)) throw unreadableResult(`the result has no list ${name}`, name);
  return list.map((item) => {
    // JSON numbers may have been rounded.
    if (typeof item !== 'string') {
      throw unreadableResult(`${name} must hold whole numbers as strings`, name);
    }
    return within(item, name, least, most);
  });
}

/** A number, or a string, as some databases write 64-bit numbers. */
function whole(row: Row, name: string, least = 0n, most = MOST_NUMBER): bigint {
  const value = row[name];
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? `${value}` : value;
  return within(text, name, least, most);
}

function within(value: unknown, name: string, least: bigint, most: bigint): bigint {
  if (typeof value === 'string' && /^-?\d{1,20}$/.test(value)) {
    const number = BigInt(value);
    if (number >= least && number <= most) return number;
  }
  const message = `${name} of the result is not a whole number from ${least} to ${most}`;
  throw unreadableResult(message, name);
}
