/**
 * For tests, simulations and papers: moments without noise, and mechanisms as they were published,
 * flaws included, from a separate WebAssembly file.
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
  exactPlan,
  planOf,
  readInto,
  requireOptions,
  requireReadable,
  requireStudy,
  RowFeed,
  unwrap,
  type ReadOptions,
} from 'private-moments/internal/core';
import factory from 'private-moments-research-glue';
import sha256 from 'private-moments-research-sha256';
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
>(() => new URL('./private-moments-research.wasm', import.meta.url), sha256, factory);

/**
 * Exact moments of all rows in one place, which `assemble` estimates. `guarantee` is null
 * because there is none: results may reveal any row. Runs in this thread.
 */
export async function exactMoments(
  study: Study,
  data: Data,
  options: Pick<ReadOptions, 'columns' | 'csv' | 'missingValues'> = {},
): Promise<Moments> {
  checkReadOptions(options);
  const plan = exactPlan(planOf(requireStudy(study), options));
  const source = openData(data, plan);
  const [core, research] = await Promise.all([loadAnalysis(), module.started()]);
  const { constant } = unwrap(core.describe(plan.spec));
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

/** The most releases of one call. */
const MOST_RELEASES = 100_000;

/**
 * Many releases of the same data, each made by the real code with fresh randomness, for simulations and
 * attacks: several of them together keep a weaker promise than the study's. Needs clipping `fixed`. Runs
 * in this thread.
 * @param count from 1 to 100,000
 * @returns the `values` of each release, in units of its noise's `unit`
 * @throws PrivateMomentsError `unsupported-option` (count, clipping), and what `privatize` throws
 */
export async function repeatReleases(
  study: Study,
  data: Data,
  count: number,
): Promise<Float64Array[]> {
  if (!isWhole(count) || count < 1 || count > MOST_RELEASES) {
    const message = `count must be a whole number from 1 to ${MOST_RELEASES}`;
    throw new PrivateMomentsError('unsupported-option', message, { field: 'count' });
  }
  if (requireStudy(study).clipping !== 'fixed') {
    const message = 'only the releases of studies with clipping "fixed" can be repeated';
    throw new PrivateMomentsError('unsupported-option', message, { field: 'clipping' });
  }
  const plan = planOf(study);
  const source = openData(data, plan);
  const research = await module.started();
  const { intake } = unwrap(research.createIntake(intakeOptions(plan)), plan.columns);
  try {
    await readInto(new RowFeed(intake, plan, research), plan, source);
    requireReadable(intake.counts());
    const { values } = unwrap(intake.releases(count));
    const length = values.length / count;
    return Array.from({ length: count }, (_, i) => values.slice(i * length, (i + 1) * length));
  } finally {
    intake.delete();
  }
}

export interface Reproduction {
  /**
   * The scatter matrix: the sum of x x^T over the rows x, d x d, row by row. The guarantee is for rows
   * of length at most 1.
   */
  scatter: { dimension: number; values: Float64Array };
  /** Number of rows. */
  rows: number;
  epsilon: number;
  /** Default 0. */
  delta?: number;
  /** Default `replace-one`. */
  neighbours?: Neighbours;
  /** Number of directions, for mechanisms that release some. Default 1. */
  components?: number;
  /** Number of rounds, for iterative mechanisms. Default 1. */
  rounds?: number;
  /** Penalty, for ridge regression. Default 1. */
  penalty?: number;
}

export interface Reproduced {
  /** An estimate of the matrix (d x d), directions (d x k) or weights (d-1 x 1), row by row. */
  values: Float64Array;
  shape: [rows: number, columns: number];
  /** The guarantee that holds for such a run, computed; null if none does. */
  guarantee: Guarantee | null;
  truth: string;
}

/** All published mechanisms. A study cannot name them. */
export async function published(): Promise<Published[]> {
  return (await module.started()).published();
}

/**
 * Runs a published mechanism once on a matrix, in floating-point arithmetic and in this thread. For
 * reproductions and comparisons: the result is not a release, whatever its guarantee.
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
 * Runs mechanisms of both registries on known second moments, and measures the distance of each
 * estimate from them, in this thread. For simulations: no result may be released, and equal seeds give
 * equal runs. If a mechanism does not accept the parameters, its `problem` says why, and the others run.
 * @throws PrivateMomentsError `unsupported-data`, `invalid-dimension` and `invalid-row-norm` (no rows can have this
 * mean), `unsupported-option` (runs, seed, components), `invalid-mechanism` for an unknown name or option, `no-rows`,
 * `invalid-epsilon`, `invalid-delta` outside 0 to 1, `invalid-neighbours`
 */
export async function compareMechanisms(options: ComparisonOptions): Promise<Comparison> {
  return runComparison(await module.started(), options);
}

export interface CapeSimulation {
  /** For each site: its number of rows, and their mean of x x^T, d x d, row by row; |x| <= 1. */
  sites: readonly { rows: number; mean: Float64Array }[];
  dimension: number;
  /** For all sites, or a list with one for each site. */
  epsilon: number | readonly number[];
  delta: number;
  /**
   * `sites`, as published: the mean of the sites' means. `rows`: the mean of all rows. Default `sites`.
   */
  weights?: 'sites' | 'rows';
  /** Zero-based indices of the sites that drop out. */
  dropped?: readonly number[];
}

export interface CapeResult {
  /** The noisy mean, row by row, d x d. */
  values: Float64Array;
  /** Standard deviation of the noise in an entry of `values`, after dropouts. */
  sd: number;
  /** The same if one party has all rows and adds noise once, for the smallest epsilon. */
  pooledSd: number;
  /** The same if each site adds all of its noise independently. */
  conventionalSd: number;
  /**
   * Exposure of a row to the aggregator, who sees all messages, relative to the published proof, which
   * counts one message: a ratio of squared distances in standard deviations of the noise. The largest of `kappas`.
   */
  kappa: number;
  /** The same for a row of each site. They differ where sites differ in epsilon. */
  kappas: Float64Array;
}

/**
 * One run of capeCCA's correlated noise (Imtiaz and Sarwate 2019) with the published formula for its
 * size, with all parties in this thread. For comparisons: the result is not a release, and it keeps less
 * private than was published (docs/mechanisms/federation.md).
 * @throws PrivateMomentsError `unsupported-data`, `invalid-epsilon`, `invalid-federation`, also if the masks of unequal sites cannot cancel
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
  const epsilons = Array.isArray(epsilon) ? [...(epsilon as number[])] : [epsilon as number];
  if (Array.isArray(epsilon) && epsilons.length !== sites.length) {
    const message = 'epsilon must be a number, or a list with one for each site';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'epsilon' });
  }
  const run = unwrap(
    core.simulateCape({
      ...{ matrices, dimension, rows, epsilons, delta, weights },
      dropped: [...dropped],
    }),
  );
  return { ...run, kappa: Math.max(...run.kappas) };
}

/**
 * Simulates the canonical correlations of rows at several sites, for every way to combine the sites, as
 * in the figures of the capeCCA paper but for any data (docs/consortium.md).
 * @throws PrivateMomentsError that says what is wrong with the data
 */
export async function consortium(data: ConsortiumData): Promise<Consortium> {
  return new Consortium(await module.started(), data);
}

/** PCA-Gauss as published, and its baselines. A study cannot name them. */
export async function synthesizers(): Promise<Synthesizer[]> {
  return (await module.started()).synthesizers();
}

/**
 * Makes synthetic rows once, in floating-point arithmetic and in this thread. For reproductions and
 * comparisons: the result is not a release, whatever its guarantee, which is for one row replaced, its
 * label included (docs/research.md).
 * @throws PrivateMomentsError that names the option or table in error
 */
export async function reproduceSynthesis(
  name: string,
  options: SynthesisReproduction,
): Promise<SynthesisReproduced> {
  return runSynthesis(await module.started(), name, options);
}

/**
 * The ratio of signal to sensitivity of p directions (Chanyaswad, Liu and Mittal 2017, IX-A): the gain
 * in noise times the share of the squared singular values that is kept. The ratio of private rows is
 * itself private: use the singular values of public rows, or of a release.
 * @param singularValues in descending order
 * @throws PrivateMomentsError `invalid-components`, `invalid-mechanism` (gain)
 */
export async function signalToSensitivity(
  singularValues: ArrayLike<number>,
  components: number,
  gain: SensitivityGain = 'corrected',
): Promise<number> {
  const isList = typeof singularValues === 'object' && (singularValues as unknown) !== null;
  if (!isList || !Number.isInteger(components)) {
    const message = 'singularValues must be a list, and components a whole number';
    throw new PrivateMomentsError('unsupported-data', message, { field: 'singularValues' });
  }
  const core = await module.started();
  const values = Float64Array.from(singularValues);
  return unwrap(core.signalToSensitivity({ singularValues: values, components, gain })).value;
}

/** Names of the mechanisms that can be audited: those of studies, then the published ones. */
export async function auditable(): Promise<string[]> {
  return (await module.started()).audits();
}

/**
 * Prepares an audit of the mechanism's real release code on two neighbouring data sets, the farthest
 * apart that the analysis of the mechanism knows. Each call of `run` attacks it further.
 */
export async function openAudit(options: AuditOptions): Promise<Audit> {
  return new Audit(await module.started(), options);
}

/**
 * Attacks a mechanism `runs` times on each of two neighbouring data sets, with fresh randomness, in
 * slices on this thread. The bounds of all looks hold together with `confidence`: an audit can break a
 * promise; it cannot prove one. If it throws, even `cancelled`, the audit is closed: to keep the results
 * so far, use `openAudit`.
 */
export async function audit(
  options: AuditOptions & AuditRunOptions & { runs: number },
): Promise<Audit> {
  requireOptions(options, null);
  const { runs, onProgress, signal, ...question } = options;
  const opened = await openAudit(question);
  try {
    await opened.run(runs, { onProgress, signal } as AuditRunOptions);
  } catch (error) {
    opened.close();
    throw error;
  }
  return opened;
}
