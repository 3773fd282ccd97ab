import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { BatchOperation, ClassicLevel } from 'classic-level';
import type { RelayLimits } from './limits.js';
import { Problem } from './problem.js';

/** The version that this relay is built and tested with. */
const DATABASE = 'classic-level@3.0.0';

interface SessionState {
  /** Random, new each time the session is opened: cursors of an expired one are not valid. */
  epoch: string;
  /** Time of the last new message, in milliseconds since 1970. */
  last: number;
  /** Messages so far, and the number of the last one. */
  messages: number;
  bytes: number;
  /** Whether messages came from two clients or more. A session without it is nearly empty. */
  shared: boolean;
}

type SavedState = Omit<SessionState, 'shared'> & Partial<SessionState>;

/** A message on its way into a mailbox. */
export interface Arrival {
  session: string;
  /** The mailbox. */
  to: string;
  /** SHA-256 of the bytes. */
  id: string;
  bytes: Uint8Array;
  /** Who sends it (`clientOf`); kept in memory only. */
  client: string;
}

interface Append extends Arrival {
  resolve: (place: Appended) => void;
  reject: (reason: unknown) => void;
}

export interface Appended {
  /** Number of the message in its session, from 1. */
  number: number;
  /** False if the mailbox had the same message already. */
  fresh: boolean;
}

export interface Entry {
  number: number;
  size: number;
}

export interface Listing {
  entries: Entry[];
  /** Cursor for the listing that follows. */
  cursor: string;
}

type Database = ClassicLevel;
type Operation = BatchOperation<Database, string, unknown>;
type StoreLimits = Pick<
  RelayLimits,
  'sessionMessages' | 'sessionBytes' | 'totalBytes' | 'sessions' | 'addressOpenSessions'
>;

/** Limits of one listing; a single message may exceed the bytes. */
const LISTING_MESSAGES = 256;
const LISTING_BYTES = 1 << 24;
/** How long a nearly empty session is safe from giving way to others, after its last message. */
const SAFE_MS = 3_600_000;

/**
 * Messages on disk. A session and an id have 64 hexadecimal digits; a number has 8, so that keys sort by
 * time:
 *
 *     s!session             state of the session, as JSON
 *     i!session!to!number   size of the message: the contents of a mailbox
 *     m!session!to!id       number of the message, to recognise repeats
 *     b!session!number      bytes of the message
 *
 * Only the `s!` entries are in memory.
 */
export class Store {
  readonly #database: Database;
  readonly #limits: StoreLimits;
  readonly #now: () => number;
  readonly #sessions = new Map<string, SessionState>();
  /** Clients of the first messages since the relay started, because addresses are not written to disk. */
  readonly #openers = new Map<string, string>();
  #bytes = 0;
  #waiting: Append[] = [];
  /** Ends when the last exclusive operation has finished. */
  #tail: Promise<void> = Promise.resolve();

  private constructor(database: Database, limits: StoreLimits, now: () => number) {
    this.#database = database;
    this.#limits = limits;
    this.#now = now;
  }

