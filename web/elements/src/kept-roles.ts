import { PrivateMomentsError } from 'private-moments';
import type { RoleKeys } from 'private-moments/federation';
import { inStore } from './kept.js';

/**
 * Roles of sessions, and a helper's keys, as they must survive a reload. They hold secrets. Unlike
 * releases they are not kept at best: a role that forgot what it sent might contradict itself, so
 * nothing is handed out that was not kept before.
 */
const NAME = 'private-moments-sessions';
const STORE = 'roles';
const KEYS = 'helper keys';

export type RoleName = 'participant' | 'collector' | 'helper';

/** A role as it was saved, and what the page remembers beside it. */
export interface Kept<Notes> {
  /** What `save()` gave. */
  role: string;
  /** The session's study. */
  study: string;
  notes: Notes;
}

/** The keys of this browser's helper. */
export interface KeptKeys {
  keys: RoleKeys;
  /** ISO 8601. */
  made: string;
  /** Whether they came from a file: what they did elsewhere is not known here. */
  restored: boolean;
}

/**
 * Works on the role of a session as it was kept last, for one tab of this browser at a time: two
 * that went on from the same state could say two different things. `keep` resolves once its
 * argument is on disk.
 * @throws PrivateMomentsError `session-unkept`
 */
export async function withRole<Notes, Result>(
  role: RoleName,
  session: string,
  work: (
    kept: Kept<Notes> | undefined,
    keep: (next: Kept<Notes>) => Promise<void>,
  ) => Promise<Result>,
): Promise<Result> {
  const key = `${role} ${session}`;
  return locked(key, async () =>
    work((await get(key)) as Kept<Notes> | undefined, (next) => put(key, next)),
  );
}

/** What was kept of a session. @throws PrivateMomentsError `session-unkept` */
export async function keptRole<Notes>(
  role: RoleName,
  session: string,
): Promise<Kept<Notes> | undefined> {
  return (await get(`${role} ${session}`)) as Kept<Notes> | undefined;
}

/** All that was kept of sessions of a study. @throws PrivateMomentsError `session-unkept` */
export async function keptOfStudy<Notes>(role: RoleName, study: string): Promise<Kept<Notes>[]> {
  const range = IDBKeyRange.bound(`${role} `, `${role} \uffff`);
  const all = (await tried(() =>
    inStore(NAME, STORE, 'readonly', (store) => store.getAll(range)),
  )) as Kept<Notes>[];
  return all.filter((kept) => kept.study === study);
}

export async function keptKeys(): Promise<KeptKeys | undefined> {
  return (await get(KEYS)) as KeptKeys | undefined;
}

/** Keeps them unless there are some: another tab's may have been handed out. */
export async function keepKeys(keys: KeptKeys): Promise<KeptKeys> {
  return locked(KEYS, async () => {
    const there = await keptKeys();
    if (there !== undefined) return there;
    await put(KEYS, keys);
    return keys;
  });
}

function locked<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks === undefined) return Promise.reject(unkept());
  return locks.request(`${NAME} ${key}`, work);
}

function get(key: string): Promise<unknown> {
  return tried(() => inStore(NAME, STORE, 'readonly', (store) => store.get(key)));
}

async function put(key: string, value: object): Promise<void> {
  await tried(() => inStore(NAME, STORE, 'readwrite', (store) => store.put(value, key)));
}

async function tried<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw unkept(cause);
  }
}

function unkept(cause?: unknown): PrivateMomentsError {
  const message =
    'this browser does not keep what a session needs, as in some private windows, so nothing was handed out: use another window or browser';
  return new PrivateMomentsError('session-unkept', message, {}, cause);
}
