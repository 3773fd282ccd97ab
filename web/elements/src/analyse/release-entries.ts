import { PrivateMomentsError, parseRelease, parseSum } from 'private-moments';
import type { Release, Study, Sum } from 'private-moments';
import { periodicYield } from 'private-moments/internal';
import { describe } from '../base/failure.js';

export type CheckName = 'study' | 'intact' | 'once';

/** Why a file is left out: the check it failed, in a few words. */
export interface Refusal {
  check: CheckName;
  words: string;
  /** What else is to be said of the reason, in a sentence; empty if the words are enough. */
  detail: string;
  /** What to do; empty if nothing. */
  remedy: string;
}

/** A file that the analyst added, with the release or sum in it, if it could be read. */
export interface Entry {
  name: string;
  bytes: number;
  /** When the file was last written, in milliseconds since 1970. A release itself has no date. */
  saved: number;
  release?: Release | Sum;
  refusal?: Refusal;
}

/** Whether this file is part of the result. */
export function isUsed({ release, refusal }: Entry): boolean {
  return release !== undefined && refusal === undefined;
}

const SUM = /"format"\s*:\s*"private-moments\/sum@/;

/** How many releases a file counts for. */
export function countOf(release: Release | Sum): number {
  return 'groups' in release ? release.releases : 1;
}

/** Reads one file; an error becomes the refusal of its entry. */
export async function readEntry(file: File): Promise<Entry> {
  const entry: Entry = { name: file.name, bytes: file.size, saved: file.lastModified };
  try {
    const read = readText(entry, await file.text());
    return read.refusal !== undefined && (await holdsRows(file))
      ? { ...entry, refusal: droppedRows }
      : read;
  } catch (error) {
    return { ...entry, refusal: (await holdsRows(file)) ? droppedRows : refusalOf(error) };
  }
}

/** Reads the text of a file; an error becomes the refusal of its entry. */
export function readText(entry: Entry, text: string): Entry {
  try {
    return { ...entry, release: SUM.test(text) ? parseSum(text) : parseRelease(text) };
  } catch (error) {
    return { ...entry, refusal: refusalOf(error) };
  }
}

async function holdsRows(file: File): Promise<boolean> {
  if (ROWS.test(file.name)) return true;
  // A file that cannot be read says so in the error at hand.
  const start = await file
    .slice(0, 4096)
    .text()
    .catch(() => '');
  return HEADER.test(start);
}

/** Names of files that hold rows, and what a CSV file begins with: two lines with a delimiter in each. */
const ROWS = /\.(csv|tsv|tab|parquet|arrow|feather|xlsx?|ods|sav|dta)(\.gz)?$/i;
const HEADER = /^[^\n{}[\]]*[,;\t][^\n]*\n[^\n{}[\]]*[,;\t]/;

const droppedRows: Refusal = {
  check: 'intact',
  words: 'left out: rows, not a release',
  detail: 'They were not used, and stayed on this computer.',
  remedy: 'The owner of the rows makes a release of them on the page Take part.',
};

/**
 * Assembles every usable release with `assemble`. A release that it refuses is marked and left out, so
 * one bad file never stops the rest; `check` assembles one release alone. `result` is undefined if no
 * release is left, or if the rest gives no result together; `error` then says why, and the marks stay.
 */
export async function assembleAll<Result>(
  study: Study,
  added: readonly Entry[],
  assemble: (study: Study, releases: readonly (Release | Sum)[]) => Promise<Result>,
  check: (study: Study, release: Release | Sum) => Promise<unknown>,
): Promise<{ entries: Entry[]; result?: Result; error?: unknown }> {
  let entries = markForeign(study, added.map(withoutRefusal));
  let checked = false;
  for (;;) {
    if (entries.every(({ refusal }) => refusal !== undefined)) return { entries };
    entries = markRepeats(entries);
    const releases = entries.flatMap(({ release, refusal }) =>
      release === undefined || refusal !== undefined ? [] : [release],
    );
    try {
      return { entries, result: await assemble(study, releases) };
    } catch (error) {
      const at = error instanceof PrivateMomentsError ? error.release?.index : undefined;
      const refused = at === undefined ? undefined : releases[at];
      if (refused === undefined) return { entries, error };
      entries = refuse(entries, error, (release) => isLike(release, refused, error));
      // Assembling stops at the first bad release. This finds all others that are bad by themselves.
      if (!checked) entries = await checkEach(study, entries, check);
      checked = true;
    }
  }
}

