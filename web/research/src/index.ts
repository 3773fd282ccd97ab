/**
 * For tests, simulations and papers: moments without noise, and mechanisms as they were published,
 * flaws and all, from a WebAssembly file of their own.
 *
 * @packageDocumentation
 */
import { PrivateMomentsError, type Data, type Guarantee } from 'private-moments';
import type { Moments, Neighbours, Study } from 'private-moments';
import {
  checkReadOptions,
  exactMomentsOf,
  intakeOptions,
  isWhole,
  LazyModule,
  loadAnalysis,
  noRows,
  openData,
  planOf,
  readInto,
  requireOptions,
  requireReadable,
  requireStudy,
  RowFeed,
  specOf,
  unwrap,
  type ReadOptions,
} from 'private-moments/internal/core';
import factory from 'private-moments-research-glue';
import type {
  AuditCore,
  CapeCore,
  ComparisonCore,
  ConsortiumCore,
  ResearchCore,
  SynthesisCore,
} from './core/raw.js';
import type { Published } from './generated/raw.js';
import { Audit, type AuditOptions, type AuditRunOptions } from './methods/audit.js';
import { runComparison, type Comparison, type ComparisonOptions } from './methods/comparison.js';
import { Consortium, type ConsortiumData } from './methods/consortium.js';
import {
  runSynthesis,
  type SensitivityGain,
  type SynthesisReproduced,
  type SynthesisReproduction,
  type Synthesizer,
} from './methods/synthesizers.js';

export type {
  Audit,
  AuditLaw,
  AuditLook,
  AuditOptions,
  AuditProgress,
  AuditRunOptions,
  AuditSensitivity,
} from './methods/audit.js';
export type {
  ComparedMechanism,
  ComparedRuns,
  Comparison,
  ComparisonOptions,
} from './methods/comparison.js';
export type { Published } from './generated/raw.js';
export type {
  Consortium,
  ConsortiumData,
  ConsortiumOutcome,
  ConsortiumSetting,
  ConsortiumWay,
} from './methods/consortium.js';
export type {
  SensitivityGain,
  SynthesisReproduced,
  SynthesisReproduction,
  Synthesizer,
  Table,
} from './methods/synthesizers.js';

const module = new LazyModule<
  ResearchCore & CapeCore & ConsortiumCore & SynthesisCore & AuditCore & ComparisonCore
>(() => new URL('./private-moments-research.wasm', import.meta.url), factory);

/**
 * Exact moments of all rows in one place: what `assemble` estimates. `guarantee` is null because
 * there is none: results may reveal any row. Runs in this thread.
 */
export async function exactMoments(
  study: Study,
  data: Data,
  options: Pick<ReadOptions, 'columns' | 'csv'> = {},
): Promise<Moments> {
  checkReadOptions(options);
  const plan = planOf(requireStudy(study), options.columns, options.csv);
  const source = openData(data, plan);
  const [core, research] = await Promise.all([loadAnalysis(), module.started()]);
  const { constant } = unwrap(core.describe(specOf(study)));
  const { intake } = unwrap(research.createIntake(intakeOptions(plan)), plan.columns);
  try {
    await readInto(new RowFeed(intake, plan, research), plan, source);
    const counts = intake.counts();
    if (counts.rows === 0) throw noRows();
    requireReadable(counts);
    return exactMomentsOf(core, study, constant, unwrap(intake.exact()));
  } finally {
    intake.delete();
  }
}

export interface Reproduction {
  /**
   * The scatter matrix: the sum over rows x of x x^T, row by row, d x d. The guarantee is for rows
   * of length at most 1.
   */
  scatter: { dimension: number; values: Float64Array };
  /** How many rows there are. */
  rows: number;
  epsilon: number;
  /** Default 0. */
  delta?: number;
  /** Default `replace-one`. */
  neighbours?: Neighbours;
  /** For mechanisms that have one. Default 1. */
  components?: number;
  /** Likewise. */
  rounds?: number;
  /** Of ridge regression. Likewise. */
  penalty?: number;
}

