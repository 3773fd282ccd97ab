// Processes that write to one ledger at the same time, killed (SIGKILL) at random moments: what is on the disk
// must be in the ledger, and the next process must get the lock.
import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createLedger, parseRelease } from 'private-moments';
import { fileStorage } from 'private-moments/node';
import { seeded } from '../support/random.mjs';

const WRITER = fileURLToPath(new URL('../support/ledger-writer.mjs', import.meta.url));
/** Processes that write to a ledger at once. */
const WRITERS = 3;
/** Kills before a ledger is looked at, and another one begun. */
const BATCH = 60;
/** The period of processes that make releases; the others change the budget, which starts faster. */
const RELEASES_EVERY = 8;
/** The mean period of processes that are killed while they start; the others after their first confirmed step. */
const EARLY_EVERY = 10;

/** Runs one writer and kills it. Returns what it said if it failed before that. */
async function killedWriter(kind, file, folder, number, random) {
  const child = spawn(process.execPath, [WRITER, kind, file, folder, String(number)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (piece) => {
    said += piece;
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const isEarly = random() < 1 / EARLY_EVERY;
  const begun = new Promise((resolve) => child.stdout.once('data', resolve));
  await (isEarly ? undefined : Promise.race([begun, ended]));
  await new Promise((resolve) => setTimeout(resolve, (isEarly ? 300 : 60) * random()));
  child.kill('SIGKILL');
  await ended;
  return said;
}

/** What is on the disk and in the ledger after a batch. */
async function look(file, folder) {
  const found = { releases: 0, budgets: 0, unrecorded: 0, stuck: 0, left: 0 };
  const ledger = createLedger(fileStorage(file));
  try {
    await ledger.budget(null);
  } catch (error) {
    return { ...found, stuck: 1, said: error.message };
  }
  const recorded = new Set((await ledger.entries()).map(({ release }) => release));
  const budgets = new Set((await ledger.history()).map(({ budget }) => budget?.epsilon));
  for (const name of await readdir(folder)) {
    const text = await readFile(path.join(folder, name), 'utf8');
    if (name.endsWith('.budgets')) {
      for (const line of text.split('\n').slice(0, -1)) {
        found.budgets += 1;
        if (!budgets.has(Number(line))) found.unrecorded += 1;
      }
    } else if (text.endsWith('}')) {
      found.releases += 1;
      if (!recorded.has(parseRelease(text).id)) found.unrecorded += 1;
    }
  }
  found.left = (await readdir(path.dirname(file))).length - 1;
  return found;
}

export const attack = {
  name: 'ledger-kills',
  promise:
    'Every release that exists is in the ledger, and the ledger stays usable, whenever a process is killed.',
  minutes: 25,
  async run({ quick, scratch, seed, log }) {
    const wanted = quick ? 24 : Number(process.env.KILLS ?? 10_000);
    const random = seeded(seed);
    const found = {
      ...{ kills: 0, writers: WRITERS, releases: 0, budgets: 0 },
      ...{ unrecorded: 0, stuck: 0, left: 0, failed: 0 },
    };
    for (let batch = 0; found.kills < wanted; batch++) {
      const home = path.join(scratch, String(batch));
      const folder = path.join(scratch, `${batch}-made`);
      await mkdir(home);
      await mkdir(folder);
      const file = path.join(home, 'ledger.json');
      let started = 0;
      const most = Math.min(BATCH, wanted - found.kills);
      const write = async () => {
        while (started < most) {
          const number = ++started;
          const kind = number % RELEASES_EVERY === 0 ? 'releases' : 'budgets';
          const said = await killedWriter(kind, file, folder, number, random);
          found.kills += 1;
          if (said === '') continue;
          found.failed += 1;
          log(`batch ${batch}, writer ${number}: ${said}`);
        }
      };
      await Promise.all(Array.from({ length: WRITERS }, write));
      const { said, ...counts } = await look(file, folder);
      for (const [name, count] of Object.entries(counts)) found[name] += count;
      if (counts.unrecorded + counts.stuck + counts.left > 0) {
        log(`batch ${batch}: ${JSON.stringify(counts)} ${said ?? ''}`);
      }
      if (batch % 20 === 19) log(`${found.kills} kills`);
    }
    return found;
  },
  tried: (n) =>
    `${n.kills.toLocaleString('en-US')} kills of processes, ${n.writers} at a time, that made ${n.releases.toLocaleString('en-US')} releases and ${n.budgets.toLocaleString('en-US')} changes of the budget`,
  found: (n) =>
    `${n.unrecorded} of these missing from the ledger, ${n.stuck} ledgers that stayed locked, ${n.left} files left beside one`,
  holds: (n) => n.unrecorded + n.stuck + n.left + n.failed === 0 && n.releases > 0 && n.budgets > 0,
};
