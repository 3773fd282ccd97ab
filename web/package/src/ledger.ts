import { checker, requireKnown } from './check.js';
import { loadCore } from './core.js';
import type { Data } from './data.js';
import type { Gate } from './engine.js';
import { PrivateMomentsError } from './errors.js';
import {
  entriesOf,
  inOrder,
  mergeInto,
  readBook,
  readBudget,
  readReason,
  setsOf,
  withoutMarks,
  writeBook,
  type Book,
  type BookEntry,
  type Budget,
  type LedgerRecord,
} from './ledger-book.js';
import { obstacle, refusal, spentOn, type Spent } from './ledger-cost.js';
import { newId } from './marks.js';
import { browserStorage, ledgerUnavailable, type LedgerStorage } from './ledger-storage.js';
import { checkOptions, type LedgerOptions, type PrivatizeOptions } from './options.js';
import { planOf } from './plan.js';
import type { Asked } from './protocol.js';
import type { ReleaseCore } from './raw.js';
import { readData } from './read-data.js';
import { requireStudy, type Study } from './study.js';
import type { Guarantee, LocalCounts } from './types.js';

/** An entry as it is shown: `number` counts all of the ledger from 1, the oldest first. */
export interface LedgerEntry extends BookEntry {
  number: number;
}

/** The releases of one data set, and what they cost together. */
export interface DataSet {
  entries: LedgerEntry[];
  /** Null where they do not add up: their neighbours or units differ. */
  spent: Spent | null;
}

/** What a ledger says of data before a release is made of them. */
export interface Standing {
  /** Earlier releases of the same data, the oldest first. */
  entries: LedgerEntry[];
  budget: Budget | null;
  /** What the earlier releases cost together; null where they do not add up. */
  spent: Spent | null;
  /** The same with one more release, of this study. */
  after: Spent | null;
  /** Why `privatize` would refuse; null where it would not. */
  refusal: PrivateMomentsError | null;
  /** What `inspect` finds. */
  local: LocalCounts;
}

/**
 * Records every release of a data set before it is handed out, adds them up and refuses what a budget
 * has no room for (docs/ledger.md). Data are recognised by keyed digests, which never leave the
 * ledger's storage but in an export; rows and values are nowhere in it.
 */
export class Ledger {
  readonly #storage: LedgerStorage;

  /** @internal Made by `createLedger`. */
  constructor(storage: LedgerStorage) {
    this.#storage = storage;
  }

