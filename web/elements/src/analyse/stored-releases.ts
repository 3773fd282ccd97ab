import { inStore } from '../base/browser-store.js';
import type { AdjustmentChoice, Choices } from '../contract/elements.js';

/**
 * The releases that an analyst uses, and what is shown of them, stored in this browser by study, so that they
 * survive a reload. They hold only what left the sites anyway; files that are not used, which may be rows, are
 * never stored.
 */
const NAME = 'private-moments-analyses';
const STORE = 'releases';

/** The file of a release or of a sum. */
export interface StoredRelease {
  /** The id of the release. */
  id: string;
  name: string;
  bytes: number;
  /** When the file was last written, in milliseconds since 1970. */
  saved: number;
  text: string;
}

/** What is shown of a study's releases. */
export interface StoredChoices extends Choices {
  /** The two views compared. */
  views?: [string, string];
  adjustment?: AdjustmentChoice;
}

/** Stores all of them, or rejects and stores none. */
export async function storeReleases(
  study: string,
  releases: readonly StoredRelease[],
): Promise<void> {
  await inStore(NAME, STORE, 'readwrite', (store) => {
    for (const release of releases.slice(1)) store.put(release, keyOf(study, release.id));
    const [first] = releases;
    return first === undefined ? store.count() : store.put(first, keyOf(study, first.id));
  });
}

/** The stored releases of a study. Rejects if the browser stores nothing. */
export async function storedReleases(study: string): Promise<StoredRelease[]> {
  const found = await inStore(NAME, STORE, 'readonly', (store) => store.getAll(allOf(study)));
  return found as StoredRelease[];
}

/** Removes a stored release of a study, if it is there. */
export async function removeStored(study: string, id: string): Promise<void> {
  await inStore(NAME, STORE, 'readwrite', (store) => store.delete(keyOf(study, id)));
}

/** Removes all that is stored for a study. */
export async function removeAllStored(study: string): Promise<void> {
  await inStore(NAME, STORE, 'readwrite', (store) => {
    store.delete(choicesKey(study));
    return store.delete(allOf(study));
  });
}

export async function storeChoices(study: string, choices: StoredChoices): Promise<void> {
  await inStore(NAME, STORE, 'readwrite', (store) => store.put(choices, choicesKey(study)));
}

/** The stored choices of a study; empty if nothing was chosen yet. Rejects if the browser stores nothing. */
export async function storedChoices(study: string): Promise<StoredChoices> {
  const found = await inStore(NAME, STORE, 'readonly', (store) => store.get(choicesKey(study)));
  return found ?? {};
}

/** Outside the range of the study's releases. */
function choicesKey(study: string): string {
  return `choices ${study}`;
}

function keyOf(study: string, id: string): string {
  return `${study} ${id}`;
}

function allOf(study: string): IDBKeyRange {
  return IDBKeyRange.bound(keyOf(study, ''), keyOf(study, '\uffff'));
}

/** Tells other tabs of this browser what was forgotten, and hears it from them. */
export class ForgottenChannel {
  readonly #channel: BroadcastChannel | undefined;

  constructor(heard: (study: string) => void) {
    this.#channel =
      typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);
    if (this.#channel === undefined) return;
    this.#channel.onmessage = ({ data }) => {
      if (typeof data === 'string') heard(data);
    };
  }

  tell(study: string): void {
    this.#channel?.postMessage(study);
  }

  close(): void {
    this.#channel?.close();
  }
}
