import { requireOptions } from '../../base/check.js';
import { PrivateMomentsError } from '../../base/errors.js';
import { utf8 } from '../../base/binary.js';
import type { Recipient } from '../role.js';

/** A received message. `id` is the SHA-256 of its bytes, 64 hex digits. */
export interface Received {
  id: string;
  bytes: Uint8Array;
}

/**
 * Carries the messages of one session without reading them. It must not lose any for good, but may
 * deliver them late, in another order, and again after a page was reloaded. Roles tolerate all of this.
 */
export interface Transport {
  /** Resolves when the message has left this page. The same message may be sent again. */
  send(to: Recipient, message: Uint8Array): Promise<void>;
  /**
   * Yields each message for the mailboxes of this transport once, as they come, until the signal is
   * aborted or `close` is called. A later call goes on from there. Only one call at a time.
   */
  receive(signal?: AbortSignal): AsyncIterable<Received>;
  /** Ends everything in progress. Messages not sent yet fail with `cancelled`. */
  close(): void;
}

export interface TransportOptions {
  /** The session's id. */
  session: string;
  /** Recipients whose messages to receive: a role or a pid, and usually `all`. */
  mailboxes: readonly Recipient[];
}

const MAGIC = utf8('PMR2');
const HEX = /^[0-9a-f]{64}$/;
const ROLES = ['analyst', 'coordinator', 'helper', 'all'];

function isRecipient(name: string): boolean {
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
    const message = 'mailboxes must be a list of recipients';
    throw new PrivateMomentsError('wrong-recipient', message, { field: 'mailboxes' });
  }
  for (const mailbox of mailboxes as readonly Recipient[]) requireRecipient(mailbox);
}

/** @throws PrivateMomentsError `wrong-recipient` */
export function requireRecipient(to: Recipient): void {
  if (isRecipient(to)) return;
  const message =
    'the recipient must be analyst, helper, coordinator, all, or the pid of a participant';
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

/** A signal that aborts when any of several does, until `letGo` is called. */
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

/** A queue of received messages, each of which is delivered once. */
export class Inbox {
  readonly #seen = new Set<string>();
  readonly #waiting: Received[] = [];
  readonly #closed = new AbortController();
  #wake: (() => void) | undefined;

  get closed(): boolean {
    return this.#closed.signal.aborted;
  }

  /** Returns false if the message was added before. */
  add(message: Received): boolean {
    if (this.#seen.has(message.id)) return false;
    this.#seen.add(message.id);
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
