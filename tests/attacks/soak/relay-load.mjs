// 200 participants in real sessions over one relay, among hostile clients, while the relay is killed and
// restarted: does every session end with the right sum, and is every confirmed message still there?
import { webcrypto } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as after } from 'node:timers/promises';
import { defineStudy } from 'private-moments';
import {
  createCollector,
  createHelper,
  createParticipant,
  createSession,
  newRoleKeys,
  plainArithmetic,
  relayTransport,
} from 'private-moments/federation';
import { misuse } from '../support/hostile-clients.mjs';
import { seeded } from '../support/random.mjs';
import { RelayProcess } from '../support/relay-process.mjs';

const FULL = {
  ...{ rooms: 25, sites: 8, hostile: 30, hostilePauseMs: 400 },
  ...{ seconds: 600, restartSeconds: 40, timeoutSeconds: 10 },
};
const QUICK = {
  ...{ rooms: 2, sites: 3, hostile: 4, hostilePauseMs: 100 },
  ...{ seconds: 5, restartSeconds: 2, timeoutSeconds: 2 },
};
/** Seconds after which a session that has not ended is stuck, once nothing is restarted any more. */
const PATIENCE = 180;
/** What the process may take beside the 128 MiB of messages that it may hold: Node and LevelDB. */
const MOST_MB = 512;

const WORDS = 6;

export const attack = {
  name: 'relay-load',
  promise:
    'The relay loses no confirmed message and no session, whatever its clients do and whenever it is killed, in bounded memory.',
  minutes: 13,
  async run({ quick, scratch, seed, log }) {
    const size = quick ? QUICK : FULL;
    const random = seeded(seed);
    const numbers = {
      participants: size.rooms * size.sites,
      minutes: size.seconds / 60,
      sessions: 0,
      slowest: 0,
      stuck: 0,
      wrong: 0,
      confirmed: 0,
      lost: 0,
      hostile: 0,
      kills: 0,
      stops: 0,
      heldOpen: 0,
      peakMb: 0,
    };
    const relay = await RelayProcess.start(scratch, [
      ...['--timeout', String(size.timeoutSeconds), '--max-wait', '5', '--max-sessions', '20000'],
      ...['--max-address-sessions', '1000', '--rate-address-sessions', '10000'],
    ]);
    const before = relay.sockets();
    const watching = setInterval(() => relay.watch(), 500);
    const end = Date.now() + size.seconds * 1000;
    const confirmed = new Map();
    const stops = range(size.hostile).map((index) =>
      misuse(relay.port, addressOf(60, index), size.hostilePauseMs, random),
    );
    const rooms = range(size.rooms).map(async (room) => {
      while (Date.now() < end) {
        await hold(relay, room, size, end, confirmed, numbers, random);
        if (numbers.sessions % 50 === 0) log(JSON.stringify({ ...numbers, peakMb: relay.peakMb }));
      }
    });
    while (Date.now() < end) {
      await after(size.restartSeconds * 1000 * (0.5 + random()));
      const kind = (numbers.kills + numbers.stops) % 2 === 0 ? 'SIGKILL' : 'SIGTERM';
      await relay.end(kind);
      await after(2000 * random());
      await relay.run();
      if (kind === 'SIGKILL') numbers.kills += 1;
      else numbers.stops += 1;
    }
    await Promise.all(rooms);
    const hostile = await Promise.all(stops.map((stop) => stop()));
    for (const { attempts } of hostile) numbers.hostile += attempts;
    // Hostile clients keep their side open: what is left now would be left for ever.
    for (let i = 0; i < 5 * size.timeoutSeconds && relay.sockets() > before; i += 1)
      await after(1000);
    numbers.heldOpen = Math.max(0, relay.sockets() - before);
    for (const { close } of hostile) close();
    for (const [session, ids] of confirmed) {
      numbers.confirmed += ids.size;
      numbers.lost += await missing(relay, session, ids);
    }
    clearInterval(watching);
    numbers.peakMb = relay.peakMb;
    await relay.end('SIGTERM');
    return numbers;
  },
  tried: (n) =>
    `${n.participants} participants for ${n.minutes} minutes, ${n.sessions} sessions, ${n.hostile} hostile connections, ` +
    `${n.kills} kills and ${n.stops} orderly restarts`,
  found: (n) =>
    `${n.lost} of ${n.confirmed} confirmed messages lost, ${n.stuck} sessions stuck, the slowest took ${n.slowest} s, ${n.wrong} wrong sums, ` +
    `${n.heldOpen} connections held, at most ${n.peakMb} MB`,
  holds: (n) =>
    n.sessions > 0 &&
    n.lost + n.stuck + n.wrong + n.heldOpen === 0 &&
    n.kills > 0 &&
    n.peakMb < MOST_MB,
};

