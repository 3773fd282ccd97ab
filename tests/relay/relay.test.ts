import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { networkOf } from '../../web/relay/src/address.js';
import { Budget, defaultLimits, Rates, type RelayLimits } from '../../web/relay/src/limits.js';
import { problems, type Problem } from '../../web/relay/src/problem.js';
import { startRelay, type Relay, type RelayOptions } from '../../web/relay/src/relay.js';
import { Store, type Arrival } from '../../web/relay/src/store.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const SESSION = 'ab'.repeat(32);
const OTHER = 'cd'.repeat(32);
const PID = '12'.repeat(32);
const relays: Relay[] = [];
const folders: string[] = [];

afterEach(async () => {
  await Promise.all(relays.splice(0).map((relay) => relay.close()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'relay-'));
  folders.push(made);
  return made;
}

async function relay(options: Partial<RelayOptions> = {}): Promise<Relay> {
  const started = await startRelay({ data: options.data ?? (await folder()), ...options });
  relays.push(started);
  return started;
}

/** A message as seen by the relay: the magic, and opaque bytes. */
function message(text: string, size = 100): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  bytes.set(new TextEncoder().encode(`PMR2${text}`));
  return bytes;
}

const idOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.subarray(4)).toString('utf8').replaceAll('\0', '');
const path = (query: string, session = SESSION): string =>
  `/v1/sessions/${session}/messages?${query}`;

function post(
  { address }: Relay,
  to: string,
  bytes: Uint8Array<ArrayBuffer>,
  session = SESSION,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(address + path(`to=${to}`, session), {
    method: 'POST',
    body: bytes,
    headers: { 'Content-Type': 'application/octet-stream', ...headers },
  });
}

