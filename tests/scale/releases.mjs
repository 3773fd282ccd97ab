// Many releases of one study, for tests and benchmarks of their sums.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import { privatize } from 'private-moments';
import { exactMoments } from 'private-moments-research';

const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');

/** Major and minor version of the packages, as the rows of releases have it: "0.2". */
export const VERSION = /^\d+\.\d+/.exec(JSON.parse(manifest).version)[0];

/** Rows for a study of number columns between -1 and 1. */
export function rowsOf({ columns }, count) {
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map(({ name }, i) => [name, Math.sin((row + 1) * (i + 1))])),
  );
}

/** A study with this number of features. */
export function definitionOf(features, over = {}) {
  const columns = Array.from({ length: features }, (_, i) => ({
    name: `x${i + 1}`,
    type: 'number',
    min: -1,
    max: 1,
  }));
  const privacy = { epsilon: 1, delta: 1e-6 };
  return { title: 'Many releases', columns, clipping: 'fixed', privacy, ...over };
}

/**
 * Texts of `count` different releases of the same rows: copies of one real release, with values that are
 * the exact sums plus up to one and a half standard deviations of the noise, and the matching digest. If
 * they started from the values of the real release, all would share its noise, and their sum would have
 * more noise than is plausible for any rows.
 */
export async function* releaseTexts(study, count, seed = 1) {
  const rows = rowsOf(study, 50);
  const made = (await privatize(study, rows)).toJSON();
  delete made.id;
  const { secondMoments } = await exactMoments(study, rows);
  const size = secondMoments.columns.length;
  const sums = [...secondMoments.values]
    .filter((_, at) => at % size >= Math.floor(at / size))
    .map((value) => Math.round(value / made.noise.unit));
  const spread = (3 * made.noise.sdDiagonal) / made.noise.unit;
  const next = generator(seed);
  for (let k = 0; k < count; k += 1) {
    const values = sums.map((value) => value + Math.round(spread * (next() - 0.5)));
    const body = { ...made, values };
    const id = createHash('sha256').update(canonicalize(body)).digest('hex');
    yield canonicalize({ ...body, id });
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
