// Damaged Parquet, Arrow and CSV files, and Parquet files whose sizes are lies, in processes of their own, a
// new one after every file that ends or stalls it. Then every one-bit flip of one file of each kind: how
// many change the sums unnoticed.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const READER = fileURLToPath(new URL('../support/data-files/reader.mjs', import.meta.url));

/** Cases of one process. */
const BATCH = 20_000;
/** A case that takes more processor time counts as one without an end. */
const HANG_MS = 5000;
/** A process without a line for so long is ended; the computer may have other things to do. */
const PATIENCE_MS = 60_000;
/** What a file of a few kilobytes may hold in memory, as docs/known-limits.md says, and three times that. */
const LIMIT_MB = 128;

/** Kinds of files by the name of their share of silent flips. */
const KINDS = {
  silentParquetChecksums: 'parquet, checksums',
  silentParquet: 'parquet, no checksums',
  silentParquetSnappy: 'parquet, snappy',
  silentParquetGzip: 'parquet, gzip',
  silentParquetZstd: 'parquet, zstd',
  silentArrow: 'arrow file, plain',
  silentArrowZstd: 'arrow file, zstd',
  silentCsv: 'csv',
  silentCsvGzip: 'csv, gzip',
};

/** Runs the reader, with `onLine` for each line. Returns how it ended: an exit code, a signal, or 'hang'. */
async function runReader(words, onLine) {
  const own = ['--max-old-space-size=1024', READER, ...words.map(String)];
  const child = spawn(process.execPath, own, { stdio: ['ignore', 'pipe', 'inherit'] });
  let since = performance.now();
  let isHang = false;
  const timer = setInterval(() => {
    if (performance.now() - since < PATIENCE_MS) return;
    isHang = true;
    child.kill('SIGKILL');
  }, 500);
  const closed = new Promise((resolve) => child.once('close', resolve));
  for await (const line of createInterface({ input: child.stdout })) {
    since = performance.now();
    onLine(JSON.parse(line));
  }
  await closed;
  clearInterval(timer);
  return isHang ? 'hang' : (child.signalCode ?? child.exitCode);
}

/** Reads the cases of one batch, in as many processes as it takes. */
async function readBatch(found, { seed, from, to, log }) {
  for (let next = from; next < to;) {
    let isBegun = false;
    const end = await runReader(['damage', seed, next, to], ({ at, name, code, ms, mb }) => {
      isBegun = true;
      next = at + 1;
      found.cases += 1;
      if (code === 'read') found.read += 1;
      const isUncoded = /^(uncoded|internal)/.test(code);
      if (isUncoded) found.uncoded += 1;
      if (ms > HANG_MS) found.hangs += 1;
      if (isUncoded || ms > HANG_MS) log(`case ${at} (${name}): ${code}, ${ms} ms`);
      found.slowestMs = Math.max(found.slowestMs, ms);
      found.megabytes = Math.max(found.megabytes, mb);
    });
    if (next === to) return;
    if (!isBegun && end === 1) throw new Error('the reader could not begin');
    log(`case ${next}: ${end}`);
    if (end === 'hang') found.hangs += 1;
    else found.aborts += 1;
    found.cases += 1;
    next += 1;
  }
}

export const attack = {
  name: 'data-files',
  promise:
    'A damaged file of data ends in an error with a code: it neither ends the process, nor runs on, nor fills the memory.',
  minutes: 120,
  async run({ quick, seed, log }) {
    const cases = quick ? 1500 : Number(process.env.CASES ?? 1_000_000);
    const found = {
      cases: 0,
      read: 0,
      aborts: 0,
      hangs: 0,
      uncoded: 0,
      slowestMs: 0,
      megabytes: 0,
    };
    const batches = Math.ceil(cases / BATCH);
    let taken = 0;
    const work = async () => {
      while (taken < batches) {
        const from = taken++ * BATCH;
        await readBatch(found, { seed, from, to: Math.min(from + BATCH, cases), log });
        log(`${found.cases} cases`);
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    const shares = {};
    for (const [key, name] of Object.entries(quick ? { silentCsvGzip: 'csv, gzip' } : KINDS)) {
      let last = { tried: 0, silent: 0 };
      await runReader(['flips', name, quick ? 97 : 1], (line) => {
        last = line;
      });
      shares[key] = Math.round((1000 * last.silent) / last.tried) / 10;
      log(`${name}: ${last.silent} of ${last.tried} one-bit flips change the sums unnoticed`);
    }
    return { ...found, ...shares };
  },
  tried: (n) =>
    `${n.cases} damaged Parquet, Arrow and CSV files, also with gzip and ZSTD, of a few kilobytes, ${n.read} of which could still be read`,
  found: (n) =>
    `${n.aborts} ends of the process, ${n.hangs} that took more than 5 s, ${n.uncoded} errors without a code; at most ${n.slowestMs} ms and ${n.megabytes} MB`,
  holds: (n) =>
    n.aborts + n.hangs + n.uncoded === 0 && n.megabytes <= 3 * LIMIT_MB && n.silentCsvGzip === 0,
};