export interface Reproduced {
  /** An estimate of the matrix (d x d), directions (d x k) or weights (d-1 x 1), row by row. */
  values: Float64Array;
  shape: [rows: number, columns: number];
  /** What holds for a run like this one, computed; null where nothing does. */
  guarantee: Guarantee | null;
  truth: string;
}

/** All published mechanisms. None can be named in a study. */
export async function published(): Promise<Published[]> {
  return (await module.started()).published();
}

/**
 * Runs a published mechanism once on a matrix, in floating-point numbers and in this thread. For
 * reproductions and comparisons: the result is no release, whatever its guarantee.
 */
export async function reproduce(name: string, options: Reproduction): Promise<Reproduced> {
  requireOptions(options, [
    ...['scatter', 'rows', 'epsilon', 'delta', 'neighbours', 'components', 'rounds', 'penalty'],
  ]);
  const core = await module.started();
  const { scatter, rows, epsilon } = options;
  requireOptions(scatter, ['dimension', 'values'], 'scatter');
  const { dimension, values: entries } = scatter;
  if (entries.length !== dimension ** 2 || !entries.every(Number.isFinite)) {
    const message = 'scatter must be a square matrix of finite numbers, row by row';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'scatter' });
  }
  const {
    delta = 0,
    neighbours = 'replace-one',
    components = 1,
    rounds = 1,
    penalty = 1,
  } = options;
  const run = unwrap(
    core.reproduce({
      name,
      scatter: entries,
      dimension,
      rows,
      epsilon,
      delta,
      neighbours,
      components,
      rounds,
      penalty,
    }),
  );
  const truth = core.published().find((known) => known.name === name)?.truth ?? '';
  return { values: run.values, shape: [run.rows, run.columns], guarantee: run.guarantee, truth };
}

/**
 * Runs mechanisms of both registries on second moments that are known, and measures how far each
 * estimate is from them, in this thread. For simulations: nothing comes out that could be released,
 * and equal seeds give equal runs. A mechanism that does not take such parameters says so in its
 * `problem`, and the others run.
 * @throws PrivateMomentsError `unsupported-data`, `invalid-dimension` and `invalid-row-norm` (mean: no rows have it),
 * `unsupported-option` (runs, seed, components), `invalid-mechanism` for a name or option there is not, `no-rows`,
 * `invalid-epsilon`, `invalid-delta` outside 0 to 1, `invalid-neighbours`
 */
export async function compareMechanisms(options: ComparisonOptions): Promise<Comparison> {
  return runComparison(await module.started(), options);
}

export interface CapeSimulation {
  /** Of each site: how many rows, and the mean of x x^T over them, row by row, d x d; |x| <= 1. */
  sites: readonly { rows: number; mean: Float64Array }[];
  dimension: number;
  epsilon: number;
  delta: number;
  /**
   * `sites`, as published: the mean of the sites' means. `rows`: that of all rows. Default `sites`.
   */
  weights?: 'sites' | 'rows';
  /** Places, from 0, of the sites whose message never comes. */
  dropped?: readonly number[];
}

export interface CapeResult {
  /** The noisy mean, row by row, d x d. */
  values: Float64Array;
  /** Standard deviation of the noise in an entry of `values`, dropouts counted. */
  sd: number;
  /** Of one who has all rows and adds noise once. */
  pooledSd: number;
  /** Of the same mean where each site adds all of its noise by itself. */
  conventionalSd: number;
  /**
   * What the aggregator, who sees all messages, has of a row, over what the published proof counts,
   * which looks at one message: squared distance in deviations of the noise.
   */
  kappa: number;
}

/**
 * One run of capeCCA's correlated noise (Imtiaz and Sarwate 2019) with the published formula for its
 * size, all parties in this thread. For comparisons: the result is no release, and what it keeps
 * private is less than was published (docs/mechanisms/federation.md).
 * @throws PrivateMomentsError `invalid-federation` also where the masks of unequal sites cannot cancel.
 */
