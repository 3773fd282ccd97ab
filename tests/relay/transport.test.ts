import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { startRelay, type Relay, type RelayOptions } from '../../web/relay/src/relay.js';
import {
  relayTransport,
  type RelayTransport,
  type RelayTransportOptions,
} from '../../web/package/src/federation/transports/transport-relay.js';
import {
  idOf,
  message,
  PID,
  SESSION,
  take,
  takeAll,
  textOf,
} from '../package/federation/transport-support.js';
import { failure, seeded } from '../package/support.js';

const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function relay(options: Partial<RelayOptions> = {}): Promise<Relay> {
  const data = options.data ?? (await mkdtemp(join(tmpdir(), 'relay-')));
  if (options.data === undefined) ends.push(() => rm(data, { recursive: true }));
  const started = await startRelay({ ...options, data });
  ends.push(() => started.close());
  return started;
}

type Overrides = Partial<RelayTransportOptions>;

function over(address: string, options: Overrides = {}): RelayTransport {
  const transport = relayTransport({
    relay: address,
    session: SESSION,
    mailboxes: ['all'],
    random: () => 1,
    sleep: () => Promise.resolve(),
    ...options,
  });
  ends.push(() => {
    transport.close();
  });
  return transport;
}

/** A network that gives these answers, request by request. */
function answers(...replies: (Response | Error | (() => Response))[]) {
  const asked: string[] = [];
  const fetch = (url: string, { method }: RequestInit): Promise<Response> => {
    asked.push(`${method ?? 'GET'} ${url}`);
    const next = replies.shift();
    if (next === undefined) return new Promise(() => undefined);
    if (next instanceof Error) return Promise.reject(next);
    return Promise.resolve(next instanceof Response ? next : next());
  };
  return { fetch, asked };
}

const offline = (): Error => new TypeError('fetch failed');
const stored = (bytes: Uint8Array): Response => Response.json({ id: idOf(bytes), number: 1 });
const refusal = (status: number, code: string, headers = {}): Response =>
  Response.json({ code, message: 'words' }, { status, headers });

function listing(cursor: string, ...messages: Uint8Array[]): Response {
  const parts = messages.flatMap((bytes) => {
    const length = new Uint8Array(4);
    new DataView(length.buffer).setUint32(0, bytes.length, true);
    return [length, bytes];
  });
  return new Response(Buffer.concat(parts), { headers: { 'PM-Cursor': cursor } });
}

