// The cost of summing very many releases in databases, with a check that the sums are correct. Prints the
// tables of docs/scale.md as they are there; bench/scale-plan.mjs makes its plan of them.
// After `make packages`: node bench/scale.mjs [releases] [features]
import { DuckDBInstance } from '@duckdb/node-api';
import { spawn } from 'node:child_process';
import { createCipheriv } from 'node:crypto';
import {
  createReadStream,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { fileURLToPath } from 'node:url';
import { performance } from 'node:perf_hooks';
import { assemble, defineStudy, parseSum, privatize } from 'private-moments';
import {
  coreArithmetic,
  createCollector,
  createHelper,
  createParticipant,
  createSession,
  newRoleKeys,
  publicKeys,
} from 'private-moments/federation';
import { hasClickHouse, startClickHouse } from '../tests/scale/clickhouse.mjs';
import { program, sql } from '../tests/scale/command.mjs';
import { definitionOf, releaseTexts, rowsOf, VERSION } from '../tests/scale/releases.mjs';
import { machine } from './lib/machine.mjs';
import { costTable, digits, sizeTable } from './lib/scale-tables.mjs';

const [count = 10_000, features = 100] = process.argv.slice(2).map(Number);
const REPEATS = 5;
const SHARDS = 2;
const PARTICIPANTS = 200;
const CENTRED = 200;
const IDS = 1_000_000;
/** An odd number whose multiples fill 64 bits: words like masked ones, but with a known sum. */
const STEP = 0x9e3779b97f4a7c15n;
const MODULUS = 1n << 64n;
const MEGABYTE = 1e6;

const folder = fileURLToPath(new URL('../build/scale/', import.meta.url));
const at = (name) => `${folder}${name}`;
const study = defineStudy(definitionOf(features));
const length = ((features + 1) * (features + 2)) / 2;

/** The processor time in seconds and the largest memory of a process so far. Linux only. */
function usageOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  const cpu = (Number(fields[11]) + Number(fields[12])) / 100;
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return { cpu, peak: (1024 * Number(peak ?? 0)) / MEGABYTE };
}

/** Runs `private-moments` and measures its processor time and memory. */
async function command(...args) {
  const start = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  let usage = { cpu: 0, peak: 0 };
  const watch = setInterval(() => {
    try {
      const now = usageOf(child.pid);
      usage = { cpu: now.cpu, peak: Math.max(usage.peak, now.peak) };
    } catch {
      clearInterval(watch);
    }
  }, 20);
  const status = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(watch);
  if (status !== 0) throw new Error(said);
  return { seconds: (performance.now() - start) / 1000, ...usage };
}

async function timed(run, processes = [process.pid]) {
  const used = () => processes.reduce((sum, pid) => sum + usageOf(pid).cpu, 0);
  const [before, start] = [used(), performance.now()];
  const result = await run();
  return { seconds: (performance.now() - start) / 1000, cpu: used() - before, result };
}

/** The median of several runs, by wall clock. */
async function repeated(run, processes) {
  const runs = [];
  for (let turn = 0; turn < REPEATS; turn += 1) runs.push(await timed(run, processes));
  return runs.sort((a, b) => a.seconds - b.seconds)[Math.floor(REPEATS / 2)];
}

function requireEqual(name, found, expected) {
  const same =
    found.length === expected.length && found.every((value, i) => BigInt(value) === expected[i]);
  if (!same) throw new Error(`${name}: the sum differs from that of the releases`);
  console.log(`${name}: equal to the direct sum, ${expected.length} numbers`);
}

const sizes = new Map();
const size = (name, bytes, items = count) => sizes.set(name, bytes / items);
/** The processor seconds that a million ids take each engine. */
const ids = {};

