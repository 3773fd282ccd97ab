#!/usr/bin/env node
// Runs the stages of `make test`, each a target of the Makefile, and prints at the end how long each took:
//
//   node tools/stages.mjs 'check unit builds test-browser' 'clang-tidy test-native builds test-wasm'
//
// Each argument is a lane, and lanes run side by side. The first has precedence: browsers wait more than they
// compute, and compilers take what is left. Its output is shown as it comes, that of the others in one piece
// when a stage ends. A stage that other lanes name too is run by the first, and they wait for it there. What
// stands in BUILT is made by the first lane's `builds`, and by no stage after or beside it, as two would make
// it at once. After a stage that fails, none begins.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';

const built = (process.env.BUILT ?? '').split(' ').filter((name) => name !== '');
const since = performance.now();
const done = [];
let failed = false;

/** Runs a stage; `say` gets its lines. Resolves to its status, its seconds and those of the processors. */
async function run(stage, { inBackground, kept, say }) {
  const start = performance.now();
  const flags = kept.flatMap((name) => ['-o', name]);
  const nice = inBackground ? 'nice -n 10' : '';
  // What `time` prints goes to 3, apart from all that the stage prints.
  const script = `TIMEFORMAT='%U %S'; { time ${nice} "$@" 2>&1 3>&-; } 2>&3`;
  const child = spawn('bash', ['-c', script, 'stages', 'make', ...flags, stage], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  createInterface({ input: child.stdout }).on('line', say);
  let times = '';
  child.stdio[3].on('data', (text) => (times += text));
  const closed = new Promise((resolve) => child.on('close', resolve));
  const status = await new Promise((resolve) => child.on('exit', resolve));
  // A process that a stage has left behind may hold its output open.
  await Promise.race([closed, wait(1000)]);
  const [user = 0, system = 0] = times.trim().split(' ').map(Number);
  const seconds = (performance.now() - start) / 1000;
  return { stage, status, seconds, processor: user + system };
}

const lanes = process.argv.slice(2).map((lane) => lane.split(' '));
/** For each stage of the first lane, what waits for it to end, or for another to fail. */
const waiting = new Map(lanes[0].map((stage) => [stage, []]));
const ended = new Set();

function end(stage) {
  ended.add(stage);
  for (const proceed of waiting.get(stage) ?? []) proceed();
}

/** Runs the stages of a lane in order. */
async function follow(stages, inBackground) {
  let kept = inBackground ? built : [];
  for (const stage of stages) {
    if (failed) return;
    if (inBackground && waiting.has(stage)) {
      if (!ended.has(stage)) await new Promise((proceed) => waiting.get(stage).push(proceed));
      continue;
    }
    console.log(`== ${stage}${inBackground ? ', in the background' : ''}`);
    const lines = [];
    const say = inBackground ? (line) => lines.push(line) : (line) => console.log(line);
    const result = await run(stage, { inBackground, kept, say });
    if (inBackground) console.log([`== ${stage}: what it printed`, ...lines].join('\n'));
    console.log(`== ${stage}: ${result.status === 0 ? 'passed' : 'FAILED'}`);
    done.push(result);
    failed ||= result.status !== 0;
    if (stage === 'builds') kept = built;
    end(stage);
    if (failed) for (const other of waiting.keys()) end(other);
  }
}

await Promise.all(lanes.map((stages, i) => follow(stages, i > 0)));

const row = (name, ...figures) =>
  name.padEnd(24) + figures.map((figure) => String(figure).padStart(12)).join('');
console.log(`\n${row('stage', 'seconds', 'processor s')}`);
for (const { stage, status, seconds, processor } of done) {
  console.log(
    row(stage, seconds.toFixed(0), processor.toFixed(0)) + (status === 0 ? '' : '  FAILED'),
  );
}
const total = done.reduce((sum, { processor }) => sum + processor, 0);
console.log(row('all', ((performance.now() - since) / 1000).toFixed(0), total.toFixed(0)));
process.exit(failed ? 1 : 0);
