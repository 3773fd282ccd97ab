// A process that reads damaged files and writes a line for each, as the parent has to know which one ended it.
//
//   node reader.mjs damage SEED FROM TO     cases by number
//   node reader.mjs flips NAME STEP         every STEP-th one-bit flip of a file
import { writeSync } from 'node:fs';
import { defineStudy } from 'private-moments';
import * as core from 'private-moments/internal/core';
import { lying } from './bombs.mjs';
import { damaged, generator } from './damage.mjs';
import { dataFiles, ROWS } from './seeds.mjs';

const plan = core.planOf(
  defineStudy({
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
  }),
);
const module = await core.loadAnalysis();

/** Reads data to their end in this thread. Returns the number of rows and their exact sums. */
async function sumsOf(data) {
  const { intake } = core.unwrap(module.createIntake(core.intakeOptions(plan)), plan.columns);
  try {
    await core.readInto(new core.RowFeed(intake, plan, module), plan, core.openData(data, plan));
    const counts = intake.counts();
    if (counts.rows === 0) throw core.noRows();
    core.requireReadable(counts);
    return { rows: counts.rows, sums: Buffer.from(core.unwrap(intake.part()).bytes) };
  } finally {
    intake.delete();
  }
}

async function outcomeOf(bytes, isStream) {
  const since = process.cpuUsage();
  let code = 'read';
  let sums = null;
  try {
    const blob = new Blob([bytes]);
    ({ sums } = await sumsOf(isStream ? blob.stream() : blob));
  } catch (error) {
    code = error?.code ?? `uncoded ${error?.name}: ${error?.message}`;
  }
  const { user, system } = process.cpuUsage(since);
  return { code, sums, ms: Math.round((user + system) / 1000) };
}

const say = (line) => writeSync(1, `${JSON.stringify(line)}\n`);
const megabytes = () => Math.round(process.resourceUsage().maxRSS / 1024);

async function readDamaged(files, seed, from, to) {
  const names = [...files.keys()];
  for (let at = from; at < to; at++) {
    const random = generator(seed * 1_000_003 + at);
    const isLie = at % 8 === 7;
    const name = isLie ? 'sizes that are lies' : names[at % names.length];
    const bytes = isLie ? lying(random) : damaged(files.get(name), random);
    const isStream = /stream|csv/.test(name) && random(2) === 1;
    const { code, ms } = await outcomeOf(bytes, isStream);
    say({ at, name, code, ms, mb: megabytes() });
  }
}

async function readFlips(whole, step) {
  const { sums } = await sumsOf(new Blob([whole]));
  const found = { tried: 0, silent: 0 };
  for (let bit = 0; bit < 8 * whole.length; bit += step) {
    const bytes = Uint8Array.from(whole);
    bytes[bit >> 3] ^= 1 << (bit & 7);
    const outcome = await outcomeOf(bytes, false);
    found.tried += 1;
    if (outcome.code === 'read' && !outcome.sums.equals(sums)) found.silent += 1;
    if (found.tried % 200 === 0) say(found);
  }
  say(found);
}

const [mode, ...words] = process.argv.slice(2);
const files = await dataFiles();
for (const [name, bytes] of files) {
  const { rows } = await sumsOf(new Blob([bytes]));
  if (rows !== ROWS) throw new Error(`${name} cannot be read even without damage`);
}
if (mode === 'flips') await readFlips(files.get(words[0]), Number(words[1]));
else await readDamaged(files, ...words.map(Number));
process.exit(0);
