// Clients that misuse a relay over raw connections, each from an address of its own where the system has them.
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';

/** Connections that one client leaves open at once, and those that only its own side still has. */
const MOST_OPEN = 40;
const MOST_ENDED = 100;

const messages = (session, query) => `/v1/sessions/${session}/messages?${query}`;
const anySession = () => randomBytes(32).toString('hex');
const post = (session, length) =>
  `POST ${messages(session, 'to=all')} HTTP/1.1\r\nHost: r\r\n` +
  `Content-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`;
const list = (session, wait = 0) =>
  `GET ${messages(session, `to=all&wait=${wait}`)} HTTP/1.1\r\nHost: r\r\n\r\n`;

/** What hostile clients do with a connection; none of them closes it. */
const MISUSES = [
  async function sendHeadersSlowly(socket) {
    socket.write('GET /healthz HTTP/1.1\r\nHost: r\r\n');
    for (let i = 0; i < 100 && socket.writable; i += 1) {
      socket.write('X: y\r\n');
      await after(1000);
    }
  },
  async function sendMessageSlowly(socket) {
    socket.write(`${post(anySession(), 5000)}PMR2`);
    for (let i = 0; i < 100 && socket.writable; i += 1) {
      socket.write('x');
      await after(1000);
    }
  },
  function stopInHeaders(socket) {
    socket.write('POST /v1/sessions/');
  },
  function stopInMessage(socket) {
    socket.write(`${post(anySession(), 1e6)}PMR2`);
  },
  function sayNothing() {},
  function sendGarbage(socket) {
    socket.write(randomBytes(4096));
  },
  function sendGarbageMessage(socket) {
    socket.write(post(anySession(), 4096));
    socket.write(randomBytes(4096));
  },
  function announceTooMuch(socket) {
    socket.write(post(anySession(), 1e12));
  },
  function sendEndlessHeaders(socket) {
    socket.write(`GET /healthz HTTP/1.1\r\nX: ${'x'.repeat(60_000)}`);
  },
  async function openSession(socket) {
    socket.write(`${post(anySession(), 1000)}PMR2${'x'.repeat(996)}`);
    await after(200);
  },
  async function askAndReadNothing(socket) {
    socket.pause();
    for (let i = 0; i < 100 && socket.writable; i += 1) {
      socket.write(list(anySession()));
      await after(20);
    }
  },
  function askManyAtOnce(socket) {
    socket.write(list(anySession(), 20).repeat(200));
  },
  function waitForNothing(socket) {
    socket.write(list(anySession(), 30));
  },
  async function flood(socket) {
    for (let i = 0; i < 300 && socket.writable; i += 1) {
      socket.write(`GET /${i} HTTP/1.1\r\nHost: r\r\n\r\n`);
      if (i % 20 === 0) await after(10);
    }
  },
];

/**
 * Misuses the relay until stopped. The returned function stops it and leaves its connections open; it
 * gives another that closes them.
 */
export function misuse(port, localAddress, pauseMs, random) {
  const open = new Set();
  const ended = [];
  let stopped = false;
  let attempts = 0;
  const attempt = async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true });
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('end', () => {
      open.delete(socket);
      ended.push(socket);
      if (ended.length > MOST_ENDED) ended.shift().destroy();
    });
    socket.on('data', () => undefined);
    attempts += 1;
    await MISUSES[Math.floor(random() * MISUSES.length)](socket);
  };
  const running = (async () => {
    while (!stopped) {
      if (open.size < MOST_OPEN) void attempt();
      await after(pauseMs * (0.5 + random()));
    }
  })();
  return async () => {
    stopped = true;
    await running;
    return {
      attempts,
      close() {
        for (const socket of [...open, ...ended]) socket.destroy();
      },
    };
  };
}
