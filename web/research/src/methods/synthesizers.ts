import { PrivateMomentsError, type Guarantee } from 'private-moments';
import { requireOptions, unwrap } from 'private-moments/internal/core';
import type { LabelKind, SynthesisCore } from '../core/raw.js';

/** A way from rows to synthetic rows as published, or a paper's baseline. */
export interface Synthesizer {
  name: string;
  source: string;
  /** What the paper says it guarantees. */
  claim: string;
  /** What holds, and why where that is not the claim. */
  truth: string;
  /** The labels it takes. */
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
  /** One a row: with `classes` whole numbers from 0 to classes - 1, else numbers in [-1, 1]. */
  labels?: ArrayLike<number>;
  /** How many classes there are. */
  classes?: number;
  /** Rows that are public, scaled likewise, for a basis; labels of two classes for Fisher's direction. */
  publicRows?: Table;
  publicLabels?: ArrayLike<number>;
  epsilon: number;
  /** Default 0. */
  delta?: number;
  /** Directions or projected columns. Default 1. */
  components?: number;
  /** What published forms subtract from the rows: their mean, as published, or nothing. Default `data`. */
  centre?: 'data' | 'public';
  /** Where a basis comes from. Default `public-rows`. */
  basis?: 'public-rows' | 'laplace' | 'laplace-code';
  /** Of epsilon, for a basis of the rows themselves. Default 0.3. */
  basisShare?: number;
  /** Of epsilon, for class labels of identity queries. Default 0.5. */
  labelShare?: number;
  /** Identity queries: labels leave as they are, and the guarantee says so. Default false. */
  labelsPublic?: boolean;
  /** How published forms make a covariance of a noisy matrix. Default `polar`, as published. */
  repair?: 'polar' | 'shift' | 'clip';
  /** MODIPS: draws mean and covariance from their posterior first. Default false. */
  posterior?: boolean;
  /** Blocki: rows of a sketch. Default 200. */
  sketchRows?: number;
  /** Blum, Ligett and Roth: length of the list, and rows of each of its data sets. Default 200, 100. */
  candidates?: number;
  candidateRows?: number;
  /** How many rows are drawn of a model. Default 1000. */
  draw?: number;
  /** Of projections and lists that are random and public. Default 0. */
  publicSeed?: number;
  /** For runs that can be repeated. Whoever knows it knows the noise, so that nothing is promised. */
  unsafeSeed?: number;
}

export interface SynthesisReproduced {
  rows: Table;
  labels: Float64Array | null;
  /**
   * m x q, row by row: synthetic rows lie where x^T projection does. Null where directions do not
   * leave, because nothing covers them.
   */
  projection: Float64Array | null;
  /** What holds for a run like this one, computed; null where nothing does. */
  guarantee: Guarantee | null;
  truth: string;
}

/** How much less noise a ratio counts for p directions of m; `corrected` is what is so. */
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

/** Runs one of them in a core. */
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
    throw unsupported('publicRows', 'publicRows must have the columns of rows');
  }
  for (const field of ['publicSeed', 'unsafeSeed'] as const) checkSeed(options[field], field);
  const kind: LabelKind = !labels ? 'none' : classes > 0 ? 'class' : 'number';
  const given = Float64Array.from(labels ?? []);
  const open = Float64Array.from(publicLabels ?? []);
  if (kind !== 'none') checkLabels(given, rows, classes, 'labels');
  if (publicRows && open.length > 0) checkLabels(open, publicRows, classes, 'publicLabels');
  const run = unwrap(
    core.reproduceSynthesis({
      ...DEFAULTS,
      ...others,
      name,
      label: kind,
      classes,
      columns: rows.columns,
      rows: rows.values,
      labels: given,
      publicRows: publicRows?.values ?? new Float64Array(0),
      publicLabels: open,
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
  throw unsupported(field, `${field} must be whole rows of finite numbers, one after the other`);
}

function checkLabels(labels: Float64Array, of: Table, classes: number, field: string): void {
  if (labels.length * of.columns !== of.values.length) {
    throw unsupported(field, `${field} must be one for each row`);
  }
  const known = (label: number): boolean =>
    classes > 0
      ? Number.isInteger(label) && label >= 0 && label < classes
      : label >= -1 && label <= 1;
  if (labels.every(known)) return;
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
