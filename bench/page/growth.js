import { assemble, defineStudy, privatize } from '/dist/index.js';

function studyOf(d, terms = {}) {
  const columns = Array.from({ length: d }, (_, i) => `x${i}`);
  const half = Math.floor(d / 2);
  return defineStudy({
    title: 'bench',
    columns: columns.map((name) => ({ name, type: 'number', min: 0, max: 1 })),
    views: { x: columns.slice(0, half), y: columns.slice(half) },
    privacy: { epsilon: 1, delta: 1e-6 },
    ...terms,
  });
}

function tableOf(n, d) {
  let state = n + d;
  const values = Float64Array.from({ length: n * d }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  });
  return { columns: Array.from({ length: d }, (_, i) => `x${i}`), values };
}

/** From a table in memory to a release. */
export function release({ n, d, workers = 1, clipping }) {
  const study = studyOf(d, clipping === undefined ? {} : { clipping });
  const table = tableOf(n, d);
  return async () => {
    await privatize(study, table, { workers });
  };
}

/** From the texts of releases to moments: parsing, verifying, summing. */
export async function sum({ d, sites }) {
  const study = studyOf(d);
  const table = tableOf(10, d);
  const texts = [];
  for (let s = 0; s < sites; ++s) texts.push(JSON.stringify(await privatize(study, table)));
  return async () => {
    await assemble(study, texts);
  };
}

async function momentsOf(d) {
  const study = studyOf(d);
  return assemble(study, [await privatize(study, tableOf(10 * d, d))]);
}

export async function pca({ d }) {
  const moments = await momentsOf(d);
  return async () => {
    await moments.pca();
  };
}

export async function cca({ d }) {
  const moments = await momentsOf(d);
  return async () => {
    await moments.cca();
  };
}