// Releases, and their sum computed directly.
rmSync(folder, { recursive: true, force: true });
mkdirSync(at('releases'), { recursive: true });
writeFileSync(at('study.json'), JSON.stringify(study));
const direct = new Array(length).fill(0n);
let textBytes = 0;
{
  const totals = new Float64Array(length);
  let k = 0;
  for await (const text of releaseTexts(study, count)) {
    writeFileSync(at(`releases/${k}.json`), text);
    textBytes += text.length;
    // Exact: 10 000 numbers below 2^39.
    JSON.parse(text).values.forEach((value, i) => (totals[i] += value));
    k += 1;
  }
  totals.forEach((value, i) => (direct[i] = BigInt(value)));
}
size('release, JSON', textBytes);
async function* texts() {
  for (const name of readdirSync(at('releases')))
    yield readFileSync(at(`releases/${name}`), 'utf8');
}

console.log(`${count} releases of ${features} features, ${length} numbers each`);
for (const [name, value] of machine()) console.log(`- ${name}: ${value}`);
console.log(`- Node: ${process.version}\n`);

// The sum without a database, with which the others must agree.
const alone = await timed(() => assemble(study, texts()));

// DuckDB.
const parquet = await command('export', at('study.json'), at('releases'), '--out', at('a.parquet'));
const parquetBytes = statSync(at('a.parquet')).size;
size('Parquet', parquetBytes);
const sumArguments = ['sum', at('study.json'), at('a.parquet'), '--out', at('sum.json'), '--force'];
await command(...sumArguments);
const summed = await command(...sumArguments);
const duckSum = parseSum(readFileSync(at('sum.json'), 'utf8'));
requireEqual('DuckDB', duckSum.groups[0].values, direct);
const one = await assemble(study, [duckSum]);
const same = one.secondMoments.values.every((v, i) => v === alone.result.secondMoments.values[i]);
if (!same) throw new Error('assemble gives different results for the sum and for the releases');
const assembled = await repeated(() => assemble(study, [duckSum]));

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
await connection.run(`CREATE VIEW releases AS FROM '${at('a.parquet')}'`);
const query = () => connection.runAndReadAll(sql('duckdb/sum.sql'));
const duckQuery = await repeated(query);
await connection.run(`COPY (
  SELECT '${study.id}' AS study, '${VERSION}' AS version, sha256(k::VARCHAR) AS id, 0::UTINYINT AS level,
    NULL::BIGINT AS row_count, []::BIGINT[] AS counts, []::BIGINT[] AS reach, '' AS commitment,
    NULL::BIGINT AS largest,
    list_transform(range(${length}),
      i -> (((k * ${length} + i + 1)::HUGEINT * ${STEP}) % ${MODULUS})::UBIGINT) AS words
  FROM range(${count}) t(k)
) TO '${at('masked.parquet')}' (ROW_GROUP_SIZE 2048)`);
const maskedBytes = statSync(at('masked.parquet')).size;
size('masked: Parquet', maskedBytes);
await connection.run(`CREATE OR REPLACE VIEW releases AS FROM '${at('masked.parquet')}'`);
const duckMasked = await repeated(query);
const n = BigInt(count);
const masked = direct.map((_, i) => {
  const places = ((n * (n - 1n)) / 2n) * BigInt(length) + n * BigInt(i + 1);
  return (places * STEP) % MODULUS;
});
requireEqual('DuckDB, masked', duckMasked.result.getRowObjectsJson()[0].word_sums, masked);
// The ids alone, with one word each: what the checks of a million ids take.
await connection.run(`CREATE TABLE ids AS
  SELECT '${study.id}' AS study, '${VERSION}' AS version, sha256(k::VARCHAR) AS id, 0::UTINYINT AS level,
    NULL::BIGINT AS row_count, []::BIGINT[] AS counts, []::BIGINT[] AS reach, '' AS commitment,
    NULL::BIGINT AS largest, [k::UBIGINT] AS words
  FROM range(${IDS}) t(k)`);
await connection.run('CREATE OR REPLACE VIEW releases AS FROM ids');
ids.DuckDB = (await repeated(query)).cpu;
instance.closeSync();

const databases = [
  { name: '`assemble`, no database', ...alone },
  { name: 'export to Parquet', ...parquet },
  { name: 'DuckDB: sum, whole command', ...summed },
  { name: 'DuckDB: sum (query alone)', ...duckQuery },
  { name: 'DuckDB: sum, masked', ...duckMasked },
];

