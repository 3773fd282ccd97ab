import { requireOptions } from '../base/check.js';
import { resolveTwo, type ViewChoice } from '../analysis/views.js';
import { ASSUMPTIONS } from './assumptions.js';
import { loadAnalysis } from '../core/analysis-core.js';
import { pickGuarantee } from '../study/envelope.js';
import { PrivateMomentsError } from '../base/errors.js';
import { meanOf, median, rootSumSquares, square } from './arithmetic.js';
import { contentOf } from '../study/mechanism.js';
import { frameOf, withoutCoordinates } from '../study/coordinates.js';
import { halfWidths } from '../study/features.js';
import { usesPartialRows } from '../study/gaps.js';
import { rawColumns, specOf } from '../core/plan.js';
import type {
  Core,
  Description,
  RawAssumption,
  RawCorrelation,
  RawForecast,
  RawFrame,
  RawNoise,
  RawPlanting,
} from '../core/raw.js';
import { defineStudy, requireStudy, type Study } from '../study/study.js';
import type { Guarantee, Matrix, Mechanism, MissingRule, StudyDefinition } from '../study/types.js';
import { unwrap } from '../core/unwrap.js';

export interface ForecastOptions {
  /** Total number of rows in all releases: at least 2. */
  rows: number;
  /**
   * Number of releases to be summed. Default: the study's `federation.sites`; without it 1, or for unit
   * `participant` one for each row.
   */
  sites?: number;
  /**
   * Standard deviation of number columns as a share of their range, for all of them or by name. Default
   * 0.2: the bounds are two and a half standard deviations from the middle.
   */
  spread?: number | Readonly<Record<string, number>>;
  /**
   * A whole assumed covariance in original units, instead of `spread` and uncorrelated columns: that of
   * public data or of an earlier release, never one computed from the rows of this study.
   */
  covariance?: Matrix;
  /**
   * Correlation between the columns of one view, from 0 to below 1; the errors are those of views in which
   * all pairs of columns correlate this much. Default 0.8: correlated columns increase every error of the
   * correlations between views, and no data have been seen. Not together with `covariance`.
   */
  withinViews?: number;
  /**
   * Distance of the means of number columns from the middle of their bounds, as a share of the range, from
   * 0 to below 0.5. Default 0.2: bounds from general knowledge are seldom centred on the data.
   */
  offCentre?: number;
  /**
   * Share of the cells of every column that are missing, by chance and independently, from 0 to below 1. Default
   * 0. What becomes of their rows is the study's rule.
   */
  missing?: number;
  /** Assumed canonical correlations. Default 0.5, 0.3, 0.1 between the study's two views. */
  correlations?: readonly number[];
  /** Names of views, or lists of columns. Default: the study's two views. */
  x?: ViewChoice;
  y?: ViewChoice;
  /**
   * Assumed clip radius in scaled units. Default: that of the study, or those its releases would choose.
   * Not with private centring, where each release has units of its own.
   */
  rowNorm?: number;
  /** The error that `rowsNeeded` is to reach, as a share of that of answering zero. Default 0.5. */
  target?: number;
}

/**
 * What to expect of one canonical correlation as estimated by `cca`. It is the worse of two cases: the
 * correlation lies along the directions of the views that vary most, or along those that vary least.
 */
export interface CorrelationForecast {
  /** The assumed correlation. */
  truth: number;
  /** Mean and standard deviation of the estimate. */
  expected: number;
  sd: number;
  /** Root mean square of estimate minus truth, from privacy noise and sampling. */
  error: number;
  /** The same without privacy noise. */
  sampling: number;
  noiseFloor: number;
  /** Probability that the estimate is reported as below its noise floor. */
  chanceBelowFloor: number;
  /** Whether that probability is above 0.05. */
  belowNoiseFloor: boolean;
  /**
   * In at least nine of ten such studies the estimate is above its noise floor and off by at most this.
   * Null if it is below the floor too often for that.
   */
  margin: number | null;
  /** Whether `margin` is at most half of `truth`. */
  clear: boolean;
  /**
   * Probability that a test of `cca` at level 5 % (`test: 0.05`) counts this pair and all larger ones. With a
   * `truth` of 0 about the level. With private centring at several sites it may be much too high: the test
   * also counts what clipping may have moved between them.
   */
  power: number;
}

/**
 * Root mean squares of the Frobenius norm, scaled units. With private centring, where a few releases may
 * choose a much longer clip radius than all others, they are those of a study with the middle noise.
 */
