import { PrivateMomentsError } from '../../base/errors.js';
import { concat, hashLarge, unshared, type UnsharedBytes } from '../../base/binary.js';
import { MAX_MESSAGE_BYTES } from '../message.js';
import type { Recipient } from '../role.js';
import {
  addressOf,
  closedError,
  linked,
  requireMessage,
  requireTransportOptions,
  requireRecipient,
  type Received,
  type Transport,
  type TransportOptions,
} from './transport.js';

export interface RelayTransportOptions extends TransportOptions {
  /** Address of the relay, with its path if it has one. */
  relay: string | URL;
  /** The cursor of an earlier transport with the same mailboxes. Default: receives from the start. */
  cursor?: string;
  /** Number of attempts to send a message before `send` fails. Default 8, in about a minute and a half. */
  attempts?: number;
  /** Called after each failure that will be retried, with the seconds until then. */
  onRetry?: (error: PrivateMomentsError, seconds: number) => void;
  /** Replaces the network, for tests. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Replaces waiting, for tests. */
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Replaces random numbers from 0 to 1, for tests. */
  random?: () => number;
}

export interface RelayTransport extends Transport {
  /** The position after everything received so far. Store it together with the state of the role. */
  readonly cursor: string;
}

/** Shorter than the timeout of proxies, usually a minute. */
const WAIT_SECONDS = 25;
/** Time for an answer after the wait: 4 MB at 0.3 Mbit/s. */
const REQUEST_SECONDS = 120;
const FIRST_PAUSE_SECONDS = 0.5;
const MAX_PAUSE_SECONDS = 30;
/** Maximum pause that a relay can ask for. */
const MAX_RETRY_AFTER_SECONDS = 300;
/** Statuses of temporary failures: too many requests, a relay that is stopping, or a proxy without its relay. */
const TEMPORARY = [408, 425, 429, 500, 502, 503, 504];
/** Size of one listing: several messages, or a single one of maximum size. */
const MAX_ANSWER_BYTES = MAX_MESSAGE_BYTES + (1 << 20);

/**
 * A transport over a relay (docs/relay.md). `send` resolves once the relay has the message on disk;
 * `receive` yields messages as soon as they are there. Failures of the network are retried after pauses
 * that grow to half a minute: `attempts` times while sending, and without limit while receiving.
 *
 * Fails with `relay-unreachable` after the last attempt, with `relay-refused` if a retry would not help,
 * and with `relay-faulty` if the answer is not that of a relay.
 * @throws PrivateMomentsError `invalid-session`, `wrong-recipient`, `unsupported-option`
 */
export function relayTransport(options: RelayTransportOptions): RelayTransport {
  return new OverRelay(options);
}

class OverRelay implements RelayTransport {
  readonly #address: string;
  readonly #mailboxes: readonly Recipient[];
  readonly #attempts: number;
  readonly #options: RelayTransportOptions;
  readonly #closed = new AbortController();
  readonly #seen = new Set<string>();
  #cursor: string;

  constructor(options: RelayTransportOptions) {
    requireTransportOptions(options, [
      ...['relay', 'cursor', 'attempts', 'onRetry', 'fetch', 'sleep', 'random'],
    ]);
    const { relay, session, mailboxes, attempts = 8, cursor = '' } = options;
    const base = addressOf(relay);
    if (base === undefined || !/^https?:$/.test(base.protocol)) {
      throw unsupported('relay', 'relay must be an absolute address on http or https');
    }
    if (!Number.isSafeInteger(attempts) || attempts < 1) {
      throw unsupported('attempts', 'attempts must be a whole number of at least 1');
    }
    const path = base.pathname.replace(/\/*$/, '');
    this.#address = `${base.origin}${path}/v1/sessions/${session}/messages`;
    this.#mailboxes = mailboxes;
    this.#attempts = attempts;
    this.#options = options;
    this.#cursor = cursor;
  }

  get cursor(): string {
    return this.#cursor;
  }

  async send(to: Recipient, message: Uint8Array): Promise<void> {
    requireRecipient(to);
    requireMessage(message);
    const id = await hashLarge(message);
    const request = {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream' },
      body: unshared(message),
    };
    const end = linked(this.#closed.signal);
    try {
      const answer = await this.#persist(end.signal, this.#attempts, (signal) =>
        this.#ask(`to=${to}`, request, signal, readId),
      );
      if (answer === undefined) throw closedError();
      if (answer !== id) throw faulty('it confirmed a different message');
    } finally {
      end.letGo();
    }
  }

  async *receive(signal?: AbortSignal): AsyncGenerator<Received, void> {
    const end = linked(this.#closed.signal, signal);
    const mailboxes = this.#mailboxes.map((name) => `to=${name}`).join('&');
    try {
      for (;;) {
        const query = `${mailboxes}&wait=${WAIT_SECONDS}&after=${this.#cursor}`;
        const listing = await this.#persist(end.signal, Infinity, (stop) =>
          this.#ask(query, { method: 'GET' }, stop, readListing),
        );
        if (listing === undefined) return;
        for (const bytes of listing.messages) {
          const id = await hashLarge(bytes);
          if (this.#seen.has(id)) continue;
          this.#seen.add(id);
          yield { id, bytes };
          if (end.signal.aborted) return;
        }
        // Only now, so that a receiver that stops in the middle gets the rest next time.
        this.#cursor = listing.cursor;
      }
    } finally {
      end.letGo();
    }
  }

  close(): void {
    this.#closed.abort();
  }

  /** Retries until `work` succeeds; undefined if the signal is aborted first. @throws PrivateMomentsError */
  async #persist<T>(
    signal: AbortSignal,
    attempts: number,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T | undefined> {
    const { onRetry, sleep = pause, random = Math.random } = this.#options;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        return await work(signal);
      } catch (error) {
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it may have been aborted meanwhile
        if (signal.aborted) return undefined;
        if (!(error instanceof TemporaryFailure)) throw error;
        const problem = unreachable(error);
        if (attempt >= attempts) throw problem;
        const longest = Math.min(FIRST_PAUSE_SECONDS * 2 ** attempt, MAX_PAUSE_SECONDS);
        // Random, so that clients that lost the relay together do not all return at the same moment.
        const seconds = Math.max(longest * (0.5 + random() / 2), error.retryAfter);
        onRetry?.(problem, seconds);
        await sleep(seconds * 1000, signal);
      }
    }
    return undefined;
  }

