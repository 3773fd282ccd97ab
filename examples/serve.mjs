import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const types = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** Serves a folder on a free port, with these headers and those of its types. */
export async function serve(folder, headers = {}) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://host').pathname));
    const name = path.endsWith('/') ? `${path}index.html` : path;
    readFile(join(folder, name)).then(
      (body) => {
        const type = types[extname(name)] ?? 'text/plain';
        response.writeHead(200, { 'content-type': type, ...headers }).end(body);
      },
      // Browsers ask for an icon, and would complain about it before the page shows its own error.
      () => response.writeHead(path === '/favicon.ico' ? 204 : 404).end(),
    );
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