function refuse(
  entries: readonly Entry[],
  error: unknown,
  which: (release: Release | Sum) => boolean,
): Entry[] {
  return entries.map((entry) =>
    entry.refusal === undefined && entry.release !== undefined && which(entry.release)
      ? { ...entry, refusal: refusalOf(error) }
      : entry,
  );
}

/** Whether the reason for refusing one release applies to another one too. */
function isLike(release: Release | Sum, refused: Release | Sum, error: unknown): boolean {
  const { code } = error as PrivateMomentsError;
  if (code === 'mixed-versions') return release.library === refused.library;
  if (code === 'sum-not-alone' && !('groups' in refused)) return !('groups' in release);
  return release === refused;
}

async function checkEach(
  study: Study,
  entries: readonly Entry[],
  check: (study: Study, release: Release | Sum) => Promise<unknown>,
): Promise<Entry[]> {
  const yieldIfDue = periodicYield();
  const checked: Entry[] = [];
  for (const entry of entries) {
    checked.push(entry);
    if (entry.release === undefined || entry.refusal !== undefined) continue;
    await yieldIfDue();
    try {
      await check(study, entry.release);
    } catch (error) {
      checked.splice(-1, 1, { ...entry, refusal: refusalOf(error) });
    }
  }
  return checked;
}

/** Marks the releases of another study, which needs no assembling. */
export function markForeign(study: Study, entries: readonly Entry[]): Entry[] {
  return entries.map((entry) => {
    const made = entry.release?.study;
    if (made === undefined || made === study.id) return entry;
    const refusal: Refusal = {
      ...{ check: 'study', words: 'left out: another study' },
      detail: `Its study, or version of this study, has the fingerprint ${made.slice(0, 8)}…; this one has ${study.id.slice(0, 8)}….`,
      remedy: 'Ask its sender for a release of this one.',
    };
    return { ...entry, refusal };
  });
}

/** Drops a refusal that depends on the study or on other files, which is decided again each time. */
function withoutRefusal(entry: Entry): Entry {
  const { name, bytes, saved, release } = entry;
  return release === undefined ? entry : { name, bytes, saved, release };
}

function markRepeats(entries: readonly Entry[]): Entry[] {
  const first = new Map<string, string>();
  return entries.map((entry) => {
    const id = entry.release?.id;
    if (id === undefined || entry.refusal !== undefined) return entry;
    const name = first.get(id);
    if (name === undefined) {
      first.set(id, entry.name);
      return entry;
    }
    const words = `left out: same release as ${name}`;
    return {
      ...entry,
      refusal: { check: 'once', words, detail: '', remedy: '' },
    };
  });
}

/** Codes whose words say all that their errors do. */
const PLAIN = ['release-truncated', 'release-altered', 'duplicate-release'];

const refusals: Partial<Record<string, [CheckName, string]>> = {
  'release-unreadable': ['intact', 'left out: not a release'],
  'release-truncated': ['intact', 'left out: incomplete file'],
  'release-altered': ['intact', 'left out: changed after it was made'],
  'release-version': ['intact', 'left out: unknown format'],
  'release-unsafe': ['intact', 'rejected: insecure random generator'],
  'wrong-study': ['study', 'left out: another study'],
  'wrong-guarantee': ['study', 'left out: different guarantee'],
  'release-implausible': ['intact', 'left out: impossible numbers'],
  'duplicate-release': ['once', 'left out: same release'],
  'not-a-sum': ['study', 'left out: this study needs a sum'],
  'sum-not-alone': ['once', 'left out: a sum must be alone'],
  'too-few-releases': ['study', 'left out: sum of too few releases'],
  'mixed-versions': ['intact', 'left out: another version'],
};

function refusalOf(error: unknown): Refusal {
  const code = error instanceof PrivateMomentsError ? error.code : '';
  const [check, words] = refusals[code] ?? ['intact', 'left out: cannot be used'];
  const detail = PLAIN.includes(code) ? '' : describe(error);
  return { check, words, detail, remedy: 'Ask the site to send it again.' };
}
