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

/** Where the directions come from that the features are reduced to. */
export type Projection =
  /** Rows of the study's columns, in every form data take, that are really public. */
  | { source: 'public'; rows: Data }
  /** The private rows, with this noise, for a share of the budget: above 0, below 1, default 0.3. */
  | { source: SynthesisNoise; share?: number }
  /** Drawn at random by a public seed, default 0: of no rows, so that they cost nothing. */
  | { source: 'random'; seed?: number }
  /** A fraction of the private rows, which are used for nothing else; default 0.3. */
  | { source: 'split'; fraction?: number; noise?: SynthesisNoise };

export interface SynthesizeOptions extends ReadOptions, LedgerOptions {
  /** A column of the study: a category to classify by, or a number to predict. */
  label?: string;
  /** Default: by the label's type; without a label `density`. `spectrum` only where asked for. */
  task?: SynthesisTask;
  /**
   * To how many directions the features without the label's are reduced. Default: all features as
   * they are. Of the task `spectrum`: how many variances are released.
   */
  components?: number;
  /** Default, where `components` are fewer than the features: the private rows, with default noise. */
  projection?: Projection;
  /** Default: `gaussian` where the study's delta is above 0, else for each step that of least variance. */
  noise?: SynthesisNoise;
  /** Of classes. `chosen` decides privately, for a tenth of the budget. Default `per-class`. */
  covariance?: CovarianceChoice;
  /**
   * How rows, means and covariances are released: all at once, or one after the other, each with a
   * noise of its own and covariances about released means. Default `joint`, which has less noise.
   */
  sums?: SumsForm;
  /**
   * Public: rows longer than it are shortened, of `steps` what is left of them about the mean. In units
   * of the longest row there can be; default 0.8.
   */
  radius?: number;
  /** Of the task `spectrum`: about the rows' mean, for 0.3 of the budget, not the public centre. */
  aboutMean?: boolean;
  /** A weaker promise, to say so explicitly: labels and the sizes of classes are public. */
  labelsPublic?: boolean;
  /** How many rows to draw. Default: as many as there were. */
  rows?: number;
  /** Of the draw alone, which costs no privacy. The noise has no seed. Default: the machine's. */
  seed?: number;
}

