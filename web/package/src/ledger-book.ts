/** What a ledger holds, as a value and as the text that is stored. */
import { checker } from './check.js';
import { readGuarantee } from './envelope.js';
import { PrivateMomentsError } from './errors.js';
import { newId, newSecret, type Marks } from './marks.js';
import type { Guarantee } from './types.js';

export const LEDGER_FORMAT = 'private-moments/ledger@1';

/** What all releases of one data set may cost together. */
export interface Budget {
  /** Finite and positive. */
  epsilon: number;
  /** 0, or strictly between 0 and 1. */
  delta: number;
}

/** A release, written down before it was made. */
export interface BookEntry {
  id: string;
  /** When it was written, ISO 8601, UTC. */
  at: string;
  study: { id: string; title: string };
  /** What the release promises about the data set. */
  guarantee: Guarantee;
  /** `intended` until the release was made; if that is never heard of, it counts all the same. */
  state: 'intended' | 'made';
  /** Its id; null while intended, and of what left behind masks. */
  release: string | null;
  /** The name of the file, where there was one. */
  file?: string;
  /** The data set by a name that the participant gave it. */
  dataSet?: string;
  /** Taken out: it stays to be seen and counts no more. */
  removed?: { at: string; reason: string };
}

/** What else happened to the ledger. */
export interface LedgerRecord {
  at: string;
  what: 'budget' | 'imported';
  /** Of `budget`: the new one, null for none. */
  budget?: Budget | null;
  /** Of `imported`: how many entries came. */
  entries?: number;
}

interface MarkedEntry extends BookEntry {
  /** Empty once it was removed. */
  marks: Marks;
}

/** Only what was exported without them has no secrets, and is for reading alone. */
export interface Key {
  id: string;
  secret?: string;
}

export interface Book {
  format: typeof LEDGER_FORMAT;
  keys: Key[];
  budget: Budget | null;
  entries: MarkedEntry[];
  records: LedgerRecord[];
}

const LONGEST_TEXT = 1 << 26;
const LONGEST_REASON = 400;
const check = checker('ledger-unreadable');

/** @param stored null for a new one, which gets a secret of its own */
export function readBook(stored: string | null): Book {
  if (stored === null) {
    const keys = [{ id: newId(), secret: newSecret() }];
    return { format: LEDGER_FORMAT, keys, budget: null, entries: [], records: [] };
  }
  if (stored.length > LONGEST_TEXT) throw unreadable('it is larger than any ledger can be');
  let json: unknown;
  try {
    json = JSON.parse(stored);
  } catch (cause) {
    throw unreadable('it is not JSON text', cause);
  }
  const given = check.object(json, 'ledger', ['format', 'keys', 'budget', 'entries', 'records']);
  if (given.format !== LEDGER_FORMAT) throw unreadable(`its format is not ${LEDGER_FORMAT}`);
  return {
    format: LEDGER_FORMAT,
    keys: check.list(given.keys, 'keys').map((key, index) => readKey(key, `keys[${index}]`)),
    budget: given.budget === null ? null : readBudget(given.budget),
    entries: check
      .list(given.entries, 'entries')
      .map((entry, index) => readEntry(entry, `entries[${index}]`)),
    records: check
      .list(given.records, 'records')
      .map((record, index) => readRecord(record, `records[${index}]`)),
  };
}

export function writeBook(book: Book): string {
  return JSON.stringify(book);
}

/** @throws PrivateMomentsError invalid-epsilon, invalid-delta */
export function readBudget(value: unknown): Budget {
  const given = checker('invalid-epsilon').object(value, 'budget', ['epsilon', 'delta']);
  const epsilon = checker('invalid-epsilon').number(given.epsilon, 'budget.epsilon');
  if (epsilon <= 0) refuse('invalid-epsilon', 'epsilon must be above 0', 'budget.epsilon');
  const delta = checker('invalid-delta').number(given.delta, 'budget.delta');
  if (!(delta >= 0 && delta < 1))
    refuse('invalid-delta', 'delta must lie in [0, 1)', 'budget.delta');
  return { epsilon, delta };
}

export function readReason(value: unknown): string {
  return check.text(value, 'reason', LONGEST_REASON);
}

/**
 * The entries that count, of the data with these marks or this name: those that share one, those
 * that share one with them, and so on. Oldest first.
 */
export function entriesOf(book: Book, marks: readonly string[], dataSet?: string): MarkedEntry[] {
  const known = new Set(marks);
  const names = new Set(dataSet === undefined ? [] : [dataSet]);
  let rest = book.entries.filter(({ removed }) => removed === undefined);
  const found: MarkedEntry[] = [];
  for (;;) {
    const isOne = (entry: MarkedEntry): boolean =>
      entry.marks.some((mark) => known.has(mark)) ||
      (entry.dataSet !== undefined && names.has(entry.dataSet));
    const more = rest.filter(isOne);
    if (more.length === 0) return inOrder(found);
    rest = rest.filter((entry) => !more.includes(entry));
    for (const { marks: others, dataSet: name } of more) {
      for (const mark of others) known.add(mark);
      if (name !== undefined) names.add(name);
    }
    found.push(...more);
  }
}

