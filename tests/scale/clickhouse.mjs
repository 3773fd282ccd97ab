// Servers of ClickHouse for tests and benches: each a process with a folder, a configuration and
// free ports of its own, on the loopback address, gone when they are stopped.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

const PROGRAM = 'clickhouse-server';
const HOST = '127.0.0.1';
const PATIENCE_MS = 30_000;

/** Whether ClickHouse is installed, which Debian packages under the same name. */
export function hasClickHouse() {
  return spawnSync('sh', ['-c', `command -v ${PROGRAM}`]).status === 0;
}

/**
 * Starts `count` servers that know each other as the shards of the cluster `releases`.
 * @returns {Promise<{ shards: Shard[], stop: () => Promise<void> }>}
 */
export async function startClickHouse(count) {
  const folder = mkdtempSync(join(tmpdir(), 'clickhouse-'));
  const ports = await freePorts(2 * count);
  const places = Array.from({ length: count }, (_, i) => ({
    folder: join(folder, `${i}`),
    http: ports[2 * i],
    tcp: ports[2 * i + 1],
  }));
  const shards = places.map((place) => new Shard(place, configuration(place, places)));
  const stop = async () => {
    await Promise.all(shards.map((shard) => shard.stop()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await Promise.all(shards.map((shard) => shard.ready()));
  } catch (error) {
    await stop();
    throw error;
  }
  return { shards, stop };
}

class Shard {
  #process;
  #address;
  #log = '';
  #gone;

  constructor({ folder, http }, config) {
    mkdirSync(folder);
    writeFileSync(join(folder, 'config.xml'), config);
    writeFileSync(join(folder, 'users.xml'), USERS);
    this.#address = `http://${HOST}:${http}/`;
    this.#process = spawn(PROGRAM, [`--config-file=${join(folder, 'config.xml')}`], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.on('data', (text) => (this.#log = `${this.#log}${text}`.slice(-4000)));
    }
    this.#gone = new Promise((resolve) => {
      this.#process.once('exit', resolve);
      this.#process.once('error', resolve);
    });
  }

  get pid() {
    return this.#process.pid;
  }

  async ready() {
    const end = Date.now() + PATIENCE_MS;
    while (Date.now() < end && this.#process.exitCode === null) {
      const answer = await fetch(`${this.#address}ping`).catch(() => undefined);
      if (answer?.ok) return;
      await after(50);
    }
    throw new Error(`${PROGRAM} did not start: ${this.#log}`);
  }

  /**
   * Runs one statement; with a body, the data of an INSERT. The final semicolon of
   * files is for the client: the HTTP interface of old servers rejects it.
   * @param {string} statement
   * @param {BodyInit} [body] bytes or a stream of them
   * @param {string} [database]
   */
  async query(statement, body, database = 'default') {
    const text = statement.trim().replace(/;$/, '');
    const at = `${this.#address}?database=${database}`;
    const address = body === undefined ? at : `${at}&query=${encodeURIComponent(text)}`;
    const response = await fetch(address, { method: 'POST', body: body ?? text, duplex: 'half' });
    const result = await response.text();
    if (response.ok) return result;
    throw new Error(result);
  }

  async stop() {
    this.#process.kill('SIGTERM');
    const slow = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
    await this.#gone;
    clearTimeout(slow);
  }
}

/** All ports are opened before any is closed, so that they differ. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(
    servers.map((server) => new Promise((resolve) => server.listen(0, HOST, resolve))),
  );
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** `yandex` is the name of the root on old servers, which new ones still accept. */
function configuration({ folder, http, tcp }, places) {
  const shard = (place) =>
    `<shard><replica><host>${HOST}</host><port>${place.tcp}</port></replica></shard>`;
  return `<?xml version="1.0"?>
<yandex>
  <logger><level>error</level><console>1</console></logger>
  <listen_host>${HOST}</listen_host>
  <http_port>${http}</http_port>
  <tcp_port>${tcp}</tcp_port>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size>
  <remote_servers><releases>${places.map(shard).join('')}</releases></remote_servers>
</yandex>
`;
}

const USERS = `<?xml version="1.0"?>
<yandex>
  <profiles>
    <default><insert_distributed_sync>1</insert_distributed_sync></default>
  </profiles>
  <users>
    <default>
      <password></password>
      <networks><ip>${HOST}</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
    </default>
  </users>
  <quotas><default /></quotas>
</yandex>
`;
