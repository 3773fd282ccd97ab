import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// --no-liftoff: only code of the optimising compiler counts, which pages soon run.
const OPTIMISED = ['--no-liftoff', '--no-experimental-fetch'];

/** Runs benchmarks that are separate programs, and prints their output. */
export function programs({ root, quick, say }) {
  const build = `${root}build/`;
  const native = (name) => [`${build}native/bench/${name}`];
  const wasm = (name) => [process.execPath, ...OPTIMISED, `${build}wasm/bench/${name}.cjs`];
  const script = (name, ...options) => [process.execPath, `${root}bench/${name}.mjs`, ...options];
  const all = [
    ['Kernel, noise and eigenvector sampling, native', native('core_bench')],
    ['Kernel, noise and eigenvector sampling, WebAssembly in Node', wasm('core_bench')],
    ['Reading files, native', native('ingest_bench')],
    ['Reading files, WebAssembly in Node', wasm('ingest_bench')],
    [
      'Assembling many releases',
      script('assembly', '100', '10', '100', '1000', ...(quick ? [] : ['10000'])),
    ],
    ['Memory of a large file, in Node', script('memory', quick ? '0.1' : '5', '1', '2')],
  ];
  for (const [title, command] of all) {
    const file = command.find((part) => part.startsWith(root));
    say(`## ${title}\n`);
    if (!existsSync(file)) {
      say('Not run, as it is not built.\n');
      continue;
    }
    const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), {
      encoding: 'utf8',
    });
    say(`\`\`\`text\n${stdout.trim()}\n\`\`\`\n`);
    if (status !== 0) say(`It failed: ${stderr.trim().split('\n').at(-1)}\n`);
  }
  say(
    'Not run: eigenvector sampling and discrete noise of diffprivlib and OpenDP, as these are Python packages that the ' +
      'benchmark does not install. No npm package offers either.',
  );
}