if (hasClickHouse()) {
  const native = ['export', at('study.json'), at('releases'), '--format', 'native'];
  const exported = await command(...native, '--out', at('a.native'));
  const { shards, stop } = await startClickHouse(SHARDS);
  try {
    const [first] = shards;
    const servers = shards.map(({ pid }) => pid);
    const all = (name) => sql(name).replaceAll('FROM releases', 'FROM all_releases');
    const create = async () => {
      for (const shard of shards) {
        await shard.query('DROP TABLE IF EXISTS releases');
        await shard.query(sql('clickhouse/tables.sql'));
        await shard.query(
          `CREATE TABLE IF NOT EXISTS all_releases AS releases
           ENGINE = Distributed(releases, default, releases, cityHash64(id))`,
        );
      }
    };
    const stored = async () => {
      const text = `SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND table = 'releases'`;
      const parts = await Promise.all(shards.map((shard) => shard.query(text)));
      return parts.reduce((bytes, part) => bytes + Number(part), 0);
    };
    await create();
    const inserted = await timed(
      () => first.query('INSERT INTO all_releases FORMAT Native', createReadStream(at('a.native'))),
      servers,
    );
    const storedBytes = await stored();
    size('ClickHouse, on disk', storedBytes);
    const summing = await repeated(() => first.query(all('clickhouse/sum.sql')), servers);
    writeFileSync(at('sums.jsonl'), summing.result);
    await command('import', at('study.json'), at('sums.jsonl'), '--out', at('clickhouse.json'));
    const sum = parseSum(readFileSync(at('clickhouse.json'), 'utf8'));
    requireEqual(`ClickHouse, ${SHARDS} shards`, sum.groups[0].values, direct);
    if (sum.id !== duckSum.id) throw new Error('the databases give different sums');
    await create();
    await first.query(`INSERT INTO all_releases SELECT '${study.id}', '${VERSION}',
      lower(hex(SHA256(toString(number)))), 0, NULL, [], [], '', NULL,
      arrayMap(i -> toUInt64((number * ${length} + i + 1) * toUInt64(${STEP})), range(${length}))
      FROM numbers(${count})`);
    const storedMasked = await stored();
    size('masked: ClickHouse', storedMasked);
    const summingMasked = await repeated(() => first.query(all('clickhouse/sum.sql')), servers);
    requireEqual('ClickHouse, masked', JSON.parse(summingMasked.result).word_sums, masked);
    databases.push(
      { name: 'export for ClickHouse', ...exported },
      { name: `ClickHouse, ${SHARDS} shards: insert`, ...inserted },
      { name: `ClickHouse, ${SHARDS} shards: sum`, ...summing },
      { name: `ClickHouse, ${SHARDS} shards: sum, masked`, ...summingMasked },
    );
    await create();
    await first.query(`INSERT INTO all_releases SELECT '${study.id}', '${VERSION}',
      lower(hex(SHA256(toString(number)))), 0, NULL, [], [], '', NULL, [toUInt64(number)]
      FROM numbers(${IDS})`);
    const counted = await repeated(() => first.query(all('clickhouse/sum.sql')), servers);
    ids.ClickHouse = counted.cpu;
  } finally {
    await stop();
  }
} else {
  console.log('ClickHouse is not installed, so it is left out');
}
databases.push({ name: '`assemble` of the sum', seconds: assembled.seconds });

// Releases with private centring, whose rows are larger.
let centring;
{
  const centred = defineStudy(definitionOf(features, { clipping: 'centred' }));
  mkdirSync(at('centred'));
  writeFileSync(at('centred.json'), JSON.stringify(centred));
  const rows = rowsOf(centred, 50);
  const made = [];
  for (let k = 0; k < CENTRED; k += 1) {
    made.push(JSON.stringify(await privatize(centred, rows)));
    writeFileSync(at(`centred/${k}.json`), made[k]);
  }
  const together = await timed(() => assemble(centred, made));
  const file = at('centred.parquet');
  const written = await command('export', at('centred.json'), at('centred'), '--out', file);
  const added = await command('sum', at('centred.json'), file, '--out', at('sum.json'), '--force');
  const sum = parseSum(readFileSync(at('sum.json'), 'utf8'));
  const [found, expected] = [await assemble(centred, [sum]), together.result].map((moments) =>
    JSON.stringify(moments),
  );
  if (found !== expected) throw new Error('centred: the sum differs from that of the releases');
  console.log(`\n${CENTRED} releases with private centring: equal to the bit`);
  const texts = made.reduce((all, text) => all + text.length, 0);
  const bytesOf = { 'release, JSON': texts, Parquet: statSync(file).size };
  const steps = [
    { name: '`assemble`, no database', ...together },
    { name: 'export to Parquet', ...written },
    { name: 'DuckDB: sum, whole command', ...added },
  ].map((step) => ({ ...step, items: CENTRED }));
  const each = Object.entries(bytesOf).map(([name, bytes]) => [name, bytes / CENTRED]);
  centring = `${costTable(steps)}\n\n${sizeTable(each)}`;
}

