import type { RawSynthesis } from '../generated/raw.js';
import type { Study } from '../study/study.js';
import type { Column, Feature, Matrix } from '../study/types.js';
import type { CovarianceChoice, SynthesisNoise, SynthesisTask } from './raw.js';
import type { RowShape } from './preservation.js';
import type { SynthesisTerms } from './raw.js';

/**
 * The model released of one holder's rows, with noise. Nothing else about them leaves. Units: a row
 * without its label has length at most 1, which is `unit` in scaled units; a number label is from -1 to 1.
 */
export interface SynthesisModel {
  task: SynthesisTask;
  label: string | null;
  /** Number of rows, which is public under replace-one. */
  rows: number;
  /** The length of the longest row in scaled units. */
  unit: number;
  /**
   * Longer rows were shortened; with sums in `steps`, longer residuals. Smaller than requested with random
   * directions, along which rows are shorter. Null for the task `spectrum`.
   */
  radius: number | null;
  /** A matrix of features (except the label's) x components; null without a projection. */
  projection: { source: string; directions: Matrix } | null;
  /** One for each class, or a single one without classes; empty for the task `spectrum`. */
  gaussians: {
    /** Level of the label; null without classes. */
    level: string | null;
    /** Size of the class, with noise unless labels are public. */
    rows: number;
    /** One row. The coordinates are the features, or `component 1` and so on, then a number label. */
    mean: Matrix;
    covariance: Matrix;
  }[];
  /** Whether classes share a covariance; null without classes. */
  covariance: Exclude<CovarianceChoice, 'chosen'> | null;
  /** Task `spectrum`: variances along directions that were not released, largest first. Otherwise null. */
  variances: number[] | null;
  /** The noise of each step in order: its law and its standard deviations, in rows for counts and otherwise in those of the sums. */
  noise: { what: string; distribution: SynthesisNoise; sd: number; sdOffDiagonal: number }[];
}

/** The released model in the form of the public API. */
export function modelOf(
  study: Study,
  terms: SynthesisTerms,
  source: string | null,
  raw: RawSynthesis,
): SynthesisModel {
  const label = study.columns[terms.label];
  const features = study.features
    .filter(({ column }) => column !== label?.name)
    .map(({ name }) => name);
  const components = raw.projection.length / features.length;
  const isReduced = raw.projection.length > 0;
  const names = isReduced ? componentNames(components) : features;
  const coordinates = label?.type === 'number' ? [...names, label.name] : names;
  const isMixture = terms.task === 'classification';
  return {
    task: terms.task,
    label: label?.name ?? null,
    rows: raw.rows,
    unit: raw.unit,
    radius: terms.task === 'spectrum' ? null : raw.radius,
    projection:
      isReduced && source !== null
        ? { source, directions: { rows: features, columns: names, values: raw.projection } }
        : null,
    gaussians: raw.gaussians.map(({ level, rows, mean, covariance }) => ({
      level: label?.type === 'category' ? (label.levels[level] ?? null) : null,
      rows,
      mean: { rows: ['mean'], columns: coordinates, values: mean },
      covariance: { rows: coordinates, columns: coordinates, values: covariance },
    })),
    covariance: isMixture ? (raw.shared ? 'shared' : 'per-class') : null,
    variances: terms.task === 'spectrum' ? Array.from(raw.variances) : null,
    noise: raw.steps.map(({ what, noise, sd, sdOffDiagonal }) => ({
      ...{ what, distribution: noise, sd, sdOffDiagonal },
    })),
  };
}

/** The columns of rows of the task `spectrum`: coordinates along directions that were not released. */
export function spectrumShape({ variances, unit }: SynthesisModel): RowShape {
  const columns = componentNames(variances?.length ?? 0).map((name): Column => ({
    name,
    type: 'number',
    min: -unit,
    max: unit,
  }));
  const features = columns.map(({ name }): Feature => ({ name, column: name }));
  return { columns, features };
}

function componentNames(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `component ${index + 1}`);
}