/** All that count, data set by data set, in the order of their first entries. */
export function setsOf(book: Book): MarkedEntry[][] {
  const sets: MarkedEntry[][] = [];
  for (const entry of inOrder(book.entries)) {
    if (entry.removed !== undefined || sets.some((set) => set.includes(entry))) continue;
    const same = entriesOf(book, entry.marks, entry.dataSet);
    sets.push(same.includes(entry) ? same : [entry]);
  }
  return sets;
}

export function inOrder<E extends BookEntry>(entries: readonly E[]): E[] {
  return [...entries].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** An entry without what its data are recognised by. */
export function withoutMarks(entry: MarkedEntry): BookEntry {
  const shown: BookEntry & { marks?: Marks } = structuredClone(entry);
  delete shown.marks;
  return shown;
}

/**
 * Adds what another book has. Entries are the same by their id: what is known of one in either book
 * stays known.
 * @returns how many entries were not here before
 * @throws PrivateMomentsError ledger-unreadable where data sets of `other` could not be recognised.
 */
export function mergeInto(book: Book, other: Book, at: string): number {
  const { keys, entries, records } = book;
  for (const key of other.keys) {
    if (keys.some(({ id }) => id === key.id)) continue;
    if (key.secret === undefined) {
      throw unreadable('it was exported without its secret, so data sets would not be recognised');
    }
    keys.push(key);
  }
  const before = entries.length;
  for (const entry of other.entries) {
    const index = entries.findIndex(({ id }) => id === entry.id);
    const here = entries[index];
    if (here === undefined) entries.push(entry);
    else entries[index] = later(here, entry);
  }
  const came = entries.length - before;
  records.push({ at, what: 'imported', entries: came });
  return came;
}

function later(a: MarkedEntry, b: MarkedEntry): MarkedEntry {
  if (a.removed !== undefined) return a;
  if (b.removed !== undefined) return b;
  return a.state === 'made' ? a : b;
}

function readKey(value: unknown, field: string): Key {
  const given = check.object(value, field, ['id'], ['secret']);
  const id = check.text(given.id, `${field}.id`);
  return given.secret === undefined
    ? { id }
    : { id, secret: readHex(given.secret, `${field}.secret`) };
}

function readEntry(value: unknown, field: string): MarkedEntry {
  const given = check.object(
    value,
    field,
    ['id', 'at', 'study', 'guarantee', 'state', 'release', 'marks'],
    ['file', 'dataSet', 'removed'],
  );
  const study = check.object(given.study, `${field}.study`, ['id', 'title']);
  const removed =
    given.removed === undefined
      ? undefined
      : check.object(given.removed, `${field}.removed`, ['at', 'reason']);
  const text = (item: unknown, key: string): string => check.text(item, `${field}.${key}`, 1000);
  return {
    id: text(given.id, 'id'),
    at: readTime(given.at, `${field}.at`),
    study: { id: readHex(study.id, `${field}.study.id`), title: text(study.title, 'study.title') },
    guarantee: readPromise(given.guarantee, `${field}.guarantee`),
    state: check.oneOf(given.state, `${field}.state`, ['intended', 'made']),
    release: given.release === null ? null : readHex(given.release, `${field}.release`),
    marks: check
      .list(given.marks, `${field}.marks`)
      .map((mark, index) => readHex(mark, `${field}.marks[${index}]`)),
    ...(given.file === undefined ? {} : { file: text(given.file, 'file') }),
    ...(given.dataSet === undefined ? {} : { dataSet: text(given.dataSet, 'dataSet') }),
    ...(removed === undefined
      ? {}
      : {
          removed: {
            at: readTime(removed.at, `${field}.removed.at`),
            reason: text(removed.reason, 'removed.reason'),
          },
        }),
  };
}

function readRecord(value: unknown, field: string): LedgerRecord {
  const given = check.object(value, field, ['at', 'what'], ['budget', 'entries']);
  const { budget, entries } = given;
  return {
    at: readTime(given.at, `${field}.at`),
    what: check.oneOf(given.what, `${field}.what`, ['budget', 'imported']),
    ...(budget === undefined ? {} : { budget: budget === null ? null : readBudget(budget) }),
    ...(entries === undefined
      ? {}
      : { entries: check.wholeNumber(entries, `${field}.entries`, 0) }),
  };
}

function readPromise(value: unknown, field: string): Guarantee {
  try {
    return readGuarantee(value);
  } catch (cause) {
    throw unreadable(`${field} is no guarantee`, cause);
  }
}

function readTime(value: unknown, field: string): string {
  const text = check.text(value, field);
  if (Number.isNaN(Date.parse(text))) throw unreadable(`${field} is no time`);
  return text;
}

function readHex(value: unknown, field: string): string {
  const text = check.text(value, field);
  if (!/^[0-9a-f]{64}$/.test(text)) throw unreadable(`${field} must be 64 hex digits`);
  return text;
}

function refuse(code: 'invalid-epsilon' | 'invalid-delta', message: string, field: string): never {
  throw new PrivateMomentsError(code, message, { field });
}

function unreadable(reason: string, cause?: unknown): PrivateMomentsError {
  const message = `this is not a ledger: ${reason}`;
  return new PrivateMomentsError('ledger-unreadable', message, {}, cause);
}
