// A relay as a process of its own, which can be killed and started again on the same port and store.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as after } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../web/relay/dist/cli.js', import.meta.url));

export class RelayProcess {
  #child;
  #args;
  /** Largest resident memory seen by `watch`, in MB. */
  peakMb = 0;

  static async start(folder, options) {
    if (!existsSync(PROGRAM)) throw new Error('build the relay first: make package-relay');
    const relay = new RelayProcess();
    relay.port = await freePort();
    relay.address = `http://127.0.0.1:${relay.port}`;
    relay.#args = [PROGRAM, '--data', folder, '--port', String(relay.port), ...options];
    await relay.run();
    return relay;
  }

  async run() {
    this.#child = spawn(process.execPath, this.#args, { stdio: ['ignore', 'ignore', 'ignore'] });
    for (;;) {
      const healthy = await fetch(`${this.address}/healthz`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (healthy) return;
      if (this.#child.exitCode !== null) throw new Error('the relay did not start');
      await after(50);
    }
  }

  /** Ends the process with a signal and waits until it is gone. */
  async end(signal) {
    const gone = once(this.#child, 'exit');
    this.#child.kill(signal);
    await gone;
  }

  /** Looks at the memory of the process, where the system shows it. */
  watch() {
    const status = readOr('', () => readFileSync(`/proc/${this.#child.pid}/status`, 'utf8'));
    const mb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    this.peakMb = Math.max(this.peakMb, Math.round(mb));
  }

  /** Sockets that the process holds, where the system shows them. */
  sockets() {
    const folder = `/proc/${this.#child.pid}/fd`;
    const files = readOr([], () => readdirSync(folder));
    return files.filter((file) =>
      readOr('', () => readlinkSync(`${folder}/${file}`)).startsWith('socket:'),
    ).length;
  }
}

/** What cannot be read because the process or the file has just gone, or because this is not Linux. */
function readOr(otherwise, read) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