async function read(
  { address }: Relay,
  query: string,
  session = SESSION,
): Promise<{ texts: string[]; cursor: string; messages: Uint8Array[] }> {
  const response = await fetch(address + path(query, session));
  expect(response.status).toBe(200);
  const body = new Uint8Array(await response.arrayBuffer());
  const messages: Uint8Array[] = [];
  for (let at = 0; at < body.length;) {
    const length = new DataView(body.buffer).getUint32(at, true);
    messages.push(body.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  const cursor = response.headers.get('PM-Cursor') ?? 'none';
  return { texts: messages.map(textOf), cursor, messages };
}

async function refused(answer: Response | Promise<Response>, code: keyof typeof problems) {
  const response = await answer;
  expect(await response.json()).toMatchObject({ code });
  expect(response.status).toBe(problems[code]);
  return response;
}

/** Sends raw text over a new connection, and returns everything until the relay closes it. */
function raw({ address }: Relay, ...parts: (string | number)[]): Promise<string> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    socket.on('close', () => {
      resolve(answer);
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (!['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(error);
    });
    void (async () => {
      for (const part of parts) {
        if (typeof part === 'number') await after(part);
        else if (socket.writable) socket.write(part, 'latin1');
      }
    })();
  });
}

const many = <T>(make: (i: number) => T): T[] => Array.from({ length: 30 }, (_, i) => make(i));

const head = (query: string, ...lines: string[]): string =>
  [`POST ${path(query)} HTTP/1.1`, 'Host: relay', ...lines, '', ''].join('\r\n');
const OCTETS = 'Content-Type: application/octet-stream';

describe('the relay', () => {
  it('gives every mailbox of a session its messages, in order of arrival', async () => {
    const here = await relay();
    await post(here, 'analyst', message('a'));
    await post(here, 'all', message('b'));
    await post(here, PID, message('c'));
    await post(here, 'all', message('d'));
    await post(here, 'all', message('elsewhere'), OTHER);
    expect((await read(here, 'to=analyst')).texts).toEqual(['a']);
    expect((await read(here, `to=${PID}&to=all`)).texts).toEqual(['b', 'c', 'd']);
    expect((await read(here, 'to=helper')).texts).toEqual([]);
    expect((await read(here, 'to=all', OTHER)).texts).toEqual(['elsewhere']);
  });

  it('returns messages unchanged, whatever their bytes', async () => {
    const here = await relay();
    const bytes = message('', 70_000);
    for (let at = 4; at < bytes.length; at += 1) bytes[at] = (at * 2654435761) >>> 24;
    await post(here, 'analyst', bytes);
    const { messages } = await read(here, 'to=analyst');
    expect(messages.map(idOf)).toEqual([idOf(bytes)]);
  });

  it('answers with the SHA-256 of the message, and stores the same message once', async () => {
    const here = await relay();
    const first = await post(here, 'all', message('a'));
    expect(first.status).toBe(201);
    expect(await first.json()).toEqual({ id: idOf(message('a')), number: 1 });
    const again = await Promise.all([0, 1, 2].map(() => post(here, 'all', message('a'))));
    for (const answer of again) {
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({ id: idOf(message('a')), number: 1 });
    }
    expect((await post(here, 'helper', message('a'))).status).toBe(201);
    expect((await read(here, 'to=all')).texts).toEqual(['a']);
  });

  it('stores the same message once if it comes several times at the same moment', async () => {
    const here = await relay();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => post(here, 'all', message('a'))),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect((await read(here, 'to=all')).texts).toEqual(['a']);
  });

  it('goes on after a cursor, over all requested mailboxes', async () => {
    const here = await relay();
    await post(here, 'all', message('a'));
    const { cursor } = await read(here, `to=${PID}&to=all`);
    expect((await read(here, `to=${PID}&to=all&after=${cursor}`)).texts).toEqual([]);
    await post(here, PID, message('b'));
    await post(here, 'all', message('c'));
    const next = await read(here, `to=${PID}&to=all&after=${cursor}`);
    expect(next.texts).toEqual(['b', 'c']);
  });

  it('splits many messages over several answers, without gaps or repetitions', async () => {
    const here = await relay({ limits: { addressRequests: 1000 } });
    const sent = Array.from({ length: 300 }, (_, i) => `m${i}`);
    for (let at = 0; at < sent.length; at += 50) {
      await Promise.all(
        sent
          .slice(at, at + 50)
          .map((text) => post(here, text.endsWith('3') ? PID : 'all', message(text))),
      );
    }
    for (const to of [`to=all&to=${PID}`, 'to=all']) {
      const got: string[] = [];
      let answers = 0;
      for (let cursor = ''; ; answers += 1) {
        const found = await read(here, `${to}&after=${cursor}`);
        if (found.texts.length === 0) break;
        got.push(...found.texts);
        ({ cursor } = found);
      }
      expect(answers).toBe(2);
      const expected = to === 'to=all' ? sent.filter((text) => !text.endsWith('3')) : sent;
      expect(got.sort()).toEqual([...expected].sort());
    }
  });

  it('sends large messages a few at a time, and a single one of any size', async () => {
    const here = await relay({ limits: { memoryBytes: 160 << 20, messageBytes: 20 << 20 } });
    await post(here, 'all', message('a', 9 << 20));
    await post(here, 'all', message('b', 17 << 20));
    const { texts, cursor } = await read(here, 'to=all');
    expect(texts).toEqual(['a']);
    expect((await read(here, `to=all&after=${cursor}`)).texts).toEqual(['b']);
  });

  it('sends a message to a waiting client as soon as it comes', async () => {
    const here = await relay();
    const waiting = Promise.all([
      read(here, 'to=all&wait=20'),
      read(here, `to=${PID}&to=all&wait=20`),
    ]);
    await after(50);
    await post(here, 'analyst', message('not for them'));
    await post(here, 'all', message('a'));
    const [one, two] = await waiting;
    expect(one.texts).toEqual(['a']);
    expect(two.texts).toEqual(['a']);
  });

  it('answers with no message and a cursor after a wait in vain', async () => {
    const here = await relay({ limits: { waitSeconds: 1 } });
    await post(here, 'all', message('a'));
    const { cursor } = await read(here, 'to=all');
    await after(10);
    expect(await read(here, `to=all&after=${cursor}&wait=20`)).toMatchObject({ texts: [], cursor });
  });

  it('has all messages after a restart, with the same cursors', async () => {
    const data = await folder();
    const limits = { totalBytes: 350 };
    const before = await relay({ data, limits });
    await post(before, 'all', message('a'));
    const { cursor } = await read(before, 'to=all');
    await post(before, 'all', message('b'));
    await before.close();
    const here = await relay({ data, limits });
    expect((await read(here, `to=all&after=${cursor}`)).texts).toEqual(['b']);
    expect((await post(here, 'all', message('a'))).status).toBe(200);
    expect(await (await post(here, 'all', message('c'))).json()).toMatchObject({ number: 3 });
    expect((await read(here, 'to=all')).texts).toEqual(['a', 'b', 'c']);
    await refused(post(here, 'all', message('d')), 'relay-full');
  });

  it('deletes a session some days after its last message; old cursors then start again', async () => {
    let now = Date.UTC(2030, 0, 1);
    const here = await relay({
      now: () => now,
      limits: { expiryDays: 2, sessions: 1, totalBytes: 250 },
    });
    await post(here, 'all', message('a'));
    now += 1.5 * 86_400_000;
    await post(here, 'all', message('b'));
    now += 1.5 * 86_400_000;
    expect(await here.sweep()).toBe(0);
    const { cursor, texts } = await read(here, 'to=all');
    expect(texts).toEqual(['a', 'b']);
    now += 86_400_000;
    expect(await here.sweep()).toBe(1);
    expect((await read(here, `to=all&after=${cursor}`)).texts).toEqual([]);
    for (const text of ['b', 'new']) {
      expect((await post(here, 'all', message(text))).status).toBe(201);
    }
    expect((await read(here, `to=all&after=${cursor}`)).texts).toEqual(['b', 'new']);
    await refused(post(here, 'all', message('x'), OTHER), 'too-many-sessions');
  });

  it('reports that it is running', async () => {
    const here = await relay();
    const answer = await fetch(`${here.address}/healthz`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ status: 'ok' });
  });

  it('stops at once: waiting clients get an answer, and new requests are refused', async () => {
    const here = await relay();
    const waiting = read(here, 'to=all&wait=30');
    await after(50);
    // After these requests the relay has seen the earlier one.
    for (let i = 0; i < 2; i += 1) await fetch(`${here.address}/healthz`);
    await here.close();
    expect((await waiting).texts).toEqual([]);
    await expect(fetch(`${here.address}/healthz`)).rejects.toThrow();
  });

  it('does not start on a store that another relay uses, and says so', async () => {
    const data = await folder();
    await relay({ data });
    await expect(startRelay({ data })).rejects.toThrow(/another relay is using it/);
  });

  it('does not start with invalid limits', async () => {
    const data = await folder();
    await expect(startRelay({ data, limits: { sessions: 0 } })).rejects.toThrow(/sessions/);
    await expect(startRelay({ data, limits: { memoryBytes: 1 << 20 } })).rejects.toThrow(/memory/);
    await expect(startRelay({ data, sessions: ['short'] })).rejects.toThrow(/64/);
  });
});

