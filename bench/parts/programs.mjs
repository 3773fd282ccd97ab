import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

// --no-liftoff: what counts is what the optimising compiler makes, which in pages comes soon.
const OPTIMISED = ['--no-liftoff', '--no-experimental-fetch'];

/** Benchmarks that are programs of their own, with what they print. */
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
      say('Not run: it is not built.\n');
      continue;
    }
    const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), {
      encoding: 'utf8',
    });
    say(`\`\`\`text\n${stdout.trim()}\n\`\`\`\n`);
    if (status !== 0) say(`It ended with an error: ${stderr.trim().split('\n').at(-1)}\n`);
  }
  say(
    'Not run: eigenvector sampling and discrete noise of diffprivlib and OpenDP, which are Python packages that this does ' +
      'not install; no npm package does either.',
  );
}