// The cost of a session in mode split for each role, per participant.
const split = defineStudy(
  definitionOf(features, {
    federation: { mode: 'split', sites: PARTICIPANTS, honest: PARTICIPANTS / 2 },
  }),
);
const [analystKeys, helperKeys] = [await newRoleKeys('25519'), await newRoleKeys('25519')];
const session = createSession(split, { collector: analystKeys, helper: publicKeys(helperKeys) });
const arithmetic = await coreArithmetic();
const analyst = await createCollector(session, analystKeys, { arithmetic });
const helper = await createHelper(session, helperKeys, { arithmetic });
const messages = { analyst: [], helper: [] };
/** The masks of zeros. */
const mask = ([{ key }]) => {
  const cipher = createCipheriv('aes-256-ctr', key, new Uint8Array(16));
  const payload = new Uint8Array(cipher.update(new Uint8Array(8 * length)));
  return Promise.resolve({ payload, rows: 1 });
};
const joining = await timed(async () => {
  for (let k = 0; k < PARTICIPANTS; k += 1) {
    const participant = await createParticipant(session, { mask });
    for (const { to, message } of (await participant.start()).send) messages[to].push(message);
  }
});
const receiveAll = async (role, list) => {
  for (const message of list) {
    const { refused } = await role.receive(message);
    if (refused) throw new Error(refused.reason);
  }
};
const taking = await timed(() => receiveAll(analyst, messages.analyst));
const seeding = await timed(() => receiveAll(helper, messages.helper));
const [close] = (await analyst.close()).send;
const expanding = await timed(() => helper.receive(close.message));
const [masks] = expanding.result.send;
await analyst.receive(masks.message);
if (!analyst.outcome?.total.every((byte) => byte === 0)) throw new Error('the masks do not cancel');
const bytes = (list) => list.reduce((all, { length: one }) => all + one, 0);
size('masked: message to the analyst', bytes(messages.analyst), PARTICIPANTS);
size('message to the helper', bytes(messages.helper), PARTICIPANTS);
const roles = [
  { name: "split: participant's messages, without its data", cpu: joining.cpu },
  { name: 'split: analyst opens a masked release', cpu: taking.cpu },
  { name: 'split: helper opens a seed', cpu: seeding.cpu },
  { name: 'split: helper expands a seed and adds it', cpu: expanding.cpu },
].map((role) => ({ ...role, items: PARTICIPANTS }));

const steps = databases.map((step) => (step.cpu === undefined ? step : { items: count, ...step }));
const form = [
  ...['release, JSON', 'Parquet', 'ClickHouse, on disk', 'masked: message to the analyst'],
  ...['masked: Parquet', 'masked: ClickHouse', 'message to the helper'],
].filter((name) => sizes.has(name));
console.log(`\n${costTable([...steps, ...roles])}`);
console.log(`\n${sizeTable(form.map((name) => [name, sizes.get(name)]))}`);
console.log(`\nExport to Parquet takes ${digits(parquet.peak, 2)} MB of memory at most.`);
for (const [engine, cpu] of Object.entries(ids)) {
  console.log(`A million ids take ${engine} ${digits(cpu, 2)} processor s.`);
}
console.log(`\n${CENTRED} releases with private centring\n\n${centring}`);
rmSync(folder, { recursive: true, force: true });
