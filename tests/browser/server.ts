import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const types: Record<string, string> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};

export interface Host {
  /** Address of the site, below a path as on many static hosts. */
  address: string;
  close(): Promise<void>;
}

/**
 * The simplest static host: no headers but the type, with the site below /any/path/.
 * @param hear is called with every request
 */
export async function serve(
  folder: string,
  hear: (request: IncomingMessage) => void = () => undefined,
): Promise<Host> {
  const prefix = '/any/path/';
  const server = createServer((request, response) => {
    hear(request);
    const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
    const file = path.startsWith(prefix) ? normalize(`/${path.slice(prefix.length)}`) : undefined;
    if (file === undefined) {
      response.writeHead(404).end();
      return;
    }
    const name = file.endsWith('/') ? `${file}index.html` : file;
    readFile(join(folder, name)).then(
      (body) => {
        response.writeHead(200, { 'content-type': types[extname(name)] ?? 'text/plain' });
        response.end(body);
      },
      () => {
        response.writeHead(404).end();
      },
    );
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}${prefix}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections();
        server.close((error) => {
          if (error) reject(error);
          else resolve();
        });
      }),
  };
}
