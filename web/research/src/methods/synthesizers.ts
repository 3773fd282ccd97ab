import { PrivateMomentsError, type Guarantee } from 'private-moments';
import { requireOptions, unwrap } from 'private-moments/internal/core';
import type { LabelKind, SynthesisCore } from '../core/raw.js';

/** A published method that makes synthetic rows, or a paper's baseline. */
export interface Synthesizer {
  name: string;
  source: string;
  /** The guarantee that the paper states. */
  claim: string;
  /** What holds, and why if that is not the claim. */
  truth: string;
  /** The kinds of labels it accepts. */
  labels: LabelKind[];
}

/** A table of numbers, row by row. */
export interface Table {
  columns: number;
  values: Float64Array;
}

export interface SynthesisReproduction {
  /** Numbers in [-1, 1]: columns scaled by public bounds. */
  rows: Table;
  /** One per row: with `classes`, whole numbers from 0 to classes - 1; else numbers in [-1, 1]. */
  labels?: ArrayLike<number>;
  /** Number of classes. */
  classes?: number;
  /** Public rows for a basis, scaled in the same way; their labels, of two classes, for Fisher's direction. */
  publicRows?: Table;
  publicLabels?: ArrayLike<number>;
  epsilon: number;
  /** Default 0. */
  delta?: number;
  /** Directions or projected columns. Default 1. */
  components?: number;
  /** What published forms subtract from the rows: their mean (as published), or nothing. Default `data`. */
  centre?: 'data' | 'public';
  /** The source of a basis. Default `public-rows`. */
  basis?: 'public-rows' | 'laplace' | 'laplace-code';
  /** Share of epsilon for a basis from the private rows. Default 0.3. */
  basisShare?: number;
  /** Share of epsilon for the class labels of identity queries. Default 0.5. */
  labelShare?: number;
  /** Identity queries: releases labels unchanged, as the guarantee states. Default false. */
  labelsPublic?: boolean;
  /** How published forms turn a noisy matrix into a covariance. Default `polar`, as published. */
  repair?: 'polar' | 'shift' | 'clip';
  /** MODIPS: first draws mean and covariance from their posterior. Default false. */
  posterior?: boolean;
  /** Blocki: number of rows in a sketch. Default 200. */
  sketchRows?: number;
  /** Blum, Ligett and Roth: length of the list, and rows per data set in it. Default 200 and 100. */
  candidates?: number;
  candidateRows?: number;
  /** Number of rows drawn from a model. Default 1000. */
  draw?: number;
  /** Seed of random projections and lists, which are public. Default 0. */
  publicSeed?: number;
  /** Makes runs repeatable. Anyone who knows it knows the noise, so nothing is promised. */
  unsafeSeed?: number;
}

export interface SynthesisReproduced {
  rows: Table;
  labels: Float64Array | null;
  /**
   * m x q, row by row: synthetic rows are in the space of x^T projection. Null if the directions are not
   * released, because no guarantee covers them.
   */
  projection: Float64Array | null;
  /** The guarantee that holds for such a run, computed; null if none does. */
  guarantee: Guarantee | null;
  truth: string;
}

/** Formula for the reduction of the noise with p of m directions; `corrected` is the true one. */
export type SensitivityGain = 'quadratic' | 'linear' | 'upper' | 'corrected' | 'spectrum';

const DEFAULTS = {
  delta: 0,
  components: 1,
  centre: 'data',
  basis: 'public-rows',
  basisShare: 0.3,
  labelShare: 0.5,
  labelsPublic: false,
  repair: 'polar',
  posterior: false,
  sketchRows: 200,
  candidates: 200,
  candidateRows: 100,
  draw: 1000,
  publicSeed: 0,
} as const;

const MOST_SEED = 2 ** 53 - 1;

const OPTIONS: readonly string[] = [
  ...['rows', 'labels', 'classes', 'publicRows', 'publicLabels', 'epsilon', 'delta', 'components'],
  ...['centre', 'basis', 'basisShare', 'labelShare', 'labelsPublic', 'repair', 'posterior'],
  ...['sketchRows', 'candidates', 'candidateRows', 'draw', 'publicSeed', 'unsafeSeed'],
];

/** Runs a synthesizer. */
export function runSynthesis(
  core: SynthesisCore,
  name: string,
  options: SynthesisReproduction,
): SynthesisReproduced {
  requireOptions(options, OPTIONS);
  const { rows, labels, classes = 0, publicRows, publicLabels, ...others } = options;
  checkTable(rows, 'rows');
  if (publicRows) checkTable(publicRows, 'publicRows');
  if (publicRows && publicRows.columns !== rows.columns) {
    throw unsupported('publicRows', 'publicRows must have as many columns as rows');
  }
  for (const field of ['publicSeed', 'unsafeSeed'] as const) checkSeed(options[field], field);
  const kind: LabelKind = !labels ? 'none' : classes > 0 ? 'class' : 'number';
  const labelValues = Float64Array.from(labels ?? []);
  const publicLabelValues = Float64Array.from(publicLabels ?? []);
  if (kind !== 'none') checkLabels(labelValues, rows, classes, 'labels');
  if (publicRows && publicLabelValues.length > 0) {
    checkLabels(publicLabelValues, publicRows, classes, 'publicLabels');
  }
  const run = unwrap(
    core.reproduceSynthesis({
      ...DEFAULTS,
      ...others,
      name,
      label: kind,
      classes,
      columns: rows.columns,
      rows: rows.values,
      labels: labelValues,
      publicRows: publicRows?.values ?? new Float64Array(0),
      publicLabels: publicLabelValues,
    }),
  );
  const truth = core.synthesizers().find((known) => known.name === name)?.truth ?? '';
  return {
    rows: { columns: run.columns, values: run.rows },
    labels: kind === 'none' ? null : run.labels,
    projection: run.projection,
    guarantee: run.guarantee,
    truth: options.unsafeSeed === undefined ? truth : 'none: the seed of the noise is known',
  };
}

function checkTable({ columns, values }: Table, field: string): void {
  const whole = Number.isInteger(columns) && columns > 0 && values.length % columns === 0;
  if (whole && values.every(Number.isFinite)) return;
  throw unsupported(field, `${field} must be complete rows of finite numbers, row by row`);
}

function checkLabels(labels: Float64Array, table: Table, classes: number, field: string): void {
  if (labels.length * table.columns !== table.values.length) {
    throw unsupported(field, `${field} must have one entry per row`);
  }
  const isValid = (label: number): boolean =>
    classes > 0
      ? Number.isInteger(label) && label >= 0 && label < classes
      : label >= -1 && label <= 1;
  if (labels.every(isValid)) return;
  const range = classes > 0 ? 'whole numbers from 0 to classes - 1' : 'numbers in [-1, 1]';
  throw unsupported(field, `${field} must be ${range}`);
}

function checkSeed(seed: number | undefined, field: string): void {
  if (seed === undefined || (Number.isInteger(seed) && seed >= 0 && seed <= MOST_SEED)) return;
  throw unsupported(field, `${field} must be a whole number from 0 to 2^53 - 1`);
}

function unsupported(field: string, message: string): PrivateMomentsError {
  return new PrivateMomentsError('unsupported-data', message, { field });
}
