/** The contents of a ledger, as a value and as the stored text. */
import { digest } from '../base/canonical.js';
import { checker, part } from '../base/check.js';
import { readGuarantee } from '../study/envelope.js';
import { PrivateMomentsError } from '../base/errors.js';
import { newId, newSecret, type Fingerprints } from '../intake/fingerprints.js';
import { onOneLine, printable } from '../base/visible.js';
import { ledgerDamaged } from './ledger-storage.js';
import type { Guarantee } from '../study/types.js';

export const LEDGER_FORMAT = 'private-moments/ledger@2';
/** The format of version 0.1, which has no digest. */
const PLAIN_FORMAT = 'private-moments/ledger@1';

/** The maximum privacy cost of all releases of one data set together. */
export interface Budget {
  /** Finite and positive. */
  epsilon: number;
  /** 0, or strictly between 0 and 1. */
  delta: number;
}

/** A release, recorded before it was made. */
export interface BookEntry {
  id: string;
  /** When it was recorded, ISO 8601, UTC. */
  at: string;
  study: { id: string; title: string };
  /** The guarantee of the release. */
  guarantee: Guarantee;
  /** `intended` until the release is confirmed to have been made. An intended release counts in full. */
  state: 'intended' | 'made';
  /** The id of the release; null while intended, and for data that left masked. */
  release: string | null;
  /** The name of the file, if the data were a file. */
  file?: string;
  /** The participant's name for the data set. */
  dataSet?: string;
  /** Set if the entry was removed: it stays visible and no longer counts. */
  removed?: { at: string; reason: string };
}

/** An event in the history of a ledger, other than a release. */
export interface LedgerRecord {
  at: string;
  what: 'budget' | 'imported';
  /** For `budget`: the new one, null for none. */
  budget?: Budget | null;
  /** For `imported`: the number of entries added. */
  entries?: number;
}

interface FingerprintedEntry extends BookEntry {
  /** Fingerprints of the data. Empty once the entry was removed. */
  fingerprints: Fingerprints;
}

/** The key of the fingerprints. `secret` is missing only in an export without secrets, which is read-only. */
export interface Key {
  id: string;
  secret?: string;
}

export interface Book {
  format: typeof LEDGER_FORMAT;
  keys: Key[];
  budget: Budget | null;
  entries: FingerprintedEntry[];
  records: LedgerRecord[];
}

const MAX_TEXT_LENGTH = 1 << 26;
const MAX_REASON_LENGTH = 400;
const check = checker('ledger-unreadable');

/**
 * Parses a stored or exported ledger.
 * @param stored null for a new ledger, which gets a new secret.
 * @throws PrivateMomentsError `ledger-damaged`, `ledger-unreadable`
 */
export function readBook(stored: string | null): Book {
  if (stored === null) {
    const keys = [{ id: newId(), secret: newSecret() }];
    return { format: LEDGER_FORMAT, keys, budget: null, entries: [], records: [] };
  }
  if (stored.length > MAX_TEXT_LENGTH) throw unreadable('it is larger than any ledger can be');
  let json: unknown;
  try {
    json = JSON.parse(stored);
  } catch (cause) {
    throw unreadable('it is not JSON text', cause);
  }
  const fields = undamaged(json, stored);
  return {
    format: LEDGER_FORMAT,
    keys: check.list(fields.keys, 'keys').map((key, index) => readKey(key, `keys[${index}]`)),
    budget: fields.budget === null ? null : readBudget(fields.budget),
    entries: check
      .list(fields.entries, 'entries')
      .map((entry, index) => readEntry(entry, `entries[${index}]`)),
    records: check
      .list(fields.records, 'records')
      .map((record, index) => readRecord(record, `records[${index}]`)),
  };
}

/** The ledger as JSON text with its digest. @param indent spaces for each level; none: on one line */
export function writeBook(book: Book, indent?: number): string {
  return JSON.stringify({ ...book, digest: digest(book) }, null, indent);
}

/** The fields of a ledger, if they are what was written. */
function undamaged(json: unknown, text: string): Record<string, unknown> {
  const keys = ['format', 'keys', 'budget', 'entries', 'records'];
  if (part(json, 'format') === PLAIN_FORMAT) {
    // Without a digest, at least nothing was repeated or appended.
    const written = [0, 1].map((indent) => JSON.stringify(json, null, indent));
    if (!written.includes(text.trim())) throw ledgerDamaged();
    return check.object(json, 'ledger', keys);
  }
  const fields = check.object(json, 'ledger', [...keys, 'digest']);
  if (fields.format !== LEDGER_FORMAT) throw unreadable(`its format is not ${LEDGER_FORMAT}`);
  const { digest: stated, ...contents } = fields;
  if (digest(contents) !== stated) throw ledgerDamaged();
  return contents;
}

/** @throws PrivateMomentsError invalid-epsilon, invalid-delta */
export function readBudget(value: unknown): Budget {
  const fields = checker('invalid-epsilon').object(value, 'budget', ['epsilon', 'delta']);
  const epsilon = checker('invalid-epsilon').number(fields.epsilon, 'budget.epsilon');
  if (epsilon <= 0) refuse('invalid-epsilon', 'epsilon must be above 0', 'budget.epsilon');
  const delta = checker('invalid-delta').number(fields.delta, 'budget.delta');
  if (!(delta >= 0 && delta < 1))
    refuse('invalid-delta', 'delta must be 0 or above, and below 1', 'budget.delta');
  return { epsilon, delta };
}

export function readReason(value: unknown): string {
  return check.text(value, 'reason', MAX_REASON_LENGTH);
}

/**
 * The entries of one data set that count, oldest first: those that share a fingerprint or the name with the
 * arguments, those that share one with these, and so on.
 */