describe('the transport over a relay', () => {
  it('carries messages to their mailboxes, including those sent before', async () => {
    const { address } = await relay();
    const sender = over(address);
    await sender.send('analyst', message('a'));
    await sender.send(PID, message('b'));
    await sender.send('all', message('c'));
    expect(await take(over(address, { mailboxes: ['analyst', 'all'] }), 2)).toEqual(['a', 'c']);
    const participant = over(address, { mailboxes: [PID, 'all'] });
    expect(await take(participant, 2)).toEqual(['b', 'c']);
    const next = take(participant, 1);
    await after(20);
    await sender.send('all', message('d'));
    expect(await next).toEqual(['d']);
  });

  it('delivers each message once, even if it comes twice or to two mailboxes', async () => {
    const { address } = await relay();
    const here = over(address, { mailboxes: [PID, 'all'] });
    for (const to of ['all', PID, 'all']) await here.send(to, message('a'));
    await here.send('all', message('b'));
    expect(await take(here, 2)).toEqual(['a', 'b']);
  });

  it('goes on where an earlier one stopped, without skipping messages', async () => {
    const { address } = await relay();
    const first = over(address);
    for (const text of ['a', 'b']) await first.send('all', message(text));
    expect(first.cursor).toBe('');
    expect(await take(first, 1)).toEqual(['a']);
    // It stopped in the middle of an answer, so a page that is reloaded gets both.
    expect(await take(over(address, { cursor: first.cursor }), 2)).toEqual(['a', 'b']);
    expect(await take(first, 1)).toEqual(['b']);
    expect(await takeAll(first)).toEqual([]);
    const { cursor } = first;
    await first.send('all', message('c'));
    expect(await take(over(address, { cursor }), 1)).toEqual(['c']);
  });

  it('survives an outage of the relay, waiting until it is back', async () => {
    const data = await mkdtemp(join(tmpdir(), 'relay-'));
    ends.push(() => rm(data, { recursive: true }));
    const before = await relay({ data });
    const { port } = new URL(before.address);
    const troubles: string[] = [];
    const here = over(before.address, {
      attempts: 1000,
      sleep: () => after(5),
      onRetry: ({ code }) => troubles.push(code),
    });
    await here.send('all', message('a'));
    expect(await take(here, 1)).toEqual(['a']);
    await before.close();
    const received = take(here, 1);
    const sent = here.send('all', message('b'));
    await after(30);
    await relay({ data, port: Number(port) });
    await sent;
    expect(await received).toEqual(['b']);
    expect(new Set(troubles)).toEqual(new Set(['relay-unreachable']));
  });

  it('gives up sending after a number of attempts, with pauses that grow to half a minute', async () => {
    const pauses: number[] = [];
    const network = answers(...Array.from({ length: 9 }, offline));
    const waits: number[] = [];
    const here = over('https://relay.example', {
      fetch: network.fetch,
      attempts: 9,
      sleep: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
      onRetry: (_, seconds) => waits.push(seconds),
    });
    const message1 = message('a');
    await failure(() => here.send('all', message1), { code: 'relay-unreachable' });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 30, 30, 30].map((seconds) => seconds * 1000));
    expect(waits).toEqual(pauses.map((milliseconds) => milliseconds / 1000));
    const url = `https://relay.example/v1/sessions/${SESSION}/messages?to=all`;
    expect(new Set(network.asked)).toEqual(new Set([`POST ${url}`]));
  });

  it('randomises its pauses, so that clients do not all return at the same moment', async () => {
    const pauses: number[] = [];
    const here = over('https://relay.example', {
      fetch: answers(offline(), offline(), offline(), stored(message('a'))).fetch,
      sleep: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
      random: seeded(7),
    });
    await here.send('all', message('a'));
    for (const [index, pause] of pauses.entries()) {
      const longest = 1000 * 2 ** index;
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThan(longest);
    }
  });

  it('waits as long as the relay asks, within limits', async () => {
    const pauses: number[] = [];
    const busy = (seconds: string) => refusal(429, 'too-many-requests', { 'Retry-After': seconds });
    const network = answers(busy('7'), busy('100000'), busy('soon'), stored(message('a')));
    const here = over('https://relay.example', {
      fetch: network.fetch,
      sleep: (milliseconds) => Promise.resolve(void pauses.push(milliseconds)),
    });
    await here.send('all', message('a'));
    expect(pauses).toEqual([7000, 300_000, 4000]);
  });

  it('does not retry after a final refusal, and reports the relay’s own code', async () => {
    const { address } = await relay({ sessions: ['cd'.repeat(32)] });
    const retries: unknown[] = [];
    const here = over(address, { onRetry: (error) => retries.push(error) });
    const expected = { code: 'relay-refused', message: /session-not-served, status 403/ };
    await failure(() => here.send('all', message('a')), expected);
    await failure(() => take(here, 1), expected);
    expect(retries).toEqual([]);
  });

  it('does not quote an answer that is not from a relay', async () => {
    const page = (): Response => new Response('<b>secret words</b>', { status: 404 });
    const forged = (): Response =>
      Response.json({ code: 'Secret words!', message: 'secret' }, { status: 404 });
    for (const answer of [page, forged]) {
      const here = over('https://relay.example', { fetch: answers(answer).fetch });
      const error = await failure(() => here.send('all', message('a')), { code: 'relay-refused' });
      expect(error.message).toMatch(/status 404/);
      expect(error.message).not.toMatch(/secret/i);
    }
  });

  it('detects a relay that confirms another message', async () => {
    const network = answers(stored(message('b')), new Response('ok'));
    const here = over('https://relay.example', { fetch: network.fetch });
    for (let i = 0; i < 2; i += 1) {
      await failure(() => here.send('all', message('a')), { code: 'relay-faulty' });
    }
  });

  it('detects an answer that is cut, or has no valid cursor', async () => {
    const cut = new Response(Uint8Array.of(9, 0, 0, 0, 1), { headers: { 'PM-Cursor': 'c' } });
    const shorter = new Response(Uint8Array.of(9, 0), { headers: { 'PM-Cursor': 'c' } });
    for (const answer of [cut, shorter, new Response('page'), listing('a b', message('a'))]) {
      const here = over('https://relay.example', { fetch: answers(answer).fetch });
      await failure(() => take(here, 1), { code: 'relay-faulty' });
    }
  });

  it('reads an interrupted answer again from its start', async () => {
    const whole = listing('c1', message('a'), message('b'));
    const broken = new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new Uint8Array(50));
          controller.error(new TypeError('terminated'));
        },
      }),
      { headers: { 'PM-Cursor': 'c1' } },
    );
    const network = answers(broken, whole);
    const here = over('https://relay.example', { fetch: network.fetch });
    expect(await take(here, 2)).toEqual(['a', 'b']);
    expect(network.asked[1]).toBe(network.asked[0]);
  });

  it('receives from all its mailboxes with one request, under any path of the relay', async () => {
    const network = answers(listing('c1', message('a')), listing('c2', message('b')));
    const here = over('https://example.org/relay/?old#part', {
      fetch: network.fetch,
      mailboxes: [PID, 'all'],
    });
    expect(await take(here, 2)).toEqual(['a', 'b']);
    const url = `GET https://example.org/relay/v1/sessions/${SESSION}/messages`;
    expect(network.asked).toEqual([
      `${url}?to=${PID}&to=all&wait=25&after=`,
      `${url}?to=${PID}&to=all&wait=25&after=c1`,
    ]);
  });

  it('ends at once when closed, whatever it waits for', async () => {
    const { address } = await relay();
    const here = over(address);
    const stop = new AbortController();
    const receiving = (async () => {
      for await (const received of here.receive(stop.signal)) throw new Error(textOf(received));
    })();
    await after(20);
    stop.abort();
    await receiving;
    const again = takeAll(here, 5000);
    const retries: unknown[] = [];
    const cut = over(address, { onRetry: (error) => retries.push(error) });
    const cutting = takeAll(cut, 20);
    const pausing = over('https://relay.example', {
      fetch: answers(offline()).fetch,
      sleep: (_, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            resolve();
          });
        }),
    });
    const sending = failure(() => pausing.send('all', message('a')), { code: 'cancelled' });
    await after(20);
    here.close();
    pausing.close();
    expect(await again).toEqual([]);
    expect(await cutting).toEqual([]);
    expect(retries).toEqual([]);
    await sending;
    await failure(() => here.send('all', message('a')), { code: 'cancelled' });
  });

  it('needs an address, a session and valid recipients', async () => {
    const code = 'unsupported-option';
    await failure(() => over('relay'), { code, field: 'relay' });
    await failure(() => over('ftp://relay.example'), { code, field: 'relay' });
    await failure(() => over('https://r.example', { attempts: 0 }), { code, field: 'attempts' });
    await failure(() => over('https://r.example', { session: 'x' }), { code: 'invalid-session' });
    const mailboxes = ['everybody'];
    await failure(() => over('https://r.example', { mailboxes }), { code: 'wrong-recipient' });
    const here = over('https://r.example');
    await failure(() => here.send('you&after=', message('a')), { code: 'wrong-recipient' });
    const nothing = new Uint8Array(100);
    await failure(() => here.send('all', nothing), { code: 'message-unreadable' });
  });
});
