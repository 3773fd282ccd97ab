import { checker, requireOptions } from '../base/check.js';
import { loadCore } from '../core/core.js';
import type { Data } from '../data/data.js';
import type { Gate } from '../intake/engine.js';
import { PrivateMomentsError } from '../base/errors.js';
import {
  entriesOf,
  inOrder,
  mergeInto,
  readBook,
  readBudget,
  readReason,
  setsOf,
  withoutFingerprints,
  writeBook,
  type Book,
  type BookEntry,
  type Budget,
  type LedgerRecord,
} from './ledger-book.js';
import { incompatibility, refusal, spentOn, type Spent } from './ledger-cost.js';
import { newId } from '../intake/fingerprints.js';
import { browserStorage, ledgerUnavailable, type LedgerStorage } from './ledger-storage.js';
import { checkReadOptions, type InspectOptions } from '../intake/read-options.js';
import { planOf } from '../core/plan.js';
import type { PermitRequest } from '../intake/protocol.js';
import type { ReleaseCore } from '../core/raw.js';
import { readData } from '../intake/read-data.js';
import { requireStudy, type Study } from '../study/study.js';
import type { Guarantee, LocalCounts } from '../study/types.js';

/** An entry with its number in the ledger, from 1 for the oldest. */
export interface LedgerEntry extends BookEntry {
  number: number;
}

/** The releases of one data set, and what they cost together. */
export interface DataSet {
  entries: LedgerEntry[];
  /** Null if their costs cannot be added up because neighbours or units differ. */
  spent: Spent | null;
}

/** What a ledger knows about data before a release: earlier releases, and whether another one fits the budget. */
export interface Standing {
  /** Earlier releases of the same data, the oldest first. */
  entries: LedgerEntry[];
  budget: Budget | null;
  /** The cost of the earlier releases together; null if their costs cannot be added up. */
  spent: Spent | null;
  /** The cost with one more release, of this study. */
  after: Spent | null;
  /** The error with which `privatize` would refuse; null if it would not. */
  refusal: PrivateMomentsError | null;
  /** The result of `inspect`. */
  local: LocalCounts;
}

/**
 * Records every release of a data set before it is handed out, adds up their costs, and refuses releases
 * over budget (docs/ledger.md). Data are recognised by fingerprints, keyed digests that leave the ledger's
 * storage only in an export. A ledger contains no rows and no values.
 */
export class Ledger {
  readonly #storage: LedgerStorage;

  /** @internal Call `createLedger`. */
  constructor(storage: LedgerStorage) {
    this.#storage = storage;
  }