/** @internal What was asked for, checked, with every default written out. */
export interface SynthesisRequest {
  terms: SynthesisTerms;
  /** The same as the caller says it, without data. */
  options: object;
  publicRows: Data | undefined;
  /** Of the projection, as the caller says it. */
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
 * Checks names and types; whether numbers and options fit together is decided where the budget is
 * spent, in the core, before any row is read.
 * @throws PrivateMomentsError unsupported-option, invalid-synthesis, invalid-components with the field
 * @internal
 */
export function readRequest(study: Study, options: SynthesizeOptions): SynthesisRequest {
  checkOptions(options, OWN_OPTIONS);
  const given: Partial<Record<keyof SynthesizeOptions, unknown>> = { ...options };
  const label = readLabel(study, given.label);
  const task =
    given.task === undefined ? taskOf(label.column) : check.oneOf(given.task, 'task', TASKS);
  const all = study.features.filter(({ column }) => column !== label.column?.name).length;
  const components =
    given.components === undefined
      ? undefined
      : count.wholeNumber(given.components, 'components', 1, Math.max(1, all));
  const isReduced = task !== 'spectrum' && components !== undefined && components < all;
  const noise = optional(given.noise, (value) => check.oneOf(value, 'noise', NOISE));
  const { projection, publicRows, source, said } = readProjection(
    given.projection,
    isReduced ? (noise ?? defaultNoise(study)) : undefined,
  );
  if (given.projection !== undefined && components === undefined && task !== 'spectrum') {
    const message =
      'a projection needs components: how many directions the features are reduced to';
    throw new PrivateMomentsError('invalid-components', message, { field: 'components' });
  }
  const covariance =
    optional(given.covariance, (value) => check.oneOf(value, 'covariance', COVARIANCES)) ??
    'per-class';
  const radius = optional(given.radius, (value) => check.number(value, 'radius')) ?? DEFAULT_RADIUS;
  const sums =
    optional(given.sums, (value) => check.oneOf(value, 'sums', SUMS)) ??
    (task === 'spectrum' ? 'steps' : 'joint');
  const labelsPublic = readFlag(given, 'labelsPublic');
  const aboutMean = readFlag(given, 'aboutMean');
  const width = task === 'spectrum' ? (components ?? all) : study.columns.length;
  const rows = optional(given.rows, (value) => readRows(value, width)) ?? null;
  const seed = readSeed(given.seed);
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
        projection: said,
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
  given: Partial<Record<keyof SynthesizeOptions, unknown>>,
  field: 'labelsPublic' | 'aboutMean',
): boolean {
  const value = given[field] ?? false;
  if (typeof value === 'boolean') return value;
  throw new PrivateMomentsError('unsupported-option', `${field} must be true or false`, { field });
}

function readLabel(study: Study, given: unknown): { index: number; column: Column | undefined } {
  if (given === undefined) return { index: -1, column: undefined };
  const index = study.columns.findIndex(({ name }) => name === given);
  const column = study.columns[index];
  if (column !== undefined) return { index, column };
  const message = 'label must be the name of a column of the study';
  throw new PrivateMomentsError('invalid-synthesis', message, { field: 'label' });
}

function taskOf(label: Column | undefined): SynthesisTask {
  if (label === undefined) return 'density';
  return label.type === 'category' ? 'classification' : 'regression';
}

/** For matrices; of other steps the core knows. */
function defaultNoise({ privacy }: Study): SynthesisNoise {
  return privacy.delta > 0 ? 'gaussian' : 'two-sided-wishart';
}

/** The core's words for a projection, and the caller's. */
interface ReadProjection {
  projection: SynthesisTerms['projection'];
  publicRows?: Data;
  source: Projection['source'] | null;
  said: object | null;
}

/** @param fallback noise of a projection that must be, though none was asked for */
function readProjection(given: unknown, fallback: SynthesisNoise | undefined): ReadProjection {
  const defaults = { share: DEFAULT_SHARE, fraction: DEFAULT_FRACTION, seed: 0 };
  if (given === undefined && fallback === undefined) {
    return { projection: { source: 'none', ...defaults }, source: null, said: null };
  }
  const value: unknown = given ?? { source: fallback };
  const keys = ['rows', 'share', 'fraction', 'noise', 'seed'];
  const loose = check.object(value, 'projection', ['source'], keys);
  const source = check.oneOf(loose.source, 'projection.source', SOURCES);
  if (source === 'public') {
    const { rows } = check.object(value, 'projection', ['source', 'rows']);
    const publicRows = rows as Data;
    return { projection: { source, ...defaults }, publicRows, source, said: { source } };
  }
  if (source === 'random') {
    check.object(value, 'projection', ['source'], ['seed']);
    const seed = readSeed(loose.seed, 'projection.seed') ?? 0;
    return { projection: { ...defaults, source, seed }, source, said: { source, seed } };
  }
  const number = (key: 'share' | 'fraction'): number =>
    optional(loose[key], (share) => check.number(share, `projection.${key}`)) ?? defaults[key];
  if (source === 'split') {
    check.object(value, 'projection', ['source'], ['fraction', 'noise']);
    const fraction = number('fraction');
    const noise = optional(loose.noise, (name) => check.oneOf(name, 'projection.noise', NOISE));
    const said = { source, fraction, noise: noise ?? null };
    return { projection: { ...defaults, source, fraction, noise }, source, said };
  }
  check.object(value, 'projection', ['source'], ['share']);
  const share = number('share');
  const projection = { ...defaults, source: 'private' as const, share, noise: source };
  return { projection, source, said: { source, share } };
}

function optional<T>(value: unknown, read: (value: unknown) => T): T | undefined {
  return value === undefined ? undefined : read(value);
}