/** One session of a room, from the first release to the result at everyone. */
async function hold(relay, room, { sites }, end, confirmed, numbers, random) {
  const [collector, helper] = [await newRoleKeys('25519'), await newRoleKeys('25519')];
  const study = defineStudy({
    title: `Room ${room}`,
    columns: [1, 2].map((column) => ({ name: `c${column}`, type: 'number', min: 0, max: 1 })),
    privacy: { epsilon: 1, delta: 1e-6 },
    federation: { mode: 'split', sites, honest: sites - 1 },
  });
  const session = createSession(study, { collector, helper });
  const ids = new Map();
  confirmed.set(session.id, ids);
  const since = performance.now();
  const closing = new AbortController();
  const follow = async (role, mailboxes, index, onStep = () => []) => {
    const options = { relay: relay.address, session: session.id, mailboxes, attempts: 10_000 };
    const transport = relayTransport({
      ...options,
      fetch: fetchFrom(addressOf(room, index)),
      sleep: (milliseconds) => after(milliseconds / 10),
    });
    const send = async (messages) => {
      for (const { to, message } of messages) {
        await transport.send(to, message);
        ids.set(`${to}/${await digest(message)}`, to);
      }
    };
    if (role.start) {
      await after(3000 * random());
      await send((await role.start()).send);
    }
    for await (const { bytes } of transport.receive(closing.signal)) {
      await send((await role.receive(bytes)).send);
      await send(await onStep());
      if (role.state === 'done' || role.state === 'aborted') break;
    }
    transport.close();
    return role;
  };
  const analyst = await createCollector(session, collector);
  const closeOnceAllAreHere = async () => {
    const isDue = analyst.state === 'collecting' && analyst.releases.length === sites;
    return isDue ? (await analyst.close()).send : [];
  };
  const words = range(sites).map(() => webcrypto.getRandomValues(new Uint8Array(8 * WORDS)));
  // A release's words have the size that sums of a study have.
  for (const own of words) for (let at = 6; at < own.length; at += 8) own.fill(0, at, at + 2);
  const participants = await Promise.all(
    words.map((own) => createParticipant(session, { mask: (seeds) => masked(own, seeds) })),
  );
  const all = Promise.all([
    follow(analyst, ['analyst'], 0, closeOnceAllAreHere),
    follow(await createHelper(session, helper), ['helper', 'all'], 1),
    ...participants.map((role, index) => follow(role, [role.pid, 'all'], index + 2)),
  ]);
  const waiting = new AbortController();
  const inTime = await Promise.race([
    all.then(
      () => true,
      () => false,
    ),
    after(end - Date.now() + PATIENCE * 1000, false, { signal: waiting.signal }).catch(() => true),
  ]);
  waiting.abort();
  closing.abort();
  numbers.sessions += 1;
  numbers.slowest = Math.max(numbers.slowest, Math.round((performance.now() - since) / 1000));
  if (!inTime) numbers.stuck += 1;
  else if (!same(analyst.outcome?.total, await sumOf(words))) numbers.wrong += 1;
}

/** Own words and masks, as the worker of a participant would add them. */
async function masked(own, seeds) {
  const sum = plainArithmetic.sum(WORDS);
  await sum.add(own, 1);
  for (const { key, sign } of seeds) {
    const imported = await webcrypto.subtle.importKey('raw', key, 'AES-CTR', false, ['encrypt']);
    const cipher = { name: 'AES-CTR', counter: new Uint8Array(16), length: 64 };
    const stream = await webcrypto.subtle.encrypt(cipher, imported, new Uint8Array(8 * WORDS));
    await sum.add(new Uint8Array(stream), sign);
  }
  return { payload: await sum.bytes(), rows: 10 };
}

async function sumOf(words) {
  const sum = plainArithmetic.sum(WORDS);
  for (const own of words) await sum.add(own, 1);
  return sum.bytes();
}

/** How many of the confirmed messages the relay no longer has. */
async function missing({ address }, session, ids) {
  const found = new Set();
  for (const to of new Set(ids.values())) {
    for (let cursor = ''; ;) {
      const query = `to=${to}&after=${cursor}`;
      const answer = await patiently(() =>
        fetch(`${address}/v1/sessions/${session}/messages?${query}`),
      );
      const body = Buffer.from(await answer.arrayBuffer());
      if (body.length === 0) break;
      for (let at = 0; at < body.length;) {
        const size = body.readUInt32LE(at);
        found.add(`${to}/${await digest(body.subarray(at + 4, at + 4 + size))}`);
        at += 4 + size;
      }
      cursor = answer.headers.get('PM-Cursor');
    }
  }
  return [...ids.keys()].filter((id) => !found.has(id)).length;
}

/** Asks again while the relay says that it is asked too often. */
async function patiently(ask) {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 429) return answer;
    await answer.text();
    await after(1000);
  }
}

/** `fetch` from a loopback address of its own, as relays count clients by address. */
function fetchFrom(localAddress) {
  const agent = new Agent({ keepAlive: true, localAddress });
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, agent, signal }, (answer) => {
        const parts = [];
        answer.on('data', (part) => parts.push(part));
        answer.on('error', reject);
        answer.on('end', () => {
          resolve(
            new Response(Buffer.concat(parts), {
              status: answer.statusCode,
              headers: answer.headers,
            }),
          );
        });
      });
      sent.on('error', reject);
      if (body) sent.setHeader('Content-Length', body.length);
      sent.end(body);
    });
}

/** Linux has the whole of 127.0.0.0/8; elsewhere all clients share one address. */
function addressOf(room, index) {
  return process.platform === 'linux' ? `127.0.${room + 1}.${index + 1}` : '127.0.0.1';
}

const range = (count) => Array.from({ length: count }, (_, index) => index);

async function digest(bytes) {
  return Buffer.from(await webcrypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

const same = (one, other) => one !== undefined && Buffer.compare(one, other) === 0;
