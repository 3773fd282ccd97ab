import { requireOptions } from '../../base/check.js';
import { PrivateMomentsError } from '../../base/errors.js';
import { utf8 } from '../../base/binary.js';
import type { Recipient } from '../role.js';

/** A message that came. `id` is the SHA-256 of its bytes, 64 hex digits. */
export interface Received {
  id: string;
  bytes: Uint8Array;
}

/**
 * Carries the messages of one session, which it does not read. It may lose none for good, but brings
 * them late, in another order, and once more after a page was reloaded. Roles bear all of that.
 */
export interface Transport {
  /** Resolves when the message is out of this page's hands. The same message may be sent again. */
  send(to: Recipient, message: Uint8Array): Promise<void>;
  /**
   * The messages for the mailboxes of this transport, as they come, each once. Without an end, until
   * the signal or `close` ends it; a later call goes on from there. One at a time.
   */
  receive(signal?: AbortSignal): AsyncIterable<Received>;
  /** Ends everything under way. What was not sent yet fails with `cancelled`. */
  close(): void;
}

export interface TransportOptions {
  /** The session's id. */
  session: string;
  /** Whose messages to receive: a role or a pid, and mostly `all`. */
  mailboxes: readonly Recipient[];
}

const MAGIC = utf8('PMR2');
const HEX = /^[0-9a-f]{64}$/;
const ROLES = ['analyst', 'coordinator', 'helper', 'all'];

export function isRecipient(name: string): boolean {
  return ROLES.includes(name) || HEX.test(name);
}

/** @throws PrivateMomentsError `invalid-session`, `wrong-recipient` */
export function requireTransportOptions(options: TransportOptions, more: readonly string[]): void {
  requireOptions(options, ['session', 'mailboxes', ...more]);
  const { session, mailboxes } = options as Partial<TransportOptions>;
  if (!HEX.test(String(session))) {
    const message = 'session must be the id of a session: 64 hexadecimal digits';
    throw new PrivateMomentsError('invalid-session', message, { field: 'session' });
  }
  if (!Array.isArray(mailboxes)) {
    const message = 'mailboxes must be a list of those whose messages to receive';
    throw new PrivateMomentsError('wrong-recipient', message, { field: 'mailboxes' });
  }
  for (const mailbox of mailboxes as readonly Recipient[]) requireRecipient(mailbox);
}

/** @throws PrivateMomentsError `wrong-recipient` */
export function requireRecipient(to: Recipient): void {
  if (isRecipient(to)) return;
  const message = 'a message goes to analyst, helper, coordinator, all, or a participant by pid';
  throw new PrivateMomentsError('wrong-recipient', message, { field: 'to' });
}

/** @throws PrivateMomentsError `message-unreadable` */
export function requireMessage(bytes: Uint8Array): void {
  if (bytes instanceof Uint8Array && MAGIC.every((byte, at) => bytes[at] === byte)) return;
  throw new PrivateMomentsError('message-unreadable', 'this is not a message of a session');
}

export function addressOf(text: string | URL): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

export function closedError(): PrivateMomentsError {
  return new PrivateMomentsError('cancelled', 'the transport was closed');
}

/** A signal that ends with any of several, until it is let go. */
export function linked(...signals: readonly (AbortSignal | undefined)[]): {
  signal: AbortSignal;
  abort: () => void;
  letGo: () => void;
} {
  const controller = new AbortController();
  const abort = (): void => {
    controller.abort();
  };
  for (const signal of signals) {
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort);
  }
  const letGo = (): void => {
    for (const signal of signals) signal?.removeEventListener('abort', abort);
  };
  return { signal: controller.signal, abort, letGo };
}

/** Messages on their way from whoever brings them to whoever asks. Each is given once. */
export class Inbox {
  readonly #known = new Set<string>();
  readonly #waiting: Received[] = [];
  readonly #closed = new AbortController();
  #wake: (() => void) | undefined;

  get closed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** False where the message came before. */
  add(message: Received): boolean {
    if (this.#known.has(message.id)) return false;
    this.#known.add(message.id);
    this.#waiting.push(message);
    this.#wake?.();
    return true;
  }

  async *receive(signal?: AbortSignal): AsyncGenerator<Received, void> {
    const end = linked(signal, this.#closed.signal);
    end.signal.addEventListener('abort', () => this.#wake?.());
    try {
      while (!end.signal.aborted) {
        const next = this.#waiting.shift();
        if (next !== undefined) yield next;
        else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      end.letGo();
    }
  }

  close(): void {
    this.#closed.abort();
  }
}
