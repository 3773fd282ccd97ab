// The core with less and less memory left, in steps of a few bytes, so that it is refused at every
// allocation of a release in turn. It must stop there: once memory was refused, nothing may come out.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import path from 'node:path';
import { defineStudy } from 'private-moments';
import { intakeOptions, planOf, RowFeed, unwrap } from 'private-moments/internal/core';

const BUILD = fileURLToPath(new URL('../../../build/wasm', import.meta.url));
const ROWS = 40;
/** Bytes of a small block, and how many of them are left over. */
const CRUMB = 1024;
const CRUMBS = [0, 500];

/** Studies by name. Wide ones have sums much larger than what is free in small blocks. */
function studies() {
  const make = (count, delta, mechanism, more = {}) => {
    const columns = Array.from({ length: count }, (_, i) => {
      return { name: `c${i}`, type: 'number', min: -1, max: 1 };
    });
    return defineStudy({ title: 'M', columns, privacy: { epsilon: 1, delta }, mechanism, ...more });
  };
  return {
    gaussian: make(200, 1e-6, 'gaussian', { clipping: 'fixed' }),
    adaptive: make(120, 1e-6, 'gaussian', { clipping: 'adaptive' }),
    centred: make(120, 1e-6, 'gaussian'),
    'two-sided-wishart': make(24, 0, 'two-sided-wishart', { clipping: 'fixed' }),
    'eigenvector-sampling': make(24, 0, 'eigenvector-sampling'),
  };
}

/** Reads rows and makes a release, as the worker does. */
async function makeRelease(core, plan) {
  const rows = () =>
    Float64Array.from({ length: ROWS * plan.columns.length }, (_, i) => ((i * 37) % 200) / 100 - 1);
  let options = intakeOptions(plan);
  if (plan.spec.clipping === 'centred') {
    const { survey } = unwrap(core.createSurvey(options));
    await new RowFeed(survey, plan, core).rows(async (push) => push(rows()));
    const { coordinates } = unwrap(survey.release());
    options = { ...intakeOptions({ ...plan, coordinates }), surveyed: ROWS };
  }
  const { intake } = unwrap(core.createIntake(options));
  await new RowFeed(intake, plan, core).rows(async (push) => push(rows()));
  return unwrap(intake.release()).values;
}

/** A fresh core, and how often it was refused memory. */
async function start(factory, module) {
  const memory = { refused: 0, isFull: false };
  const core = await new Promise((resolve, reject) => {
    factory({
      instantiateWasm(imports, done) {
        WebAssembly.instantiate(module, imports).then((instance) => {
          for (const held of Object.values(instance.exports)) {
            if (!(held instanceof WebAssembly.Memory)) continue;
            const grow = held.grow.bind(held);
            held.grow = (pages) => {
              if (!memory.isFull) return grow(pages);
              memory.refused += 1;
              throw new RangeError('no memory');
            };
          }
          done(instance, module);
        }, reject);
        return {};
      },
      onAbort() {},
    }).then(resolve, reject);
  });
  return { core, memory };
}

/**
 * Takes all memory of a core but `left` bytes in one place and, beside them, small blocks: what asks for
 * little finds it, even where something large before it did not. Then the core gets no more.
 */
function fill(core, memory, left, crumbs) {
  const kept = core._malloc(left);
  const small = Array.from({ length: crumbs }, () => {
    const block = core._malloc(CRUMB);
    // Keeps it apart from the next.
    core._malloc(16);
    return block;
  });
  const grown = core.HEAPU8.length;
  // Blocks of falling sizes, until none fits into what the heap has now.
  memory.isFull = true;
  for (let size = grown; size >= 16; size = Math.floor(size / 2)) {
    try {
      while (core._malloc(size) !== 0);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
    }
  }
  for (const block of [kept, ...small]) core._free(block);
  memory.refused = 0;
}

/** How a release ends with `left` bytes: `released`, `stopped`, `wrong` or `others`. */
async function outcomeWith(factory, module, { plan, left, crumbs }) {
  const { core, memory } = await start(factory, module);
  fill(core, memory, left, crumbs);
  try {
    await makeRelease(core, plan);
    return memory.refused > 0 ? 'wrong' : 'released';
  } catch (error) {
    const isStop = error instanceof WebAssembly.RuntimeError && /^Aborted/.test(error.message);
    return isStop ? 'stopped' : 'others';
  }
}

export const attack = {
  name: 'memory',
  promise: 'A core that is refused memory stops; no release comes out of it.',
  minutes: 5,
  async run({ quick, seed, log }) {
    // The module says that it stops, each time.
    const warn = console.warn;
    console.warn = () => undefined;
    const found = { cases: 0, stopped: 0, released: 0, wrong: 0, others: 0 };
    const { default: factory } = await import(path.join(BUILD, 'private-moments.js'));
    const file = path.join(BUILD, 'private-moments.wasm');
    const module = await WebAssembly.compile(readFileSync(file));
    for (const [name, study] of Object.entries(studies())) {
      for (const crumbs of CRUMBS) {
        const plan = planOf(study);
        const step = (quick ? 1000 : 40) * plan.columns.length + 16 * (seed % 64);
        // Until it has had enough memory ten times in a row.
        for (let left = 16, enough = 0; enough < 10; left += step) {
          const outcome = await outcomeWith(factory, module, { plan, left, crumbs });
          found.cases += 1;
          found[outcome] += 1;
          enough = outcome === 'released' ? enough + 1 : 0;
          if (outcome === 'wrong' || outcome === 'others')
            log(`${name}, ${left} bytes: ${outcome}`);
        }
      }
    }
    console.warn = warn;
    return found;
  },
  tried: (n) =>
    `${n.cases.toLocaleString('en-US')} releases by five mechanisms with ever more memory`,
  found: (n) =>
    `${n.stopped.toLocaleString('en-US')} stopped where memory was refused, ${n.wrong} went on, ${n.others} failed in another way`,
  holds: (n) => n.wrong === 0 && n.others === 0 && n.stopped > 0,
};
