import { PrivateMomentsError } from 'private-moments';
import type { RoleKeys } from 'private-moments/federation';
import { inStore } from '../base/browser-store.js';

/**
 * Roles of sessions, and a helper's keys, stored so that they survive a reload. They hold secrets. Unlike
 * releases, they must be stored: a role that forgot what it sent might contradict itself, so nothing is
 * handed out before it is saved.
 */
const NAME = 'private-moments-sessions';
const STORE = 'roles';
const KEYS = 'helper keys';

export type RoleName = 'participant' | 'collector' | 'helper';

/** A saved role, and what the page stores with it. */
export interface SavedRole<Notes> {
  /** The result of its `save()`. */
  role: string;
  /** The session's study. */
  study: string;
  notes: Notes;
}

/** The keys of this browser's helper. */
export interface SavedKeys {
  keys: RoleKeys;
  /** ISO 8601. */
  made: string;
  /** Whether they came from a backup, so that they may have been used elsewhere. */
  restored: boolean;
}

/**
 * Works on the saved role of a session, in one tab of this browser at a time: two tabs that continued
 * from the same state could contradict each other. `persist` resolves once its argument is on disk.
 * @throws PrivateMomentsError `session-unkept`
 */
export async function withRole<Notes, Result>(
  role: RoleName,
  session: string,
  work: (
    saved: SavedRole<Notes> | undefined,
    persist: (next: SavedRole<Notes>) => Promise<void>,
  ) => Promise<Result>,
): Promise<Result> {
  const key = `${role} ${session}`;
  return locked(key, async () =>
    work((await get(key)) as SavedRole<Notes> | undefined, (next) => put(key, next)),
  );
}

/** The saved role of a session. @throws PrivateMomentsError `session-unkept` */
export async function loadRole<Notes>(
  role: RoleName,
  session: string,
): Promise<SavedRole<Notes> | undefined> {
  return (await get(`${role} ${session}`)) as SavedRole<Notes> | undefined;
}

/** The saved roles of all sessions of a study. @throws PrivateMomentsError `session-unkept` */
export async function loadRoles<Notes>(role: RoleName, study: string): Promise<SavedRole<Notes>[]> {
  const range = IDBKeyRange.bound(`${role} `, `${role} \uffff`);
  const all = (await attempted(() =>
    inStore(NAME, STORE, 'readonly', (store) => store.getAll(range)),
  )) as SavedRole<Notes>[];
  return all.filter((saved) => saved.study === study);
}

export async function loadKeys(): Promise<SavedKeys | undefined> {
  return (await get(KEYS)) as SavedKeys | undefined;
}

/** Saves the keys and returns them, or returns those already saved: another tab may have shared them. */
export async function saveKeys(keys: SavedKeys): Promise<SavedKeys> {
  return locked(KEYS, async () => {
    const existing = await loadKeys();
    if (existing !== undefined) return existing;
    await put(KEYS, keys);
    return keys;
  });
}

function locked<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const { locks } = navigator as { locks?: LockManager };
  if (locks === undefined) return Promise.reject(storageError());
  return locks.request(`${NAME} ${key}`, work);
}

function get(key: string): Promise<unknown> {
  return attempted(() => inStore(NAME, STORE, 'readonly', (store) => store.get(key)));
}

async function put(key: string, value: object): Promise<void> {
  await attempted(() => inStore(NAME, STORE, 'readwrite', (store) => store.put(value, key)));
}

async function attempted<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw storageError(cause);
  }
}

function storageError(cause?: unknown): PrivateMomentsError {
  const message =
    'this browser cannot store what a session needs, as in some private windows, so no file was made: use another window or browser';
  return new PrivateMomentsError('session-unkept', message, {}, cause);
}
