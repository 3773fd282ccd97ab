// Every .wasm file of the packages, damaged where it is read: one bit flipped, cut short, with a byte more, or
// another of the files in its place. Nothing of it may run. `wouldRun` counts the flips that engines accept as
// a module, which would have run without the digest in the script.
import { readFileSync } from 'node:fs';
import fsp from 'node:fs/promises';
import { defineStudy, forecast, load, synthesize } from 'private-moments';
import { exactMoments } from 'private-moments-research';

const FLIPS = { quick: 25, full: 2500 };

const columns = ['a', 'b'].map((name) => ({ name, type: 'number', min: 0, max: 1 }));
const study = defineStudy({ title: 'flips', columns, privacy: { epsilon: 1, delta: 1e-6 } });
const rows = [{ a: 0, b: 1 }];
const named = (name) => new URL(`../../../build/wasm/private-moments${name}.wasm`, import.meta.url);

/** What loads each module for the first time. The participant's comes first, as the others need it. */
const MODULES = [
  { name: '', use: () => load() },
  { name: '-analysis', use: () => forecast(study, { rows: 10 }) },
  { name: '-synthesis', use: () => synthesize(study, rows, { rows: 1 }) },
  { name: '-research', use: () => exactMoments(study, rows) },
];

/** 32-bit numbers (Steele, Lea and Flood's SplitMix), for the places of flips. */
function numbersFrom(seed) {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    const mixed = BigInt.asUintN(64, (state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    return Number(mixed >> 32n);
  };
}

/** Runs `attempt` while Node reads `bytes` from the module's file. */
async function reading(name, bytes, attempt) {
  const { readFile } = fsp;
  fsp.readFile = async (path, ...rest) =>
    String(path).endsWith(`/private-moments${name}.wasm`) ? bytes : readFile(path, ...rest);
  try {
    return await attempt();
  } finally {
    fsp.readFile = readFile;
  }
}

/** Whether the module is refused for what it is. */
async function isRefused({ name, use }, bytes) {
  try {
    await reading(name, bytes, use);
    return false;
  } catch (error) {
    if (error.code !== 'wrong-module') throw error;
    return true;
  }
}

function* damaged(name, flips, next) {
  const whole = readFileSync(named(name));
  for (let i = 0; i < flips; i += 1) {
    const bytes = Uint8Array.from(whole);
    bytes[next() % bytes.length] ^= 1 << (next() % 8);
    yield { bytes, isFlip: true };
  }
  yield { bytes: whole.subarray(0, -1) };
  yield { bytes: Buffer.concat([whole, Buffer.of(0)]) };
  for (const other of MODULES) {
    if (other.name !== name) yield { bytes: readFileSync(named(other.name)) };
  }
}

export const attack = {
  name: 'module-flips',
  promise: 'A WebAssembly module with one bit changed, or from another build, is not run.',
  minutes: 10,
  async run({ quick, seed, log }) {
    const next = numbersFrom(seed);
    const numbers = { flips: 0, others: 0, wouldRun: 0, loaded: 0 };
    for (const module of MODULES) {
      for (const { bytes, isFlip } of damaged(module.name, FLIPS[quick ? 'quick' : 'full'], next)) {
        numbers[isFlip ? 'flips' : 'others'] += 1;
        if (isFlip && WebAssembly.validate(bytes)) numbers.wouldRun += 1;
        if (!(await isRefused(module, bytes))) numbers.loaded += 1;
      }
      // Only the damage kept it from running.
      await module.use();
      log(`private-moments${module.name}.wasm: ${numbers.loaded} loaded so far`);
    }
    return numbers;
  },
  tried: (n) =>
    `${n.flips} flipped bits, of which engines would have run ${n.wouldRun}, and ${n.others} other wrong files`,
  found: (n) => `${n.loaded} loaded`,
  holds: (n) => n.loaded === 0,
};
