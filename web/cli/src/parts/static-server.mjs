// A small static server for viewing built pages on this computer. It listens on 127.0.0.1 only. It is not
// TypeScript, because samples/demo runs it from the sources.

import { createReadStream, realpathSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/vnd.microsoft.icon',
  // Browsers compile WebAssembly while it downloads only if it has this type.
  '.wasm': 'application/wasm',
};

/** The longest mount that contains the path, or undefined. */
function mountOf(mounts, path) {
  return Object.keys(mounts)
    .filter((prefix) => path.startsWith(prefix) || `${path}/` === prefix)
    .sort((a, b) => b.length - a.length)[0];
}

/**
 * Finds the file for a request.
 *
 * @returns {{ status: number, file?: string, size?: number, location?: string }}
 */
function lookUp(mounts, url) {
  let path;
  try {
    path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
  } catch {
    return { status: 400 };
  }
  if (!path.startsWith('/') || path.includes('\0')) return { status: 400 };
  const prefix = mountOf(mounts, path);
  if (prefix === undefined) return { status: 404 };
  if (path.length < prefix.length) return { status: 301, location: prefix };
  try {
    // Symbolic links are resolved before the check, so that none can lead out of the folder.
    const root = realpathSync(mounts[prefix]);
    const found = realpathSync(join(root, path.slice(prefix.length)));
    if (found !== root && !found.startsWith(root + sep)) return { status: 404 };
    if (!statSync(found).isDirectory())
      return { status: 200, file: found, size: statSync(found).size };
    if (!path.endsWith('/')) {
      // After two leading slashes, a browser would treat the folder as the name of another server.
      return { status: 301, location: `${encodeURI(path.replace(/^\/+/, '/'))}/` };
    }
    const file = realpathSync(join(found, 'index.html'));
    if (!file.startsWith(root + sep)) return { status: 404 };
    return { status: 200, file, size: statSync(file).size };
  } catch {
    return { status: 404 };
  }
}

async function answer(mounts, headers, request, response) {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    return;
  }
  const { status, file, size, location } = lookUp(mounts, request.url);
  if (status !== 200) {
    response.writeHead(status, location === undefined ? {} : { Location: location }).end();
    return;
  }
  response.writeHead(200, {
    'Content-Type': TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': size,
    // A rebuilt page must not be mixed with parts of the previous one.
    'Cache-Control': 'no-cache',
  });
  if (request.method === 'HEAD') response.end();
  else await pipeline(createReadStream(file), response);
}

/**
 * Serves folders on 127.0.0.1.
 *
 * @param {{ [prefix: string]: string }} mounts URL prefix, beginning and ending with `/`, to folder
 * @param {number} [port] 0, the default, for any free port
 * @param {{ [name: string]: string }} [headers] more headers for every answer
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} rejects if the port is taken
 */
export function serve(mounts, port = 0, headers = {}) {
  const server = createServer((request, response) => {
    // A client may close the connection in the middle of a file.
    answer(mounts, headers, request, response).catch(() => response.destroy());
  });
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(port, '127.0.0.1', () => {
      done({
        url: `http://127.0.0.1:${server.address().port}/`,
        close: () => {
          server.closeAllConnections();
          return new Promise((closed) => server.close(closed));
        },
      });
    });
  });
}
