// The time to a first result, for 1000 rows of 20 numbers. The clock starts before any import of the
// library.
const COLUMNS = 20;
const ROWS = 1000;
const names = Array.from({ length: COLUMNS }, (_, i) => `x${i}`);

let state = 1;
const values = Float64Array.from({ length: ROWS * COLUMNS }, () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state / 2 ** 32;
});
const row = (r) => values.subarray(r * COLUMNS, (r + 1) * COLUMNS);
const rows = Array.from({ length: ROWS }, (_, r) => [...row(r)]);
const csv = [names.join(','), ...rows.map((cells) => cells.join(','))].join('\n');

/** Called once this module is loaded, so that all later requests are the library's. */
export const ready = () => true;

async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export const ours = () =>
  timed(async () => {
    const { defineStudy, privatize } = await import('/dist/index.js');
    const study = defineStudy({
      title: 'bench',
      columns: names.map((name) => ({ name, type: 'number', min: 0, max: 1 })),
      privacy: { epsilon: 1, delta: 1e-6 },
    });
    await privatize(study, csv);
  });

const WORKER = `onmessage = async ({ data }) => {
  const response = await fetch(data);
  const module = await WebAssembly.compile(await response.arrayBuffer());
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    (imports[from] ??= {})[name] = () => 0;
  }
  await WebAssembly.instantiate(module, imports);
  postMessage(null);
};`;

/** What every program takes that keeps rows in a worker with this core: nothing of it is called. */
export const platform = () =>
  timed(async () => {
    const script = new Blob([WORKER], { type: 'text/javascript' });
    const worker = new Worker(URL.createObjectURL(script), { type: 'module' });
    worker.postMessage(new URL('/dist/private-moments.wasm', location.href).href);
    await new Promise((resolve, reject) => {
      worker.onmessage = resolve;
      worker.onerror = reject;
    });
    worker.terminate();
  });

export const papaparse = () =>
  timed(async () => {
    const [{ default: Papa }, { Matrix }] = await Promise.all([
      import('papaparse'),
      import('ml-matrix'),
    ]);
    const x = new Matrix(Papa.parse(csv, { dynamicTyping: true }).data.slice(1));
    x.transpose().mmul(x);
  });

export const r = () =>
  timed(async () => {
    const { startR } = await import('./webr.js');
    const session = await startR();
    const text = await new session.RCharacter([csv]);
    await session.objs.globalEnv.bind('csv', text);
    await session.evalRNumber('crossprod(as.matrix(read.csv(text = csv)))[1, 1]');
  });

export const tfjs = () =>
  timed(async () => {
    const { startTensors, tf } = await import('./tensors.js');
    await startTensors();
    const x = tf.tensor2d(Float32Array.from(values), [ROWS, COLUMNS]);
    await tf.matMul(x, x, true, false).data();
  });

export const duckdb = () =>
  timed(async () => {
    const { startDuckdb } = await import('./duckdb.js');
    const db = await startDuckdb();
    await db.registerFileText('rows.csv', csv);
    const connection = await db.connect();
    const sums = names.flatMap((a, i) => names.slice(i).map((b) => `sum(${a} * ${b})`));
    await connection.query(`SELECT ${sums.join(', ')} FROM read_csv('rows.csv')`);
  });