  /** @throws Error that says what to do if the database is not installed or cannot be opened */
  static async open(folder: string, limits: StoreLimits, now: () => number): Promise<Store> {
    const { ClassicLevel } = await import('classic-level').catch((cause: unknown) => {
      if ((cause as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw cause;
      throw new Error(
        'the relay stores messages with classic-level, which is not installed. Install it with\n' +
          `  npm install ${DATABASE}\n` +
          'or, without installing anything for good, run\n' +
          `  npx --package private-moments-relay --package ${DATABASE} private-moments-relay`,
        { cause },
      );
    });
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // Sealed messages do not compress.
    const database: Database = new ClassicLevel(folder, { compression: false });
    try {
      await database.open();
    } catch (error) {
      const { cause } = error as { cause?: { code?: string; message?: string } };
      const why =
        cause?.code === 'LEVEL_LOCKED'
          ? 'another relay is using it'
          : (cause?.message ?? 'no reason given');
      throw new Error(`the store in ${folder} cannot be opened: ${why}`, { cause: error });
    }
    const store = new Store(database, limits, now);
    for await (const [key, state] of database.iterator<string, SavedState>({
      ...under('s!'),
      valueEncoding: 'json',
    })) {
      // Stores of versions before this field count as in use.
      store.#sessions.set(key.slice(2), { ...state, shared: state.shared ?? true });
      store.#bytes += state.bytes;
    }
    return store;
  }

  has(session: string): boolean {
    return this.#sessions.has(session);
  }

  /**
   * Adds a message to a mailbox; it is on disk when this resolves. Messages that arrive during a write
   * share the next one.
   * @throws Problem
   */
  append(arrival: Arrival): Promise<Appended> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...arrival, resolve, reject });
      if (this.#waiting.length === 1) void this.#alone(() => this.#write());
    });
  }

  /** Messages in several mailboxes of a session after a cursor ('' is the start), by arrival. */
  async list(session: string, to: readonly string[], cursor: string): Promise<Listing> {
    const state = this.#sessions.get(session);
    if (state === undefined) return { entries: [], cursor: '' };
    const { epoch, messages: last } = state;
    const after = cursor.startsWith(`${epoch}-`) ? Number(cursor.slice(epoch.length + 1)) : 0;
    const mailboxes = await Promise.all(
      to.map((name) =>
        this.#database
          .iterator<string, string>({
            gt: contentsKey(session, name, after),
            // Messages that arrive while the mailboxes are read go into the next listing.
            lte: contentsKey(session, name, last),
            // One more than fits, to see whether there are more.
            limit: LISTING_MESSAGES + 1,
          })
          .all(),
      ),
    );
    const found = mailboxes
      .flat()
      .map(([key, size]) => ({ number: parseInt(key.slice(-8), 16), size: Number(size) }))
      .sort((a, b) => a.number - b.number);
    const entries: Entry[] = [];
    let bytes = 0;
    for (const entry of found) {
      bytes += entry.size;
      const full = entries.length === LISTING_MESSAGES || bytes > LISTING_BYTES;
      if (full && entries.length > 0) {
        return { entries, cursor: `${epoch}-${entries.at(-1)?.number ?? 0}` };
      }
      entries.push(entry);
    }
    return { entries, cursor: `${epoch}-${last}` };
  }

  /** The bytes of a message, or undefined if its session has expired. */
  body(session: string, number: number): Promise<Uint8Array | undefined> {
    return this.#database.get<string, Uint8Array>(bodyKey(session, number), {
      valueEncoding: 'view',
    });
  }

  /** Deletes sessions without a new message since `before`, and returns their number. */
  async expire(before: number): Promise<number> {
    let count = 0;
    for (const [session, state] of this.#sessions) {
      if (state.last >= before) continue;
      await this.#alone(async () => {
        const latest = this.#sessions.get(session);
        if (latest === undefined || latest.last >= before) return;
        await this.#delete(session, latest);
        count += 1;
      });
    }
    return count;
  }

  async #delete(session: string, { bytes }: SessionState): Promise<void> {
    for (const kind of ['i', 'm', 'b']) await this.#database.clear(under(`${kind}!${session}!`));
    // Last, so that the next deletion repeats one that was interrupted.
    await this.#database.del(`s!${session}`);
    this.#sessions.delete(session);
    this.#openers.delete(session);
    this.#bytes -= bytes;
    // Only compaction frees the space on disk.
    const { gt, lt } = under(`b!${session}!`);
    await this.#database.compactRange(gt, lt);
  }

  /**
   * Deletes the nearly empty session that has been silent for longest, unless that is less than an hour
   * or it is one of `spared`. @returns whether there was one
   */
  async #makeRoom(spared: ReadonlySet<string>): Promise<boolean> {
    let oldest: [string, SessionState] | undefined;
    for (const entry of this.#sessions) {
      const [session, { shared, last }] = entry;
      if (shared || spared.has(session) || last > this.#now() - SAFE_MS) continue;
      if (oldest === undefined || last < oldest[1].last) oldest = entry;
    }
    if (oldest === undefined) return false;
    await this.#delete(...oldest);
    return true;
  }

  async close(): Promise<void> {
    await this.#tail;
    await this.#database.close();
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => undefined);
    return done;
  }

  async #write(): Promise<void> {
    const appends = this.#waiting;
    this.#waiting = [];
    try {
      await this.#writeAll(appends);
    } catch (error) {
      for (const { session, reject } of appends) {
        if (!this.#sessions.has(session)) this.#openers.delete(session);
        reject(error);
      }
    }
  }

  async #writeAll(appends: readonly Append[]): Promise<void> {
    const keys = appends.map(({ session, to, id }) => `m!${session}!${to}!${id}`);
    const known = await this.#database.getMany<string, number>(keys, { valueEncoding: 'json' });
    const numbers = new Map<string, number>();
    const changed = new Map<string, SessionState>();
    const operations: Operation[] = [];
    const settle: (() => void)[] = [];
    const spared = new Set(appends.map(({ session }) => session));
    let added = 0;
    let openings = 0;
    for (const [index, append] of appends.entries()) {
      const { session, to, bytes, client, resolve, reject } = append;
      const key = keys[index] ?? '';
      const earlier = known[index] ?? numbers.get(key);
      if (earlier !== undefined) {
        settle.push(() => {
          resolve({ number: earlier, fresh: false });
        });
        continue;
      }
      const opened = changed.get(session) ?? this.#sessions.get(session);
      let problem = this.#refusal(opened, openings, added, append);
      while (problem !== undefined && isFull(problem) && (await this.#makeRoom(spared))) {
        problem = this.#refusal(opened, openings, added, append);
      }
      if (problem !== undefined) {
        settle.push(() => {
          reject(problem);
        });
        continue;
      }
      const state: SessionState = {
        epoch: opened?.epoch ?? randomBytes(8).toString('hex'),
        last: this.#now(),
        messages: (opened?.messages ?? 0) + 1,
        bytes: (opened?.bytes ?? 0) + bytes.length,
        shared: opened?.shared ?? false,
      };
      const opener = this.#openers.get(session);
      if (opener === undefined) this.#openers.set(session, client);
      else if (opener !== client) state.shared = true;
      const number = state.messages;
      changed.set(session, state);
      numbers.set(key, number);
      added += bytes.length;
      if (opened === undefined) openings += 1;
      operations.push(
        { type: 'put', key: bodyKey(session, number), value: bytes, valueEncoding: 'view' },
        { type: 'put', key, value: number, valueEncoding: 'json' },
        { type: 'put', key: contentsKey(session, to, number), value: String(bytes.length) },
      );
      settle.push(() => {
        resolve({ number, fresh: true });
      });
    }
    for (const [session, state] of changed) {
      operations.push({ type: 'put', key: `s!${session}`, value: state, valueEncoding: 'json' });
    }
    if (operations.length > 0) await this.#database.batch(operations, { sync: true });
    for (const [session, state] of changed) this.#sessions.set(session, state);
    this.#bytes += added;
    for (const answer of settle) answer();
  }

  #refusal(
    state: SessionState | undefined,
    openings: number,
    added: number,
    { client, bytes: { length: size } }: Append,
  ): Problem | undefined {
    const { sessions, sessionMessages, sessionBytes, totalBytes, addressOpenSessions } =
      this.#limits;
    if (state === undefined && this.#openedBy(client) >= addressOpenSessions) {
      return new Problem(
        'address-full',
        'your address has opened its maximum number of sessions; use one of them, or ask the operator',
      );
    }
    if (state === undefined && this.#sessions.size + openings >= sessions) {
      return new Problem(
        'too-many-sessions',
        'the relay has reached its maximum number of sessions',
      );
    }
    if ((state?.messages ?? 0) >= sessionMessages) {
      return new Problem('session-full', 'the session has reached its maximum number of messages');
    }
    if ((state?.bytes ?? 0) + size > sessionBytes) {
      return new Problem('session-full', 'the session has reached its maximum size');
    }
    if (this.#bytes + added + size > totalBytes) {
      return new Problem('relay-full', 'the store of the relay is full');
    }
    return undefined;
  }

  #openedBy(client: string): number {
    let count = 0;
    for (const opener of this.#openers.values()) if (opener === client) count += 1;
    return count;
  }
}

/** Whether the relay refuses because others have filled it. */
function isFull({ code }: Problem): boolean {
  return code === 'too-many-sessions' || code === 'relay-full';
}

/** The range of keys with a prefix; every character of a key sorts before '~'. */
function under(prefix: string): { gt: string; lt: string } {
  return { gt: prefix, lt: `${prefix}~` };
}

function contentsKey(session: string, to: string, number: number): string {
  return `i!${session}!${to}!${digits(number)}`;
}

function bodyKey(session: string, number: number): string {
  return `b!${session}!${digits(number)}`;
}

function digits(number: number): string {
  return number.toString(16).padStart(8, '0');
}