  /**
   * Returns the budget, or sets it if there is an argument. It is the maximum cost of all releases of one
   * data set, and the same for every data set; null (the default) refuses nothing. Changes are recorded
   * in `history`.
   * @throws PrivateMomentsError `invalid-epsilon`, `invalid-delta`
   */
  async budget(budget?: Budget | null): Promise<Budget | null> {
    if (budget === undefined) return (await this.#read()).budget;
    const next = budget === null ? null : readBudget(budget);
    await this.#change((book) => {
      book.budget = next;
      book.records.push({ at: now(), what: 'budget', budget: next });
    });
    return next;
  }

  /** All entries including removed ones, the oldest first. */
  async entries(): Promise<LedgerEntry[]> {
    return numbered(await this.#read());
  }

  /** The data sets in the order of their first releases, without removed entries. */
  async dataSets(): Promise<DataSet[]> {
    const core = await loadCore();
    const book = await this.#read();
    return setsOf(book).map((set) => ({
      entries: numbered(book, set),
      spent: totalOf(core, guaranteesOf(set), book.budget),
    }));
  }

  /** The history of budgets set and ledgers imported. */
  async history(): Promise<LedgerRecord[]> {
    return structuredClone((await this.#read()).records);
  }

  /**
   * Which earlier releases of these data there are, and whether a release for this study would be refused.
   * Reads the data like `inspect` and releases nothing: call it before `privatize`.
   * @throws PrivateMomentsError as `inspect`, and `ledger-unavailable`, `ledger-unreadable`,
   * `ledger-damaged`.
   */
  async standing(
    study: Study,
    data: Data,
    allOptions: InspectOptions & { dataSet?: string | undefined } = {},
  ): Promise<Standing> {
    requireOptions(allOptions, null);
    const { dataSet, ...options } = allOptions;
    checkReadOptions(options, ['workers']);
    checkDataSet(dataSet);
    const plan = planOf(requireStudy(study), options);
    if (plan.missing === 'error') plan.missing = 'centre';
    const secrets = await this.#secrets();
    const { local, request } = await readData({ task: 'inspect' }, plan, data, options, {
      secrets,
    });
    if (request === null) {
      throw new PrivateMomentsError(
        'internal',
        'the worker did not send the fingerprints of the data',
      );
    }
    const { fingerprints, guarantee } = request;
    const core = await loadCore();
    const book = await this.#read();
    const earlier = entriesOf(book, fingerprints, dataSet);
    return {
      entries: numbered(book, earlier),
      budget: book.budget,
      spent: totalOf(core, guaranteesOf(earlier), book.budget),
      after: totalOf(core, [...guaranteesOf(earlier), guarantee], book.budget),
      refusal: refusal(core, earlier, guarantee, book.budget) ?? null,
      local,
    };
  }

  /**
   * Removes an entry from the total, for example that of a release that was never sent. It stays visible
   * in the ledger, with the reason.
   * @param reason up to 400 characters.
   * @throws PrivateMomentsError `unknown-entry`
   */
  async remove(id: string, reason: string): Promise<void> {
    const why = readReason(reason);
    await this.#change((book) => {
      const entry = book.entries.find((one) => one.id === id);
      if (entry === undefined || entry.removed !== undefined) {
        throw new PrivateMomentsError(
          'unknown-entry',
          'the ledger has no such entry, or it was removed already',
        );
      }
      entry.removed = { at: now(), reason: why };
      entry.fingerprints = [];
    });
  }

  /**
   * The whole ledger as JSON. With the secret, a ledger that imports it recognises the same data sets:
   * protect it like the data. Without the secret it is a record to show to others.
   */
  async export(options: { secret?: boolean } = {}): Promise<string> {
    requireOptions(options, ['secret']);
    const { secret = false } = options;
    const book = await this.#read();
    return writeBook(secret ? book : { ...book, keys: book.keys.map(({ id }) => ({ id })) }, 1);
  }

  /**
   * Adds the entries of an exported ledger. The budget does not change.
   * @returns the number of entries added.
   * @throws PrivateMomentsError `ledger-damaged`, and `ledger-unreadable`, also for an export without the
   * secret that is not from this ledger.
   */
  async import(text: string): Promise<number> {
    if (typeof text !== 'string') {
      throw new PrivateMomentsError(
        'ledger-unreadable',
        'import takes the text of an exported ledger',
      );
    }
    const other = readBook(text);
    let added = 0;
    await this.#change((book) => {
      added = mergeInto(book, other, now());
    });
    return added;
  }

  /** @internal The steps by which `privatize` records a release: before noise is drawn, and when it is made. */
  async gate(study: Study, { file, dataSet, standing, onEntry }: Subject): Promise<RecordingGate> {
    const [secrets, core] = await Promise.all([this.#secrets(), loadCore()]);
    const id = newId();
    const notify = (): void => onEntry?.(id);
    return new RecordingGate(id, secrets, notify, {
      intend: ({ fingerprints, guarantee }) =>
        this.#change((book) => {
          const earlier = entriesOf(book, fingerprints, dataSet);
          const refused = refusal(core, earlier, guarantee, book.budget);
          if (refused !== undefined) throw refused;
          const expected = standing?.entries.map((entry) => entry.id);
          if (expected !== undefined && earlier.some((entry) => !expected.includes(entry.id))) {
            throw releasedSince();
          }
          book.entries.push({
            id,
            at: now(),
            study: { id: study.id, title: study.title },
            guarantee,
            state: 'intended',
            release: null,
            ...(file === undefined ? {} : { file }),
            ...(dataSet === undefined ? {} : { dataSet }),
            fingerprints,
          });
        }),
      confirm: (release) =>
        this.#change((book) => {
          const entry = book.entries.find((one) => one.id === id);
          if (entry === undefined) throw ledgerUnavailable();
          Object.assign(entry, { state: 'made', release });
        }),
      withdraw: () =>
        this.#change((book) => {
          book.entries = book.entries.filter((entry) => entry.id !== id);
        }),
    });
  }

  /** The secrets of this ledger and of all imported ones. Creates that of a new ledger. */
  async #secrets(): Promise<string[]> {
    let secrets: string[] = [];
    await this.#change(({ keys }) => {
      secrets = keys.flatMap(({ secret }) => secret ?? []);
    });
    return secrets;
  }

  async #read(): Promise<Book> {
    let book: Book | undefined;
    await this.#update((stored) => {
      book = readBook(stored);
      return null;
    });
    if (book === undefined) throw ledgerUnavailable();
    return book;
  }

  #change(change: (book: Book) => void): Promise<void> {
    return this.#update((stored) => {
      const book = readBook(stored);
      change(book);
      const next = writeBook(book);
      return next === stored ? null : next;
    });
  }

  async #update(change: (stored: string | null) => string | null): Promise<void> {
    try {
      await this.#storage.update(change);
    } catch (error) {
      throw error instanceof PrivateMomentsError ? error : ledgerUnavailable(error);
    }
  }
}

