import { assemble, defineStudy, privatize } from '/dist/index.js';
import { giveMatrix, sharedR } from './webr.js';

/** Rows of two views that share two signals, with entries in (-1, 1). */
function rowsOf(n, width) {
  let state = 1;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  };
  const values = new Float64Array(n * width);
  for (let r = 0; r < n; ++r) {
    const shared = [uniform(), uniform()];
    for (let c = 0; c < width; ++c) values[r * width + c] = 0.5 * shared[c % 2] + 0.5 * uniform();
  }
  return values;
}

const named = (letter, count) => Array.from({ length: count }, (_, i) => `${letter}${i}`);

/** `draws` 0: the estimate alone. `inWorker`: in the package's default number of workers. */
export async function cca({ n, view, draws, inWorker }) {
  const views = { x: named('x', view), y: named('y', view) };
  const columns = [...views.x, ...views.y];
  const study = defineStudy({
    title: 'bench',
    columns: columns.map((name) => ({ name, type: 'number', min: -1, max: 1 })),
    views,
    privacy: { epsilon: 1, delta: 1e-6 },
  });
  const release = await privatize(study, { columns, values: rowsOf(n, columns.length) });
  const moments = await assemble(study, [release]);
  const analyses = inWorker ? moments.inWorker() : moments;
  const options = draws === 0 ? {} : { level: 0.95, draws };
  return async () => {
    // New data each time, as earlier results may be cached.
    const result = await analyses.cca(draws === 0 ? options : { ...options, seed: nextSeed() });
    if (result.correlations.length !== view) throw new Error('correlations are missing');
  };
}

let seed = 0;
const nextSeed = () => ++seed;

export async function cancor({ n, view }) {
  const r = await sharedR();
  const values = rowsOf(n, 2 * view);
  const half = (from) =>
    Float64Array.from(
      { length: n * view },
      (_, i) => values[(i % n) * 2 * view + from + Math.floor(i / n)],
    );
  const [x, y] = [`x${n}`, `y${n}`];
  await giveMatrix(r, x, half(0), n, view);
  await giveMatrix(r, y, half(view), n, view);
  return async () => {
    await r.evalRNumber(`cancor(${x}, ${y})$cor[1]`);
  };
}
