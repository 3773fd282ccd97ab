// Made by tools/generate.mjs from bindings/research/fields.hpp. Do not edit.

import type { Guarantee, MechanismName } from 'private-moments';

/** A mechanism as its paper published it, or a paper's baseline. */
export interface Published {
  name: string;
  /** The publication. */
  source: string;
  /** The guarantee that it states. */
  claim: string;
  /** What holds, and why if that is not the claim. */
  truth: string;
  /** An estimate of the matrix, directions, or the weights of a regression. */
  output: 'matrix' | 'directions' | 'weights';
}

/** A synthesizer as its paper published it. */
export interface RawSynthesizer {
  name: string;
  /** The publication. */
  source: string;
  /** The guarantee that it states. */
  claim: string;
  /** What holds, and why if that is not the claim. */
  truth: string;
  labels: ('none' | 'number' | 'class')[];
}

/** The result of the attacks so far. */
export interface AuditLook {
  /** Attacks on each of the two data sets. */
  runs: number;
  /** Epsilon, at the audited delta, is at least this: the largest of all looks so far. */
  epsilon: number;
  /** If the noise is normal, mu is at least this; else 0. */
  gdp: number;
  /**
   * How often the attack said "the first": of `tried` releases of each data set, `hits` times
   * of the first and `alarms` times of the second.
   */
  tried: number;
  hits: number;
  alarms: number;
}

/** Further runs of an audit. */
export interface RawAuditRun {
  runs: number;
  /** The looks of these runs. */
  looks: AuditLook[];
}

/** Draws of the real code against their exact law. */
export interface AuditLaw {
  draws: number;
  p: number;
  /** Whether p is at least 1e-5. */
  agrees: boolean;
}

/** Rows, row-major. */
export interface RawTable {
  columns: number;
  values: Float64Array;
}

/** The subject of an audit. */
export interface RawAuditSubject {
  epsilon: number | null;
  delta: number;
  gdp: number;
  isNormal: boolean;
  guarantee: Guarantee | null;
  first: RawTable;
  second: RawTable;
  /** Whether `law` may be called. */
  hasLaw: boolean;
  norm: 'frobenius' | 'upper-l1' | 'upper-l2' | 'nuclear' | 'range' | 'trace';
  sensitivity: number;
}

/** The output of a published mechanism. */
export interface RawReproduction {
  values: Float64Array;
  rows: number;
  columns: number;
  guarantee: Guarantee | null;
}

/** A simulated run of capeCCA. */
export interface RawCape {
  values: Float64Array;
  sd: number;
  pooledSd: number;
  conventionalSd: number;
  kappas: Float64Array;
}

/** Figures of each run since the last call. */
export interface RawComparedRuns {
  distances: Float64Array;
  truncated: Float64Array;
  shares: Float64Array;
}

/** The output of a published synthesizer. */
export interface RawSynthesisReproduction {
  rows: Float64Array;
  columns: number;
  labels: Float64Array;
  projection: Float64Array | null;
  guarantee: Guarantee | null;
}

/** The mechanisms of studies that can be audited. */
export const AUDITED_IN_STUDIES: readonly MechanismName[] = [
  'gaussian',
  'two-sided-wishart',
  'laplace',
  'frobenius',
  'wishart',
  'eigenvector-sampling',
  'ppca',
  'power-method',
];
