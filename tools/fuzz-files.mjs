#!/usr/bin/env node
// Damages small Parquet and Arrow files in many ways and reads them with the built package. Each must
// either be read or fail with an error code. Prints the cases that did neither, the slowest case and the
// highest memory use, as JSON. The same seed gives the same files.
//
//   node tools/fuzz-files.mjs [--cases N] [--seed S] [--patience MS]
import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';

const { values: flags } = parseArgs({
  options: {
    cases: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    patience: { type: 'string', default: '5000' },
    child: { type: 'string' },
  },
});
const CASES = Number(flags.cases);
const SEED = Number(flags.seed);
/** Number of rows in each file. */
const ROWS = 60;
const PATIENCE_MS = Number(flags.patience);

if (flags.child === undefined) await watch();
else await read(Number(flags.child));

/** Starts a process that reads the files, and a new one after every case that crashes or hangs it. */
async function watch() {
  const found = {
    cases: CASES,
    seed: SEED,
    read: 0,
    codes: {},
    aborts: [],
    hangs: [],
    uncoded: [],
  };
  let slowest = { ms: 0, case: null };
  let megabytes = 0;
  for (let next = 0; next < CASES;) {
    let now = next;
    let since = performance.now();
    const script = fileURLToPath(import.meta.url);
    const own = ['--max-old-space-size=1024', script, '--child', String(next)];
    const child = spawn(process.execPath, [...own, ...process.argv.slice(2)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let text = '';
    child.stdout.on('data', (piece) => {
      const lines = (text + piece).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        since = performance.now();
        const { at, name, code, ms, mb } = JSON.parse(line);
        now = at + 1;
        if (code === 'read') found.read += 1;
        else found.codes[code] = (found.codes[code] ?? 0) + 1;
        if (/^uncoded|^internal/.test(code)) found.uncoded.push({ at, name, code });
        if (ms > slowest.ms) slowest = { ms, case: at, name };
        megabytes = Math.max(megabytes, mb);
      }
    });
    let isHang = false;
    const timer = setInterval(() => {
      // The first case waits for the modules to load.
      if (performance.now() - since < PATIENCE_MS + (now === next ? 20_000 : 0)) return;
      isHang = true;
      child.kill('SIGKILL');
    }, 100);
    await new Promise((resolve) => child.once('close', resolve));
    clearInterval(timer);
    if (now === next && child.exitCode === 1) throw new Error('the files could not be written');
    if (now < CASES) (isHang ? found.hangs : found.aborts).push(now);
    next = now + (now < CASES ? 1 : 0);
  }
  console.log(JSON.stringify({ ...found, slowest, megabytes }));
  const bad = found.aborts.length + found.hangs.length + found.uncoded.length;
  process.exit(bad === 0 ? 0 : 1);
}

/** Reads data to their end in this thread. Returns the number of rows. */
async function rowsIn(study, data) {
  const core = await import('private-moments/internal/core');
  const plan = core.planOf(study);
  const source = core.openData(data, plan);
  const module = await core.loadAnalysis();
  const { intake } = core.unwrap(module.createIntake(core.intakeOptions(plan)), plan.columns);
  try {
    await core.readInto(new core.RowFeed(intake, plan, module), plan, source);
    const counts = intake.counts();
    if (counts.rows === 0) throw core.noRows();
    core.requireReadable(counts);
    return counts.rows;
  } finally {
    intake.delete();
  }
}

async function read(first) {
  const { defineStudy } = await import('private-moments');
  const study = defineStudy({
    title: 'Sleep and mood',
    columns: [
      { name: 'age', type: 'number', min: 18, max: 90 },
      { name: 'sleep', type: 'number', min: 0, max: 12 },
      { name: 'work', type: 'category', levels: ['day', 'night', 'none'] },
      { name: 'mood', type: 'number', min: -5, max: 5 },
    ],
    privacy: { epsilon: 1, delta: 1e-6 },
    // Rows are read once.
    clipping: 'adaptive',
  });
  const files = [...(await parquetFiles()), ...(await arrowFiles())];
  for (const [name, bytes] of files) {
    if ((await rowsIn(study, new Blob([bytes]))) !== ROWS)
      throw new Error(`${name} cannot be read even without damage`);
  }
  for (let at = first; at < CASES; at++) {
    const random = generator(SEED * 1_000_003 + at);
    const [name, whole] = files[at % files.length];
    const bytes = damaged(whole, random);
    const since = performance.now();
    let code = 'read';
    try {
      const blob = new Blob([bytes]);
      const isStream = name.includes('stream') && at % 2 === 1;
      await rowsIn(study, isStream ? blob.stream() : blob);
    } catch (error) {
      code = error?.code ?? `uncoded ${error?.name}: ${error?.message}`;
    }
    const ms = Math.round(performance.now() - since);
    const mb = Math.round(process.resourceUsage().maxRSS / 1024);
    writeSync(1, `${JSON.stringify({ at, name, code, ms, mb })}\n`);
  }
  process.exit(0);
}

/** mulberry32: a function that returns a random integer from 0 to below its argument. */
function generator(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** A copy with one to three kinds of damage, half of it in the metadata at the file's ends. */
function damaged(whole, random) {
  let bytes = Uint8Array.from(whole);
  for (let left = 1 + random(3); left > 0; left--) {
    const place = () => {
      const near = Math.min(bytes.length, 700);
      if (random(2) === 0) return random(bytes.length);
      return random(3) === 0 ? random(near) : bytes.length - 1 - random(near);
    };
    const at = place();
    const view = new DataView(bytes.buffer);
    switch (random(8)) {
      case 0:
        bytes[at] ^= 1 << random(8);
        break;
      case 1:
        for (let i = random(8); i >= 0; i--) bytes[place()] ^= 1 << random(8);
        break;
      case 2:
        bytes[at] = [0, 1, 0x7f, 0x80, 0xff, 0x0c, 0x19, 0xf9][random(8)];
        break;
      case 3: {
        // Variable-length numbers of the largest possible size, in a row.
        const length = 1 + random(10);
        bytes.fill(0xff, at, at + length);
        if (at + length < bytes.length) bytes[at + length] = random(2) === 0 ? 0x7f : 0x0f;
        break;
      }
      case 4: {
        const most = [0x7fffffff, 0xffffffff, 0x80000000, 1 << 20, 1 << 28, 0xfffffff0, 0, 3];
        const start = random(2) === 0 ? at & ~3 : at;
        if (start + 4 <= bytes.length) view.setUint32(start, most[random(8)], true);
        break;
      }
      case 5: {
        const start = at & ~7;
        const most = [2n ** 31n, 2n ** 53n, 2n ** 62n, -1n, -8n, 2n ** 40n, 2n ** 24n, 2n ** 32n];
        if (start + 8 <= bytes.length) view.setBigInt64(start, most[random(8)], true);
        break;
      }
      case 6: {
        const length = 1 + random(64);
        const from = random(bytes.length);
        bytes.copyWithin(at, from, from + length);
        break;
      }
      default: {
        // The last bytes often stay, as readers begin there.
        const length = 1 + random(Math.min(200, bytes.length - 1));
        const start = random(bytes.length - length);
        if (random(4) === 0) bytes = bytes.slice(0, bytes.length - length);
        else if (random(2) === 0) bytes.fill(0, start, start + length);
        else {
          const rest = bytes.subarray(start + length);
          bytes = Uint8Array.from([...bytes.subarray(0, start), ...rest]);
        }
      }
    }
  }
  return bytes;
}

function cells() {
  const random = generator(7);
  return Array.from({ length: ROWS }, (_, i) => ({
    age: i % 17 === 3 ? null : 18 + random(72),
    sleep: random(1200) / 100,
    work: ['day', 'night', 'none', null][random(4)],
    mood: random(1000) / 100 - 5,
    well: random(2) === 1,
    note: `of row ${i}`,
  }));
}

async function parquetFiles() {
  const { parquetWriteBuffer } = await import('hyparquet-writer');
  const rows = cells();
  const column = (name, type, more = {}) => ({
    ...{ name, type, data: rows.map((row) => row[name]) },
    ...more,
  });
  const columnData = [
    column('age', 'INT32'),
    column('sleep', 'DOUBLE'),
    column('work', 'STRING'),
    column('mood', 'DOUBLE'),
    column('well', 'BOOLEAN'),
    column('note', 'STRING'),
  ];
  const whole = rows.map((row, i) => ({ ...row, age: row.age ?? 40, mood: (i % 11) - 5 }));
  const encoded = [
    ...[{ name: 'age', type: 'INT32', encoding: 'DELTA_BINARY_PACKED' }],
    { name: 'sleep', type: 'DOUBLE', encoding: 'BYTE_STREAM_SPLIT' },
    { name: 'work', type: 'STRING', encoding: 'DELTA_BYTE_ARRAY' },
    { name: 'mood', type: 'INT64', encoding: 'DELTA_BINARY_PACKED' },
    { name: 'note', type: 'STRING', encoding: 'DELTA_LENGTH_BYTE_ARRAY' },
  ].map((one) => ({
    ...one,
    data: whole.map((row) => {
      const cell = row[one.name] ?? 'none';
      return one.type === 'INT64' ? BigInt(cell) : cell;
    }),
  }));
  const nested = { name: 'list', data: rows.map((_, i) => [i, i + 1]) };
  const gzip = { codec: 'GZIP', compressors: { GZIP: (input) => gzipSync(input) } };
  const zstd = { codec: 'ZSTD', compressors: { ZSTD: zstandard } };
  return Object.entries({
    'parquet, plain': { columnData, codec: 'UNCOMPRESSED' },
    'parquet, snappy': { columnData },
    'parquet, gzip': { columnData, ...gzip },
    'parquet, zstd': { columnData, ...zstd },
    'parquet, row groups': { columnData, rowGroupSize: 20 },
    'parquet, page index': {
      ...{ pageSize: 100, codec: 'UNCOMPRESSED' },
      columnData: columnData.map((one) => ({ ...one, offsetIndex: true, columnIndex: true })),
    },
    'parquet, encodings': { columnData: encoded, codec: 'UNCOMPRESSED' },
    'parquet, nested': { columnData: [...columnData, nested] },
  }).map(([name, options]) => [name, new Uint8Array(parquetWriteBuffer(options))]);
}

async function arrowFiles() {
  const arrow = await import('apache-arrow');
  arrow.compressionRegistry.set(arrow.CompressionType.ZSTD, { encode: zstandard });
  const rows = cells();
  const column = (name, type) =>
    arrow.vectorFromArray(
      rows.map((row) => row[name]),
      type,
    );
  const words = new arrow.Dictionary(new arrow.Utf8(), new arrow.Int32());
  const table = new arrow.Table({
    age: column('age', new arrow.Int32()),
    sleep: column('sleep', new arrow.Float64()),
    work: column('work', words),
    mood: column('mood', new arrow.Float64()),
    well: column('well', new arrow.Bool()),
    note: column('note', new arrow.Utf8()),
  });
  const plain = new arrow.Table({
    age: column('age', new arrow.Float64()),
    sleep: column('sleep', new arrow.Float32()),
    work: column('work', new arrow.Utf8()),
    mood: column('mood', new arrow.Float64()),
  });
  const parts = table.slice(0, 25).concat(table.slice(25));
  const packed = (Writer) => {
    const writer = new Writer({ compressionType: arrow.CompressionType.ZSTD });
    return writer.writeAll(table).finish().toUint8Array(true);
  };
  return [
    ['arrow file', arrow.tableToIPC(table, 'file')],
    ['arrow stream', arrow.tableToIPC(table, 'stream')],
    ['arrow file, plain', arrow.tableToIPC(plain, 'file')],
    ['arrow stream, batches', arrow.tableToIPC(parts, 'stream')],
    ['arrow file, batches', arrow.tableToIPC(parts, 'file')],
    ['arrow stream, zstd', packed(arrow.RecordBatchStreamWriter)],
    ['arrow file, zstd', packed(arrow.RecordBatchFileWriter)],
  ];
}

/** A Zstandard frame with uncompressed bytes, as no compressor is available. */
function zstandard(bytes) {
  const frame = new Uint8Array(12 + bytes.length);
  const view = new DataView(frame.buffer);
  view.setUint32(0, 0xfd2fb528, true);
  frame[4] = 0xa0;
  view.setUint32(5, bytes.length, true);
  // A single, last block of raw bytes.
  const head = 1 | (bytes.length << 3);
  frame.set([head & 0xff, (head >> 8) & 0xff, (head >> 16) & 0xff], 9);
  frame.set(bytes, 12);
  return frame;
}
