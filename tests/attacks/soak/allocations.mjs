// Refuses the core one block of memory, each one that a job asks for in turn: the allocator says no, or the
// engine gives no more. It must stop there, and another core must do the next job.
import { pathToFileURL } from 'node:url';
import { seeded } from '../support/random.mjs';
import { refusedJobs } from '../support/refused-jobs.mjs';
import { Refusals, REFUSALS } from '../support/refusals.mjs';
import { buildRefusing } from '../support/refusing-build.mjs';
import { settled } from '../support/settled.mjs';

/** How many blocks of a job are refused one after another, and the step between the later ones. */
const ALL_UP_TO = 2000;
const THEN_ONE_IN = 97;
/** Noise decides how many blocks a job asks for, so this many numbers beyond the last are tried. */
const BEYOND = 5;

export const attack = {
  name: 'allocations',
  promise:
    'A core that is refused any one block of memory stops and says so: nothing comes out of it, nothing is unrecorded or ' +
    'paid for twice, and the next call has another core.',
  minutes: 31,
  async run({ quick, scratch, seed, log }) {
    const refusals = new Refusals();
    // The modules ask it.
    globalThis.__refusals = refusals;
    const folder = await buildRefusing(`${scratch}/package`);
    const load = (name) => import(pathToFileURL(`${folder}/${name}.js`).href);
    const [main, federation] = [await load('index'), await load('federation')];
    const context = { main, federation, isCoded: ({ code }) => code === 'out-of-memory' };
    const random = seeded(seed);
    const found = {
      jobs: 0,
      blocks: 0,
      after: ALL_UP_TO,
      oneIn: THEN_ONE_IN,
      refused: 0,
      problems: 0,
    };
    for (const job of refusedJobs(main)) {
      found.jobs++;
      const { blocks, problems } = await runOne(job, context, refusals, REFUSALS[0], 0);
      if (problems.length > 0) throw new Error(`${job.name}, undisturbed: ${problems.join('; ')}`);
      found.blocks += blocks;
      for (const kind of REFUSALS) {
        const numbers = quick ? [1 + Math.floor(random() * blocks)] : numbersOfBlocks();
        let ended = 0;
        for (const at of numbers) {
          if (ended === BEYOND) break;
          const one = await runOne(job, context, refusals, kind, at);
          if (one.fired) found.refused++;
          else ended++;
          if (one.problems.length === 0) continue;
          found.problems++;
          log(`${job.name}: ${kind} at block ${at} of ${blocks}: ${one.problems.join('; ')}`);
        }
      }
      log(`${job.name}: ${blocks} blocks; ${found.refused} refused so far`);
    }
    return found;
  },
  tried: (n) =>
    `${n.jobs} jobs that ask for ${n.blocks} blocks in all, each refused in turn by the allocator and by the engine ` +
    `(of a job's blocks after ${n.after} one in ${n.oneIn}): ${n.refused} refusals`,
  found: (n) => `${n.problems} broke a promise`,
  holds: (n) => n.problems === 0 && n.refused > 0,
};

/** The numbers of the blocks to refuse, without an end. */
function* numbersOfBlocks() {
  for (let at = 1; ; at += at < ALL_UP_TO ? 1 : THEN_ONE_IN) yield at;
}

/** Runs a job that is refused its block of this number; at 0 it only counts them. */
async function runOne(job, { main, ...context }, refusals, kind, at) {
  // A core that has run before asks for less, so each job begins with workers that have not started.
  await main.load({ worker: false });
  let asked = { blocks: 0, fired: false };
  let goesOn = false;
  /** Calls a function that is refused a block, or `without` refusing. Where it `repeats` what failed, it ends well. */
  const attempt = async (act, { without = false, repeats = false } = {}) => {
    if (!without) refusals.arm(kind, at);
    const outcome = await settled(Promise.resolve().then(act));
    if (without) return outcome;
    asked = refusals.disarm();
    goesOn = asked.fired && !repeats && 'value' in outcome;
    return outcome;
  };
  // It would end a program of Node.
  const unhandled = [];
  const onUnhandled = (error) => unhandled.push(`nobody handles its ${error}`);
  process.on('unhandledRejection', onUnhandled);
  const problems = await job
    .run({ main, ...context, attempt })
    .catch((error) => [`it cannot go on: ${error}`]);
  await new Promise((resolve) => setImmediate(resolve));
  process.off('unhandledRejection', onUnhandled);
  problems.push(...unhandled);
  return { ...asked, problems: goesOn ? [...problems, 'it goes on'] : problems };
}