/** How one release is recorded in its ledger. */
interface Steps {
  intend(request: PermitRequest): Promise<void>;
  confirm(release: string | null): Promise<void>;
  withdraw(): Promise<void>;
}

class RecordingGate implements Gate {
  readonly entry: string;
  readonly secrets: readonly string[];
  readonly #notify: () => void;
  readonly #steps: Steps;
  #writing: Promise<void> | undefined;
  /** Whether noise may have been drawn. */
  #isOpen = false;

  constructor(entry: string, secrets: readonly string[], notify: () => void, steps: Steps) {
    this.entry = entry;
    this.secrets = secrets;
    this.#notify = notify;
    this.#steps = steps;
  }

  async intend(request: PermitRequest): Promise<void> {
    this.#writing = this.#steps.intend(request);
    await this.#writing;
    this.#notify();
    this.#isOpen = true;
  }

  confirm(release: string | null): Promise<void> {
    return this.#steps.confirm(release);
  }

  /**
   * A cancelled release is discarded unseen, so it costs nothing even if noise was drawn. A failure after
   * the worker could draw noise may depend on it, so the entry stays and counts.
   */
  async end(error: unknown): Promise<void> {
    if (this.#writing === undefined) return;
    const isWritten = await this.#writing.then(
      () => true,
      () => false,
    );
    const isCancelled = error instanceof PrivateMomentsError && error.code === 'cancelled';
    // If this fails the entry counts, and the caller still gets the original error.
    const isFree = isCancelled || !this.#isOpen;
    if (isWritten && isFree) await this.#steps.withdraw().catch(() => undefined);
  }
}

/** The data of a release, and the participant's options about them. */
interface Subject {
  file: string | undefined;
  dataSet: string | undefined;
  /** What the ledger knew before. */
  standing: Pick<Standing, 'entries'> | undefined;
  onEntry: ((id: string) => void) | undefined;
}

/**
 * Opens a ledger of releases, for the option `ledger` of `privatize`.
 * @param storage where the ledger is stored. Default: IndexedDB of the page's origin. Outside browsers pass
 * `fileStorage` of `private-moments/node`, `memoryStorage`, or your own.
 * @throws PrivateMomentsError `unsupported-option`
 *
 * @example
 * ```ts
 * const ledger = createLedger();
 * await ledger.budget({ epsilon: 3, delta: 1e-5 });
 * await privatize(study, file, { ledger });
 * ```
 */
export function createLedger(storage: LedgerStorage = browserStorage()): Ledger {
  if (typeof (storage as Partial<LedgerStorage> | null)?.update !== 'function') {
    throw new PrivateMomentsError(
      'unsupported-option',
      'storage must be an object with the method update',
    );
  }
  return new Ledger(storage);
}

function releasedSince(): PrivateMomentsError {
  const message = 'these data were released again after standing was computed; compute it again';
  return new PrivateMomentsError('released-since', message);
}

/** @throws PrivateMomentsError unsupported-option */
export function checkDataSet(name: unknown): void {
  if (name !== undefined) checker('unsupported-option').text(name, 'dataSet');
}

function guaranteesOf(entries: readonly BookEntry[]): Guarantee[] {
  return entries.map(({ guarantee }) => guarantee);
}

function totalOf(
  core: ReleaseCore,
  guarantees: readonly Guarantee[],
  budget: Budget | null,
): Spent | null {
  return incompatibility(guarantees) === undefined ? spentOn(core, guarantees, budget) : null;
}

function numbered(book: Book, some?: readonly { id: string }[]): LedgerEntry[] {
  return inOrder(book.entries)
    .map((entry, index) => ({ ...withoutFingerprints(entry), number: index + 1 }))
    .filter(({ id }) => some === undefined || some.some((one) => one.id === id));
}

function now(): string {
  return new Date().toISOString();
}
