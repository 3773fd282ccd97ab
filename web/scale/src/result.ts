import { createSum, type Study, type Sum, type SumGroup, type Whole } from 'private-moments';

/** How a sum behind masks becomes numbers. */
export interface Unmasking {
  /** Id of the session whose messages were summed. */
  session: string;
  /** The sums, from words modulo 2^64 that still hold the masks. */
  unmask: (words: BigUint64Array) => Whole[];
}

const WORDS = 1n << 64n;
const MOST_LEVEL = 6;
const MOST_NUMBER = BigInt(Number.MAX_SAFE_INTEGER);

/** One row of what sum.sql gives. */
interface Line {
  level: number;
  releases: number;
  members: string;
  rows: bigint | null;
  /** None of what was summed is larger; null where masks hide it. */
  largest: bigint | null;
  counts: bigint[];
  words: BigUint64Array;
}

/**
 * What a database made of a study's releases, from the JSON lines of sum.sql, as
 * `private-moments/sum@1`. The database is believed what it added up, and has to show that nothing was
 * counted twice or mixed and that no sum can have left the 64 bits.
 * @throws Error that says what does not hold
 */
export async function readResult(study: Study, text: string, masked?: Unmasking): Promise<Sum> {
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(rowOf);
  const [first] = rows;
  if (first === undefined) throw new Error('the result has no rows: there were no releases');
  const lines = rows.map((row) => readLine(study, row));
  const releases = lines.reduce((all, line) => all + line.releases, 0);
  if (rows.some((row) => whole(row, 'distinct_ids') !== BigInt(releases))) {
    throw new Error('some releases were counted twice: remove them, then sum again');
  }
  if (rows.some((row) => row.members !== first.members)) {
    throw new Error('the rows of the result are not of one query');
  }
  if (rows.some((row) => row.first_version !== first.first_version)) throw mixedVersions();
  const groups = lines.map((line): SumGroup => {
    const counts = line.counts.map(wholeOf);
    return {
      level: line.level,
      releases: line.releases,
      rows: line.rows === null ? null : Number(line.rows),
      ...(counts.length === 0 ? {} : { counts }),
      values: masked === undefined ? lift(line) : unmasked(line, masked),
    };
  });
  const members = { digest: lines[0]?.members ?? '' };
  return createSum(study, { session: masked?.session ?? null, members, groups });
}

/** From the words to the signed numbers nearest to 0, which the sums are where none can be larger. */
function lift({ releases, largest, words }: Line): Whole[] {
  if (largest === null) {
    throw new Error('these releases are masked: their sum means nothing without that of the masks');
  }
  if (BigInt(releases) * largest >= WORDS / 2n) {
    throw new Error(
      `${releases} releases with numbers up to ${largest} can leave the 64 bits of their sum: sum them in smaller parts`,
    );
  }
  return Array.from(words, (word) => wholeOf(BigInt.asIntN(64, word)));
}

function unmasked({ largest, words }: Line, { unmask }: Unmasking): Whole[] {
  if (largest === null) return unmask(words);
  throw new Error('these releases are not masked, but a sum of masks was given');
}

/** The form a whole number has in a sum. */
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
  throw new Error('the result is not JSON lines as sum.sql gives them');
}

function readLine(study: Study, row: Row): Line {
  if (row.first_study !== study.id || row.last_study !== study.id) {
    throw new Error('there are releases of another study, or of another version of this one');
  }
  if (row.first_version !== row.last_version) throw mixedVersions();
  const releases = whole(row, 'releases');
  const words = wholes(row, 'word_sums', 0n, WORDS - 1n);
  const counts = wholes(row, 'count_sums', -WORDS / 2n, WORDS / 2n - 1n);
  requireLengths(row, ['shortest', 'longest'], words.length);
  requireLengths(row, ['fewest_counts', 'most_counts'], counts.length);
  return {
    level: Number(whole(row, 'level', 0n, BigInt(MOST_LEVEL))),
    releases: Number(releases),
    members: typeof row.members === 'string' ? row.members : '',
    rows: whereAll(row, 'counted', releases, 'rows_sum'),
    largest: whereAll(row, 'measured', releases, 'largest_of_all', WORDS / 2n),
    counts,
    words: BigUint64Array.from(words),
  };
}

/** A database ignores what is not there, so it must be there for all releases or for none. */
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
  throw new Error('releases are mixed whose columns are filled and empty');
}

function requireLengths(row: Row, names: readonly string[], length: number): void {
  if (names.every((name) => whole(row, name) === BigInt(length))) return;
  throw new Error('the releases have not all the same length');
}

function mixedVersions(): Error {
  return new Error('releases of versions are mixed that may encode rows differently');
}

function wholes(row: Row, name: string, least: bigint, most: bigint): bigint[] {
  const list = row[name];
  if (!Array.isArray(list)) throw new Error(`the result has no list ${name}`);
  return list.map((item) => {
    // As numbers, JSON readers may have rounded them.
    if (typeof item !== 'string') throw new Error(`${name} must be whole numbers as texts`);
    return within(item, name, least, most);
  });
}

/** A number, or a text as some databases write those of 64 bits. */
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
  throw new Error(`${name} of the result is not a whole number from ${least} to ${most}`);
}