export interface CovarianceForecast {
  /** The cost of privacy: `noise` and `clipping` together. */
  error: number;
  /** The error of answering zero without looking at any data. */
  answeringZero: number;
  /** error / answeringZero. */
  ratio: number;
  noise: number;
  /** The error due to shortening long rows. */
  clipping: number;
  /** The difference between the covariance of this number of rows and that of their population. */
  sampling: number;
  /** `error` and `sampling` together. */
  total: number;
  /** `noise` after `denoise()`. It is optimistic if columns are assumed to be uncorrelated: see `assumes`. */
  denoised: number;
  /**
   * Standard deviation of the noise in one entry, scaled units. With private centring entries differ, and
   * these are root mean squares.
   */
  entrySd: { diagonal: number; offDiagonal: number };
  /** Standard deviation of the noise in each variance, original units, as one row. */
  columnSd: Matrix;
}

/** What releases with private centring would choose. */
export interface CentringForecast {
  /**
   * The clip radius, divided by the typical distance of a row from the centre (root mean square), in units
   * of the chosen scales: in the middle, the least and the most of several draws.
   */
  radius: number;
  least: number;
  most: number;
}

/** What missing cells leave. */
export interface MissingForecast {
  /** As assumed, of every column. */
  share: number;
  /** Complete rows that would give errors as large: those that have a pair of columns, or all of them. */
  rows: number;
  /** The share by which variances and covariances are too small, because rows count as the centre; part of `total`. */
  shrinkage: number;
}

export interface Forecast {
  rows: number;
  sites: number;
  guarantee: Guarantee;
  mechanism: Mechanism;
  covariance: CovarianceForecast;
  /** Standard deviation of the noise in the means: in scaled units (root mean square), and in original units as one row. */
  mean: { sd: number; columnSd: Matrix };
  /** Standard deviation of the noise in the number of rows; 0 if that number is public. */
  rowsSd: number;
  /** Largest first. Empty without two views. */
  correlations: CorrelationForecast[];
  /** The first correlation that noise alone would show. Null without two views. */
  noiseFloor: number | null;
  /**
   * Clip radii in scaled units, with the share of the releases that have each. Empty with private centring,
   * where each release has units of its own.
   */
  rowNorms: { radius: number; share: number }[];
  /** Null without private centring. */
  centring: CentringForecast | null;
  /** What the study's rule makes of missing cells; null if none are assumed. */
  missing: MissingForecast | null;
  /** Share of the rows that are shortened. */
  shortened: number;
  /**
   * Rows at which `total` would fall to `target` times `answeringZero`, in the same number of releases (for
   * unit `participant`, in releases of the same number of rows each). Null if no number is enough.
   */
  rowsNeeded: { target: number; rows: number | null };
  /**
   * `useful`: the covariance has at most half the error of answering zero, and every planned
   * correlation is `clear`. `drowned`: the covariance is worse than answering zero and no correlation is
   * clear. `weak`: neither of these, so at risk.
   */
  verdict: 'useful' | 'weak' | 'drowned';
  /** The verdict and its assumptions, in words. */
  summary: string;
  /** The assumptions about the data, in words. */
  assumes: string[];
  /** `withinViews` is null without two views, or if a `covariance` was stated. */
  assumed: { withinViews: number | null; offCentre: number };
}

const OPTIONS = [
  ...[
    'rows',
    'sites',
    'spread',
    'covariance',
    'withinViews',
    'offCentre',
    'missing',
    'correlations',
    'x',
    'y',
  ],
  ...['rowNorm', 'target'],
];
const CORRELATIONS = [0.5, 0.3, 0.1];
const TARGET = 0.5;
/** Maximum probability of an estimate below its floor at which a correlation counts as above it. */
const MAX_CHANCE_BELOW_FLOOR = 0.05;

/**
 * Forecasts the errors of a study before any data are touched: those of the covariance, compared with
 * answering zero, and those of canonical correlations of stated size, compared with the noise floor. It
 * uses only public numbers and the stated assumptions, so the same question always has the same answer
 * (docs/forecast.md).
 *
 * @throws PrivateMomentsError `not-moments` for mechanisms that release directions,
 * `unsupported-option`, `invalid-view`, `invalid-components` (more correlations than the smaller view
 * allows), `invalid-row-norm`, `too-many-rows`.
 *
 * @example
 * ```ts
 * const { correlations } = await forecast(study, {
 *   rows: 5000,
 *   sites: 10,
 *   correlations: [0.5, 0.3],
 * });
 * ```
 */
export async function forecast(study: Study, options: ForecastOptions): Promise<Forecast> {
  const core = await loadAnalysis();
  return forecastWith(core, study, options, { simulate: true, countRows: true });
}

/** @internal What a forecast computes beyond the errors of the covariance. */
export interface Extent {
  /** `denoised`, otherwise 0, and correlations. */
  simulate: boolean;
  /** `rowsNeeded` with the choices made at each number of rows, otherwise with those made at the stated one. */
  countRows: boolean;
}

