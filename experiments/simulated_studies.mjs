// Simulates studies of two views from end to end: rows from a known population, a real release of
// each site, the first pairs of `cca`, and how many runs achieved what a forecast had promised.
// Rows come from a seeded generator; the noise of releases comes from the operating system.
import { assemble, defineStudy, privatize } from 'private-moments';

/** Uniform numbers in (0, 1), the same for the same seed (Mulberry32). */
export function uniforms(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (((t ^ (t >>> 14)) >>> 0) + 0.5) / 2 ** 32;
  };
}

/** Rows of a synthetic population, from which those of a study are drawn. */
const POPULATION = 20_000;

function normals(uniform) {
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** Mean 0, variance 1, and skewness 2 if a number is the exponential of a normal one. */
const SKEW = 0.55;
const SKEW_MEAN = Math.exp(SKEW ** 2 / 2);
const SKEW_SD = SKEW_MEAN * Math.sqrt(Math.exp(SKEW ** 2) - 1);

/**
 * A population: two views with `columns` numbers between -1 and 1 each. Columns of a view correlate
 * with `within`. One canonical correlation between the views, `planted`, lies along the shared part
 * of all columns (`along` 'shared'), in the part that is not shared ('contrast'), or equally in all
 * directions ('alike').
 * @param offCentre mean, as a share of the range; @param spread standard deviation, likewise
 * @param indicators number of columns in each view that are 0 or 1 instead: above their mean or not
 */
export function population({
  columns,
  within = 0,
  planted = 0.5,
  along = 'alike',
  offCentre = 0,
  spread = 0.25,
  skewed = false,
  indicators = 0,
  seed = 1,
}) {
  const names = ['x', 'y'].map((view) => Array.from({ length: columns }, (_, i) => `${view}${i}`));
  const sharedSd = Math.sqrt(1 + (columns - 1) * within);
  const otherSd = Math.sqrt(1 - within);
  /** The root of the correlations within a view, applied to independent numbers. */
  const mixed = (z) => {
    const sum = z.reduce((a, b) => a + b, 0) / columns;
    return z.map((v) => otherSd * (v - sum) + sharedSd * sum);
  };
  const direction = Array.from({ length: columns }, (_, i) => {
    if (along === 'shared') return 1;
    const contrast = i % 2 === 0 ? 1 : -1;
    if (along === 'contrast') return columns % 2 === 1 && i === columns - 1 ? 0 : contrast;
    return i === 0 ? Math.sqrt(columns) : 0;
  });
  const length = Math.hypot(...direction);
  const unit = direction.map((v) => v / length);
  const cell = (v, i) => {
    const shaped = skewed ? (Math.exp(SKEW * v) - SKEW_MEAN) / SKEW_SD : v;
    if (i < indicators) return shaped > 0 ? 'yes' : 'no';
    return Math.min(1, Math.max(-1, 2 * (offCentre + spread * shaped)));
  };
  const column = (name, i) =>
    i < indicators
      ? { name, type: 'category', levels: ['no', 'yes'] }
      : { name, type: 'number', min: -1, max: 1 };
  const random = uniforms(seed);
  const normal = normals(random);
  const row = () => {
    const [zx, zy] = names.map((own) => own.map(() => normal()));
    const ux = zx.reduce((sum, v, i) => sum + v * unit[i], 0);
    const uy = zy.reduce((sum, v, i) => sum + v * unit[i], 0);
    const related = planted * ux + Math.sqrt(1 - planted ** 2) * uy - uy;
    const y = mixed(zy.map((v, i) => v + related * unit[i]));
    return [...mixed(zx).map(cell), ...y.map(cell)];
  };
  return {
    columns: names.flatMap((own) => own.map(column)),
    views: { x: names[0], y: names[1] },
    rows: Array.from({ length: POPULATION }, row),
  };
}

/** Rows drawn with replacement. */
function drawn({ columns, rows }, count, random) {
  const some = Array.from({ length: count }, () => rows[Math.floor(random() * rows.length)]);
  return tableOf({ columns, rows: some });
}

/** @returns the input of `privatize` */
function tableOf({ columns, rows }) {
  if (columns.every(({ type }) => type === 'number')) {
    return { columns: columns.map(({ name }) => name), values: Float64Array.from(rows.flat()) };
  }
  return rows.map((cells) => Object.fromEntries(columns.map(({ name }, i) => [name, cells[i]])));
}

/** The true covariance, for a forecast without assumptions of its own. */
export async function covarianceOf(exactMoments, study, data) {
  return (await exactMoments(study, tableOf(data))).covariance;
}

/** The true canonical correlations, from all rows without noise. */
export async function truthsOf(exactMoments, study, data, pairs) {
  const { correlations } = (await exactMoments(study, tableOf(data))).cca({ components: pairs });
  return correlations.map(({ value }) => value);
}

export function studyOf({ columns, views }, changes = {}) {
  return defineStudy({
    title: 'Simulated',
    columns,
    views,
    privacy: { epsilon: 1, delta: 1e-6 },
    ...changes,
  });
}

/**
 * Estimates and noise floors of `runs` whole studies, with p-values if there is a `test`.
 * @returns {Promise<{ value: number, floor: number, p?: number }[][]>} for each run, for each pair
 */
export async function simulate(study, data, { rows, sites, runs, pairs, seed = 1, test }) {
  const found = [];
  for (let run = 0; run < runs; run++) {
    const random = uniforms(1000003 * seed + run);
    const releases = [];
    for (let site = 0; site < sites; site++) {
      releases.push(await privatize(study, drawn(data, Math.floor(rows / sites), random)));
    }
    const moments = await assemble(study, releases);
    const result = moments.cca({ components: pairs, ...(test && { test, draws: 199 }) });
    found.push(
      result.correlations.map(({ value, noiseFloor }, k) => ({
        ...{ value, floor: noiseFloor },
        ...(test && { p: result.test.p.values[k] }),
      })),
    );
  }
  return found;
}

/** A summary of one pair over the runs. */
export function outcome(found, pair) {
  const of = found.map((run) => run[pair]);
  const mean = of.reduce((sum, { value }) => sum + value, 0) / of.length;
  const floors = of.map(({ floor }) => floor).sort((a, b) => a - b);
  return {
    mean,
    sd: Math.sqrt(of.reduce((sum, { value }) => sum + (value - mean) ** 2, 0) / of.length),
    floor: floors.reduce((sum, floor) => sum + floor, 0) / of.length,
    /** Limits between which nine of ten floors lie. */
    floors: [0.05, 0.95].map((share) => floors[Math.round(share * (floors.length - 1))]),
  };
}

/**
 * The share of runs in which every planted pair was above its floor and no farther from the truth
 * than its margin, which is half of the value if there is none.
 */
export function shareClear(found, correlations) {
  const isClear = (run) =>
    correlations.every(({ truth, margin }, pair) => {
      const { value, floor } = run[pair];
      return value > floor && Math.abs(value - truth) <= (margin ?? truth / 2);
    });
  return found.filter(isClear).length / found.length;
}
