import { PrivateMomentsError } from '../../base/errors.js';
import { concat, hashLarge, unshared } from '../../base/binary.js';
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
  /** Address of the relay; a path in it is kept. */
  relay: string | URL;
  /** Where an earlier transport with the same mailboxes stopped. Default: from the start. */
  cursor?: string;
  /** How often a message is tried before `send` fails. Default 8: about a minute and a half. */
  attempts?: number;
  /** Told of every failure that is followed by another try, and of how long that waits, in seconds. */
  onRetry?: (error: PrivateMomentsError, seconds: number) => void;
  /** For tests: the network, waiting for milliseconds, and numbers from 0 to 1. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  random?: () => number;
}

export interface RelayTransport extends Transport {
  /** Where to go on after everything received so far; to be kept together with what came of it. */
  readonly cursor: string;
}

/** Below what proxies cut off, usually a minute. */
const WAIT_SECONDS = 25;
/** For an answer beyond the waiting: 4 MB at 0.3 Mbit/s. */
const REQUEST_SECONDS = 120;
const FIRST_PAUSE_SECONDS = 0.5;
const LONGEST_PAUSE_SECONDS = 30;
/** A relay that asks for more patience than this is asked earlier. */
const LONGEST_OBEYED_SECONDS = 300;
/** What a relay says is passing: too many requests, stopping, or a proxy in front without it. */
const PASSING = [408, 425, 429, 500, 502, 503, 504];
/** One listing: many messages together, or one of the largest. */
const MAX_ANSWER_BYTES = MAX_MESSAGE_BYTES + (1 << 20);

/**
 * A transport over a relay (docs/relay.md). Sends until the relay has the message on disk; receives
 * as soon as there is something. Failures of the network are tried again, after pauses that grow to
 * half a minute: while sending so often, while receiving for as long as it takes.
 *
 * Fails with `relay-unreachable` after the last try, `relay-refused` where trying again is no use, and
 * `relay-faulty` where the answer is not a relay's.
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
      if (answer !== id) throw faulty('it confirmed another message');
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
        // Only now: whoever stops in the middle gets the rest another time.
        this.#cursor = listing.cursor;
      }
    } finally {
      end.letGo();
    }
  }

  close(): void {
    this.#closed.abort();
  }

  /** Tries until it succeeds; undefined when the signal came first. @throws PrivateMomentsError */
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
        // eslint-disable-next-line @typescript-eslint/no-unnecessary-condition -- it aborts meanwhile
        if (signal.aborted) return undefined;
        if (!(error instanceof Passing)) throw error;
        const problem = unreachable(error);
        if (attempt >= attempts) throw problem;
        const longest = Math.min(FIRST_PAUSE_SECONDS * 2 ** attempt, LONGEST_PAUSE_SECONDS);
        // Spread, so that those who lost the relay in the same moment do not come back in one.
        const seconds = Math.max(longest * (0.5 + random() / 2), error.retryAfter);
        onRetry?.(problem, seconds);
        await sleep(seconds * 1000, signal);
      }
    }
    return undefined;
  }

  /** One request. @throws Passing where another try may help, PrivateMomentsError where not */
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
      if (error instanceof PrivateMomentsError || error instanceof Passing) throw error;
      throw new Passing('no answer', 0, error);
    } finally {
      clearTimeout(timer);
      limit.letGo();
    }
  }
}

/** A failure that may pass. */
class Passing extends Error {
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
  if (!PASSING.includes(status)) {
    return new PrivateMomentsError(
      'relay-refused',
      `the relay refused (${what}): its operator can say more`,
    );
  }
  const seconds = Number(response.headers.get('Retry-After') ?? 0);
  return new Passing(what, seconds > 0 ? Math.min(seconds, LONGEST_OBEYED_SECONDS) : 0);
}

/** The relay's own code; of anything else that answers nothing is repeated. */
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

/** Messages one behind the other, each after its length as four bytes, little-endian. */
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

async function bodyOf(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk?.value === undefined) break;
    size += chunk.value.length;
    if (size > MAX_ANSWER_BYTES) {
      await reader?.cancel();
      throw faulty('its answer is larger than any');
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

function unreachable(error: Passing): PrivateMomentsError {
  const message = `the relay could not be reached (${error.message}); nothing is lost, try again`;
  return new PrivateMomentsError('relay-unreachable', message, {}, error.cause);
}

function faulty(what: string, cause?: unknown): PrivateMomentsError {
  const message = `no working relay answers at this address; check it: ${what}`;
  return new PrivateMomentsError('relay-faulty', message, {}, cause);
}

function unsupported(field: string, message: string): PrivateMomentsError {
  return new PrivateMomentsError('unsupported-option', message, { field });
}
