import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { clientOf, networkOf } from './address.js';
import { Budget, defaultLimits, Rates, type RelayLimits } from './limits.js';
import { Problem, problems, type ProblemCode } from './problem.js';
import { Store, type Listing } from './store.js';

export interface RelayOptions {
  /** Folder of the store; created if missing. */
  data: string;
  /** Address to listen on. Default 127.0.0.1. */
  host?: string | undefined;
  /** Port to listen on. Default 0: a free one. */
  port?: number | undefined;
  /** Origins of pages that may use the relay. Default any. Only browsers enforce this. */
  origins?: readonly string[] | undefined;
  /** The only sessions served. Default any. */
  sessions?: readonly string[] | undefined;
  /** Whether a reverse proxy writes the address of the client into X-Forwarded-For. */
  behindProxy?: boolean | undefined;
  limits?: Partial<RelayLimits> | undefined;
  /** Receives one line per event. Default: no log. */
  log?: ((line: string) => void) | undefined;
  /** Clock for the expiry of sessions, in milliseconds since 1970. */
  now?: (() => number) | undefined;
}

export interface Relay {
  /** URL it listens at, e.g. `http://127.0.0.1:8787`. */
  address: string;
  /** Deletes expired sessions, which also happens regularly, and returns their number. */
  sweep(): Promise<number>;
  /** Answers waiting readers, finishes open requests, and closes the store. */
  close(): Promise<void>;
}

const SESSION = /^[0-9a-f]{64}$/;
const RECIPIENT = /^(?:analyst|helper|coordinator|all|[0-9a-f]{64})$/;
const CURSOR = /^(?:[0-9a-f]{16}-\d{1,10})?$/;
const MESSAGES = /^\/v1\/sessions\/([^/]*)\/messages$/;

/** First bytes of every message. */
const MAGIC = Buffer.from('PMR2', 'latin1');
/** Magic, length of the header, the empty header {}, signature. */
const LEAST_BYTES = 4 + 4 + 2 + 64;
/** Most mailboxes in one request. */
const MOST_MAILBOXES = 8;

const HEADER_BYTES = 8192;
/** Seconds for the headers of a request, and between two requests. */
const IDLE_SECONDS = 10;
const SWEEP_MS = 600_000;
/** How long the body of a refused request is read and discarded, so that the client sees the answer. */
const LINGER_MS = 1000;
/** How long open requests may take to finish when the relay stops. */
const GRACE_MS = 5000;

/** Refusals logged per second; the others are only counted. */
const REFUSALS_LOGGED = 10;

/** @throws Error if the store cannot be opened or the address is not available */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const limits = { ...defaultLimits };
  for (const [name, value] of Object.entries(options.limits ?? {})) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new RangeError(`the limit ${name} must be a whole number of at least 1`);
    }
    limits[name as keyof RelayLimits] = value;
  }
  if (limits.memoryBytes < 8 * limits.messageBytes) {
    throw new RangeError('memoryBytes must be at least eight times messageBytes');
  }
  for (const session of options.sessions ?? []) {
    if (!SESSION.test(session)) {
      throw new RangeError('a session id must have 64 lower-case hexadecimal digits');
    }
  }
  const store = await Store.open(options.data, limits, options.now ?? Date.now);
  const mailbox = new Mailbox(store, limits, options);
  const { host = '127.0.0.1', port = 0 } = options;
  try {
    mailbox.server.listen(port, host);
    await once(mailbox.server, 'listening');
  } catch (error) {
    await store.close();
    throw error;
  }
  return mailbox.start();
}

/** A reader who waits for messages to some mailboxes of a session. */
interface Waiter {
  to: readonly string[];
  wake: () => void;
}

class Mailbox {
  readonly server: Server;
  readonly #store: Store;
  readonly #limits: RelayLimits;
  readonly #origins: readonly string[] | undefined;
  readonly #sessions: ReadonlySet<string> | undefined;
  readonly #behindProxy: boolean;
  readonly #log: (line: string) => void;
  readonly #now: () => number;
  readonly #requestRates: Rates;
  readonly #openingRates: Rates;
  readonly #appendRates: Rates;
  readonly #logRates = new Rates(REFUSALS_LOGGED, 10 * REFUSALS_LOGGED, () => performance.now());
  readonly #incoming: Budget;
  readonly #outgoing: Budget;
  readonly #waiters = new Map<string, Set<Waiter>>();
  readonly #sockets = new Set<Socket>();
  readonly #connections = new Map<string, number>();
  /** Answers that are not finished, by their connection. */
  readonly #answers = new WeakMap<Duplex, ServerResponse>();
  #notLogged = 0;
  #stopping = false;

