import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { describe, expect, it, vi, type TestContext } from 'vitest';
import { startRelay, type Relay } from '../../web/relay/src/relay.js';

const SESSION = 'ab'.repeat(32);
const MESSAGES = `/v1/sessions/${SESSION}/messages`;
const POST = `POST ${MESSAGES}?to=all HTTP/1.1\r\nHost: r\r\nContent-Type: application/octet-stream\r\n`;
const LIST = `GET ${MESSAGES}?to=all HTTP/1.1\r\nHost: r\r\n\r\n`;
const WAIT = `GET ${MESSAGES}?to=helper&wait=1 HTTP/1.1\r\nHost: r\r\n\r\n`;

/** One address has room for one connection, so the next is taken only once that is released. */
const limits = { timeoutSeconds: 1, waitSeconds: 1, addressConnections: 1, addressRequests: 1e6 };

async function relay({ onTestFinished }: TestContext): Promise<Relay> {
  const data = await mkdtemp(join(tmpdir(), 'relay-'));
  const started = await startRelay({ data, limits });
  onTestFinished(async () => {
    await started.close();
    await rm(data, { recursive: true });
  });
  return started;
}

/** A client that never closes its side, whatever the relay does, and reads only if told to. */
async function stall(
  { address }: Relay,
  reads: boolean,
  { onTestFinished }: TestContext,
): Promise<Socket> {
  const { hostname, port } = new URL(address);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.on('error', () => undefined);
  onTestFinished(() => {
    socket.destroy();
  });
  await new Promise((resolve) => socket.once('connect', resolve));
  if (reads) socket.resume();
  else socket.pause();
  return socket;
}

/** Whether the relay takes another connection from the address, which has room for one, within 5 s. */
async function isReleased(here: Relay): Promise<boolean> {
  for (const end = Date.now() + 5000; Date.now() < end;) {
    if (await answersOn(here)) return true;
    await after(50);
  }
  return false;
}

function answersOn({ address }: Relay): Promise<boolean> {
  const { hostname, port } = new URL(address);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.on('data', () => {
      socket.destroy();
    });
    socket.on('close', () => {
      resolve(socket.bytesRead > 0);
    });
    socket.write('GET /healthz HTTP/1.1\r\nHost: r\r\n\r\n');
  });
}

describe.concurrent('the relay lets go of a connection whose client', () => {
  const beginnings: [string, string][] = [
    ['sends nothing', ''],
    ['stops within the headers', 'GET /healthz HTTP/1.1\r\nHost:'],
    ['stops within a message', `${POST}Content-Length: 500\r\n\r\nPMR2`],
    ['sends what is not HTTP', 'HELO relay\r\n\r\n'],
    ['sends headers without end', `GET /healthz HTTP/1.1\r\nX: ${'x'.repeat(20_000)}`],
    ['announces too large a message', `${POST}Content-Length: 1000000000\r\n\r\n`],
    ['asks again before the answer', WAIT + WAIT],
    ['waits for messages', WAIT],
    ['keeps a connection for later', LIST],
  ];
  for (const [what, text] of beginnings) {
    for (const reads of [true, false]) {
      it(`${what}, and ${reads ? 'reads on' : 'reads nothing'} without closing`, async (context) => {
        const here = await relay(context);
        const socket = await stall(here, reads, context);
        expect(await answersOn(here)).toBe(false);
        if (text !== '') socket.write(text);
        expect(await isReleased(here)).toBe(true);
      });
    }
  }

  it('asks and asks, and reads no answer', async (context) => {
    const here = await relay(context);
    const size = 12_000;
    const body = Buffer.alloc(size);
    body.write('PMR2');
    const sent = await fetch(`${here.address}${MESSAGES}?to=all`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/octet-stream', Connection: 'close' },
      body,
    });
    expect(sent.status).toBe(201);
    await sent.text();
    const port = Number(new URL(here.address).port);
    let accepted: Socket | undefined;
    const note = (event: unknown): void => {
      const { socket } = event as { socket: Socket };
      if (socket.localPort === port) accepted = socket;
    };
    subscribe('net.server.socket', note);
    context.onTestFinished(() => {
      unsubscribe('net.server.socket', note);
    });
    const socket = await stall(here, false, context);
    const inRelay = await vi.waitUntil(() => accepted);
    // Until the buffers of both sides are full and an answer stays in the relay's memory.
    while (inRelay.writableLength === 0 && !inRelay.destroyed) {
      const before = inRelay.bytesWritten;
      socket.write(LIST);
      // The next request before the answer would end the connection.
      await vi.waitUntil(() => inRelay.bytesWritten >= before + size || inRelay.destroyed, {
        interval: 1,
      });
      await after(2);
    }
    expect(inRelay.writableLength).toBeGreaterThan(0);
    expect(await isReleased(here)).toBe(true);
  });
});
