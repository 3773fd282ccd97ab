import { requireKnown } from './check.js';
import { resolveTwo, type ViewChoice } from './analysis/views.js';
import { COUNT_UNIT } from './clipping.js';
import { loadAnalysis } from './core.js';
import { guaranteeOf } from './envelope.js';
import { PrivateMomentsError } from './errors.js';
import { contentOf } from './mechanism.js';
import { halfWidths } from './features.js';
import { specOf } from './plan.js';
import type { Core, Description, RawAssumption, RawForecast, RawNoise } from './raw.js';
import { requireStudy, type Study } from './study.js';
import type { Guarantee, Matrix, Mechanism } from './types.js';
import { unwrap } from './unwrap.js';

export interface ForecastOptions {
  /** Rows in all, over all releases: at least 2. */
  rows: number;
  /**
   * Releases to be summed. Default: the study's `federation.sites`, else 1, or for unit
   * `participant` one for each row.
   */
  sites?: number;
  /**
   * Standard deviation of number columns as a share of their range, for all of them or by name.
   * Default 0.25: bounds two standard deviations from the middle.
   */
  spread?: number | Readonly<Record<string, number>>;
  /**
   * A whole assumed covariance in original units, in place of `spread` and uncorrelated columns: that
   * of public data, or of an earlier release. Never one computed from the rows of this study.
   */
  covariance?: Matrix;
  /** Assumed canonical correlations. Default 0.5, 0.3, 0.1 between the study's two views. */
  correlations?: readonly number[];
  /** Names of views, or lists of columns. Default: the study's two views. */
  x?: ViewChoice;
  y?: ViewChoice;
  /** Assumed clip radius in scaled units. Default: the study's, or those its releases would choose. */
  rowNorm?: number;
  /** Of `rowsNeeded`: the error to reach, as a share of that of answering zero. Default 0.5. */
  target?: number;
}

/** What to expect of one canonical correlation, as `cca` estimates it. */
export interface CorrelationForecast {
  /** As assumed. */
  truth: number;
  /** Mean and standard deviation of the estimate. */
  expected: number;
  sd: number;
  /** Root mean square of estimate less truth, from privacy noise and from the sample. */
  error: number;
  /** The same without privacy. */
  sampling: number;
  noiseFloor: number;
  /** How likely the estimate is to be reported as below its noise floor. */
  chanceBelowFloor: number;
  /** True where that is likelier than one in twenty. */
  belowNoiseFloor: boolean;
}

/** Root mean squares of the Frobenius norm, scaled units. */
export interface CovarianceForecast {
  /** What privacy costs: `noise` and `clipping`. */
  error: number;
  /** The error of answering zero without looking at data. */
  answeringZero: number;
  /** error / answeringZero. */
  ratio: number;
  noise: number;
  /** What shortening long rows changes. */
  clipping: number;
  /** By how much the covariance of so many rows misses that of everybody they stand for. */
  sampling: number;
  /** `error` and `sampling`. */
  total: number;
  /** `noise` after `denoise()`. Uncorrelated columns flatter it: see `assumes`. */
  denoised: number;
  /** Standard deviations of the noise in single entries, scaled units. */
  entrySd: { diagonal: number; offDiagonal: number };
  /** Standard deviation of the noise in each variance, original units; one row. */
  columnSd: Matrix;
}

export interface Forecast {
  rows: number;
  sites: number;
  guarantee: Guarantee;
  mechanism: Mechanism;
  covariance: CovarianceForecast;
  /** Standard deviation of the noise in the means: scaled units, and original units in one row. */
  mean: { sd: number; columnSd: Matrix };
  /** Standard deviation of the noise in the number of rows; 0 where that is public. */
  rowsSd: number;
  /** Largest first; empty where there are no two views. */
  correlations: CorrelationForecast[];
  /** First correlation that the noise alone would show; null where there are no two views. */
  noiseFloor: number | null;
  /** Clip radii in scaled units, and which share of the releases has each. */
  rowNorms: { radius: number; share: number }[];
  /** Share of the rows that are shortened. */
  shortened: number;
  /**
   * Rows at which `total` would fall to `target` times `answeringZero`, in as many releases (for unit
   * `participant` of as many rows each); null where none are enough.
   */
  rowsNeeded: { target: number; rows: number | null };
  /**
   * `useful`: the covariance has at most half the error of answering zero, and the strongest
   * correlation is above its noise floor. `drowned`: neither is better than knowing nothing. Else
   * `weak`.
   */
  verdict: 'useful' | 'weak' | 'drowned';
  /** The verdict in one sentence. */
  summary: string;
  /** What was assumed about the data, in words. */
  assumes: string[];
}

