#!/usr/bin/env node
// Runs the attacks that are too long for a unit test, in full, and keeps what they found in records/:
//
//   node tests/attacks/run.mjs fuzz|soak [name ...]
//   node tests/attacks/run.mjs --page        fills docs/tested.md from the records
//   node tests/attacks/run.mjs --check       fails if that would change it
//
// QUICK=1 runs their miniatures and keeps nothing. Exits 1 if a promise does not hold.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { attacksIn, fill, KINDS, RECORDS } from './support/page.mjs';

const SEED = Number(process.env.SEED ?? 1);
const SCRIPT = fileURLToPath(import.meta.url);
const PAGE = new URL('../../docs/tested.md', import.meta.url);

/** Runs one attack in a folder of its own. Returns whether its promise held. */
async function attempt(kind, attack, quick) {
  const scratch = await mkdtemp(path.join(tmpdir(), `private-moments-${attack.name}-`));
  const since = performance.now();
  try {
    const log = (line) => console.log(`  ${line}`);
    const numbers = await attack.run({ quick, scratch, seed: SEED, log });
    const seconds = Math.round((performance.now() - since) / 1000);
    const holds = attack.holds(numbers);
    console.log(`${holds ? 'holds' : 'FALLS'}  ${kind} ${attack.name}  ${seconds} s`);
    console.log(`       ${attack.tried(numbers)}: ${attack.found(numbers)}`);
    if (!holds) console.log(`       ${JSON.stringify(numbers)}`);
    if (holds && !quick) {
      const minutes = Math.ceil(seconds / 60);
      const record = { name: attack.name, seed: SEED, minutes, numbers };
      writeFileSync(
        path.join(RECORDS, `${attack.name}.json`),
        `${JSON.stringify(record, null, 2)}\n`,
      );
    }
    return holds;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The attacks of these names, or all of a kind. */
async function chosen(kind, names) {
  const attacks = await attacksIn(kind);
  const unknown = names.filter((name) => !attacks.some((attack) => attack.name === name));
  if (unknown.length > 0) {
    console.error(`No ${kind} is called ${unknown.join(', ')}.`);
    process.exit(2);
  }
  return attacks.filter(({ name }) => names.length === 0 || names.includes(name));
}

/** Runs each in a process of its own, as what one attack has loaded would hide faults from another. */
function attemptAll(kind, attacks) {
  const held = attacks.filter(({ name }) => {
    const { status } = spawnSync(process.execPath, [SCRIPT, kind, name], { stdio: 'inherit' });
    return status === 0;
  });
  console.log(`${kind}: ${held.length} of ${attacks.length} promises hold`);
  return held.length === attacks.length;
}

/** Whether docs/tested.md says what the records say. */
async function isPageUpToDate() {
  const page = readFileSync(PAGE, 'utf8');
  const isSame = (await fill(page)) === page;
  console.log(
    isSame
      ? 'docs/tested.md: as the records say'
      : 'docs/tested.md is not what the records say: run node tests/attacks/run.mjs --page',
  );
  return isSame;
}

async function fillPage() {
  writeFileSync(PAGE, await fill(readFileSync(PAGE, 'utf8')));
}

const [kind, ...names] = process.argv.slice(2);
const quick = Boolean(process.env.QUICK);
if (kind === '--page') {
  await fillPage();
} else if (kind === '--check') {
  process.exit((await isPageUpToDate()) ? 0 : 1);
} else if (KINDS.includes(kind)) {
  const attacks = await chosen(kind, names);
  const [first] = attacks;
  const held = attacks.length === 1 ? await attempt(kind, first, quick) : attemptAll(kind, attacks);
  if (!quick) await fillPage();
  process.exit(held ? 0 : 1);
} else {
  console.error('usage: node tests/attacks/run.mjs fuzz|soak [name ...] | --page | --check');
  process.exit(2);
}
