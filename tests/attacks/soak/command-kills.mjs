// Kills the command line (SIGKILL) before and after every await of each command that writes. Its files are whole or
// absent, its ledger counts every release, and the same command can be given again.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { start } from '../../cli/program.mjs';
import {
  commandJobs,
  leftBeside,
  look,
  mayRefuse,
  prepare,
  problemsOf,
  stateOf,
} from '../support/command-jobs.mjs';
import { chosen } from '../support/fault-steps.mjs';
import { buildFaulty } from '../support/faulty-build.mjs';
import { seeded } from '../support/random.mjs';

/** Processes at a time. */
const LANES = 2;

/** Commands of the miniature, by what they do at the end: a release, a change of the ledger, a file of results. */
const QUICK = ['privatize', 'ledger import', 'assemble'];
const QUICK_KILLS = 3;

export const attack = {
  name: 'command-kills',
  promise:
    'Wherever a command is killed, its files are whole or absent, every release is in the ledger and paid for once, ' +
    'and the same command can be given again.',
  minutes: 20,
  async run({ quick, scratch, seed, log }) {
    const program = path.join(await buildFaulty(path.join(scratch, 'package')), 'cli.js');
    const template = path.join(scratch, 'template');
    const jobs = commandJobs(await prepare(template));
    const random = seeded(seed);
    const count = { commands: 0, steps: 0, kills: 0, states: 0, done: 0, spent: 0, left: 0 };
    let problems = 0;
    const picked = quick
      ? QUICK.map((name) => jobs.find((job) => job.name.startsWith(name)))
      : jobs;
    const run = async (job, folder, env) => {
      const { child, ended } = start(folder, [process.execPath, program, ...job.args], env);
      child.stdin.end();
      return ended;
    };
    const fresh = (lane) => {
      const folder = path.join(scratch, `lane-${lane}`);
      rmSync(folder, { recursive: true, force: true });
      cpSync(template, folder, { recursive: true });
      return folder;
    };
    for (const job of picked) {
      const whole = await undisturbed(job, fresh(0), path.join(scratch, 'steps'), run);
      const { steps, places } = whole;
      count.commands += 1;
      count.steps += steps;
      const waiting = quick
        ? Array.from({ length: QUICK_KILLS }, () => chosen(whole, job, true, random)[0])
        : chosen(whole, job, false, random);
      const seen = new Set();
      const work = async (lane) => {
        for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
          const found = await killed(job, { at, folder: fresh(lane), whole, seen, run });
          for (const [name, number] of Object.entries(found.counts)) count[name] += number;
          if (found.problems.length === 0) continue;
          problems += 1;
          log(
            `${job.name}: step ${at} of ${steps} (${places[at - 1]}): ${found.problems.join('; ')}`,
          );
        }
      };
      await Promise.all(Array.from({ length: LANES }, (_, lane) => work(lane)));
      log(`${job.name}: ${steps} steps; ${count.kills} kills so far, ${problems} problems`);
    }
    return { ...count, problems };
  },
  tried: (n) =>
    `${n.kills} kills at ${n.steps} steps of ${n.commands} commands; in each of the ${n.states} states of the disk that ` +
    `they left, the same command again`,
  found: (n) =>
    `${n.problems} broke a promise; the same again was refused as done already in ${n.done} of the states, and as over ` +
    `budget in ${n.spent}; ${n.left} kills left a file that ends in .partial`,
  holds: (n) => n.problems === 0 && n.kills > 0,
};

/** Runs a command to its end. Returns its steps and their places, and what is in its folder before and after. */
async function undisturbed(job, folder, notes, run) {
  const before = await look(job, folder);
  rmSync(notes, { force: true });
  const env = { FAULT_KIND: 'kill', FAULT_AT: '0', FAULT_LOG: notes };
  const { status, said } = await run(job, folder, env);
  if (status !== 0) throw new Error(`${job.name}, undisturbed: ${said}`);
  const places = readFileSync(notes, 'utf8').trimEnd().split('\n');
  return { steps: places.length, places, before, after: await look(job, folder) };
}

/**
 * Kills a command at a step, and gives it again unless a kill has left the disk like this before.
 * @returns what was wrong, and what happened, to be counted
 */
async function killed(job, { at, folder, whole, seen, run }) {
  const { before, after } = whole;
  const { status } = await run(job, folder, { FAULT_KIND: 'kill', FAULT_AT: String(at) });
  const found = await look(job, folder);
  const counts = { kills: status === null ? 1 : 0, left: found.partials.length > 0 ? 1 : 0 };
  const problems = problemsOf(job, found, before, after);
  const state = stateOf(folder);
  if (seen.has(state)) return { problems, counts };
  seen.add(state);
  counts.states = 1;

  const again = await run(job, folder);
  if (again.status !== 0) {
    const why = mayRefuse(job, again.said, found, before);
    if (why === undefined) problems.push(`the same again fails: ${again.said.trim()}`);
    else counts[why] = 1;
  }
  const last = await look(job, folder);
  problems.push(...problemsOf(job, last, before, after));
  const isWritten = job.outputs.every((name) => last.files.has(name));
  if (again.status === 0 && !isWritten) problems.push('the same again writes nothing');
  if (job.isDone && !job.isDone(last.ledger)) problems.push('the same again changes nothing');
  if (job.entries && last.ledger.entries.length !== job.entries) {
    problems.push(`${last.ledger.entries.length} entries in place of ${job.entries}`);
  }
  problems.push(...(await leftBeside(job, folder)).map((name) => `it leaves ${name}`));
  return { problems, counts };
}