const OPTIONS = [
  ...['rows', 'sites', 'spread', 'covariance', 'correlations', 'x', 'y', 'rowNorm', 'target'],
];
const SPREAD = 0.25;
const CORRELATIONS = [0.5, 0.3, 0.1];
const TARGET = 0.5;
/** Chance of a correlation below its floor that passes for being above it. */
const UNLIKELY = 0.05;

/**
 * What errors to expect of a study, before any data are touched: of the covariance, beside the error of
 * answering zero, and of canonical correlations of stated size, beside the noise floor. Uses public
 * numbers and the stated assumptions only, so equal questions have equal answers
 * (docs/forecast.md).
 *
 * @throws PrivateMomentsError `not-moments` for mechanisms that release directions,
 * `unsupported-option`, `invalid-view`, `invalid-components` (more correlations than the smaller view
 * allows), `invalid-row-norm`, `too-many-rows`.
 */
export async function forecast(study: Study, options: ForecastOptions): Promise<Forecast> {
  const core = await loadAnalysis();
  return forecastWith(core, study, options, true);
}

/** @internal Without `simulate` `denoised` is 0 and there are no correlations: much faster. */
export function forecastWith(
  core: Core,
  study: Study,
  options: ForecastOptions,
  simulate: boolean,
): Forecast {
  if (contentOf(requireStudy(study).mechanism) !== 'moments') {
    const message = `${study.mechanism.name} releases directions, not moments: their error depends on the data`;
    throw new PrivateMomentsError('not-moments', message);
  }
  const question = read(study, options);
  const assumption = assumptionOf(study, question);
  const releases = releasesOf(core, study, question, assumption);
  const { views } = question;
  const raw = unwrap(
    core.forecast({
      ...assumption,
      rows: question.rows,
      rowsArePublic: study.neighbours === 'replace-one',
      constant: releases.constant,
      noise: releases.noise,
      radii: releases.radii.map(({ radius }) => radius),
      shares: releases.radii.map(({ share }) => share),
      bound: releases.radii.reduce((sum, { radius, share }) => sum + share * radius ** 2, 0),
      x: views?.x ?? [],
      y: views?.y ?? [],
      correlations: [...(views?.correlations ?? [])],
      target: question.target,
      noiseGrows: study.unit === 'participant',
      simulate,
    }),
  );
  return describe(study, question, releases, raw);
}

interface Question {
  rows: number;
  sites: number;
  spread: (column: string) => number;
  covariance: Matrix | undefined;
  views: { x: number[]; y: number[]; correlations: readonly number[] } | undefined;
  rowNorm: number | undefined;
  target: number;
  assumes: string[];
}

function read(study: Study, options: unknown): Question {
  if (typeof options !== 'object' || options === null) {
    return refuse('rows', 'a forecast needs options: { rows, sites }');
  }
  const given = options as Partial<ForecastOptions>;
  requireKnown(options, OPTIONS);
  const { rows, target = TARGET } = given;
  if (!isWhole(rows, 2)) return refuse('rows', 'rows must be a whole number of at least 2');
  const isRow = study.unit === 'row';
  const sites = given.sites ?? study.federation.sites ?? (isRow ? 1 : rows);
  if (!isWhole(sites, 1) || sites > rows) {
    refuse('sites', 'sites must be a whole number from 1 to rows');
  }
  if (!isPositive(target)) refuse('target', 'target must be a number above 0');
  if (given.rowNorm !== undefined && !(isPositive(given.rowNorm) && given.rowNorm < 1e100)) {
    const message = 'rowNorm must be a number above 0';
    throw new PrivateMomentsError('invalid-row-norm', message, { field: 'rowNorm' });
  }
  const assumes: string[] = [];
  const covariance = readCovariance(study, given.covariance, assumes);
  const spread = readSpread(study, given, assumes);
  const views = readViews(study, given, assumes);
  const { rowNorm } = given;
  return { rows, sites, spread, covariance, views, rowNorm, target, assumes };
}

