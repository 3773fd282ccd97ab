import { checker } from '../base/check.js';
import type { Data } from '../data/data.js';
import { PrivateMomentsError } from '../base/errors.js';
import type { ReadOptions } from '../intake/read-options.js';
import { LEDGER_OPTIONS, checkOptions, type LedgerOptions } from '../ledger/options.js';
import type { Study } from '../study/study.js';
import type { Column } from '../study/types.js';
import { readRows, readSeed } from './draw.js';
import type {
  CovarianceChoice,
  SumsForm,
  SynthesisNoise,
  SynthesisTask,
  SynthesisTerms,
} from './raw.js';

/** The source of the directions to which the features are reduced. */
export type Projection =
  /** Really public rows with the study's columns, in any form that `privatize` takes. */
  | { source: 'public'; rows: Data }
  /** The private rows, with this noise, for a share of the budget: above 0 and below 1, default 0.3. */
  | { source: SynthesisNoise; share?: number }
  /** Random directions from a public seed, default 0. They depend on no rows, so they cost nothing. */
  | { source: 'random'; seed?: number }
  /** A fraction of the private rows, which are then used for nothing else. Default 0.3. */
  | { source: 'split'; fraction?: number; noise?: SynthesisNoise };

export interface SynthesizeOptions extends ReadOptions, LedgerOptions {
  /** A column of the study: a category to classify, or a number to predict. */
  label?: string;
  /** Default: by the label's type, or `density` without a label. `spectrum` is never the default. */
  task?: SynthesisTask;
  /**
   * Number of directions to which the features, except the label's, are reduced. Default: the features
   * are not reduced. For the task `spectrum`: the number of variances to release.
   */
  components?: number;
  /** Default if there are fewer `components` than features: the private rows, with default noise. */
  projection?: Projection;
  /** Default: `gaussian` if the study's delta is above 0, otherwise for each step the one of least variance. */
  noise?: SynthesisNoise;
  /** The covariances of classes. `chosen` decides privately, for a tenth of the budget. Default `per-class`. */
  covariance?: CovarianceChoice;
  /**
   * How rows, means and covariances are released: all at once (`joint`), or one after the other (`steps`),
   * each with separate noise and covariances about the released means. Default `joint`, which has less noise.
   */
  sums?: SumsForm;
  /**
   * A public length to which longer rows are shortened; with sums in `steps`, longer residuals about the
   * mean. In units of the longest possible row. Default 0.8.
   */
  radius?: number;
  /** For the task `spectrum`: variances about the mean of the rows, for 0.3 of the budget, instead of the public centre. */
  aboutMean?: boolean;
  /** States explicitly that labels and class sizes are public, which is a weaker promise. */
  labelsPublic?: boolean;
  /** Number of rows to draw. Default: as many as the data have. */
  rows?: number;
  /** Seed of the draw only, which costs no privacy; the noise has no seed. Default: a random seed. */
  seed?: number;
}

/** @internal The checked options of a call with all defaults filled in. */
export interface SynthesisRequest {
  terms: SynthesisTerms;
  /** The options in the caller's terms, without data. */
  options: object;
  publicRows: Data | undefined;
  /** The source of the projection in the caller's terms. */
  source: Projection['source'] | null;
  rows: number | null;
  seed: number | null;
}

const TASKS: readonly SynthesisTask[] = ['classification', 'regression', 'density', 'spectrum'];
const NOISE: readonly SynthesisNoise[] = ['laplace', 'gaussian', 'frobenius', 'two-sided-wishart'];
const COVARIANCES: readonly CovarianceChoice[] = ['per-class', 'shared', 'chosen'];
const SUMS: readonly SumsForm[] = ['joint', 'steps'];
const SOURCES = [...NOISE, 'public', 'random', 'split'] as const;
const OWN_OPTIONS = [
  ...['label', 'task', 'components', 'projection', 'noise', 'covariance', 'sums', 'radius'],
  ...['aboutMean', 'labelsPublic', 'rows', 'seed', ...LEDGER_OPTIONS],
];

const DEFAULT_SHARE = 0.3;
const DEFAULT_FRACTION = 0.3;
const DEFAULT_RADIUS = 0.8;

const check = checker('unsupported-option');
const count = checker('invalid-components');

/**
 * Checks names and types. The core checks whether numbers and options fit together, before any row is read.
 * @throws PrivateMomentsError unsupported-option, invalid-synthesis, invalid-components, each with the field
 * @internal
 */