  /** Sends one request. @throws TemporaryFailure if a retry may help, otherwise PrivateMomentsError */
  async #ask<T>(
    query: string,
    init: RequestInit,
    stop: AbortSignal,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { fetch = globalThis.fetch.bind(globalThis) } = this.#options;
    const limit = linked(stop);
    const timer = setTimeout(limit.abort, (WAIT_SECONDS + REQUEST_SECONDS) * 1000);
    try {
      const response = await fetch(`${this.#address}?${query}`, {
        ...init,
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        referrerPolicy: 'no-referrer',
        signal: limit.signal,
      });
      if (!response.ok) throw await refusal(response);
      return await read(response);
    } catch (error) {
      if (error instanceof PrivateMomentsError || error instanceof TemporaryFailure) throw error;
      throw new TemporaryFailure('no answer', 0, error);
    } finally {
      clearTimeout(timer);
      limit.letGo();
    }
  }
}

/** A failure after which a retry may help. */
class TemporaryFailure extends Error {
  readonly retryAfter: number;

  constructor(what: string, retryAfter: number, cause?: unknown) {
    super(what, { cause });
    this.retryAfter = retryAfter;
  }
}

async function refusal(response: Response): Promise<Error> {
  const { status } = response;
  const code = codeIn(await response.text().catch(() => ''));
  const what = code === undefined ? `status ${status}` : `${code}, status ${status}`;
  if (!TEMPORARY.includes(status)) {
    return new PrivateMomentsError(
      'relay-refused',
      `the relay refused the request (${what}); ask its operator`,
    );
  }
  const seconds = Number(response.headers.get('Retry-After') ?? 0);
  return new TemporaryFailure(what, seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : 0);
}

/** The relay's error code; undefined if something else answered, whose text is not repeated. */
function codeIn(text: string): string | undefined {
  try {
    const { code } = JSON.parse(text) as { code?: unknown };
    return typeof code === 'string' && /^[a-z-]{1,40}$/.test(code) ? code : undefined;
  } catch {
    return undefined;
  }
}

async function readId(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return (JSON.parse(text) as { id?: unknown }).id;
  } catch (cause) {
    throw faulty('its answer is not JSON', cause);
  }
}

interface Listing {
  messages: Uint8Array[];
  cursor: string;
}

/** Reads a sequence of messages, each preceded by its length as four little-endian bytes. */
async function readListing(response: Response): Promise<Listing> {
  const cursor = response.headers.get('PM-Cursor');
  if (cursor === null || !/^[\w-]{0,64}$/.test(cursor)) throw faulty('its answer has no cursor');
  const body = await bodyOf(response);
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const messages: Uint8Array[] = [];
  for (let at = 0; at < body.length;) {
    const length = at + 4 <= body.length ? view.getUint32(at, true) : Infinity;
    if (length > body.length - at - 4) throw faulty('its answer ends in the middle of a message');
    messages.push(body.slice(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return { messages, cursor };
}

async function bodyOf(response: Response): Promise<UnsharedBytes> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) break;
    size += chunk.value.length;
    if (size > MAX_ANSWER_BYTES) {
      await reader?.cancel();
      throw faulty('its answer is too large');
    }
    parts.push(chunk.value);
  }
  return concat(parts);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done);
  });
}

function unreachable(error: TemporaryFailure): PrivateMomentsError {
  const message = `the relay could not be reached (${error.message}); nothing is lost, so try again`;
  return new PrivateMomentsError('relay-unreachable', message, {}, error.cause);
}

function faulty(what: string, cause?: unknown): PrivateMomentsError {
  const message = `there is no working relay at this address; check the address: ${what}`;
  return new PrivateMomentsError('relay-faulty', message, {}, cause);
}

function unsupported(field: string, message: string): PrivateMomentsError {
  return new PrivateMomentsError('unsupported-option', message, { field });
}
