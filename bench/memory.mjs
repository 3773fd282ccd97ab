// Memory use while reading: makes a release of a CSV file with 20 columns and the requested number of
// gigabytes, and watches the resident set of the process, including its workers.
// After `make package`: [CLIPPING=centred] node bench/memory.mjs [gigabytes] [workers ...]
import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openAsBlob,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { defineStudy, privatize } from 'private-moments';

const [gigabytes = 1, ...workerCounts] = process.argv.slice(2).map(Number);
const counts = workerCounts.length > 0 ? workerCounts : [1, 2, 4];
const MEGABYTE = 1e6;
const INTERVAL_MS = 10;

const names = Array.from({ length: 20 }, (_, i) => `x${i + 1}`);
const study = defineStudy({
  title: 'Memory',
  columns: names.map((name) => ({ name, type: 'number', min: 0, max: 100 })),
  privacy: { epsilon: 1, delta: 1e-6 },
  ...(process.env.CLIPPING && { clipping: process.env.CLIPPING }),
});

/** Writes rows that repeat every few megabytes, which no reader makes use of. */
function writeFile(path, bytes) {
  let block = '';
  for (let row = 0; block.length < 4 * MEGABYTE; ++row) {
    const cells = names.map((_, i) => (50 + 50 * Math.sin(row * 20 + i)).toFixed(4));
    block += `${cells.join(',')}\n`;
  }
  const file = openSync(path, 'w');
  let size = writeSync(file, `${names.join(',')}\n`);
  while (size < bytes) size += writeSync(file, block);
  closeSync(file);
}

async function measure(path, workers, before) {
  const { size } = statSync(path);
  // Node 20 reports wrong sizes of larger blobs. A stream is read by one worker.
  const isBlob = size < 2 ** 32;
  const data = isBlob ? await openAsBlob(path) : Readable.toWeb(createReadStream(path));
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, INTERVAL_MS);
  const start = performance.now();
  const release = await privatize(study, data, { workers });
  const seconds = (performance.now() - start) / 1000;
  clearInterval(watch);
  const above = ((peak - before) / MEGABYTE).toFixed(0);
  const speed = (size / MEGABYTE / seconds).toFixed(0);
  console.log(
    `${isBlob ? workers : 1} workers: ${above} MB above ${(before / MEGABYTE).toFixed(0)} MB, ` +
      `${release.rows} rows in ${seconds.toFixed(1)} s (${speed} MB/s)`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'private-moments-memory-'));
try {
  const path = join(folder, 'rows.csv');
  writeFile(path, gigabytes * 1e9);
  // The memory of a first release: the core and its worker.
  await privatize(study, [Object.fromEntries(names.map((name) => [name, 1]))]);
  const before = process.memoryUsage().rss;
  console.log(`${(statSync(path).size / 1e9).toFixed(2)} GB of 20 columns`);
  for (const workers of counts) await measure(path, workers, before);
} finally {
  rmSync(folder, { recursive: true });
}
