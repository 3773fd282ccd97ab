import { firstLine } from '../lib/machine.mjs';
import { Lines } from '../lib/lines.mjs';
import { compare } from '../lib/comparison.mjs';
import { count, figure, table } from '../lib/text.mjs';

/** Multiply-adds of a Gram matrix of one run, counted once for each pair of columns. */
const WORK = 5e8;
/** Minimum number of rows; with fewer, setting up and reading the sums would dominate. */
const ROWS = 2500;
/** Maximum number of values in memory. */
const NUMBERS = 4e6;

const inPage = (page, name, kind, label) => ({
  name: label,
  engine: 'Chromium',
  prepare: (size) => page.prepare('algebra', name, { kind, ...size }),
  run: (times) => page.run(name, times),
});

const outside = (program, kind, label) => ({
  name: label,
  engine: 'native',
  prepare: async ({ d, n }) => {
    await program.ask(kind === 'gram' ? `gram ${d} ${n}` : `eigen ${d}`);
  },
  run: async (times) => {
    const [ms, check] = (await program.ask(`run ${times}`)).split(' ').map(Number);
    return { ms, check };
  },
});

/** The first of these python3 that has numpy: that on the path, or Debian's. */
const pythonWithNumpy = () =>
  ['python3', '/usr/bin/python3'].find((python) =>
    firstLine(python, '-c', 'import numpy; print(1)'),
  );

export async function algebra({ root, browser, quick, turns, say }) {
  const page = await browser.page();
  const native = (name) => new Lines(`${root}build/native/bench/${name}`);
  const programs = {
    ours: native('bench_ours'),
    eigen: native('bench_eigen'),
    tuned: native('bench_eigen_tuned'),
  };
  const python = pythonWithNumpy();
  let version;
  if (python !== undefined) {
    programs.numpy = new Lines(python, [`${root}bench/native/numpy_lines.py`], {
      OPENBLAS_NUM_THREADS: '1',
    });
    version = await programs.numpy.ask('version');
  }
  const outsiders = (kind) => [
    outside(programs.ours, kind, 'native: the core'),
    outside(programs.eigen, kind, 'native: Eigen, SSE2'),
    outside(programs.tuned, kind, 'native: Eigen, -march=native'),
    ...(programs.numpy ? [outside(programs.numpy, kind, `native: numpy ${version}`)] : []),
  ];

  say('## Gram matrix\n');
  say(
    'X^T X of n rows of d numbers in memory, with one thread. The core sums rows that are already quantised, exactly, ' +
      'and checks its sums. `exactMoments` is the public call, which first encodes, clips and quantises the rows and ' +
      'then computes covariances. All use double precision except TensorFlow.js, which has only single precision.\n',
  );
  const sizes = (quick ? [20, 100, 400] : [20, 50, 100, 200, 400, 784]).map((d) => {
    const n = Math.round(Math.max(ROWS, Math.min(WORK / d ** 2, NUMBERS / d)) / (quick ? 4 : 1));
    return { d, n, label: `d = ${d}, n = ${count(n)}` };
  });
  const found = await compare({
    sizes,
    reference: 'the core',
    turns,
    say,
    contenders: [
      inPage(page, 'core', 'gram', 'Chromium: the core'),
      inPage(page, 'moments', 'gram', 'Chromium: exactMoments'),
      inPage(page, 'eigen', 'gram', 'Chromium: Eigen as WebAssembly'),
      inPage(page, 'r', 'gram', 'Chromium: webR crossprod'),
      inPage(page, 'tfjs', 'gram', 'Chromium: tfjs-backend-wasm matMul (single precision)'),
      inPage(page, 'mlMatrix', 'gram', 'Chromium: ml-matrix transpose().mmul()'),
      ...outsiders('gram'),
    ],
  });
  say('\nGFLOP/s, counting d^2 n, from the medians\n');
  say(
    table(
      ['', ...sizes.map(({ d }) => `d = ${d}`)],
      [...found].map(([name, times]) => [
        name,
        ...times.map((time, i) => {
          const { d, n } = sizes[i];
          return time ? figure((d * d * n) / time.median / 1e6) : '-';
        }),
      ]),
    ),
  );

  say('\n## Eigenvalues and eigenvectors\n');
  say(
    'All eigenvalues and eigenvectors of a symmetric d x d matrix, with one thread, in double precision. ' +
      'TensorFlow.js does not compute them.\n',
  );
  await compare({
    sizes: (quick ? [50, 100, 200] : [50, 100, 200, 350, 500]).map((d) => ({
      d,
      label: `d = ${d}`,
    })),
    reference: 'the core',
    turns,
    say,
    contenders: [
      inPage(page, 'core', 'eigen', 'Chromium: the core'),
      inPage(page, 'eigen', 'eigen', 'Chromium: Eigen as WebAssembly'),
      inPage(page, 'r', 'eigen', 'Chromium: webR eigen'),
      inPage(page, 'mlMatrix', 'eigen', 'Chromium: ml-matrix EigenvalueDecomposition'),
      ...outsiders('eigen'),
    ],
  });
  if (!programs.numpy) say('\nNot run: numpy is not installed.');
  for (const program of Object.values(programs)) program.close();
  await page.close();
}