function readCovariance(
  study: Study,
  covariance: Matrix | undefined,
  assumes: string[],
): Matrix | undefined {
  if (covariance === undefined) return undefined;
  const names = study.features.map(({ name }) => name);
  const fits =
    [covariance.rows, covariance.columns].every(
      (own) => own.length === names.length && own.every((name, index) => name === names[index]),
    ) &&
    covariance.values.length === names.length ** 2 &&
    covariance.values.every((value) => Number.isFinite(value));
  if (!fits) {
    const message =
      "covariance must be a matrix of finite numbers whose rows and columns are the study's features";
    refuse('covariance', message);
  }
  assumes.push('the data have the covariance that was given, which is public');
  return covariance;
}

function readSpread(
  study: Study,
  { spread = SPREAD, covariance }: Partial<ForecastOptions>,
  assumes: string[],
): (column: string) => number {
  const numbers = study.columns.filter(({ type }) => type === 'number').map(({ name }) => name);
  const byName = typeof spread === 'object' ? spread : {};
  for (const [name, value] of Object.entries(byName)) {
    if (!numbers.includes(name)) refuse('spread', `"${name}" is no number column of the study`);
    requireSpread(value);
  }
  const general = typeof spread === 'object' ? SPREAD : spread;
  requireSpread(general);
  if (covariance === undefined) {
    const named = Object.entries(byName).map(([name, value]) => `${name}: ${value}`);
    const others = named.length === 0 ? '' : ` (${named.join(', ')})`;
    const numeric = `number columns have a standard deviation of ${general} of their range${others} around its middle`;
    if (numbers.length > 0) assumes.push(numeric);
    if (numbers.length < study.columns.length) {
      assumes.push('the levels of each category are equally frequent');
    }
    assumes.push(
      'apart from the stated correlations columns are uncorrelated: the least that answering zero can miss, and the easiest case for denoise()',
    );
  }
  return (name) => byName[name] ?? general;
}

function requireSpread(value: unknown): void {
  if (isPositive(value) && value <= 0.5) return;
  refuse('spread', 'spread is a share of the range, above 0 and at most 0.5');
}

/** The two views, and what they are assumed to share. */
function readViews(
  study: Study,
  { x, y, correlations }: Partial<ForecastOptions>,
  assumes: string[],
): Question['views'] {
  const two = Object.keys(study.views ?? {}).length === 2;
  const asked = x !== undefined || y !== undefined || correlations !== undefined;
  if (!two && !asked) return undefined;
  const views = resolveTwo(study, x, y).map(({ features }) => features);
  const most = Math.min(...views.map((features) => directions(study, features)));
  const truths: readonly number[] = correlations ?? CORRELATIONS.slice(0, most);
  const isList: boolean = Array.isArray(truths);
  if (!isList || !truths.every((r) => r >= 0 && r < 1)) {
    refuse('correlations', 'correlations must be a list of numbers from 0 to below 1');
  }
  if (truths.length > most) {
    const message = `the smaller view has room for ${most} correlations`;
    throw new PrivateMomentsError('invalid-components', message, { field: 'correlations' });
  }
  if (truths.length === 0) return undefined;
  const sorted = [...truths].sort((a, b) => b - a);
  assumes.push(
    `the canonical correlations of the two views are ${sorted.join(', ')}, in directions that weigh all their columns alike`,
  );
  return { x: views[0] ?? [], y: views[1] ?? [], correlations: sorted };
}

/** In how many directions features can vary: the indicators of a category sum to one. */
function directions(study: Study, features: readonly number[]): number {
  const columns = new Set(features.map((feature) => study.features[feature]?.column));
  return study.columns
    .filter(({ name }) => columns.has(name))
    .reduce((sum, column) => sum + (column.type === 'number' ? 1 : column.levels.length - 1), 0);
}