  /**
   * What all releases of one data set may cost together, for every data set alike; null, as at first:
   * nothing is refused. With an argument sets it, which the ledger's history shows.
   * @throws PrivateMomentsError invalid-epsilon, invalid-delta
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

  /** Every entry, removed ones too, the oldest first. */
  async entries(): Promise<LedgerEntry[]> {
    return shown(await this.#read());
  }

  /** Data sets in the order of their first releases; removed entries are in none. */
  async dataSets(): Promise<DataSet[]> {
    const core = await loadCore();
    const book = await this.#read();
    return setsOf(book).map((set) => ({
      entries: shown(book, set),
      spent: totalOf(core, promises(set), book.budget),
    }));
  }

  /** Budgets set and ledgers imported. */
  async history(): Promise<LedgerRecord[]> {
    return structuredClone((await this.#read()).records);
  }

  /**
   * What earlier releases of these data there are, and whether a release for this study would be
   * refused. Reads the data as `inspect` does and makes nothing: show it before `privatize`.
   */
  async standing(
    study: Study,
    data: Data,
    given: Omit<PrivatizeOptions, 'ledger' | 'standing' | 'onEntry'> = {},
  ): Promise<Standing> {
    requireKnown(given, null);
    const { dataSet, ...options } = given;
    checkOptions(options, ['workers']);
    checkDataSet(dataSet);
    const plan = planOf(requireStudy(study), options.columns, options.csv);
    if (plan.missing === 'error') plan.missing = 'centre';
    const secrets = await this.#secrets();
    const { local, asked } = await readData({ task: 'inspect' }, plan, data, options, { secrets });
    if (asked === null) {
      throw new PrivateMomentsError('internal', 'the worker has not said whose data these are');
    }
    const { marks, guarantee } = asked;
    const core = await loadCore();
    const book = await this.#read();
    const earlier = entriesOf(book, marks, dataSet);
    return {
      entries: shown(book, earlier),
      budget: book.budget,
      spent: totalOf(core, promises(earlier), book.budget),
      after: totalOf(core, [...promises(earlier), guarantee], book.budget),
      refusal: refusal(core, earlier, guarantee, book.budget) ?? null,
      local,
    };
  }

  /**
   * Takes an entry out of the sum, for example of a release that was never sent. It stays in the
   * ledger with the reason.
   * @throws PrivateMomentsError unknown-entry
   */
  async remove(id: string, reason: string): Promise<void> {
    const why = readReason(reason);
    await this.#change((book) => {
      const entry = book.entries.find((one) => one.id === id);
      if (entry === undefined || entry.removed !== undefined) {
        throw new PrivateMomentsError('unknown-entry', 'the ledger has no such entry to remove');
      }
      entry.removed = { at: now(), reason: why };
      entry.marks = [];
    });
  }

  /**
   * The whole ledger as JSON text. With the secret, another ledger that imports it recognises the
   * data sets: keep it as private as the data. Without, it is a record to show.
   */
  async export(options: { secret?: boolean } = {}): Promise<string> {
    requireKnown(options, ['secret']);
    const { secret = false } = options;
    const book = await this.#read();
    if (secret) return JSON.stringify(book, null, 1);
    return JSON.stringify({ ...book, keys: book.keys.map(({ id }) => ({ id })) }, null, 1);
  }

  /**
   * Adds the entries of an exported ledger; the budget stays that of this one.
   * @returns how many entries were not here before
   * @throws PrivateMomentsError ledger-unreadable; also for an export without the secret, unless it
   * is of this ledger.
   */
  async import(text: string): Promise<number> {
    if (typeof text !== 'string') {
      throw new PrivateMomentsError('ledger-unreadable', 'import takes the text of a ledger');
    }
    const other = readBook(text);
    let came = 0;
    await this.#change((book) => {
      came = mergeInto(book, other, now());
    });
    return came;
  }

  /** @internal What `privatize` asks before noise is drawn, and tells when the release is made. */
  async gate(study: Study, { file, dataSet, standing, onEntry }: Subject): Promise<RecordingGate> {
    const [secrets, core] = await Promise.all([this.#secrets(), loadCore()]);
    const id = newId();
    const told = (): void => onEntry?.(id);
    return new RecordingGate(secrets, told, {
      intend: ({ marks, guarantee }) =>
        this.#change((book) => {
          const earlier = entriesOf(book, marks, dataSet);
          const refused = refusal(core, earlier, guarantee, book.budget);
          if (refused !== undefined) throw refused;
          const known = standing?.entries.map((entry) => entry.id);
          if (known !== undefined && earlier.some((entry) => !known.includes(entry.id))) {
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
            marks,
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

  /** Those of all ledgers that came together here; a new ledger's is made now. */
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

/** The steps of one release, as its ledger takes them. */
interface Steps {
  intend(asked: Asked): Promise<void>;
  confirm(release: string | null): Promise<void>;
  withdraw(): Promise<void>;
}

class RecordingGate implements Gate {
  readonly secrets: readonly string[];
  readonly #told: () => void;
  readonly #steps: Steps;
  #writing: Promise<void> | undefined;
  /** Whether noise may have been drawn. */
  #isOpen = false;

  constructor(secrets: readonly string[], told: () => void, steps: Steps) {
    this.secrets = secrets;
    this.#told = told;
    this.#steps = steps;
  }

  async intend(asked: Asked): Promise<void> {
    this.#writing = this.#steps.intend(asked);
    await this.#writing;
    this.#told();
    this.#isOpen = true;
  }

  confirm(release: string | null): Promise<void> {
    return this.#steps.confirm(release);
  }

  /**
   * What was cancelled is thrown away unseen and costs nothing, whatever was drawn. A failure after
   * the worker was let go may depend on what was drawn, so the entry stays and counts.
   */
  async end(error: unknown): Promise<void> {
    if (this.#writing === undefined) return;
    const isWritten = await this.#writing.then(
      () => true,
      () => false,
    );
    const isCancelled = error instanceof PrivateMomentsError && error.code === 'cancelled';
    // Where that fails the entry counts, and why the job ended is still what matters.
    const isFree = isCancelled || !this.#isOpen;
    if (isWritten && isFree) await this.#steps.withdraw().catch(() => undefined);
  }
}

/** What a release is made of, in the words of its participant. */
interface Subject {
  file: string | undefined;
  dataSet: string | undefined;
  /** What was said of it before. */
  standing: LedgerOptions['standing'];
  onEntry: LedgerOptions['onEntry'];
}

/**
 * Makes something of data, with a ledger beside it where there is one.
 * @param make `id`: of what was made, null where it has none
 */
export async function recorded<T>(
  study: Study,
  data: unknown,
  { ledger, dataSet, standing, onEntry }: LedgerOptions,
  make: (gate: Gate | undefined) => Promise<{ result: T; id: string | null }>,
): Promise<T> {
  checkDataSet(dataSet);
  if (ledger === undefined) return (await make(undefined)).result;
  const gate = await ledger.gate(study, { file: fileNameOf(data), dataSet, standing, onEntry });
  try {
    const { result, id } = await make(gate);
    await gate.confirm(id);
    return result;
  } catch (error) {
    await gate.end(error);
    throw error;
  }
}

/**
 * A ledger of releases, for the option `ledger` of `privatize`.
 * @param storage where it is kept; by default in the browser, for this origin. Elsewhere there is
 * no default: `fileStorage` of `private-moments/node`, `memoryStorage`, or one of your own.
 */
export function createLedger(storage: LedgerStorage = browserStorage()): Ledger {
  if (typeof (storage as Partial<LedgerStorage> | null)?.update !== 'function') {
    throw new PrivateMomentsError('unsupported-option', 'a storage must have the method update');
  }
  return new Ledger(storage);
}

function releasedSince(): PrivateMomentsError {
  const message = 'these data were released after the ledger was asked about them; ask it again';
  return new PrivateMomentsError('released-since', message);
}

function checkDataSet(name: unknown): void {
  if (name !== undefined) checker('unsupported-option').text(name, 'dataSet');
}

function fileNameOf(data: unknown): string | undefined {
  if (!(data instanceof Blob) || !('name' in data)) return undefined;
  const name = String(data.name).slice(0, 200);
  // A text that is no Unicode has no place in JSON.
  return name.trim() === '' || /[\uD800-\uDFFF]/u.test(name) ? undefined : name;
}

function promises(entries: readonly BookEntry[]): Guarantee[] {
  return entries.map(({ guarantee }) => guarantee);
}

function totalOf(
  core: ReleaseCore,
  guarantees: readonly Guarantee[],
  budget: Budget | null,
): Spent | null {
  return obstacle(guarantees) === undefined ? spentOn(core, guarantees, budget) : null;
}

function shown(book: Book, some?: readonly { id: string }[]): LedgerEntry[] {
  return inOrder(book.entries)
    .map((entry, index) => ({ ...withoutMarks(entry), number: index + 1 }))
    .filter(({ id }) => some === undefined || some.some((one) => one.id === id));
}

function now(): string {
  return new Date().toISOString();
}
