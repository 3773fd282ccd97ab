import { createSocket } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Recorder {
  /** A server on another origin, which accepts all requests. */
  address: string;
  /** The first part of the path of each request; `connection` or `datagram` for traffic without a request. */
  arrived(): string[];
  forget(): void;
  close(): Promise<void>;
}

/** Records all traffic that reaches it. */
export async function startRecorder(): Promise<Recorder> {
  let arrived = new Set<string>();
  const wayOf = (url = ''): string => /^\/([\w-]*)/.exec(url)?.[1] ?? '';
  const server = createServer((request, response) => {
    arrived.add(wayOf(request.url));
    response.writeHead(200, {
      'access-control-allow-origin': '*',
      'access-control-allow-headers': '*',
      'content-type': 'text/javascript',
    });
    response.end();
  });
  server.on('upgrade', (request, socket) => {
    arrived.add(wayOf(request.url));
    socket.destroy();
  });
  server.on('connection', () => {
    arrived.add('connection');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const datagrams = createSocket('udp4', () => {
    arrived.add('datagram');
  });
  await new Promise<void>((resolve) => {
    datagrams.bind(port, '127.0.0.1', resolve);
  });
  return {
    address: `http://127.0.0.1:${port}/`,
    arrived: () => [...arrived].sort(),
    forget: () => {
      arrived = new Set();
    },
    close: () =>
      new Promise((resolve) => {
        datagrams.close();
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}