/** Means and covariance in scaled units: a number column's range is 2. */
function assumptionOf(study: Study, { spread, covariance }: Question): RawAssumption {
  const dimension = study.features.length;
  const columns: number[] = [];
  const mean = new Float64Array(dimension);
  const values = new Float64Array(dimension * dimension);
  study.columns.forEach((column, index) => {
    const first = columns.length;
    if (column.type === 'number') {
      values[first * (dimension + 1)] = (2 * spread(column.name)) ** 2;
      columns.push(index);
      return;
    }
    const share = 1 / column.levels.length;
    for (let i = first; i < first + column.levels.length; i++) {
      columns.push(index);
      mean[i] = share;
      for (let j = first; j < first + column.levels.length; j++) {
        values[i * dimension + j] = (i === j ? share : 0) - share ** 2;
      }
    }
  });
  if (covariance !== undefined) {
    const half = halfWidths(study);
    for (const [i, hi] of half.entries()) {
      for (const [j, hj] of half.entries()) {
        const at = i * dimension + j;
        values[at] = (covariance.values[at] ?? 0) / (hi * hj);
      }
    }
  }
  return { mean, covariance: values, columns };
}

interface ClipRadius {
  radius: number;
  share: number;
}

interface Releases {
  description: Description;
  radii: ClipRadius[];
  constant: number;
  noise: RawNoise;
}

/** The noise of all releases, as `assemble` adds it up. */
function releasesOf(
  core: Core,
  study: Study,
  question: Question,
  assumption: RawAssumption,
): Releases {
  const { rows, sites, rowNorm } = question;
  const spec = { ...specOf(study), ...(rowNorm === undefined ? {} : { rowNorm }) };
  const whole = unwrap(core.describe(spec));
  const perRelease = study.unit === 'row' ? Math.ceil(rows / sites) : 1;
  if (perRelease > whole.maxRows) {
    const message = `a release of this study holds at most ${whole.maxRows} rows`;
    throw new PrivateMomentsError('too-many-rows', message, { field: 'rows' });
  }
  const levels =
    study.clipping === 'adaptive' && rowNorm === undefined
      ? chosenLevels(core, study, perRelease, assumption)
      : [1];
  // What a participant sends is an average, but is summed as one row: here that is the other way
  // round, rows counting as rows and the noise as many times more.
  const growth = study.unit === 'row' ? Math.sqrt(sites) : rows / Math.sqrt(sites);
  const radii: ClipRadius[] = [];
  const variances = { diagonal: 0, offDiagonal: 0, linear: 0, count: 0 };
  levels.forEach((share, level) => {
    if (share === 0) return;
    const { radius, constant, noise } = unwrap(core.describe({ ...spec, level }));
    // Released with their own constant coordinate, linear sums and counts are brought to one.
    const ratio = whole.constant / constant;
    radii.push({ radius, share });
    variances.diagonal += share * noise.sdDiagonal ** 2;
    variances.offDiagonal += share * noise.sdOffDiagonal ** 2;
    variances.linear += share * (noise.sdOffDiagonal * ratio) ** 2;
    variances.count += share * (noise.sdDiagonal * ratio ** 2) ** 2;
  });
  const sd = (key: keyof typeof variances): number => Math.sqrt(variances[key]) * growth;
  return {
    description: whole,
    radii,
    constant: whole.constant,
    noise: {
      distribution: whole.noise.distribution,
      releases: sites,
      freedom: whole.freedom,
      diagonal: sd('diagonal'),
      offDiagonal: sd('offDiagonal'),
      linear: sd('linear'),
      count: study.neighbours === 'replace-one' ? 0 : sd('count'),
    },
  };
}

/** Radii to choose from. */
const LEVELS = 7;
const DRAWS = 64;

/**
 * Adaptive clipping: which share of the releases would choose each level, by the rule itself on the
 * counts to expect, with noise of the law they have in a few fixed draws.
 */
function chosenLevels(core: Core, study: Study, rows: number, assumption: RawAssumption): number[] {
  const spec = specOf(study);
  const radii = Array.from(
    { length: LEVELS - 1 },
    (_, i) => unwrap(core.describe({ ...spec, level: i + 1 })).radius,
  );
  const { shares } = unwrap(core.forecastLengths({ ...assumption, radii }));
  const isPublic = study.neighbours === 'replace-one';
  const expected = [...shares].map((share) => share * rows).concat(isPublic ? [] : [rows]);
  const { clipCountSd: sd } = unwrap(core.describe(spec));
  const normal = fixedNormals();
  const drawn = Array.from({ length: DRAWS }, () => expected.map((count) => count + sd * normal()));
  const counts = Float64Array.from(drawn.flat(), (count) => Math.round(count / COUNT_UNIT));
  const { rule } = unwrap(core.createClipRule(spec));
  const levels = rule.levels(counts, isPublic ? rows : null);
  rule.delete();
  return Array.from(
    { length: LEVELS },
    (_, level) => levels.filter((chosen) => chosen === level).length / levels.length,
  );
}

