/**
 * The research module as bindings/research exposes it: plain objects and Float64Arrays, zero-based
 * indices, failures as values. Not public. This file declares the functions and their inputs; the types
 * of their results are generated from bindings/research/fields.hpp.
 */
import type { Guarantee, Neighbours } from 'private-moments';
import type {
  IngestCore,
  IntakeBase,
  IntakeOptions,
  Raw,
  Spec,
} from 'private-moments/internal/core';
import type {
  AuditLaw,
  Published,
  RawAuditRun,
  RawAuditSubject,
  RawCape,
  RawComparedRuns,
  RawReproduction,
  RawSynthesisReproduction,
  RawSynthesizer,
} from '../generated/raw.js';

export interface ResearchIntake extends IntakeBase {
  /** Packed sums in scaled units, without noise. */
  exact(): Raw<{ values: Float64Array; rows: number }>;
  /** The values of `count` releases of the rows, one release after the other. Single use. */
  releases(count: number): Raw<{ values: Float64Array }>;
}

/** Runs of one mechanism on known second moments. */
export interface RawComparison {
  draw(runs: number): void;
  /** The figures of all draws since the last call. */
  figures(): RawComparedRuns;
  delete(): void;
}

/** The rows that mechanisms are compared on. */
export interface RawComparedRows {
  /** `mechanism` is a name in either registry. */
  compare(
    spec: Omit<Spec, 'mechanism'> & { mechanism: string },
    seed: number,
  ): Raw<{ comparison: RawComparison; guarantee: Guarantee | null }>;
  delete(): void;
}

export interface ComparisonCore {
  openComparison(options: {
    mean: Float64Array;
    dimension: number;
    rows: number;
    components: number;
    epsilon: number;
    delta: number;
    neighbours: Neighbours;
  }): Raw<{ rows: RawComparedRows }>;
}

export interface ResearchCore extends IngestCore {
  createIntake(options: IntakeOptions): Raw<{ intake: ResearchIntake }>;
  published(): Published[];
  reproduce(options: {
    name: string;
    scatter: Float64Array;
    dimension: number;
    rows: number;
    epsilon: number;
    delta: number;
    neighbours: Neighbours;
    components: number;
    rounds: number;
    penalty: number;
  }): Raw<RawReproduction>;
}

export interface ConsortiumCore {
  consortiumWays(): string[];
  consortiumTruth(data: RawConsortium): Raw<{ correlations: Float64Array }>;
  /** Adds `count` runs to the sums and returns them; `sums` is empty at first. */
  consortiumRun(
    options: RawConsortium & { from: number; count: number; sums: Float64Array },
  ): Float64Array;
  /**
   * `settings` has (epsilon, delta, sites, honest, rows) of each setting, `values` (deviation, epsilon,
   * first, all, error) of every way in each.
   */
  consortiumAt(options: {
    sums: Float64Array;
    runs: number;
    settings: Float64Array;
  }): Raw<{ values: Float64Array }>;
}

export interface RawConsortium {
  covariance: Float64Array;
  dimension: number;
  first: number;
}

/** The kind of a row's label. */
export type LabelKind = 'none' | 'number' | 'class';

export interface SynthesisCore {
  synthesizers(): RawSynthesizer[];
  reproduceSynthesis(options: {
    name: string;
    label: LabelKind;
    classes: number;
    columns: number;
    rows: Float64Array;
    labels: Float64Array;
    publicRows: Float64Array;
    publicLabels: Float64Array;
    epsilon: number;
    delta: number;
    components: number;
    centre: string;
    basis: string;
    basisShare: number;
    labelShare: number;
    labelsPublic: boolean;
    repair: string;
    posterior: boolean;
    sketchRows: number;
    candidates: number;
    candidateRows: number;
    draw: number;
    publicSeed: number;
    unsafeSeed?: number;
  }): Raw<RawSynthesisReproduction>;
  signalToSensitivity(options: {
    singularValues: Float64Array;
    components: number;
    gain: string;
  }): Raw<{ value: number }>;
}

/** The norm in which a sensitivity is measured. */
export type AuditNorm = RawAuditSubject['norm'];

export interface RawAudit {
  run(count: number): Raw<RawAuditRun>;
  /** Only if the audit has a law. */
  law(noise: number): Raw<AuditLaw>;
  sensitivity(pairs: number): Raw<{ measured: number }>;
  delete(): void;
}

export interface AuditCore {
  audits(): string[];
  openAudit(options: {
    mechanism: string;
    epsilon: number;
    delta: number;
    neighbours: Neighbours;
    noise: number;
    alpha: number;
  }): Raw<{ audit: RawAudit } & RawAuditSubject>;
}

/** A simulated run of capeCCA. */
export interface CapeCore {
  /** `matrices`: the means of x x^T at each site, d x d each, concatenated. */
  simulateCape(options: {
    matrices: Float64Array;
    dimension: number;
    rows: number[];
    /** One for all sites, or one for each. */
    epsilons: number[];
    delta: number;
    weights: 'sites' | 'rows';
    dropped: number[];
  }): Raw<RawCape>;
}
