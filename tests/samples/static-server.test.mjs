import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../web/cli/src/parts/static-server.mjs';

let folder;
let server;

/** Status and Location of a request whose target is sent unchanged; `fetch` would normalise it. */
function raw(target) {
  const { hostname, port } = new URL(server.url);
  return new Promise((done, fail) => {
    let text = '';
    const socket = connect(Number(port), hostname, () => {
      socket.write(`GET ${target} HTTP/1.1\r\nHost: ${hostname}\r\nConnection: close\r\n\r\n`);
    });
    socket.on('data', (chunk) => (text += chunk));
    socket.on('end', () =>
      done({ status: Number(text.split(' ')[1]), location: /^Location: (.*)\r$/m.exec(text)?.[1] }),
    );
    socket.on('error', fail);
  });
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'private-moments-'));
  mkdirSync(join(folder, 'site', 'deep'), { recursive: true });
  mkdirSync(join(folder, 'report'));
  writeFileSync(join(folder, 'secret.txt'), 'not to be served');
  writeFileSync(join(folder, 'site', 'index.html'), '<title>site</title>');
  writeFileSync(join(folder, 'site', 'engine.wasm'), new Uint8Array([0, 97, 115, 109]));
  writeFileSync(join(folder, 'site', 'deep', 'a b.js'), 'export {};');
  writeFileSync(join(folder, 'report', 'report.html'), '<title>report</title>');
  symlinkSync(join(folder, 'secret.txt'), join(folder, 'site', 'link.txt'));
  server = await serve({ '/': join(folder, 'site'), '/report/': join(folder, 'report') });
});

afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

describe('static server', () => {
  test('listens on this computer only', () => {
    expect(new URL(server.url).hostname).toBe('127.0.0.1');
  });

  test('a folder answers with its index page', async () => {
    const response = await fetch(server.url);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await response.text()).toBe('<title>site</title>');
  });

  test('WebAssembly and modules have the types that browsers require', async () => {
    const wasm = await fetch(`${server.url}engine.wasm`);
    expect(wasm.headers.get('content-type')).toBe('application/wasm');
    expect((await wasm.arrayBuffer()).byteLength).toBe(4);
    const script = await fetch(`${server.url}deep/a%20b.js?v=1`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  test('a second folder is served under its own prefix', async () => {
    const response = await fetch(`${server.url}report/report.html`);
    expect(await response.text()).toBe('<title>report</title>');
    const bare = await fetch(`${server.url}report`, { redirect: 'manual' });
    expect(bare.headers.get('location')).toBe('/report/');
  });

  test('a folder without its final slash is redirected, so relative links work', async () => {
    const response = await fetch(`${server.url}deep`, { redirect: 'manual' });
    expect(response.status).toBe(301);
    expect(response.headers.get('location')).toBe('/deep/');
    expect((await raw('//deep')).location).toBe('/deep/');
  });

  test.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/deep/../../secret.txt',
    '/report/../../secret.txt',
    '/link.txt',
  ])('no path leads out of the folder: %s', async (target) => {
    expect((await raw(target)).status).toBe(404);
  });

  test.each(['/%', '/%00', 'http://example.com/'])('nonsense is refused: %s', async (target) => {
    expect((await raw(target)).status).toBe(400);
  });

  test('a missing file gives 404, and so does a folder without an index page', async () => {
    expect((await fetch(`${server.url}nothing.html`)).status).toBe(404);
    expect((await fetch(`${server.url}deep/`)).status).toBe(404);
  });

  test('HEAD gives the length without the content; anything but GET and HEAD is refused', async () => {
    const head = await fetch(`${server.url}engine.wasm`, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('4');
    expect((await head.arrayBuffer()).byteLength).toBe(0);
    expect((await fetch(server.url, { method: 'POST', body: 'x' })).status).toBe(405);
  });

  test('a port in use is an error', async () => {
    await expect(serve({ '/': folder }, Number(new URL(server.url).port))).rejects.toThrow(
      'EADDRINUSE',
    );
  });
});