export async function simulateCape(options: CapeSimulation): Promise<CapeResult> {
  requireOptions(options, ['sites', 'dimension', 'epsilon', 'delta', 'weights', 'dropped']);
  const core = await module.started();
  const { sites, dimension, epsilon, delta, weights = 'sites', dropped = [] } = options;
  const isList = (Array.isArray as (value: unknown) => boolean)(sites);
  if (!isList || !isWhole(dimension)) {
    const message = 'sites must be a list, and dimension a whole number';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'sites' });
  }
  const matrices = new Float64Array(sites.length * dimension ** 2);
  sites.forEach(({ mean }, site) => {
    if (mean.length !== dimension ** 2 || !mean.every(Number.isFinite)) {
      const message = 'mean must be a square matrix of finite numbers, row by row';
      throw new PrivateMomentsError('unsupported-data', message, { field: `sites[${site}].mean` });
    }
    matrices.set(mean, site * dimension ** 2);
  });
  const rows = sites.map((site) => site.rows);
  const { values, sd, pooledSd, conventionalSd } = unwrap(
    core.simulateCape({
      ...{ matrices, dimension, rows, epsilon, delta, weights },
      dropped: [...dropped],
    }),
  );
  const kappa = core.capeKappa(sites.length, sites.length);
  return { values, sd, pooledSd, conventionalSd, kappa };
}

/**
 * Canonical correlations of rows at several sites by every way to put them together, simulated: what
 * the figures of the capeCCA paper are about, for any data (docs/consortium.md).
 * @throws PrivateMomentsError naming what is wrong with the data
 */
export async function consortium(data: ConsortiumData): Promise<Consortium> {
  return new Consortium(await module.started(), data);
}

/** PCA-Gauss as published, and its baselines. None can be named in a study. */
export async function synthesizers(): Promise<Synthesizer[]> {
  return (await module.started()).synthesizers();
}

/**
 * Makes synthetic rows once, in floating-point numbers and in this thread. For reproductions and
 * comparisons: the result is no release, whatever its guarantee, which is for one row replaced, its
 * label included (docs/research.md).
 * @throws PrivateMomentsError naming the option or table that does not fit
 */
export async function reproduceSynthesis(
  name: string,
  options: SynthesisReproduction,
): Promise<SynthesisReproduced> {
  return runSynthesis(await module.started(), name, options);
}

/**
 * The ratio of signal to sensitivity of p directions (Chanyaswad, Liu and Mittal 2017, IX-A): a gain
 * in noise times the share of the squared singular values that is kept. Of private rows it is
 * private itself: take the values of public rows, or of a release.
 * @param singularValues largest first
 * @throws PrivateMomentsError `invalid-components`, `invalid-mechanism` (gain)
 */
export async function signalToSensitivity(
  singularValues: ArrayLike<number>,
  components: number,
  gain: SensitivityGain = 'corrected',
): Promise<number> {
  const isList = typeof singularValues === 'object' && (singularValues as unknown) !== null;
  if (!isList || !Number.isInteger(components)) {
    const message = 'it takes singular values and a whole number of components';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'singularValues' });
  }
  const core = await module.started();
  const values = Float64Array.from(singularValues);
  return unwrap(core.signalToSensitivity({ singularValues: values, components, gain })).value;
}

/** Names that can be audited: all that a study can name, then all published ones. */
export async function auditable(): Promise<string[]> {
  return (await module.started()).audits();
}

/**
 * Makes an audit ready: two neighbouring data sets that are as far apart as the analysis of the mechanism
 * knows, and its real release code at both. `run` attacks it, as often as it is called.
 */
export async function openAudit(options: AuditOptions): Promise<Audit> {
  return new Audit(await module.started(), options);
}

/**
 * Attacks a mechanism `runs` times on each of two neighbouring data sets, with fresh randomness, in this
 * thread but in slices. What is shown is true with `confidence`, at every look together: an audit can
 * break a promise; it cannot prove one. Where it throws, `cancelled` too, nothing is left open: to keep
 * what was shown until then, use `openAudit`.
 */
export async function audit(
  options: AuditOptions & AuditRunOptions & { runs: number },
): Promise<Audit> {
  requireOptions(options, null);
  const { runs, onProgress, signal, ...about } = options;
  const opened = await openAudit(about);
  try {
    await opened.run(runs, { onProgress, signal } as AuditRunOptions);
  } catch (error) {
    opened.close();
    throw error;
  }
  return opened;
}
