import { hashLarge } from '../../base/binary.js';
import type { Recipient } from '../role.js';
import {
  closedError,
  Inbox,
  isRecipient,
  requireMessage,
  requireTransportOptions,
  requireRecipient,
  type Received,
  type Transport,
  type TransportOptions,
} from './transport.js';

export interface BroadcastTransportOptions extends TransportOptions {
  /** Maximum size in bytes of other tabs' messages kept for tabs that open later. Default 64 MiB. */
  holdBytes?: number;
}

/**
 * The notes that tabs exchange. A channel stores nothing, so each tab stores all messages. A tab that
 * opens later sends `hello` with its mailboxes; the others answer with the keys of messages they `have`
 * for these, and it requests each message from one of them with `want`. The key of a message is `to/id`.
 */
type Note =
  | { kind: 'hello'; tab: string; mailboxes: string[] }
  | { kind: 'have'; tab: string; by: string; keys: string[] }
  | { kind: 'want'; tab: string; keys: string[] }
  | { kind: 'message'; to: string; id: string; bytes: Uint8Array };

interface Held {
  to: Recipient;
  id: string;
  bytes: Uint8Array;
  mine: boolean;
}

/** If an offered message has not come after this time, the tab may have been closed; others are asked. */
const TIMEOUT_MS = 2000;

/**
 * A transport between the tabs of one browser on one site, for trying out a session and for several roles
 * on one machine. A message is lost once every tab that has it is closed.
 * @throws PrivateMomentsError `invalid-session`, `wrong-recipient`
 */
export function broadcastTransport(options: BroadcastTransportOptions): Transport {
  return new BetweenTabs(options);
}

class BetweenTabs implements Transport {
  readonly #tab = crypto.randomUUID();
  readonly #mailboxes: ReadonlySet<string>;
  readonly #holdBytes: number;
  readonly #channel: BroadcastChannel;
  readonly #inbox = new Inbox();
  readonly #held = new Map<string, Held>();
  readonly #missing = new Set<string>();
  #othersBytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: BroadcastTransportOptions) {
    requireTransportOptions(options, ['holdBytes']);
    const { session, mailboxes, holdBytes = 1 << 26 } = options;
    this.#mailboxes = new Set(mailboxes);
    this.#holdBytes = holdBytes;
    this.#channel = new BroadcastChannel(`private-moments/${session}`);
    this.#channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (isNote(data)) void this.#take(data);
    };
    this.#greet();
  }

  async send(to: Recipient, message: Uint8Array): Promise<void> {
    requireRecipient(to);
    requireMessage(message);
    const bytes = message.slice();
    const id = await hashLarge(bytes);
    if (this.#inbox.closed) throw closedError();
    this.#keep({ to, id, bytes, mine: true });
    this.#post({ kind: 'message', to, id, bytes });
  }

  receive(signal?: AbortSignal): AsyncIterable<Received> {
    return this.#inbox.receive(signal);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#inbox.close();
    this.#channel.close();
  }

  #post(note: Note): void {
    this.#channel.postMessage(note);
  }

  #greet(): void {
    this.#post({ kind: 'hello', tab: this.#tab, mailboxes: [...this.#mailboxes] });
  }

  async #take(note: Note): Promise<void> {
    if (note.kind === 'hello') {
      const wanted = new Set(note.mailboxes);
      const keys = [...this.#held].filter(([, { to }]) => wanted.has(to)).map(([key]) => key);
      if (keys.length > 0) this.#post({ kind: 'have', tab: note.tab, by: this.#tab, keys });
    } else if (note.kind === 'have' && note.tab === this.#tab) {
      const keys = note.keys.filter((key) => !this.#held.has(key) && !this.#missing.has(key));
      if (keys.length > 0) this.#ask(note.by, keys);
    } else if (note.kind === 'want' && note.tab === this.#tab) {
      for (const key of note.keys) {
        const held = this.#held.get(key);
        if (held) this.#post({ kind: 'message', to: held.to, id: held.id, bytes: held.bytes });
      }
    } else if (note.kind === 'message' && !this.#held.has(keyOf(note))) {
      const { to, id, bytes } = note;
      // Other pages of this site can post anything, so the id is checked against the bytes.
      if ((await hashLarge(bytes)) !== id || this.#inbox.closed) return;
      this.#keep({ to, id, bytes, mine: false });
    }
  }

  #ask(tab: string, keys: string[]): void {
    for (const key of keys) this.#missing.add(key);
    this.#post({ kind: 'want', tab, keys });
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (this.#missing.size === 0) return;
      this.#missing.clear();
      this.#greet();
    }, TIMEOUT_MS);
  }

  #keep(held: Held): void {
    const key = keyOf(held);
    const { to, id, bytes, mine } = held;
    this.#missing.delete(key);
    if (this.#mailboxes.has(to)) this.#inbox.add({ id, bytes });
    if (this.#held.has(key)) return;
    this.#held.set(key, held);
    if (mine) return;
    this.#othersBytes += bytes.length;
    for (const [oldest, other] of this.#held) {
      if (this.#othersBytes <= this.#holdBytes) break;
      if (other.mine) continue;
      this.#held.delete(oldest);
      this.#othersBytes -= other.bytes.length;
    }
  }
}

function keyOf({ to, id }: Pick<Held, 'to' | 'id'>): string {
  return `${to}/${id}`;
}

/** Any page of this site can post on the channel, so notes are checked. */
function isNote(data: unknown): data is Note {
  if (typeof data !== 'object' || data === null) return false;
  const note = data as Record<string, unknown>;
  const texts = (value: unknown): boolean =>
    Array.isArray(value) && value.every((item) => typeof item === 'string');
  switch (note.kind) {
    case 'hello':
      return typeof note.tab === 'string' && texts(note.mailboxes);
    case 'have':
      return typeof note.tab === 'string' && typeof note.by === 'string' && texts(note.keys);
    case 'want':
      return typeof note.tab === 'string' && texts(note.keys);
    case 'message':
      return (
        typeof note.to === 'string' &&
        isRecipient(note.to) &&
        typeof note.id === 'string' &&
        note.bytes instanceof Uint8Array
      );
    default:
      return false;
  }
}
