// The core's readers under libFuzzer with the address and undefined-behaviour sanitizers. Each program
// says itself what must hold (tests/attacks/core). What covers most of the code is kept in
// tests/attacks/core/corpora, and a full run begins with it and renews it.
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PROGRAMS = path.join(ROOT, 'build/fuzz/tests/attacks/core');
/** Where inputs with findings are kept. */
const FINDINGS = path.join(ROOT, 'build/fuzz/findings');
const CORPORA = path.join(ROOT, 'tests/attacks/core/corpora');
/** Executions of each program in full. */
const FULL = { csv: 20_000_000, number: 60_000_000, part: 15_000_000, rows: 5_000_000 };
const QUICK = 10_000;
const OPTIONS = ['-max_len=512', '-timeout=5', '-print_final_stats=1', '-verbosity=1'];

async function unpack(name, folder) {
  await mkdir(folder, { recursive: true });
  const kept = path.join(CORPORA, `${name}.tar.gz`);
  if (existsSync(kept)) await run('tar', ['-xzf', kept, '-C', folder]);
}

/** The smallest part of a corpus that covers as much, as the one to keep. */
async function keep(name, folder, scratch) {
  const least = path.join(scratch, `${name}-least`);
  await mkdir(least);
  const program = path.join(PROGRAMS, `fuzz_${name}`);
  await run(program, ['-merge=1', '-max_len=512', least, folder], { maxBuffer: 1 << 28 });
  await mkdir(CORPORA, { recursive: true });
  const files = (await readdir(least)).sort();
  const same = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
  const packed = path.join(CORPORA, `${name}.tar.gz`);
  await run('tar', [...same, '-I', 'gzip -n9', '-cf', packed, '-C', least, '.']);
  return files.length;
}

/** Runs a program. Returns how many inputs it tried, and whether it ended with a finding. */
function fuzz(name, folder, { runs, seed }) {
  const program = path.join(PROGRAMS, `fuzz_${name}`);
  const own = [`-runs=${runs}`, `-seed=${seed}`, `-artifact_prefix=${FINDINGS}/`];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...OPTIONS, ...own, folder]);
    let said = '';
    child.stderr.on('data', (text) => {
      said = (said + text).slice(-20_000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      const executions = Number(/number_of_executed_units: (\d+)/.exec(said)?.[1] ?? 0);
      const megabytes = Number(/peak_rss_mb: +(\d+)/.exec(said)?.[1] ?? 0);
      if (code !== 0) console.log(`fuzz_${name} found, and left in build/fuzz/findings:\n${said}`);
      resolve({ executions, megabytes, findings: code === 0 ? 0 : 1 });
    });
  });
}

export const attack = {
  name: 'core',
  promise:
    'The core reads any bytes without a memory error or undefined behaviour, and reads a file alike whole, in pieces and in sections.',
  minutes: 60,
  async run({ quick, scratch, seed, log }) {
    await mkdir(FINDINGS, { recursive: true });
    const total = { executions: 0, findings: 0, kept: 0, megabytes: 0 };
    const one = async (name) => {
      const folder = path.join(scratch, name);
      await unpack(name, folder);
      const runs = quick ? QUICK : FULL[name];
      const found = await fuzz(name, folder, { runs, seed });
      total.executions += found.executions;
      total.findings += found.findings;
      total.megabytes = Math.max(total.megabytes, found.megabytes);
      if (!quick) total.kept += await keep(name, folder, scratch);
      log(`${name}: ${found.executions} executions, ${found.findings} findings`);
    };
    // Two at a time: each has one thread.
    await Promise.all(
      [
        ['csv', 'rows'],
        ['number', 'part'],
      ].map(async (names) => {
        for (const name of names) await one(name);
      }),
    );
    return total;
  },
  tried: (n) =>
    `${(n.executions / 1e6).toFixed(n.executions < 1e7 ? 2 : 0)} million inputs, chosen by coverage, of CSV files, numbers, partial sums and rows`,
  found: (n) => `${n.findings} findings`,
  holds: (n) => n.findings === 0 && n.executions > 0,
};