/** @internal */
export function forecastWith(
  core: Core,
  study: Study,
  options: ForecastOptions,
  { simulate, countRows }: Extent,
): Forecast {
  if (contentOf(requireStudy(study).mechanism) !== 'moments') {
    const message = `${study.mechanism.name} releases directions, not moments: their error depends on the data`;
    throw new PrivateMomentsError('not-moments', message);
  }
  // Spreads about the middle of the bounds only weight the noise of columns.
  if (frameOf(study)?.centre.some((centre) => centre !== 0)) {
    return forecastUnstated(core, study, options, { simulate, countRows });
  }
  const question = read(study, options);
  const assumption = assumptionOf(study, question);
  const releases = releasesOf(core, study, question, assumption);
  const raw = ask(core, study, question, {
    ...{ assumption, releases, planting: 'alike' as const },
    ...{ simulateDenoised: simulate, simulateCorrelations: false },
  });
  const pairs = simulate ? pairsOf(core, study, question) : { correlations: [], noiseFloor: null };
  const needed = countRows
    ? rowsNeeded(core, study, question, assumption, { releases, raw })
    : rowsOfAll(raw.rowsFor, question);
  return describe(study, question, releases, raw, pairs, needed);
}

/** How well stated centres and spreads fit the rows is unknown as well. */
function forecastUnstated(
  core: Core,
  study: Study,
  options: ForecastOptions,
  extent: Extent,
): Forecast {
  const terms: StudyDefinition = study.toJSON();
  delete terms.rowNorm;
  const unstated = defineStudy({ ...terms, columns: terms.columns.map(withoutCoordinates) });
  const result = forecastWith(core, unstated, options, extent);
  const reason =
    'errors are those about the middle of the bounds, which are usually larger than about the stated centres, several times where means are far from the middle';
  return {
    ...result,
    guarantee: pickGuarantee(unwrap(core.describe(specOf(study))), study.federation),
    assumes: [...result.assumes, reason],
  };
}

type Pairs = Pick<Forecast, 'correlations' | 'noiseFloor'>;

interface Scenario {
  assumption: RawAssumption;
  releases: Releases;
  planting: RawPlanting;
  simulateDenoised: boolean;
  simulateCorrelations: boolean;
}

function ask(
  core: Core,
  study: Study,
  { rows, kept, views, target, shrinkage }: Question,
  { assumption, releases, planting, simulateDenoised, simulateCorrelations }: Scenario,
): RawForecast {
  return unwrap(
    core.forecast({
      ...assumption,
      rows: Math.max(2, rows * kept),
      rowsArePublic: study.neighbours === 'replace-one',
      constant: releases.constant,
      noise: releases.noise,
      radii: releases.radii.map(({ radius }) => radius),
      shares: releases.radii.map(({ share }) => share),
      ...releases.frame,
      ...(releases.frames && { frames: releases.frames }),
      bound: releases.bound,
      ...(releases.centreSpread && { centreSpread: releases.centreSpread }),
      x: views?.x ?? [],
      y: views?.y ?? [],
      correlations: [...(views?.correlations ?? [])],
      // With a shrinkage beyond the target no number of rows is enough, and rowsOfAll says so.
      target: shrinkage < target ? Math.sqrt(square(target) - square(shrinkage)) : target,
      noiseGrows: study.unit === 'participant',
      planting,
      simulateDenoised,
      simulateCorrelations,
    }),
  );
}

function reaches(total: number, zero: number, { target, shrinkage }: Question): boolean {
  return square(total) <= (square(target) - square(shrinkage)) * square(zero);
}

/** The number of rows of which gaps leave this many. */
function rowsOfAll(left: number | undefined, { kept, shrinkage, target }: Question): number | null {
  return left === undefined || shrinkage >= target ? null : Math.ceil(left / kept);
}

/** Steps of the search for the rows that a study needs: outwards by this factor, then this many halvings. */
const OUTWARDS = 4;
const HALVINGS = 5;

/**
 * The rows at which the error reaches its target. With private centring, more rows also make for better
 * choices, so every number of rows is forecast with choices of its own.
 */