export function entriesOf(
  book: Book,
  fingerprints: readonly string[],
  dataSet?: string,
): FingerprintedEntry[] {
  const prints = new Set(fingerprints);
  const names = new Set(dataSet === undefined ? [] : [dataSet]);
  let rest = book.entries.filter(({ removed }) => removed === undefined);
  const found: FingerprintedEntry[] = [];
  for (;;) {
    const isSameData = (entry: FingerprintedEntry): boolean =>
      entry.fingerprints.some((print) => prints.has(print)) ||
      (entry.dataSet !== undefined && names.has(entry.dataSet));
    const more = rest.filter(isSameData);
    if (more.length === 0) return inOrder(found);
    rest = rest.filter((entry) => !more.includes(entry));
    for (const { fingerprints: others, dataSet: name } of more) {
      for (const print of others) prints.add(print);
      if (name !== undefined) names.add(name);
    }
    found.push(...more);
  }
}

/** All entries that count, grouped by data set, in the order of their first entries. */
export function setsOf(book: Book): FingerprintedEntry[][] {
  const sets: FingerprintedEntry[][] = [];
  for (const entry of inOrder(book.entries)) {
    if (entry.removed !== undefined || sets.some((set) => set.includes(entry))) continue;
    const same = entriesOf(book, entry.fingerprints, entry.dataSet);
    sets.push(same.includes(entry) ? same : [entry]);
  }
  return sets;
}

export function inOrder<E extends BookEntry>(entries: readonly E[]): E[] {
  return [...entries].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

/** An entry without the fingerprints of its data. */
export function withoutFingerprints(entry: FingerprintedEntry): BookEntry {
  const copy: BookEntry & { fingerprints?: Fingerprints } = structuredClone(entry);
  delete copy.fingerprints;
  return copy;
}

/**
 * Adds the entries of another book to this one. If both have an entry with the same id, the one
 * in the later state is kept.
 * @returns the number of entries added.
 * @throws PrivateMomentsError `ledger-unreadable` if `other` lacks the secret of a key.
 */
export function mergeInto(book: Book, other: Book, at: string): number {
  const { keys, entries, records } = book;
  for (const key of other.keys) {
    if (keys.some(({ id }) => id === key.id)) continue;
    if (key.secret === undefined) {
      throw unreadable(
        'it was exported without its secret, so its data sets could not be recognised; export it with the secret',
      );
    }
    keys.push(key);
  }
  const before = entries.length;
  for (const entry of other.entries) {
    const index = entries.findIndex(({ id }) => id === entry.id);
    const own = entries[index];
    if (own === undefined) entries.push(entry);
    else entries[index] = later(own, entry);
  }
  const added = entries.length - before;
  records.push({ at, what: 'imported', entries: added });
  return added;
}

/** The one in the later state: intended, made, removed. */
function later(a: FingerprintedEntry, b: FingerprintedEntry): FingerprintedEntry {
  if (a.removed !== undefined) return a;
  if (b.removed !== undefined) return b;
  return a.state === 'made' ? a : b;
}

function readKey(value: unknown, field: string): Key {
  const fields = check.object(value, field, ['id'], ['secret']);
  const id = check.text(fields.id, `${field}.id`);
  return fields.secret === undefined
    ? { id }
    : { id, secret: readHex(fields.secret, `${field}.secret`) };
}

function readEntry(value: unknown, field: string): FingerprintedEntry {
  const fields = check.object(
    value,
    field,
    ['id', 'at', 'study', 'guarantee', 'state', 'release', 'fingerprints'],
    ['file', 'dataSet', 'removed'],
  );
  const study = check.object(fields.study, `${field}.study`, ['id', 'title']);
  const removed =
    fields.removed === undefined
      ? undefined
      : check.object(fields.removed, `${field}.removed`, ['at', 'reason']);
  // Version 0.1 took other texts. A ledger with one must stay readable.
  const text = (item: unknown, key: string): string =>
    check.text(
      typeof item === 'string' ? printable(onOneLine(item)) : item,
      `${field}.${key}`,
      1000,
    );
  return {
    id: text(fields.id, 'id'),
    at: readTime(fields.at, `${field}.at`),
    study: { id: readHex(study.id, `${field}.study.id`), title: text(study.title, 'study.title') },
    guarantee: readEntryGuarantee(fields.guarantee, `${field}.guarantee`),
    state: check.oneOf(fields.state, `${field}.state`, ['intended', 'made']),
    release: fields.release === null ? null : readHex(fields.release, `${field}.release`),
    fingerprints: check
      .list(fields.fingerprints, `${field}.fingerprints`)
      .map((fingerprint, index) => readHex(fingerprint, `${field}.fingerprints[${index}]`)),
    ...(fields.file === undefined ? {} : { file: text(fields.file, 'file') }),
    ...(fields.dataSet === undefined ? {} : { dataSet: text(fields.dataSet, 'dataSet') }),
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
  const fields = check.object(value, field, ['at', 'what'], ['budget', 'entries']);
  const { budget, entries } = fields;
  return {
    at: readTime(fields.at, `${field}.at`),
    what: check.oneOf(fields.what, `${field}.what`, ['budget', 'imported']),
    ...(budget === undefined ? {} : { budget: budget === null ? null : readBudget(budget) }),
    ...(entries === undefined
      ? {}
      : { entries: check.wholeNumber(entries, `${field}.entries`, 0) }),
  };
}

function readEntryGuarantee(value: unknown, field: string): Guarantee {
  try {
    return readGuarantee(value);
  } catch (cause) {
    throw unreadable(`${field} is not a valid guarantee`, cause);
  }
}

function readTime(value: unknown, field: string): string {
  const text = check.text(value, field);
  if (Number.isNaN(Date.parse(text))) throw unreadable(`${field} is not a valid time`);
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