describe('a page of another origin', () => {
  it('may use the relay, and can read the cursor and the reason of a refusal', async () => {
    const here = await relay();
    const preflight = await fetch(here.address + path('to=all'), {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://study.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(preflight.headers.get('Access-Control-Allow-Headers')).toBe('Content-Type');
    for (const query of ['to=all', 'to=nobody']) {
      const answer = await fetch(here.address + path(query));
      expect(answer.headers.get('Access-Control-Allow-Origin')).toBe('*');
      expect(answer.headers.get('Access-Control-Expose-Headers')).toMatch(/PM-Cursor/);
      expect(answer.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    }
  });

  it('may not use it if the operator names other origins', async () => {
    const here = await relay({ origins: ['https://study.example'] });
    const of = async (origin: string) => {
      const answer = await fetch(here.address + path('to=all'), { headers: { Origin: origin } });
      expect(answer.headers.get('Vary')).toBe('Origin');
      return answer.headers.get('Access-Control-Allow-Origin');
    };
    expect(await of('https://study.example')).toBe('https://study.example');
    expect(await of('https://study.example.evil.example')).toBeNull();
  });
});

describe('the relay refuses', () => {
  it('other paths, in any spelling', async () => {
    const here = await relay();
    const paths = [
      '/',
      '/v1/sessions',
      `/v1/sessions/${SESSION}`,
      `/v1/sessions/${SESSION}/messages/`,
      `/v1/sessions/${SESSION}/messages/../messages`,
      `//v1/sessions/${SESSION}/messages`,
      `/v1/sessions/${SESSION}/../../../../etc/passwd`,
      `/v1/sessions/..%2f..%2fetc/messages?to=all`,
      `/v1/sessions/${SESSION.toUpperCase()}/messages?to=all`,
      `/v1/sessions/${SESSION}%00/messages?to=all`,
      `/v1/sessions//messages?to=all`,
      `/v1/sessions/__proto__/messages?to=all`,
      'http://elsewhere.example/healthz',
      '*',
    ];
    for (const hostile of paths) {
      const answer = await raw(
        here,
        `GET ${hostile} HTTP/1.1\r\nHost: r\r\nConnection: close\r\n\r\n`,
      );
      expect(answer, hostile).toMatch(/^HTTP\/1\.1 40[04] /);
      expect(answer, hostile).toMatch(/"code":"(not-found|invalid-session|bad-request)"/);
    }
  });

  it('recipients, cursors and queries that its clients never write', async () => {
    const here = await relay();
    const get = (query: string) => fetch(here.address + path(query));
    const strangers = ['', 'to=', 'to=Analyst', 'to=../all', `to=${PID}0`, 'to=all&to=all'];
    for (const query of strangers) await refused(get(query), 'invalid-recipient');
    const nine = Array.from({ length: 9 }, (_, i) => `to=${String(i).repeat(64)}`).join('&');
    await refused(get(nine), 'invalid-recipient');
    await refused(get('to=all&after=-1'), 'invalid-cursor');
    await refused(get('to=all&after=0000000000000000-1e3'), 'invalid-cursor');
    await refused(get('to=all&wait=-1'), 'invalid-query');
    await refused(get('to=all&wait=1&wait=2'), 'invalid-query');
    await refused(get('to=all&limit=9'), 'invalid-query');
    await refused(post(here, 'all&to=helper', message('a')), 'invalid-recipient');
    await refused(post(here, 'all&wait=1', message('a')), 'invalid-query');
  });

  it('other methods', async () => {
    const here = await relay();
    for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD']) {
      const answer = await fetch(here.address + path('to=all'), { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('Allow')).toBe('GET, POST, OPTIONS');
    }
  });

  it('anything that is not a message, as early as possible', async () => {
    const here = await relay();
    const html = new TextEncoder().encode('<!doctype html>'.padEnd(200, ' '));
    await refused(post(here, 'all', html), 'not-a-message');
    await refused(post(here, 'all', message('a', 73)), 'not-a-message');
    await refused(post(here, 'all', new Uint8Array(0)), 'not-a-message');
    const type = { 'Content-Type': 'text/plain' };
    await refused(post(here, 'all', message('a'), SESSION, type), 'unsupported-type');
    const encoding = { 'Content-Encoding': 'gzip' };
    await refused(post(here, 'all', message('a'), SESSION, encoding), 'unsupported-type');
    // The rest of the megabyte never comes.
    const answer = await raw(here, head('to=all', OCTETS, 'Content-Length: 1000000') + 'PMX1....');
    expect(answer).toMatch(/^HTTP\/1\.1 422 /);
    expect((await read(here, 'to=all')).texts).toEqual([]);
  });

  it('a body of unknown length', async () => {
    const here = await relay();
    const announced = head('to=all', OCTETS, 'Transfer-Encoding: chunked', 'Connection: close');
    expect(await raw(here, `${announced}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 411 [^]*length-required/);
  });

  it('a message that is too large, before it is sent', async () => {
    const here = await relay({ limits: { messageBytes: 1000 } });
    const lines = [OCTETS, 'Content-Length: 1001'];
    const answers = await Promise.all([
      raw(here, head('to=all', ...lines)),
      raw(here, head('to=all', ...lines, 'Expect: 100-continue')),
    ]);
    for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*message-too-large/);
    expect((await post(here, 'all', message('a', 1000))).status).toBe(201);
  });

  it('a message that is too large, so that its sender can read the reason', async () => {
    const here = await relay({ limits: { messageBytes: 1 << 20 } });
    await refused(post(here, 'all', message('a', (1 << 20) + 1)), 'message-too-large');
    await refused(post(here, 'all', new Uint8Array(1 << 20)), 'not-a-message');
  });

  it('a body without cutting off the connection', async () => {
    const { address } = await relay();
    const { hostname, port } = new URL(address);
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    const errors: Error[] = [];
    socket.on('error', (error) => errors.push(error));
    const closed = new Promise<void>((resolve) => socket.on('end', resolve));
    socket.write(head('to=all', OCTETS, 'Content-Length: 1000000000'));
    const answer = await new Promise((resolve) => socket.once('data', resolve));
    expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
    // Bytes that were already on their way are still read.
    for (let i = 0; i < 2; i += 1) {
      socket.write('x'.repeat(1000));
      await after(10);
    }
    expect(errors).toEqual([]);
    // The connection ends even if garbage is collected meanwhile.
    const collecting = setInterval(collect, 20);
    await closed;
    clearInterval(collecting);
    socket.destroy();
  });

  it('sessions that it does not serve', async () => {
    const here = await relay({ sessions: [SESSION] });
    expect((await post(here, 'all', message('a'))).status).toBe(201);
    await refused(post(here, 'all', message('a'), OTHER), 'session-not-served');
    await refused(fetch(here.address + path('to=all', OTHER)), 'session-not-served');
  });

  it('more messages or bytes than a session may have, but not a repeated message', async () => {
    const few = await relay({ limits: { sessionMessages: 2 } });
    await post(few, 'all', message('a'));
    await post(few, 'all', message('b'));
    await refused(post(few, 'all', message('c')), 'session-full');
    expect((await post(few, 'all', message('b'))).status).toBe(200);
    const small = await relay({ limits: { sessionBytes: 250, totalBytes: 350 } });
    await post(small, 'all', message('a'));
    const both = [post(small, 'all', message('b')), post(small, 'all', message('c'))];
    const statuses = (await Promise.all(both)).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 507]);
    await post(small, 'all', message('a'), OTHER);
    await refused(post(small, 'all', message('b'), OTHER), 'relay-full');
  });

  it('more requests from an address than its rate allows, with the time to retry', async () => {
    const here = await relay({ limits: { addressRequests: 1 } });
    const answers = await Promise.all(many(() => fetch(here.address + path('to=all'))));
    expect(answers.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(10);
    const last = answers.find(({ ok }) => !ok);
    expect(last?.headers.get('Retry-After')).toBe('1');
    await refused(last ?? Response.error(), 'too-many-requests');
    expect((await fetch(`${here.address}/healthz`)).status).toBe(200);
  });

  it('more messages to a session, or sessions from an address, than the rate allows', async () => {
    const here = await relay({ limits: { sessionAppends: 1, addressSessions: 1 } });
    const answers = await Promise.all(many((i) => post(here, 'all', message(`${i}`))));
    expect(answers.filter(({ ok }) => ok).length).toBeGreaterThanOrEqual(10);
    await refused(answers.find(({ ok }) => !ok) ?? Response.error(), 'too-many-requests');
    const opened = await relay({ limits: { addressSessions: 2 } });
    for (const session of [SESSION, OTHER]) {
      expect((await post(opened, 'all', message('a'), session)).status).toBe(201);
    }
    const third = post(opened, 'all', message('a'), 'ef'.repeat(32));
    const answer = await refused(third, 'too-many-requests');
    expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(60);
  });

  it('to count one client behind a proxy as many, or many as one', async () => {
    const here = await relay({ behindProxy: true, limits: { addressRequests: 1 } });
    const from = (forwarded: string) =>
      fetch(here.address + path('to=all'), { headers: { 'X-Forwarded-For': forwarded } });
    // The client's own entries come before the one of the proxy.
    const invented = await Promise.all(many((i) => from(`10.0.0.1, 10.0.0.${i}, 192.0.2.1`)));
    expect(invented.some(({ status }) => status === 429)).toBe(true);
    const distinct = await Promise.all(many((i) => from(`10.0.0.1, 192.0.2.1, 10.0.0.${i}`)));
    expect(distinct.every(({ status }) => status === 200)).toBe(true);
  });

  it('to wait for a client that sends nothing, or too slowly', async () => {
    const here = await relay({ limits: { timeoutSeconds: 1 } });
    const [unused, silent, slowHeaders, slowBody] = await Promise.all([
      raw(here),
      raw(here, 'GET /healthz HTTP/1.1\r\n'),
      raw(here, 'GET /healthz HTTP/1.1\r\nHost: r\r\n', 600, 'X-A: 1\r\n', 600, 'X-B: 1\r\n'),
      raw(here, `${head('to=all', OCTETS, 'Content-Length: 500')}PMR2`, 600, 'x', 600, 'x'),
    ]);
    // A browser would take an answer on a connection opened in advance for that to its first request.
    expect(unused).toBe('');
    expect(silent).toMatch(/^HTTP\/1\.1 408 [^]*"code":"timeout"/);
    expect(slowHeaders).toMatch(/^HTTP\/1\.1 408 /);
    expect(slowBody).toMatch(/^HTTP\/1\.1 408 /);
    expect((await post(here, 'all', message('a'))).status).toBe(201);
  });

  it('endless headers, and anything that is not HTTP', async () => {
    const here = await relay();
    const long = `GET /healthz HTTP/1.1\r\nHost: r\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
    expect(await raw(here, long)).toMatch(/^HTTP\/1\.1 431 [^]*headers-too-large/);
    expect(await raw(here, 'HELO relay\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 [^]*bad-request/);
  });

  it('a second request on a connection before the first is answered', async () => {
    const here = await relay();
    const wait = `GET ${path('to=all&wait=20')} HTTP/1.1\r\nHost: r\r\n\r\n`;
    expect(await raw(here, wait + wait)).toBe('');
  });

  it('more connections from one address than allowed', async () => {
    const here = await relay({ limits: { addressConnections: 2 } });
    const { hostname, port } = new URL(here.address);
    const held = [0, 1].map(() => connect(Number(port), hostname));
    await Promise.all(held.map((socket) => new Promise((open) => socket.once('connect', open))));
    expect(await raw(here, 'GET /healthz HTTP/1.1\r\nHost: r\r\n\r\n')).toBe('');
    for (const socket of held) socket.destroy();
    await vi.waitFor(() => fetch(`${here.address}/healthz`));
  });

  it('only the invalid request: the connection can be used again', async () => {
    const here = await relay();
    const wrong = `GET ${path('to=nobody')} HTTP/1.1\r\nHost: r\r\n\r\n`;
    const right = 'GET /healthz HTTP/1.1\r\nHost: r\r\nConnection: close\r\n\r\n';
    expect(await raw(here, wrong, 50, right)).toMatch(/^HTTP\/1\.1 400 [^]*HTTP\/1\.1 200 /);
  });
});

describe('the relay also', () => {
  it('keeps nothing of a message that was broken off', async () => {
    const lines: string[] = [];
    const here = await relay({ log: (line) => lines.push(line) });
    await new Promise<void>((resolve) => {
      const request = httpRequest(here.address + path('to=all'), {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream', 'Content-Length': 1000 },
      });
      request.on('error', () => {
        resolve();
      });
      request.write(message('half', 500), () => setTimeout(() => request.destroy(), 50));
    });
    await after(20);
    expect((await read(here, 'to=all')).texts).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('keeps contents, full session ids, participants and addresses out of the log', async () => {
    const lines: string[] = [];
    const here = await relay({
      log: (line) => lines.push(line),
      behindProxy: true,
      limits: { addressSessions: 1 },
    });
    const secret = { 'X-Forwarded-For': '192.0.2.77', Authorization: 'Bearer hunter2' };
    await post(here, PID, message('sealed words'), SESSION, secret);
    await post(here, PID, message('sealed words'), SESSION, secret);
    await post(here, 'all', message('more'), OTHER, secret);
    await fetch(`${here.address}/sealed?words=hunter2`, { headers: secret });
    await read(here, `to=${PID}`);
    expect(lines).toEqual([
      'append 201 session abababab number 1 100 bytes',
      'append 200 session abababab number 1 100 bytes',
      'refused POST 429 too-many-requests',
      'refused GET 404 not-found',
      'list 200 session abababab 1 messages',
    ]);
  });

  it('counts endless refusals in the log instead of listing them', async () => {
    const lines: string[] = [];
    const here = await relay({ log: (line) => lines.push(line) });
    for (let i = 0; i < 300; i += 1) await fetch(`${here.address}/nothing`);
    expect(lines.length).toBeLessThan(300);
    expect(lines.length).toBeGreaterThanOrEqual(100);
  });
});

/** A message of this text to all members of the session. */
function arrival(text: string, session = SESSION, client = '192.0.2.1'): Arrival {
  const bytes = message(text);
  return { session, to: 'all', id: idOf(bytes), bytes, client };
}

describe('the store', () => {
  const HOUR = 3_600_000;
  const stores: Store[] = [];

  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
  });

  /** A store whose `append` gives the code of a refusal instead of throwing it. */
  async function opened(limits: Partial<RelayLimits>, data?: string) {
    const clock = { now: 0 };
    const place = data ?? (await folder());
    const store = await Store.open(place, { ...defaultLimits, ...limits }, () => clock.now);
    stores.push(store);
    const append = (text: string, session: string, client?: string) =>
      store
        .append(arrival(text, session, client))
        .catch((error: unknown) => (error as Problem).code);
    return { store, clock, append, place };
  }

  const named = (digit: number): string => String(digit).repeat(64);
  const ok = (number: number) => ({ number, fresh: true });

  it('handles simultaneous messages as if they came one by one', async () => {
    const { append } = await opened({ totalBytes: 250, sessions: 1 });
    const taken = await Promise.all([
      ...['a', 'a', 'b', 'a', 'c'].map((text) => append(text, SESSION)),
      append('a', OTHER),
    ]);
    expect(taken).toEqual([
      { number: 1, fresh: true },
      { number: 1, fresh: false },
      { number: 2, fresh: true },
      { number: 1, fresh: false },
      'relay-full',
      'too-many-sessions',
    ]);
  });

  it('lets sessions with messages of one address give way after an hour, the oldest first', async () => {
    const { store, clock, append } = await opened({ sessions: 3 });
    await append('a', named(1), '192.0.2.1');
    clock.now = 1;
    await append('a', named(2), '192.0.2.1');
    await append('b', named(2), '192.0.2.2');
    await append('a', named(3), '192.0.2.1');
    clock.now = HOUR - 1;
    expect(await append('a', named(4))).toBe('too-many-sessions');
    clock.now = HOUR + 1;
    expect(await append('a', named(4))).toEqual(ok(1));
    expect(await append('a', named(5))).toEqual(ok(1));
    expect(await append('a', named(6))).toBe('too-many-sessions');
    expect([1, 2, 3, 4, 5].map((digit) => store.has(named(digit)))).toEqual([
      false,
      true,
      false,
      true,
      true,
    ]);
  });

  it('makes room for bytes in the same way, and knows after a restart which sessions are in use', async () => {
    const before = await opened({});
    await before.append('a', named(1), '192.0.2.1');
    await before.append('a', named(2), '192.0.2.1');
    await before.append('b', named(2), '192.0.2.2');
    await before.store.close();
    stores.splice(0);
    const { store, clock, append } = await opened({ totalBytes: 350 }, before.place);
    clock.now = HOUR - 1;
    expect(await append('c', named(2))).toBe('relay-full');
    clock.now = HOUR;
    expect(await append('c', named(2))).toEqual(ok(3));
    expect(store.has(named(1))).toBe(false);
    expect(await append('d', named(2))).toBe('relay-full');
  });

  it('never deletes a session for a message that repeats one of its own', async () => {
    const { clock, append } = await opened({ sessions: 1 });
    await append('a', named(1));
    clock.now = HOUR;
    expect(await Promise.all([append('a', named(2)), append('a', named(1))])).toEqual([
      'too-many-sessions',
      { number: 1, fresh: false },
    ]);
  });

  it('takes a number of sessions from one address, until some of them expire', async () => {
    const { store, clock, append } = await opened({ addressOpenSessions: 2 });
    const [one, two] = ['192.0.2.1', '192.0.2.2'];
    await append('a', named(1), one);
    clock.now = 1;
    await append('a', named(2), one);
    expect(await append('a', named(3), one)).toBe('address-full');
    expect(await append('a', named(3), two)).toEqual(ok(1));
    expect(await append('b', named(3), one)).toEqual(ok(2));
    await store.expire(1);
    expect(await append('a', named(4), one)).toEqual(ok(1));
    expect(await append('a', named(5), one)).toBe('address-full');
  });
});

describe('a rate limit', () => {
  it('allows a burst and then a number a second, for each key separately', () => {
    let now = 0;
    const rates = new Rates(2, 3, () => now);
    const taken = (key: string) => [0, 1, 2, 3].map(() => rates.take(key));
    expect(taken('a')).toEqual([0, 0, 0, 0.5]);
    expect(taken('b')).toEqual([0, 0, 0, 0.5]);
    now += 500;
    expect([rates.take('a'), rates.take('a')]).toEqual([0, 0.5]);
    now += 1e6;
    expect(taken('a')).toEqual([0, 0, 0, 0.5]);
  });

  it('forgets the least recently used key', () => {
    const rates = new Rates(1, 1, () => 0, 2);
    rates.take('a');
    rates.take('b');
    expect(rates.take('a')).toBe(1);
    rates.take('c');
    expect(rates.take('a')).toBe(1);
    expect(rates.take('b')).toBe(0);
  });
});

describe('a budget', () => {
  const never = new AbortController().signal;

  it('grants no key more than a quarter, and lets others pass', async () => {
    const budget = new Budget(8);
    const granted: string[] = [];
    const take = (key: string, amount: number) =>
      budget.take(key, amount, never).then((giveBack) => {
        granted.push(key);
        return giveBack;
      });
    const first = await take('a', 2);
    void take('a', 1);
    await take('b', 2);
    expect(granted).toEqual(['a', 'b']);
    first();
    await after(0);
    expect(granted).toEqual(['a', 'b', 'a']);
  });

  it('never grants more than its total, in order of arrival', async () => {
    const budget = new Budget(8);
    const held = await Promise.all(['a', 'b', 'c', 'd'].map((key) => budget.take(key, 2, never)));
    const granted: string[] = [];
    for (const key of ['e', 'f']) void budget.take(key, 2, never).then(() => granted.push(key));
    await after(0);
    expect(granted).toEqual([]);
    held[0]?.();
    await after(0);
    expect(granted).toEqual(['e']);
  });

  it('forgets requests that were cancelled', async () => {
    const budget = new Budget(4);
    const giveBack = await budget.take('a', 1, never);
    const gone = new AbortController();
    const left = budget.take('a', 1, gone.signal);
    gone.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    giveBack();
    await budget.take('a', 1, never);
  });
});

describe('a client', () => {
  it('is identified by its IPv4 address or by the first 48 bits of its IPv6 address', () => {
    expect(networkOf('192.0.2.7')).toBe('192.0.2.7');
    expect(networkOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1');
    expect(networkOf('2001:db8:1:ffff::6')).toBe('2001:db8:1');
    expect(networkOf('2001:DB8:0001:0002::')).toBe('2001:db8:1');
    expect(networkOf('2001:db8::7')).toBe('2001:db8:0');
    expect(networkOf('::1')).toBe('0:0:0');
    expect(networkOf('fe80::1%eth0')).toBe('fe80:0:0');
  });

  it('has one IPv4 address, in whatever form it comes', () => {
    const forms = ['::ffff:192.0.2.7', '::FFFF:c000:207', '0:0:0:0:0:ffff:192.0.2.7'];
    for (const form of [...forms, '64:ff9b::192.0.2.7', '64:ff9b::c000:207']) {
      expect(networkOf(form)).toBe('192.0.2.7');
    }
    expect(networkOf('2001:db8:1:2:3:4:192.0.2.7')).toBe('2001:db8:1');
  });
});