/** The same standard normal numbers each time: nothing here is secret, and nothing may jump. */
function fixedNormals(): () => number {
  let state = 1;
  const uniform = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state + 0.5) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}

function describe(
  study: Study,
  question: Question,
  releases: Releases,
  raw: RawForecast,
): Forecast {
  const names = study.features.map(({ name }) => name);
  const half = halfWidths(study);
  const row = (label: string, sd: number, power: number): Matrix => ({
    rows: [label],
    columns: [...names],
    values: half.map((width) => sd * width ** power),
  });
  const error = Math.hypot(raw.noise, raw.clipping);
  const correlations = raw.correlations.map((correlation) => ({
    ...correlation,
    belowNoiseFloor: correlation.chanceBelowFloor > UNLIKELY,
  }));
  const target = raw.zero > 0 ? raw.total / raw.zero : Infinity;
  const verdict = verdictOf(target, correlations[0]);
  return {
    rows: question.rows,
    sites: question.sites,
    guarantee: guaranteeOf(releases.description),
    mechanism: structuredClone(study.mechanism),
    covariance: {
      error,
      answeringZero: raw.zero,
      ratio: error / raw.zero,
      noise: raw.noise,
      clipping: raw.clipping,
      sampling: raw.sampling,
      total: raw.total,
      denoised: raw.denoised,
      entrySd: { diagonal: raw.sdDiagonal, offDiagonal: raw.sdOffDiagonal },
      columnSd: row('variance', raw.sdDiagonal, 2),
    },
    mean: { sd: raw.meanSd, columnSd: row('mean', raw.meanSd, 1) },
    rowsSd: raw.countSd,
    correlations,
    noiseFloor: raw.correlations.length === 0 ? null : raw.noiseFloor,
    rowNorms: releases.radii,
    shortened: raw.shortened,
    rowsNeeded: { target: question.target, rows: raw.rowsFor ?? null },
    verdict,
    summary: summaryOf(verdict, target, correlations[0]),
    assumes: [
      ...question.assumes,
      clippingInWords(study, releases.radii, question.rowNorm),
      'rows are independent draws from one population, about as many in each release',
    ],
  };
}

function clippingInWords(study: Study, radii: ClipRadius[], rowNorm: number | undefined): string {
  const first = radii[0]?.radius ?? 0;
  if (rowNorm !== undefined) return `rows are shortened to ${show(rowNorm)} scaled units`;
  if (study.clipping === 'fixed')
    return `rows are shortened to the study's rowNorm, ${show(first)}`;
  const chosen = radii.map(({ radius, share }) => `${show(radius)} (${show(100 * share)} %)`);
  return `releases choose the clip radius that such data lead to: ${chosen.join(', ')}`;
}

function verdictOf(ratio: number, strongest: CorrelationForecast | undefined): Forecast['verdict'] {
  const seen = strongest === undefined ? undefined : !strongest.belowNoiseFloor;
  if (ratio <= 0.5 && seen !== false) return 'useful';
  return ratio >= 1 && seen !== true ? 'drowned' : 'weak';
}

function summaryOf(
  verdict: Forecast['verdict'],
  ratio: number,
  strongest: CorrelationForecast | undefined,
): string {
  const covariance = `the covariance has ${show(ratio)} times the error of answering zero`;
  const pair =
    strongest === undefined
      ? ''
      : strongest.belowNoiseFloor
        ? ` and a correlation of ${strongest.truth} may be below the noise floor`
        : ` and a correlation of ${strongest.truth} comes out to within about ${show(strongest.error)}`;
  const words = {
    useful: 'Useful',
    weak: 'Weak',
    drowned: 'Drowned in noise',
  };
  return `${words[verdict]}: ${covariance}${pair}.`;
}

/** Two digits. */
export function show(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(2))) : '∞';
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function refuse(field: string, message: string): never {
  throw new PrivateMomentsError('unsupported-option', message, { field });
}
