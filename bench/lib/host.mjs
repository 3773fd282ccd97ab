import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const types = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.mjs': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
};

/**
 * A static host on this machine. Like most hosts, it compresses everything and sends no special headers,
 * so threads cannot share memory.
 * @param {Record<string, string>} folders path prefix -> folder
 */
export async function serve(folders) {
  const compressed = new Map();
  let sent = 0;
  let requests = 0;
  const load = async (path) => {
    const prefix = Object.keys(folders).find((name) => path.startsWith(`/${name}/`));
    if (prefix === undefined) throw new Error('not here');
    const file = join(folders[prefix], normalize(path.slice(prefix.length + 1)));
    return gzipSync(await readFile(file));
  };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://host').pathname);
    if (!compressed.has(path)) compressed.set(path, load(path));
    compressed.get(path).then(
      (body) => {
        sent += body.length;
        ++requests;
        const type = types[extname(path)] ?? 'application/octet-stream';
        const headers = { 'content-type': type, 'content-encoding': 'gzip' };
        response.writeHead(200, { ...headers, 'cache-control': 'max-age=600' }).end(body);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    /** Compressed bytes sent and requests answered since the last call. */
    traffic() {
      const since = { sent, requests };
      sent = requests = 0;
      return since;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