function rowsNeeded(
  core: Core,
  study: Study,
  question: Question,
  assumption: RawAssumption,
  { releases, raw }: { releases: Releases; raw: RawForecast },
): number | null {
  if (releases.frame === undefined) return rowsOfAll(raw.rowsFor, question);
  if (question.shrinkage >= question.target) return null;
  const most = releases.description.maxRows * question.sites;
  const suffices = (rows: number): boolean => {
    const there = { ...question, rows };
    const { total, zero } = ask(core, study, there, {
      ...{ assumption, releases: releasesOf(core, study, there, assumption) },
      ...{ planting: 'alike', simulateDenoised: false, simulateCorrelations: false },
    });
    return reaches(total, zero, question);
  };
  let low = question.rows;
  let high = question.rows;
  if (reaches(raw.total, raw.zero, question)) {
    do {
      [high, low] = [low, Math.max(2, question.sites, Math.floor(low / OUTWARDS))];
    } while (low < high && suffices(low));
  } else {
    do {
      [low, high] = [high, Math.min(most, high * OUTWARDS)];
      if (low === high) return null;
    } while (!suffices(high));
  }
  for (let i = 0; i < HALVINGS; i++) {
    const middle = Math.round(Math.sqrt(low * high));
    if (suffices(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/**
 * The directions of the correlations are unknown. If the columns of a view correlate, directions with
 * little variance are lost in the noise first, so this forecasts both ends and takes the worse.
 */
function pairsOf(core: Core, study: Study, question: Question): Pairs {
  if (question.views === undefined) return { correlations: [], noiseFloor: null };
  const assumption = correlated(study, question);
  const releases = releasesOf(core, study, question, assumption);
  const scenario = { assumption, releases, simulateDenoised: false, simulateCorrelations: true };
  const ends = endsOf(question).map((planting) =>
    ask(core, study, question, { ...scenario, planting }),
  );
  const [first, ...others] = ends.map(({ correlations }) => correlations.map(readCorrelation));
  return {
    correlations: others.reduce(
      (all, other) => all.map((one, i) => worseOf(one, other[i] ?? one)),
      first ?? [],
    ),
    noiseFloor: Math.max(...ends.map(({ noiseFloor }) => noiseFloor)),
  };
}

/**
 * The directions to forecast. A stated covariance may have directions with hardly any variance, in which
 * no one expects to find correlations, so its trailing end is left out. With one correlation between all
 * columns of a view, a correlation may well lie along the smallest direction.
 */
function endsOf({ covariance, withinViews }: Question): RawPlanting[] {
  if (covariance !== undefined) return ['alike', 'leading'];
  return withinViews === 0 ? ['alike'] : ['leading', 'trailing'];
}

function readCorrelation({ margin = Infinity, ...rest }: RawCorrelation): CorrelationForecast {
  return {
    ...rest,
    belowNoiseFloor: rest.chanceBelowFloor > MAX_CHANCE_BELOW_FLOOR,
    margin: margin < Infinity ? margin : null,
    clear: margin <= rest.truth / 2,
  };
}

/** The worse of the two in each field. */
function worseOf(one: CorrelationForecast, other: CorrelationForecast): CorrelationForecast {
  return {
    ...(one.error < other.error ? other : one),
    noiseFloor: Math.max(one.noiseFloor, other.noiseFloor),
    chanceBelowFloor: Math.max(one.chanceBelowFloor, other.chanceBelowFloor),
    belowNoiseFloor: one.belowNoiseFloor || other.belowNoiseFloor,
    margin:
      one.margin === null || other.margin === null ? null : Math.max(one.margin, other.margin),
    clear: one.clear && other.clear,
    power: Math.min(one.power, other.power),
  };
}

interface Question {
  rows: number;
  sites: number;
  spread: (column: string) => number;
  covariance: Matrix | undefined;
  withinViews: number;
  offCentre: number;
  views: { x: number[]; y: number[]; correlations: readonly number[] } | undefined;
  rowNorm: number | undefined;
  target: number;
  /** Share of the cells that are missing, and of the rows that gaps leave. */
  missing: number;
  kept: number;
  shrinkage: number;
  assumes: string[];
}

function read(study: Study, options: unknown): Question {
  if (typeof options !== 'object' || options === null) {
    return refuse('rows', 'a forecast needs options: { rows, sites }');
  }
  requireOptions(options, OPTIONS);
  const requested = options as Partial<ForecastOptions>;
  const { rows, rowNorm, target = TARGET, missing = 0 } = requested;
  if (!isWhole(rows, 2)) return refuse('rows', 'rows must be a whole number of at least 2');
  const isRow = study.unit === 'row';
  const sites = requested.sites ?? study.federation.sites ?? (isRow ? 1 : rows);
  if (!isWhole(sites, 1) || sites > rows) {
    refuse('sites', 'sites must be a whole number from 1 to rows');
  }
  if (!isPositive(target)) refuse('target', 'target must be a number above 0');
  if (rowNorm !== undefined && !(isPositive(rowNorm) && rowNorm < 1e100)) {
    const message = 'rowNorm must be a number above 0';
    throw new PrivateMomentsError('invalid-row-norm', message, { field: 'rowNorm' });
  }
  if (rowNorm !== undefined && study.clipping === 'centred') {
    refuse('rowNorm', 'with private centring each release has units of its own: leave out rowNorm');
  }
  if (!isShare(missing, 1))
    refuse('missing', 'missing must be a share of cells, from 0 to below 1');
  const kept = keptOf(study, missing);
  const assumes: string[] = [];
  const covariance = readCovariance(study, requested.covariance, assumes);
  const spread = readSpread(study, requested, assumes);
  const offCentre = readOffCentre(study, requested, assumes);
  const views = readViews(study, requested, assumes);
  const withinViews = readWithinViews(requested, views !== undefined, assumes);
  return {
    ...{ rows, sites, spread, covariance, withinViews, offCentre, views, rowNorm, target },
    ...{ missing, kept, shrinkage: study.missing === 'centre' ? 1 - kept : 0 },
    assumes: [...assumes, ...gapsInWords(study, missing, kept)],
  };
}

/** The share of the rows that have both columns of a pair or, where others do not count as they are, all columns. */
function keptOf(study: Study, missing: number): number {
  if (study.missing === 'error') return 1;
  const needed = usesPartialRows(study.missing) ? 2 : study.columns.length;
  return Array.from({ length: needed }).reduce<number>((kept) => kept * (1 - missing), 1);
}

function gapsInWords(study: Study, missing: number, kept: number): string[] {
  if (missing === 0) {
    return usesPartialRows(study.missing)
      ? ['no cell is missing: state missing to see what gaps cost']
      : [];
  }
  const cells = `${show(100 * missing)} % of the cells of every column are missing, by chance`;
  const left = `${show(100 * kept)} % of the rows`;
  const rules: Record<MissingRule, string> = {
    centre: `only ${left} have all their cells; the others count as the centre, which makes variances and covariances ${show(100 * (1 - kept))} % too small`,
    drop: `${left} have all their cells, and the others are left out`,
    error: 'such files are refused, so this is for files without gaps',
    pairwise: `${left} have both columns of a pair`,
    mean: `${left} have both columns of a pair, and gaps do not depend on each other`,
  };
  return [`${cells}; ${rules[study.missing]}`];
}

function readWithinViews(
  { withinViews, covariance }: Partial<ForecastOptions>,
  hasViews: boolean,
  assumes: string[],
): number {
  if (covariance !== undefined) {
    if (withinViews === undefined) return 0;
    refuse(
      'withinViews',
      'state withinViews or covariance, not both: a covariance includes these correlations',
    );
  }
  const within = withinViews ?? ASSUMPTIONS.withinViews;
  if (!isShare(within, 1)) {
    refuse('withinViews', 'withinViews must be a correlation from 0 to below 1');
  }
  if (hasViews) assumes.push(`for correlations between views, ${withinInWords(within)}`);
  return within;
}

function withinInWords(within: number): string {
  return within === 0
    ? 'columns of one view do not correlate with each other'
    : `columns of one view correlate with each other at ${within} (a lower correlation makes errors smaller)`;
}

function readOffCentre(
  study: Study,
  { offCentre = ASSUMPTIONS.offCentre }: Partial<ForecastOptions>,
  assumes: string[],
): number {
  if (!isShare(offCentre, 0.5)) {
    refuse('offCentre', 'offCentre must be a share of the range, from 0 to below 0.5');
  }
  if (study.columns.some(({ type }) => type === 'number')) {
    assumes.push(
      offCentre === 0
        ? 'means are in the middle of the bounds'
        : `means are ${offCentre} of the range away from the middle of the bounds`,
    );
  }
  return offCentre;
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
    covariance.values.length === square(names.length) &&
    covariance.values.every((value) => Number.isFinite(value));
  if (!fits) {
    const message =
      "covariance must be a matrix of finite numbers whose rows and columns are the study's features";
    refuse('covariance', message);
  }
  assumes.push('the data have the stated covariance, which is public');
  return covariance;
}

function readSpread(
  study: Study,
  { spread = ASSUMPTIONS.spread, covariance }: Partial<ForecastOptions>,
  assumes: string[],
): (column: string) => number {
  const numbers = study.columns.filter(({ type }) => type === 'number').map(({ name }) => name);
  const byName = typeof spread === 'object' ? spread : {};
  for (const [name, value] of Object.entries(byName)) {
    if (!numbers.includes(name)) refuse('spread', `"${name}" is not a number column of the study`);
    requireSpread(value);
  }
  const general = typeof spread === 'object' ? ASSUMPTIONS.spread : spread;
  requireSpread(general);
  if (covariance === undefined) {
    const named = Object.entries(byName).map(([name, value]) => `${name}: ${value}`);
    const others = named.length === 0 ? '' : ` (${named.join(', ')})`;
    const numeric = `number columns have a standard deviation of ${general} of their range${others}`;
    if (numbers.length > 0) assumes.push(numeric);
    if (numbers.length < study.columns.length) {
      assumes.push('the levels of each category are equally frequent');
    }
    assumes.push(
      'for the error of the covariance, columns are uncorrelated apart from the stated correlations, so answering zero has its smallest error and denoising its easiest case',
    );
  }
  return (name) => byName[name] ?? general;
}

function requireSpread(value: unknown): void {
  if (isPositive(value) && value <= 0.5) return;
  refuse('spread', 'spread must be a share of the range, above 0 and at most 0.5');
}

/** The two views and their assumed canonical correlations. */
function readViews(
  study: Study,
  { x, y, correlations }: Partial<ForecastOptions>,
  assumes: string[],
): Question['views'] {
  const two = Object.keys(study.views ?? {}).length === 2;
  const isRequested = x !== undefined || y !== undefined || correlations !== undefined;
  if (!two && !isRequested) return undefined;
  const views = resolveTwo(study, { x, y }).map(({ features }) => features);
  const max = Math.min(...views.map((features) => directions(study, features)));
  const truths: readonly number[] = correlations ?? CORRELATIONS.slice(0, max);
  const isList: boolean = Array.isArray(truths);
  if (!isList || !truths.every((r) => r >= 0 && r < 1)) {
    refuse('correlations', 'correlations must be a list of numbers from 0 to below 1');
  }
  if (truths.length > max) {
    const message = `correlations must have at most ${max} values, because the smaller view has no more directions`;
    throw new PrivateMomentsError('invalid-components', message, { field: 'correlations' });
  }
  if (truths.length === 0) return undefined;
  const sorted = [...truths].sort((a, b) => b - a);
  assumes.push(
    `the canonical correlations of the two views are ${sorted.join(', ')}, along the directions of the views where they are hardest to estimate`,
  );
  return { x: views[0] ?? [], y: views[1] ?? [], correlations: sorted };
}

/** The number of directions in which features can vary. A category has one less than levels: its indicators sum to one. */
function directions(study: Study, features: readonly number[]): number {
  const columns = new Set(features.map((feature) => study.features[feature]?.column));
  return study.columns
    .filter(({ name }) => columns.has(name))
    .reduce((sum, column) => sum + (column.type === 'number' ? 1 : column.levels.length - 1), 0);
}

/** Means and covariance in scaled units, in which the range of a number column is 2. */
function assumptionOf(study: Study, { spread, covariance, offCentre }: Question): RawAssumption {
  const dimension = study.features.length;
  const columns: number[] = [];
  const mean = new Float64Array(dimension);
  const values = new Float64Array(dimension * dimension);
  study.columns.forEach((column, index) => {
    const first = columns.length;
    if (column.type === 'number') {
      values[first * (dimension + 1)] = square(2 * spread(column.name));
      mean[first] = 2 * offCentre;
      columns.push(index);
      return;
    }
    const share = 1 / column.levels.length;
    for (let i = first; i < first + column.levels.length; i++) {
      columns.push(index);
      mean[i] = share;
      for (let j = first; j < first + column.levels.length; j++) {
        values[i * dimension + j] = (i === j ? share : 0) - square(share);
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

/**
 * The assumption with correlation `withinViews` between the columns of a view, due to a factor that all of
 * them share. The indicators of a category follow the factor along one contrast of its levels.
 */
function correlated(study: Study, question: Question): RawAssumption {
  const assumption = assumptionOf(study, question);
  const { withinViews, views } = question;
  if (withinViews === 0 || views === undefined) return assumption;
  const { covariance, columns } = assumption;
  const dimension = columns.length;
  const first = columns.map((column) => columns.indexOf(column));
  const levels = columns.map((column) => columns.filter((other) => other === column).length);
  const shared = columns.map((_, i) => {
    const count = levels[i] ?? 1;
    if (count === 1) return Math.sqrt(covariance[i * (dimension + 1)] ?? 0);
    // The contrast has length 1 and is orthogonal to the sum of the indicators. Their variance along it is 1 / count.
    const contrast = i - (first[i] ?? 0) - (count - 1) / 2;
    return contrast * Math.sqrt(12 / (count * (square(count) - 1)) / count);
  });
  for (const features of [views.x, views.y]) {
    for (const i of features) {
      for (const j of features) {
        if (columns[i] === columns[j]) continue;
        covariance[i * dimension + j] = withinViews * (shared[i] ?? 0) * (shared[j] ?? 0);
      }
    }
  }
  return assumption;
}

interface ClipRadius {
  radius: number;
  share: number;
}

interface Releases {
  description: Description;
  /** In units of `frames`, if present. */
  radii: ClipRadius[];
  constant: number;
  noise: RawNoise;
  /** Bound on the mean squared row norm, as the analyses take it. */
  bound: number;
  /** With private centring and stated spreads: in which the noise of the sum has its law, and the coordinates of each radius. */
  frame?: RawFrame;
  frames?: RawFrame[];
  /** With private centring: what clipping may have added to the covariance, in `frame`. */
  centreSpread?: Float64Array;
  centring: CentringForecast | null;
}

/** The noise of all releases together, as `assemble` adds them. */
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
  if (study.clipping === 'centred') return centredOf(core, study, question, assumption);
  const levels =
    study.clipping === 'adaptive' && rowNorm === undefined
      ? unwrap(core.expectedLevels({ ...assumption, spec, rows: perRelease, draws: LEVEL_DRAWS }))
          .shares
      : Float64Array.of(1);
  // `assemble` sums the average that a participant sends as one row. Here each row counts as a row
  // instead, and the noise is larger by the number of rows in each release.
  // In the means of the rows that have a pair of columns, the noise of sums with marks counts too.
  const marked = study.missing === 'pairwise' ? whole.constant : 0;
  const growth = study.unit === 'row' ? Math.sqrt(sites) : rows / Math.sqrt(sites);
  const radii: ClipRadius[] = [];
  const variances = { diagonal: 0, offDiagonal: 0, linear: 0, count: 0 };
  levels.forEach((share, level) => {
    if (share === 0) return;
    const { radius, constant, noise } = unwrap(core.describe({ ...spec, level }));
    // Each level has its own constant coordinate. This rescales linear sums and counts to a common one.
    const ratio = whole.constant / constant;
    radii.push({ radius, share });
    variances.diagonal += share * square(noise.sdDiagonal);
    variances.offDiagonal += share * square(noise.sdOffDiagonal);
    variances.linear += share * square(noise.sdOffDiagonal * ratio);
    variances.count += share * square(noise.sdDiagonal * square(ratio));
  });
  const frame = frameOf(study);
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
      linear: rootSumSquares(sd('linear'), marked * sd('offDiagonal')),
      count: study.neighbours === 'replace-one' ? 0 : sd('count'),
    },
    bound: radii.reduce((sum, { radius, share }) => sum + share * square(radius), 0),
    ...(frame && { frame, frames: radii.map(() => frame) }),
    centring: null,
  };
}

/** How many releases with adaptive clipping are drawn, and with private centring at most and at least. */
const LEVEL_DRAWS = 64;
const CENTRING_DRAWS = { most: 32, least: 4, features: 3200 };

/** With private centring: releases choose as the rules would for such data, each with noise of its own. */
function centredOf(
  core: Core,
  study: Study,
  { rows, sites }: Question,
  assumption: RawAssumption,
): Releases {
  const { most, least, features } = CENTRING_DRAWS;
  const draws = Math.max(least, Math.min(most, Math.floor(features / study.features.length)));
  // How many cells are missing is not part of what the data are assumed to be.
  const spec = { ...specOf(study), countsGaps: false };
  const { noise, choices, lengths } = unwrap(
    core.expectedCentring({
      ...{ ...assumption, spec, of: rawColumns(study.columns) },
      ...{ rows: rows / sites, sites, draws },
    }),
  );
  const description = unwrap(core.describe(specOf(study)));
  const { diagonal, offDiagonal, linear, count, centre, units, centreSpread } = noise;
  return {
    description,
    radii: choices.map(({ radius }) => ({ radius, share: 1 / choices.length })),
    frames: choices.map((choice) => ({ centre: choice.centre, units: choice.scale })),
    constant: 1,
    noise: {
      distribution: description.noise.distribution,
      releases: sites,
      freedom: description.freedom,
      ...{ diagonal, offDiagonal, linear, count },
    },
    bound: noise.meanSquaredRadius,
    frame: { centre, units },
    centreSpread,
    centring: {
      radius: median([...lengths]),
      least: Math.min(...lengths),
      most: Math.max(...lengths),
    },
  };
}

function describe(
  study: Study,
  question: Question,
  releases: Releases,
  raw: RawForecast,
  { correlations, noiseFloor }: Pairs,
  needed: number | null,
): Forecast {
  const names = study.features.map(({ name }) => name);
  const units = Array.from(releases.frame?.units ?? names.map(() => 1));
  const half = halfWidths(study).map((width, j) => width * (units[j] ?? 1));
  const row = (label: string, sds: ArrayLike<number>): Matrix => ({
    rows: [label],
    columns: [...names],
    values: Float64Array.from(sds),
  });
  const error = rootSumSquares(raw.noise, raw.clipping);
  const { shrinkage } = question;
  const total = rootSumSquares(raw.total, shrinkage * raw.zero);
  const ratio = raw.zero > 0 ? total / raw.zero : Infinity;
  const verdict = verdictOf(ratio, correlations);
  const { covariance, withinViews, offCentre } = question;
  const isStated = covariance !== undefined || correlations.length === 0;
  const assumed = { withinViews: isStated ? null : withinViews, offCentre };
  return {
    rows: question.rows,
    sites: question.sites,
    guarantee: pickGuarantee(releases.description, study.federation),
    mechanism: structuredClone(study.mechanism),
    covariance: {
      error,
      answeringZero: raw.zero,
      ratio: error / raw.zero,
      noise: raw.noise,
      clipping: raw.clipping,
      sampling: raw.sampling,
      total,
      denoised: raw.denoised,
      entrySd: entriesOf(raw, units),
      columnSd: row(
        'variance',
        half.map((width) => raw.sdDiagonal * square(width)),
      ),
    },
    mean: {
      sd: raw.meanSd * Math.sqrt(meanOf(units.map(square))),
      columnSd: row(
        'mean',
        half.map((width) => raw.meanSd * width),
      ),
    },
    rowsSd: raw.countSd,
    correlations,
    noiseFloor,
    rowNorms: releases.frames === undefined ? releases.radii : [],
    centring: releases.centring,
    missing:
      question.missing === 0
        ? null
        : { share: question.missing, rows: Math.round(question.rows * question.kept), shrinkage },
    shortened: raw.shortened,
    rowsNeeded: { target: question.target, rows: needed },
    verdict,
    summary: summaryOf(verdict, ratio, correlations, assumed),
    assumes: [
      ...question.assumes,
      clippingInWords(study, releases, question.rowNorm),
      'rows are independent draws from one population, about as many in each release',
    ],
    assumed,
  };
}

/** Standard deviations of the entries in scaled units: root mean squares. */
function entriesOf(
  { sdDiagonal, sdOffDiagonal }: RawForecast,
  units: readonly number[],
): { diagonal: number; offDiagonal: number } {
  const all = units.map(square);
  const diagonal = all.map(square).reduce((sum, own) => sum + own, 0);
  const rest = square(all.reduce((sum, own) => sum + own, 0)) - diagonal;
  const d = units.length;
  return {
    diagonal: sdDiagonal * Math.sqrt(diagonal / d),
    offDiagonal: sdOffDiagonal * (d > 1 ? Math.sqrt(rest / (d * (d - 1))) : square(units[0] ?? 1)),
  };
}

function clippingInWords(
  study: Study,
  { radii, centring }: Releases,
  rowNorm: number | undefined,
): string {
  if (centring !== null) {
    const [least, most] = [show(centring.least), show(centring.most)];
    const range = least === most ? '' : ` (${least} to ${most} times)`;
    return `each release centres and scales its rows by a noisy survey of them; with such data rows are then shortened to ${show(centring.radius)} times their typical distance from the centre${range}`;
  }
  const first = radii[0]?.radius ?? 0;
  if (rowNorm !== undefined) return `rows are shortened to ${show(rowNorm)} scaled units`;
  if (study.clipping === 'fixed')
    return `rows are shortened to the study's rowNorm, ${show(first)}`;
  const chosen = radii.map(({ radius, share }) => `${show(radius)} (${show(100 * share)} %)`);
  return `releases choose the clip radius; with such data: ${chosen.join(', ')}`;
}

function verdictOf(
  ratio: number,
  correlations: readonly CorrelationForecast[],
): Forecast['verdict'] {
  // There is nothing to find of a planned correlation of 0.
  const planned = correlations.filter(({ truth }) => truth > 0);
  if (ratio <= 0.5 && planned.every(({ clear }) => clear)) return 'useful';
  return ratio >= 1 && !planned.some(({ clear }) => clear) ? 'drowned' : 'weak';
}

function summaryOf(
  verdict: Forecast['verdict'],
  ratio: number,
  correlations: readonly CorrelationForecast[],
  { withinViews, offCentre }: Forecast['assumed'],
): string {
  const clear = correlations.filter((pair) => pair.clear);
  const lost = correlations.filter((pair) => !pair.clear && pair.truth > 0);
  const words = { useful: 'Useful', weak: 'At risk', drowned: 'Drowned in noise' };
  const margin = Math.max(...clear.map((pair) => pair.margin ?? 0));
  const found = [
    `the error of the covariance is ${show(ratio)} times that of answering zero`,
    ...(clear.length === 0
      ? []
      : [
          `in 9 of 10 such studies ${truths(clear)} would be above the noise floor and within ${show(margin)}`,
        ]),
    ...(lost.length === 0
      ? []
      : [`${truths(lost)} may be below the noise floor or off by more than half`]),
  ].join('; ');
  const assumed = [
    ...(withinViews === null ? [] : [`columns of one view correlate up to ${withinViews}`]),
    `means are up to ${offCentre} of the range off centre`,
  ].join(' and ');
  return `${words[verdict]}: ${found}. This assumes that ${assumed}.`;
}

function truths(pairs: readonly CorrelationForecast[]): string {
  const all = pairs.map(({ truth }) => String(truth));
  const last = all.pop() ?? '';
  return all.length === 0
    ? `a correlation of ${last}`
    : `correlations of ${all.join(', ')} and ${last}`;
}

/** A number with two significant digits. */
export function show(value: number): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(2))) : '∞';
}

function isWhole(value: unknown, least: number): value is number {
  return Number.isSafeInteger(value) && (value as number) >= least;
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0;
}

function isShare(value: unknown, below: number): value is number {
  return typeof value === 'number' && value >= 0 && value < below;
}

function refuse(field: string, message: string): never {
  throw new PrivateMomentsError('unsupported-option', message, { field });
}
