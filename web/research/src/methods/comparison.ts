import { PrivateMomentsError } from 'private-moments';
import type { EigenMethod, Guarantee, Neighbours, Shape } from 'private-moments';
import {
  checker,
  coreError,
  readSeed,
  requireOptions,
  unwrap,
} from 'private-moments/internal/core';
import type { ComparisonCore, RawComparedRows, RawComparison } from '../core/raw.js';

/** A mechanism to compare, by its name in `mechanisms()` or `published()`. */
export interface ComparedMechanism {
  name: string;
  /** Shape of the noise, for `gaussian`. */
  shape?: Shape;
  /** Method, for `eigenvector-sampling`. */
  method?: EigenMethod;
  /** Number of rounds, for iterative mechanisms. Default 3. */
  rounds?: number;
}

export interface ComparisonOptions {
  /**
   * The mean of x x^T over the rows x, d x d, row by row. The public centre is the mean of the rows, and
   * no row is farther than 1 from it.
   */
  mean: { dimension: number; values: Float64Array };
  /** Number of rows; the mean stays the same for any number. */
  rows: number;
  epsilon: number;
  /** Default 0. */
  delta?: number;
  /** Default `replace-one`. */
  neighbours?: Neighbours;
  /** Names, or mechanisms with their options. */
  mechanisms: readonly (string | ComparedMechanism)[];
  /**
   * Number of directions that mechanisms of directions draw, and whose share of the variance is
   * measured. Set it to d for the error of the matrix. Default 1.
   */
  components?: number;
  /** Runs of each mechanism. Default 20. */
  runs?: number;
  /** Seed of the runs, 0 to 2^53 - 1. Default 0. */
  seed?: number;
}

/**
 * The runs of one mechanism. Entry i of each list belongs to run i, and is NaN if the mechanism does not
 * have that figure.
 */
export interface ComparedRuns {
  name: string;
  /** |estimate - C|_F / rows, where C is the sum of x x^T; the mean of the noise is subtracted. */
  distances: Float64Array;
  /** The same with the eigenvalues of the estimate clamped to [0, rows], as in the papers. */
  truncated: Float64Array;
  /** Variance along the first `components` directions, as a share of the maximum for that number. */
  shares: Float64Array;
  /** Time of one run from the exact sums on; NaN without runs. */
  seconds: number;
  /** The guarantee that holds for one release, computed; null if none does, or without runs. */
  guarantee: Guarantee | null;
  /** Why there are no runs: what the mechanism does not accept. */
  problem: PrivateMomentsError | null;
}

export interface Comparison {
  /** The error of answering 0 everywhere: |C|_F / rows. */
  zero: number;
  mechanisms: ComparedRuns[];
}

const DEFAULT_ROUNDS = 3;
const DEFAULT_RUNS = 20;
const MOST_RUNS = 100_000;
/** Cells of the estimates that wait to be measured: 8 MB. */
const WAITING_CELLS = 1 << 20;

const check = checker('unsupported-option');

/** Runs mechanisms on known second moments. */
export function runComparison(core: ComparisonCore, options: ComparisonOptions): Comparison {
  requireOptions(options, [
    ...[
      'mean',
      'rows',
      'epsilon',
      'delta',
      'neighbours',
      'mechanisms',
      'components',
      'runs',
      'seed',
    ],
  ]);
  requireOptions(options.mean, ['dimension', 'values'], 'mean');
  const { mean, rows, epsilon, delta = 0, neighbours = 'replace-one', components = 1 } = options;
  const { dimension, values } = mean;
  if (values.length !== dimension ** 2 || !values.every(Number.isFinite)) {
    const message = 'mean must be a square matrix of finite numbers, row by row';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'mean' });
  }
  const runs = check.wholeNumber(options.runs ?? DEFAULT_RUNS, 'runs', 1, MOST_RUNS);
  const seed = readSeed(options.seed) ?? 0;
  check.wholeNumber(components, 'components', 1, dimension);
  const base = { epsilon, delta, neighbours, dimension, components };
  const others = { unit: 'row', rowNorm: 1, clipping: 'fixed', sites: 1 } as const;
  const { rows: opened } = unwrap(core.openComparison({ ...base, mean: values, rows }));
  try {
    const compared = options.mechanisms.map((mechanism) => {
      const { name, ...own } = typeof mechanism === 'string' ? { name: mechanism } : mechanism;
      const spec: Spec = {
        ...{ rounds: DEFAULT_ROUNDS, ...own, mechanism: name },
        ...{ ...base, ...others, federation: { mode: 'independent' } },
      };
      return runsOf(opened, spec, seed, runs);
    });
    return { zero: lengthOf(values), mechanisms: compared };
  } finally {
    opened.delete();
  }
}

/** The Euclidean length; the entries may be too many to be arguments of Math.hypot. */
function lengthOf(values: Float64Array): number {
  return Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
}

type Spec = Parameters<RawComparedRows['compare']>[0];

function runsOf(rows: RawComparedRows, spec: Spec, seed: number, runs: number): ComparedRuns {
  const { mechanism: name } = spec;
  const created = rows.compare(spec, seed);
  if (!created.ok) {
    const problem = coreError(created);
    if (!MECHANISM_PROBLEMS.has(problem.code)) throw problem;
    const none = new Float64Array(0);
    const nothing = { distances: none, truncated: none, shares: none, seconds: NaN };
    return { name, ...nothing, guarantee: null, problem };
  }
  const { comparison, guarantee } = created;
  try {
    const slice = Math.max(1, Math.floor(WAITING_CELLS / spec.dimension ** 2));
    return { name, ...drawn(comparison, runs, slice), guarantee, problem: null };
  } finally {
    comparison.delete();
  }
}

/** Draws and measures in slices, timing only the draws. */
function drawn(
  comparison: RawComparison,
  runs: number,
  slice: number,
): Pick<ComparedRuns, 'distances' | 'truncated' | 'shares' | 'seconds'> {
  const lists = {
    distances: new Float64Array(runs),
    truncated: new Float64Array(runs),
    shares: new Float64Array(runs),
  };
  let milliseconds = 0;
  for (let at = 0; at < runs; at += slice) {
    const start = performance.now();
    comparison.draw(Math.min(slice, runs - at));
    milliseconds += performance.now() - start;
    const figures = comparison.figures();
    lists.distances.set(figures.distances, at);
    lists.truncated.set(figures.truncated, at);
    lists.shares.set(figures.shares, at);
  }
  return { ...lists, seconds: milliseconds / 1000 / runs };
}

/** Problems of a single mechanism; any other is an error in the options. */
const MECHANISM_PROBLEMS: ReadonlySet<string> = new Set([
  'invalid-delta',
  'invalid-components',
  'noise-too-large',
  'too-many-rows',
]);