  constructor(store: Store, limits: RelayLimits, options: RelayOptions) {
    this.#store = store;
    this.#limits = limits;
    this.#origins = options.origins;
    this.#sessions = options.sessions && new Set(options.sessions);
    this.#behindProxy = options.behindProxy ?? false;
    this.#log = options.log ?? (() => undefined);
    this.#now = options.now ?? Date.now;
    const clock = (): number => performance.now();
    const { addressRequests, addressSessions, sessionAppends, memoryBytes } = limits;
    this.#requestRates = new Rates(addressRequests, 10 * addressRequests, clock);
    this.#openingRates = new Rates(addressSessions / 3600, addressSessions, clock);
    this.#appendRates = new Rates(sessionAppends, 10 * sessionAppends, clock);
    this.#incoming = new Budget(memoryBytes / 2);
    this.#outgoing = new Budget(memoryBytes / 2);
    this.server = createServer({
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: Math.min(IDLE_SECONDS, limits.timeoutSeconds) * 1000,
      requestTimeout: limits.timeoutSeconds * 1000,
      connectionsCheckingInterval: 1000,
      keepAliveTimeout: Math.min(IDLE_SECONDS, limits.timeoutSeconds) * 1000,
    });
    // Behind the exact limits: whatever keeps a connection open without a byte, it ends here.
    this.server.timeout = (limits.waitSeconds + 2 * limits.timeoutSeconds) * 1000;
    this.server.maxConnections = limits.connections;
    this.server.on('connection', (socket) => {
      this.#admit(socket);
    });
    this.server.on('request', (request, response) => void this.#handle(request, response, false));
    this.server.on(
      'checkContinue',
      (request: IncomingMessage, response: ServerResponse) =>
        void this.#handle(request, response, true),
    );
    this.server.on('clientError', (error, socket) => {
      // Browsers open connections in advance and would take this for the answer to their first request.
      const unused = 'bytesRead' in socket && socket.bytesRead === 0;
      if (unused || !socket.writable || this.#answers.get(socket)?.headersSent) socket.destroy();
      else answerMalformed(error, socket);
    });
  }

  start(): Relay {
    const sweep = (): Promise<number> => this.#sweep();
    const timer = setInterval(() => void sweep().catch(() => undefined), SWEEP_MS);
    timer.unref();
    void sweep().catch(() => undefined);
    const { address, port, family } = this.server.address() as AddressInfo;
    const host = family === 'IPv6' ? `[${address}]` : address;
    let closed: Promise<void> | undefined;
    return {
      address: `http://${host}:${port}`,
      sweep,
      close: () => {
        clearInterval(timer);
        return (closed ??= this.#close());
      },
    };
  }

  async #sweep(): Promise<number> {
    const count = await this.#store.expire(this.#now() - this.#limits.expiryDays * 86_400_000);
    if (count > 0) this.#log(`expired ${count} sessions`);
    return count;
  }

  async #close(): Promise<void> {
    this.#stopping = true;
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.#sockets) {
      const answer = this.#answers.get(socket);
      if (answer === undefined) socket.destroy();
      else if (!answer.headersSent) answer.setHeader('Connection', 'close');
    }
    for (const waiters of this.#waiters.values()) for (const { wake } of waiters) wake();
    const timer = setTimeout(() => {
      this.server.closeAllConnections();
    }, GRACE_MS);
    await closed;
    clearTimeout(timer);
    await this.#store.close();
  }

  #admit(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // Behind a proxy all connections are the proxy's, which has its own limits.
    if (this.#behindProxy) return;
    const client = networkOf(socket.remoteAddress ?? '');
    const open = this.#connections.get(client) ?? 0;
    if (open >= this.#limits.addressConnections) {
      socket.destroy();
      return;
    }
    this.#connections.set(client, open + 1);
    socket.once('close', () => {
      const left = (this.#connections.get(client) ?? 1) - 1;
      if (left > 0) this.#connections.set(client, left);
      else this.#connections.delete(client);
    });
  }

  async #handle(
    request: IncomingMessage,
    response: ServerResponse,
    asksToContinue: boolean,
  ): Promise<void> {
    const { socket } = request;
    // No limit counts requests that are pipelined, so they are not accepted.
    if (this.#answers.has(socket)) {
      socket.destroy();
      return;
    }
    this.#answers.set(socket, response);
    const gone = new AbortController();
    response.once('finish', () => this.#answers.delete(socket));
    response.once('close', () => {
      gone.abort();
    });
    this.#writeCommonHeaders(request, response);
    const exchange = { request, response, asksToContinue, gone: gone.signal };
    try {
      await this.#route(exchange);
    } catch (error) {
      if (gone.signal.aborted || response.headersSent) {
        // It is too late for an error; the client sees that the answer breaks off.
        response.destroy();
        return;
      }
      const problem = error instanceof Problem ? error : failed(error);
      this.#logRefusal(request, problem);
      await refuse(exchange, problem);
    } finally {
      // The answer is written, but a client that does not read it leaves it in memory here.
      destroyUnlessClosed(response, this.#limits.timeoutSeconds * 1000);
    }
  }

  #writeCommonHeaders(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cross-Origin-Resource-Policy', 'cross-origin');
    if (this.#stopping) response.setHeader('Connection', 'close');
    if (this.#origins === undefined) {
      response.setHeader('Access-Control-Allow-Origin', '*');
    } else {
      response.setHeader('Vary', 'Origin');
      const { origin } = request.headers;
      if (origin !== undefined && this.#origins.includes(origin)) {
        response.setHeader('Access-Control-Allow-Origin', origin);
      } else return;
    }
    response.setHeader('Access-Control-Expose-Headers', 'PM-Cursor, Retry-After');
  }

  async #route(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const { method, url = '' } = request;
    const [path = '', ...rest] = url.split('?');
    if (path === '/healthz') {
      allow(request, ['GET', 'HEAD']);
      answerJson(response, 200, { status: this.#stopping ? 'stopping' : 'ok' });
      return;
    }
    const client = clientOf(request, this.#behindProxy);
    requireToken(this.#requestRates.take(client));
    const session = MESSAGES.exec(path)?.[1];
    if (session === undefined) throw new Problem('not-found', 'there is nothing at this path');
    allow(request, ['GET', 'POST', 'OPTIONS']);
    if (method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
      response.setHeader('Access-Control-Allow-Headers', 'Content-Type');
      response.setHeader('Access-Control-Max-Age', '86400');
      response.writeHead(204).end();
      return;
    }
    if (!SESSION.test(session)) {
      throw new Problem(
        'invalid-session',
        'a session id must have 64 lower-case hexadecimal digits',
      );
    }
    if (this.#sessions?.has(session) === false) {
      throw new Problem('session-not-served', 'this relay serves other sessions only');
    }
    const query = new URLSearchParams(rest.join('?'));
    if (method === 'POST') await this.#append(exchange, client, session, query);
    else await this.#list(exchange, client, session, query);
  }

  async #append(
    exchange: Exchange,
    client: string,
    session: string,
    query: URLSearchParams,
  ): Promise<void> {
    const { request, response, asksToContinue, gone } = exchange;
    if (this.#stopping) throw new Problem('stopping', 'the relay is about to stop', 5);
    checkQuery(query, ['to']);
    const to = recipients(query, 1)[0] ?? '';
    const size = announcedSize(request, this.#limits.messageBytes);
    requireToken(this.#appendRates.take(session));
    // The token is taken once the session is open: of several simultaneous first messages, one opens it.
    if (!this.#store.has(session)) requireToken(this.#openingRates.wait(client));
    const giveBack = await this.#incoming.take(client, size, gone);
    try {
      if (asksToContinue) response.writeContinue();
      const bytes = await bodyOf(request, size, gone);
      const id = createHash('sha256').update(bytes).digest('hex');
      const { number, fresh } = await this.#store.append({ session, to, id, bytes, client });
      const status = fresh ? 201 : 200;
      this.#log(`append ${status} session ${session.slice(0, 8)} number ${number} ${size} bytes`);
      if (fresh && number === 1) this.#openingRates.take(client);
      if (fresh) this.#wake(session, to);
      answerJson(response, status, { id, number });
    } finally {
      giveBack();
    }
  }

  async #list(
    exchange: Exchange,
    client: string,
    session: string,
    query: URLSearchParams,
  ): Promise<void> {
    const { gone } = exchange;
    checkQuery(query, ['to', 'after', 'wait']);
    const to = recipients(query, MOST_MAILBOXES);
    const after = query.get('after') ?? '';
    if (!CURSOR.test(after))
      throw new Problem('invalid-cursor', 'after must be a cursor from a relay');
    const wait = query.get('wait') ?? '0';
    if (!/^\d{1,4}$/.test(wait)) {
      throw new Problem('invalid-query', 'wait must be a whole number of seconds');
    }
    const seconds = Math.min(Number(wait), this.#limits.waitSeconds);
    const found = await this.#listed(session, to, after, seconds, gone);
    if (gone.aborted) return;
    await this.#send(exchange, client, session, found);
  }

  /** Messages after the cursor; if there are none, waits for some until the time is up. */
  async #listed(
    session: string,
    to: readonly string[],
    after: string,
    seconds: number,
    gone: AbortSignal,
  ): Promise<Listing> {
    const waiter = { to, wake: (): void => undefined };
    const woken = new Promise<void>((resolve) => {
      waiter.wake = resolve;
    });
    // Registered before the first look, so that no message is missed in between.
    const waiters = this.#waiters.get(session) ?? new Set();
    this.#waiters.set(session, waiters.add(waiter));
    const timer = setTimeout(waiter.wake, seconds * 1000);
    gone.addEventListener('abort', waiter.wake);
    try {
      const found = await this.#store.list(session, to, after);
      if (found.entries.length > 0 || seconds === 0 || this.#stopping) return found;
      await woken;
      return gone.aborted ? found : await this.#store.list(session, to, after);
    } finally {
      clearTimeout(timer);
      waiters.delete(waiter);
      if (waiters.size === 0 && this.#waiters.get(session) === waiters) {
        this.#waiters.delete(session);
      }
    }
  }

  #wake(session: string, recipient: string): void {
    for (const { to, wake } of this.#waiters.get(session) ?? []) if (to.includes(recipient)) wake();
  }

  /** Sends the messages, each after its length, with at most one of them in memory. */
  async #send(
    { response, gone }: Exchange,
    client: string,
    session: string,
    { entries, cursor }: Listing,
  ): Promise<void> {
    const total = entries.reduce((sum, { size }) => sum + 4 + size, 0);
    response.writeHead(200, {
      'Content-Type': 'application/octet-stream',
      'Content-Length': total,
      'PM-Cursor': cursor,
    });
    const tooSlow = setTimeout(() => response.destroy(), this.#limits.timeoutSeconds * 1000);
    try {
      for (const { number, size } of entries) {
        const giveBack = await this.#outgoing.take(client, size, gone);
        try {
          const bytes = await this.#store.body(session, number);
          if (bytes?.length !== size) {
            response.destroy();
            return;
          }
          const length = Buffer.alloc(4);
          length.writeUInt32LE(size);
          response.write(length);
          if (!response.write(bytes)) await once(response, 'drain', { signal: gone });
        } finally {
          giveBack();
        }
      }
      response.end();
      if (entries.length > 0) {
        this.#log(`list 200 session ${session.slice(0, 8)} ${entries.length} messages`);
      }
    } finally {
      clearTimeout(tooSlow);
    }
  }

  /** Logs the method and the code of a refusal, and nothing else of the request. */
  #logRefusal({ method }: IncomingMessage, { status, code, cause }: Problem): void {
    if (this.#logRates.take('') > 0) {
      this.#notLogged += 1;
      return;
    }
    if (this.#notLogged > 0) this.#log(`refused ${this.#notLogged} more requests`);
    this.#notLogged = 0;
    const why =
      cause instanceof Error ? ` (${(cause as { code?: string }).code ?? cause.name})` : '';
    this.#log(`refused ${method === 'POST' ? 'POST' : 'GET'} ${status} ${code}${why}`);
  }
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Whether the client waits for `100 Continue` before it sends the body. */
  asksToContinue: boolean;
  /** Aborted when the connection or the answer has ended. */
  gone: AbortSignal;
}

function allow({ method = '' }: IncomingMessage, methods: readonly string[]): void {
  if (methods.includes(method)) return;
  throw new Problem('method-not-allowed', `this path answers ${methods.join(', ')}`);
}

function requireToken(wait: number): void {
  const seconds = Math.ceil(wait);
  if (seconds === 0) return;
  throw new Problem('too-many-requests', `too many requests; ask again in ${seconds} s`, seconds);
}

function checkQuery(query: URLSearchParams, known: readonly string[]): void {
  for (const name of query.keys()) {
    const once = name === 'to' || query.getAll(name).length === 1;
    if (known.includes(name) && once) continue;
    throw new Problem(
      'invalid-query',
      `the query may contain ${known.join(', ')}; only to may be repeated`,
    );
  }
}

function recipients(query: URLSearchParams, most: number): string[] {
  const to = query.getAll('to');
  const valid = to.length >= 1 && to.length <= most && new Set(to).size === to.length;
  if (valid && to.every((name) => RECIPIENT.test(name))) return to;
  const names = 'analyst, helper, coordinator, all, or the 64 hexadecimal digits of a participant';
  const count = most === 1 ? 'once' : `1 to ${most} times`;
  throw new Problem('invalid-recipient', `the query must contain to, ${count}: ${names}`);
}

/** The size of the body, checked before a byte of it is read. */
function announcedSize({ headers }: IncomingMessage, most: number): number {
  if (!/^application\/octet-stream$/i.test(headers['content-type'] ?? '')) {
    throw new Problem('unsupported-type', 'send messages as application/octet-stream');
  }
  if (headers['content-encoding'] !== undefined) {
    throw new Problem('unsupported-type', 'send messages without a Content-Encoding');
  }
  const announced = headers['content-length'];
  if (announced === undefined) {
    throw new Problem('length-required', 'send messages with their Content-Length');
  }
  const size = Number(announced);
  if (size > most) throw new Problem('message-too-large', `a message has at most ${most} bytes`);
  if (size < LEAST_BYTES) throw notAMessage();
  return size;
}

/** The body, given up at its first bytes where those are not a message's. @throws the signal's reason */
async function bodyOf(
  request: IncomingMessage,
  size: number,
  gone: AbortSignal,
): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(size);
  let end = 0;
  // Iterating over the request would close the connection at an early end, answer and all.
  const takeChunk = (chunk: Buffer): void => {
    chunk.copy(bytes, end);
    end += chunk.length;
    const seen = Math.min(end, MAGIC.length);
    if (MAGIC.compare(bytes, 0, seen, 0, seen) !== 0) request.emit('strange');
  };
  request.on('data', takeChunk);
  const settled = new AbortController();
  const signal = AbortSignal.any([gone, settled.signal]);
  try {
    const strange = once(request, 'strange', { signal }).then(() => Promise.reject(notAMessage()));
    await Promise.race([once(request, 'end', { signal }), strange]);
  } finally {
    request.off('data', takeChunk);
    settled.abort();
  }
  return bytes;
}

function notAMessage(): Problem {
  return new Problem('not-a-message', 'the body is not a message of this protocol (PMR2)');
}

function failed(cause: unknown): Problem {
  const problem = new Problem('internal', 'the relay failed; ask again later', 5);
  problem.cause = cause;
  return problem;
}

function answerJson(response: ServerResponse, status: number, content: object): void {
  const text = JSON.stringify(content);
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

/**
 * Answers with the problem, and closes the connection if the body is still arriving. It waits before it
 * closes: bytes that arrive at a closed connection would make the client drop the answer unread.
 */
async function refuse({ request, response, gone }: Exchange, problem: Problem): Promise<void> {
  const { code, message, status, retryAfter } = problem;
  const content = JSON.stringify({ code, message });
  if (code === 'method-not-allowed') response.setHeader('Allow', 'GET, POST, OPTIONS');
  if (retryAfter !== undefined) response.setHeader('Retry-After', retryAfter);
  const underWay = !request.complete;
  response.writeHead(status, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(content),
    ...(underWay ? { Connection: 'close' } : {}),
  });
  response.write(content);
  if (underWay) {
    request.resume();
    // AbortSignal.timeout inside AbortSignal.any may be garbage-collected and then never fires.
    const settled = new AbortController();
    const timer = setTimeout(() => {
      settled.abort();
    }, LINGER_MS);
    const signal = AbortSignal.any([gone, settled.signal]);
    await once(request, 'end', { signal }).catch(() => undefined);
    clearTimeout(timer);
  }
  response.end();
}

/** Answers what never became a request: too slow, headers too large, or not HTTP. */
function answerMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
  const codes: Record<string, ProblemCode> = {
    ERR_HTTP_REQUEST_TIMEOUT: 'timeout',
    HPE_HEADER_OVERFLOW: 'headers-too-large',
  };
  const code = codes[error.code ?? ''] ?? 'bad-request';
  const content = JSON.stringify({ code, message: 'the request was not read to its end' });
  // A client that keeps its side open would otherwise hold the connection for ever.
  destroyUnlessClosed(socket, LINGER_MS);
  socket.end(
    `HTTP/1.1 ${problems[code]} Refused\r\nConnection: close\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${content.length}\r\n\r\n${content}`,
  );
}

function destroyUnlessClosed(stream: ServerResponse | Duplex, milliseconds: number): void {
  if (stream.closed) return;
  const timer = setTimeout(() => stream.destroy(), milliseconds);
  stream.once('close', () => {
    clearTimeout(timer);
  });
}