export function readRequest(study: Study, options: SynthesizeOptions): SynthesisRequest {
  checkOptions(options, OWN_OPTIONS);
  const requested: Partial<Record<keyof SynthesizeOptions, unknown>> = { ...options };
  const label = readLabel(study, requested.label);
  const task =
    requested.task === undefined
      ? taskOf(label.column)
      : check.oneOf(requested.task, 'task', TASKS);
  const all = study.features.filter(({ column }) => column !== label.column?.name).length;
  const components =
    requested.components === undefined
      ? undefined
      : count.wholeNumber(requested.components, 'components', 1, Math.max(1, all));
  const isReduced = task !== 'spectrum' && components !== undefined && components < all;
  const noise = optional(requested.noise, (value) => check.oneOf(value, 'noise', NOISE));
  const { projection, publicRows, source, described } = readProjection(
    requested.projection,
    isReduced ? (noise ?? defaultNoise(study)) : undefined,
  );
  if (requested.projection !== undefined && components === undefined && task !== 'spectrum') {
    const message =
      'a projection needs the option components, the number of directions to reduce the features to';
    throw new PrivateMomentsError('invalid-components', message, { field: 'components' });
  }
  const covariance =
    optional(requested.covariance, (value) => check.oneOf(value, 'covariance', COVARIANCES)) ??
    'per-class';
  const radius =
    optional(requested.radius, (value) => check.number(value, 'radius')) ?? DEFAULT_RADIUS;
  const sums =
    optional(requested.sums, (value) => check.oneOf(value, 'sums', SUMS)) ??
    (task === 'spectrum' ? 'steps' : 'joint');
  const labelsPublic = readFlag(requested, 'labelsPublic');
  const aboutMean = readFlag(requested, 'aboutMean');
  const width = task === 'spectrum' ? (components ?? all) : study.columns.length;
  const rows = optional(requested.rows, (value) => readRows(value, width)) ?? null;
  const seed = readSeed(requested.seed);
  return {
    terms: {
      ...{ task, label: label.index, components: components ?? 0, projection },
      ...{ noise, covariance, sums, radius, aboutMean, labelsPublic },
    },
    options: {
      ...{
        label: label.column?.name ?? null,
        task,
        components: components ?? all,
        projection: described,
      },
      ...{ noise: noise ?? null, rows, seed },
      ...(task === 'spectrum' ? { aboutMean } : { sums, radius }),
      ...(task === 'classification' ? { covariance, labelsPublic } : {}),
    },
    publicRows,
    ...{ source, rows, seed },
  };
}

function readFlag(
  requested: Partial<Record<keyof SynthesizeOptions, unknown>>,
  field: 'labelsPublic' | 'aboutMean',
): boolean {
  const value = requested[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw new PrivateMomentsError('unsupported-option', `${field} must be true or false`, { field });
}

function readLabel(
  study: Study,
  requested: unknown,
): { index: number; column: Column | undefined } {
  if (requested === undefined) return { index: -1, column: undefined };
  const index = study.columns.findIndex(({ name }) => name === requested);
  const column = study.columns[index];
  if (column !== undefined) return { index, column };
  const message = 'label must be the name of a column of the study';
  throw new PrivateMomentsError('invalid-synthesis', message, { field: 'label' });
}

function taskOf(label: Column | undefined): SynthesisTask {
  if (label === undefined) return 'density';
  return label.type === 'category' ? 'classification' : 'regression';
}

/** The default noise of matrices. The core chooses that of other steps. */
function defaultNoise({ privacy }: Study): SynthesisNoise {
  return privacy.delta > 0 ? 'gaussian' : 'two-sided-wishart';
}

/** A projection in the core's terms, and in the caller's (`described`). */
interface ReadProjection {
  projection: SynthesisTerms['projection'];
  publicRows?: Data;
  source: Projection['source'] | null;
  described: object | null;
}

/** @param fallback noise of a projection that is needed but was not requested */
function readProjection(requested: unknown, fallback: SynthesisNoise | undefined): ReadProjection {
  const defaults = { share: DEFAULT_SHARE, fraction: DEFAULT_FRACTION, seed: 0 };
  if (requested === undefined && fallback === undefined) {
    return { projection: { source: 'none', ...defaults }, source: null, described: null };
  }
  const value: unknown = requested ?? { source: fallback };
  const keys = ['rows', 'share', 'fraction', 'noise', 'seed'];
  const fields = check.object(value, 'projection', ['source'], keys);
  const source = check.oneOf(fields.source, 'projection.source', SOURCES);
  if (source === 'public') {
    const { rows } = check.object(value, 'projection', ['source', 'rows']);
    const publicRows = rows as Data;
    return { projection: { source, ...defaults }, publicRows, source, described: { source } };
  }
  if (source === 'random') {
    check.object(value, 'projection', ['source'], ['seed']);
    const seed = readSeed(fields.seed, 'projection.seed') ?? 0;
    return { projection: { ...defaults, source, seed }, source, described: { source, seed } };
  }
  const number = (key: 'share' | 'fraction'): number =>
    optional(fields[key], (share) => check.number(share, `projection.${key}`)) ?? defaults[key];
  if (source === 'split') {
    check.object(value, 'projection', ['source'], ['fraction', 'noise']);
    const fraction = number('fraction');
    const noise = optional(fields.noise, (name) => check.oneOf(name, 'projection.noise', NOISE));
    const described = { source, fraction, noise: noise ?? null };
    return { projection: { ...defaults, source, fraction, noise }, source, described };
  }
  check.object(value, 'projection', ['source'], ['share']);
  const share = number('share');
  const projection = { ...defaults, source: 'private' as const, share, noise: source };
  return { projection, source, described: { source, share } };
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}
