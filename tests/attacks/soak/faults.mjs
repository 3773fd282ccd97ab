// Interrupts releases, ledgers and sessions at every await: the awaited thing fails, has happened but is
// reported as a failure, the job is cancelled, or its worker ends.
import { pathToFileURL } from 'node:url';
import { buildFaulty } from '../support/faulty-build.mjs';
import { isPromised, ledgerJobs } from '../support/fault-jobs.mjs';
import { sessionJobs } from '../support/fault-sessions.mjs';
import { chosen } from '../support/fault-steps.mjs';
import { seeded } from '../support/random.mjs';
import { settled } from '../support/settled.mjs';

const LEDGER_KINDS = ['throw', 'lost', 'abort', 'end-thread'];
const SESSION_KINDS = ['throw', 'lost'];

export const attack = {
  name: 'faults',
  promise:
    'Wherever a release, a ledger or a session is interrupted, no release is half, unrecorded or paid for twice, ' +
    'no role contradicts itself, and the same can be done again.',
  minutes: 20,
  async run({ quick, scratch, seed, log }) {
    const folder = await buildFaulty(`${scratch}/package`);
    const load = (name) => import(pathToFileURL(`${folder}/${name}.js`).href);
    const [main, federation, node] = [
      await load('index'),
      await load('federation'),
      await load('node'),
    ];
    const faults = globalThis.__faults;
    const { jobs, exported } = await ledgerJobs(main, node, scratch);
    const context = {
      main,
      federation,
      exported,
      isCoded: (error) => isPromised(error, faults, main.errorCodes),
    };
    const all = [
      ...jobs.map((job) => ({ job, kinds: LEDGER_KINDS })),
      ...sessionJobs().map((job) => ({ job, kinds: SESSION_KINDS })),
    ];
    const count = { jobs: 0, steps: 0, faults: 0, givenUp: 0, problems: 0, stuck: 0 };
    const random = seeded(seed);
    for (const { job, kinds } of all) {
      count.jobs++;
      const some = quick ? [kinds[Math.floor(random() * kinds.length)]] : kinds;
      for (const kind of some) {
        const whole = await runOne(job, context, faults, kind, 0);
        if (whole.problems.length > 0) {
          throw new Error(`${job.name}, undisturbed: ${whole.problems.join('; ')}`);
        }
        const { steps } = whole;
        count.steps += steps;
        for (const at of chosen(whole, job, quick, random)) {
          const { problems, place, fired, isGivenUp } = await runOne(
            job,
            context,
            faults,
            kind,
            at,
          );
          if (fired) count.faults++;
          if (isGivenUp) count.givenUp++;
          if (problems.length === 0) continue;
          count.problems++;
          log(`${job.name}: ${kind} at step ${at} of ${steps} (${place}): ${problems.join('; ')}`);
          if (!problems.some((problem) => problem.endsWith('hangs'))) continue;
          count.stuck++;
          // Whatever waits behind it would hang, too.
          await main.load({ worker: new URL(`${pathToFileURL(folder).href}/worker.js`) });
        }
      }
      log(`${job.name}: ${count.faults} faults so far, ${count.problems} problems`);
    }
    return count;
  },
  tried: (n) => `${n.faults} faults at ${n.steps} steps of ${n.jobs} jobs`,
  found: (n) =>
    `${n.problems} broke a promise, ${n.stuck} of them by waiting for ever; ${n.givenUp} ended a session without a sum`,
  holds: (n) => n.problems === 0,
};

/** Runs a job with a fault at a step; at 0 it only counts them. */
async function runOne(job, context, faults, kind, at) {
  let result = { steps: 0, fired: false };
  let place = '';
  const attempt = async (act, { without = false } = {}) => {
    const controller = new AbortController();
    if (!without) faults.arm(kind, at, () => controller.abort());
    const outcome = await settled(act(controller.signal));
    const armed = without ? {} : faults.disarm();
    if (!without) result = armed;
    for (const one of [outcome.error, outcome.error?.cause]) {
      if (one instanceof faults.Fault) place = one.message;
    }
    return { ...outcome, drawn: armed.drawn };
  };
  let isGivenUp = false;
  const giveUp = () => {
    isGivenUp = true;
  };
  const problems = await job
    .run({ ...context, attempt, giveUp })
    .catch((error) => [`it cannot go on: ${error}`]);
  return { ...result, problems, place, isGivenUp };
}
