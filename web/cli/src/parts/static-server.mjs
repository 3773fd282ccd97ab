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

/** The path that a request names, or undefined if it names none. */
function pathOf(url) {
  try {
    const path = decodeURIComponent(url.split(/[?#]/, 1)[0]);
    return path.startsWith('/') && !path.includes('\0') ? path : undefined;
  } catch {
    return undefined;
  }
}

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
function lookUp(mounts, path) {
  if (path === undefined) return { status: 400 };
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

async function answer(mounts, headersOf, request, response) {
  const path = pathOf(request.url);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  // A rebuilt page must not be mixed with parts of the previous one.
  response.setHeader('Cache-Control', 'no-cache');
  for (const [name, value] of Object.entries(headersOf(path ?? '/'))) {
    response.setHeader(name, value);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    return;
  }
  const { status, file, size, location } = lookUp(mounts, path);
  if (status !== 200) {
    response.writeHead(status, location === undefined ? {} : { Location: location }).end();
    return;
  }
  response.writeHead(200, {
    'Content-Type': TYPES[extname(file).toLowerCase()] ?? 'application/octet-stream',
    'Content-Length': size,
  });
  if (request.method === 'HEAD') response.end();
  else await pipeline(createReadStream(file), response);
}

/**
 * Serves folders on 127.0.0.1.
 *
 * @param {{ [prefix: string]: string }} mounts URL prefix, beginning and ending with `/`, to folder
 * @param {number} [port] 0, the default, for any free port
 * @param {(path: string) => { [name: string]: string }} [headersOf] more headers for the answer to a path
 * @returns {Promise<{ url: string, close: () => Promise<void> }>} rejects if the port is taken
 */
export function serve(mounts, port = 0, headersOf = () => ({})) {
  const server = createServer((request, response) => {
    // A client may close the connection in the middle of a file.
    answer(mounts, headersOf, request, response).catch(() => response.destroy());
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
