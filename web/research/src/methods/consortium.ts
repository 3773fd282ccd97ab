import { PrivateMomentsError } from 'private-moments';
import { checker, requireOptions, unwrap } from 'private-moments/internal/core';
import type { ConsortiumCore, RawConsortium } from '../core/raw.js';

/** Second moments of the rows of all sites. */
export interface ConsortiumData {
  /** The mean of x x^T over centred rows of length at most 1, d x d, row by row. */
  covariance: { dimension: number; values: Float64Array };
  /** Number of columns in the first view; the others are the second. */
  first: number;
}

/** The promise, for one row replaced by any other, and the sites. */
export interface ConsortiumSetting {
  epsilon: number;
  delta: number;
  sites: number;
  /** Number of sites that do not collude; no site drops out. Default all. */
  honest?: number;
  /** Rows of each site, at least 1. May differ from the data, as if there were this many such rows. */
  rows: number;
}

/**
 * A way to combine the rows of several sites. `non-private`: without noise. `pooled`: one trusted
 * computer has all rows. `split`: masks hide all but the sum (modes `split` and `ring`). `cape`:
 * correlated noise, calibrated for all messages. `conventional`: each site adds the whole noise
 * (`independent`). `local`: one site with its own rows. `cape-published`: capeCCA's own formula.
 */
export type ConsortiumWay =
  'non-private' | 'pooled' | 'split' | 'cape' | 'conventional' | 'local' | 'cape-published';

export interface ConsortiumOutcome {
  way: ConsortiumWay;
  /** Standard deviation of the noise in an entry of the mean of x x^T, off the diagonal. */
  deviation: number;
  /** The promise at delta: as set, except for `cape-published`; infinite for `non-private`. */
  epsilon: number;
  /** Share of the true first correlation that the released first weights have, mean over all runs. */
  first: number;
  /** The same for the sum over all pairs, each made uncorrelated with the earlier ones. */
  all: number;
  /** |estimate - truth| of a correlation, mean over pairs and runs; below its floor it counts as 0. */
  error: number;
}

/** Numbers per setting passed to the core, and per way in its result. */
const LENGTH = 5;
const FEWEST_ROWS = 1;
/** Fits the integers of the core. */
const MOST = 2 ** 30;

const check = checker('unsupported-option');

/**
 * Simulated releases of a consortium. Every way is one function of the size of the noise (and, for one
 * site alone, of the sampling error of few rows). `run` simulates that function on a grid, and `at` reads
 * it off at once. Equal data and runs give equal results. Idealized numerics; nothing here is a release.
 */
export class Consortium {
  /** The true canonical correlations, largest first. */
  readonly correlations: Float64Array;

  readonly #core: ConsortiumCore;
  readonly #data: RawConsortium;
  #sums: Float64Array = new Float64Array(0);
  #runs = 0;

  /** @internal */
  constructor(core: ConsortiumCore, data: ConsortiumData) {
    requireOptions(data, ['covariance', 'first'], 'data');
    requireOptions(data.covariance, ['dimension', 'values'], 'covariance');
    const { covariance, first } = data;
    this.#core = core;
    this.#data = { covariance: covariance.values, dimension: covariance.dimension, first };
    this.correlations = unwrap(core.consortiumTruth(this.#data)).correlations;
  }

  /** Number of runs so far. */
  get runs(): number {
    return this.#runs;
  }

  /** Simulates `count` more runs in this thread, each a release at every point of the grid. */
  run(count = 1): void {
    check.wholeNumber(count, 'count', 1, MOST);
    const more = { ...this.#data, from: this.#runs, count, sums: this.#sums };
    this.#sums = this.#core.consortiumRun(more);
    this.#runs += count;
  }

  /**
   * The outcome of every way in each setting; needs at least one run.
   * @throws PrivateMomentsError `invalid-epsilon`, `invalid-delta`, `invalid-federation`, `unsupported-option`
   */
  at(settings: readonly ConsortiumSetting[]): ConsortiumOutcome[][] {
    if (this.#runs === 0) throw unsupported('runs', 'at least 1: call run first');
    const numbers = settings.flatMap(({ epsilon, delta, sites, honest = sites, rows }) => {
      if (!(rows >= FEWEST_ROWS && rows < Infinity)) throw unsupported('rows', 'a number from 1');
      check.wholeNumber(sites, 'sites', 1, MOST);
      check.wholeNumber(honest, 'honest', 1, MOST);
      return [epsilon, delta, sites, honest, rows];
    });
    const { values } = unwrap(
      this.#core.consortiumAt({
        sums: this.#sums,
        runs: this.#runs,
        settings: Float64Array.from(numbers),
      }),
    );
    const ways = this.#core.consortiumWays() as ConsortiumWay[];
    return settings.map((_, i) =>
      ways.map((way, j) => {
        const from = LENGTH * (i * ways.length + j);
        const [deviation = NaN, epsilon = NaN, first = NaN, all = NaN, error = NaN] =
          values.subarray(from, from + LENGTH);
        return { way, deviation, epsilon, first, all, error };
      }),
    );
  }
}

function unsupported(field: string, what: string): PrivateMomentsError {
  return new PrivateMomentsError('unsupported-option', `${field} must be ${what}`, { field });
}
