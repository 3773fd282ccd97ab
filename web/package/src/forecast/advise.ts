import { loadAnalysis } from '../core/analysis-core.js';
import { pickGuarantee } from '../study/envelope.js';
import { PrivateMomentsError } from '../base/errors.js';
import { isShareable, usualHonest } from '../study/federation-terms.js';
import { MECHANISM_FACTS } from '../generated/mechanisms.js';
import { forecastWith, show, type Forecast, type ForecastOptions } from './forecast.js';
import { APPROXIMATE, clippingsOf, contentOf, MECHANISMS } from '../study/mechanism.js';
import { specOf } from '../core/plan.js';
import type { Core } from '../core/raw.js';
import { defineStudy, requireStudy, type Study } from '../study/study.js';
import type {
  Clipping,
  Content,
  Federation,
  Guarantee,
  MechanismName,
  StudyDefinition,
} from '../study/types.js';
import { unwrap } from '../core/unwrap.js';

/** The options of `forecast`. */
export type AdviseOptions = ForecastOptions;

/** A mechanism that the study could name. */
export interface Choice {
  mechanism: MechanismName;
  content: Content;
  /** Expected error of the covariance, as in `forecast`. Null for a mechanism that releases directions. */
  error: number | null;
  /** `error` divided by that of the best choice. Null for a mechanism that releases directions. */
  relative: number | null;
  /** How its releases choose the clip radius, for that error. */
  clipping: Clipping;
  /** Every way that the study could name, with its error, best first. Empty for directions. */
  clippings: ClippingChoice[];
  guarantee: Guarantee;
  /** The reasons, in plain words. */
  why: string;
}

export interface ClippingChoice {
  clipping: Clipping;
  /** Expected error of the covariance, as in `forecast`. */
  error: number;
}

/**
 * Independent releases compared with releases behind masks, which share the noise but cannot choose a clip
 * radius or a centre: both for the study's mechanism, with the default clipping of each.
 */
export interface ModeComparison {
  /** The one with the smaller error. */
  better: 'independent' | 'split';
  /** The larger error divided by the smaller. */
  factor: number;
  independent: ClippingChoice;
  split: ClippingChoice;
}

/** A change of the study or of its participants, and its effect on the error. */
export interface Lever {
  /** The change, in plain words. */
  change: string;
  /** Expected error of the covariance after the change. */
  error: number;
  /** That error divided by the present one: below 1 if the change helps. */
  factor: number;
}

export interface Advice {
  rows: number;
  sites: number;
  recommended: MechanismName;
  why: string;
  /** Best first: mechanisms for second moments by their error, then those that release directions. */
  choices: Choice[];
  /**
   * Null with fewer than two sites, for unit `participant`, or if sites cannot share the noise of the
   * study's mechanism. If the study does not say how many sites are honest, more than two thirds are.
   */
  modes: ModeComparison | null;
  /** Changes of the study as it is, most effective first. Those that do not help are left out. */
  levers: Lever[];
  /** Rows at which the recommended mechanism would reach `target` times the error of answering zero. */
  rowsNeeded: { target: number; rows: number | null };
  assumes: string[];
}

/** Errors whose ratio is below this count as equal. */
const NEGLIGIBLE_RATIO = 1.05;
/** What changing to it is called in a lever. */
const CLIPPING_WORDS: Record<Clipping, string> = {
  centred: 'private centring',
  adaptive: 'adaptive clipping',
  fixed: 'a fixed clip radius',
};
/** A change helps if it multiplies the error by at most this. */
const MAX_FACTOR = 0.97;

/**
 * Recommends a mechanism for a study and changes that would improve its results. Like `forecast`, it uses
 * only public numbers and stated assumptions. It considers the mechanisms that fit the study's budget,
 * unit and neighbours. If the study has the default row norm, each mechanism is considered with its own
 * default.
 *
 * @throws PrivateMomentsError `unsupported-option`, `invalid-row-norm`, `too-many-rows`.
 *
 * @example
 * ```ts
 * const { levers } = await advise(study, { rows: 5000, sites: 10 });
 * ```
 */
export async function advise(study: Study, options: AdviseOptions): Promise<Advice> {
  requireStudy(study);
  const core = await loadAnalysis();
  const candidates = fitting(study);
  const forecasts = ranked(
    candidates
      .filter((candidate) => contentOf(candidate.mechanism) === 'moments')
      .map((candidate) => quick(core, candidate, options)),
  );
  const [best] = forecasts;
  if (best === undefined) {
    throw new PrivateMomentsError('internal', 'there is no mechanism for second moments');
  }
  const choices = [
    ...forecasts.map((forecast) => ({
      ...momentsChoice(study, forecast, forecasts),
      ...clippingOf(core, forecast, candidates, options),
    })),
    ...candidates
      .filter((candidate) => contentOf(candidate.mechanism) === 'components')
      .map((candidate) => directionsChoice(core, candidate, best)),
  ];
  return {
    rows: best.rows,
    sites: best.sites,
    recommended: best.mechanism.name,
    why: choices[0]?.why ?? '',
    choices,
    modes: modesOf(core, study, best.sites, options),
    levers: levers(core, study, options),
    rowsNeeded: rowsNeededBy(core, candidates, best, options),
    assumes: best.assumes,
  };
}

/** Sorted by error; among those close to the least error, exact arithmetic comes first. */
function ranked(forecasts: readonly Forecast[]): Forecast[] {
  const least = Math.min(...forecasts.map(({ covariance }) => covariance.error));
  const rank = ({ covariance, guarantee }: Forecast): number =>
    covariance.error <= NEGLIGIBLE_RATIO * least && guarantee.numerics === 'exact'
      ? 0
      : covariance.error;
  return [...forecasts].sort((a, b) => rank(a) - rank(b));
}

function quick(core: Core, study: Study, options: AdviseOptions): Forecast {
  return forecastWith(core, study, options, { simulate: false, countRows: false });
}

function rowsNeededBy(
  core: Core,
  candidates: readonly Study[],
  { mechanism, rowsNeeded }: Forecast,
  options: AdviseOptions,
): Advice['rowsNeeded'] {
  const study = candidates.find((candidate) => candidate.mechanism.name === mechanism.name);
  return study === undefined
    ? rowsNeeded
    : forecastWith(core, study, options, { simulate: false, countRows: true }).rowsNeeded;
}

/** The study with each mechanism that can keep its promise. */
function fitting(study: Study): Study[] {
  const features = study.features.length;
  return MECHANISMS.filter(
    (name) =>
      (study.privacy.delta > 0 || !APPROXIMATE.includes(name)) &&
      MECHANISM_FACTS[name].units.includes(study.unit) &&
      (!MECHANISM_FACTS[name].directions?.fewerThanFeatures || features > 1) &&
      isShareable(study.federation, name),
  ).map((name) => {
    if (name === study.mechanism.name) return study;
    const needsCount = MECHANISM_FACTS[name].directions?.needsCount ?? false;
    const components = Math.min(study.mechanism.components ?? 1, Math.max(1, features - 1));
    return variant(study, { mechanism: { name, ...(needsCount ? { components } : {}) } });
  });
}

/** The study with changes. A new mechanism also brings its own defaults. */
function variant(study: Study, changes: Partial<StudyDefinition>): Study {
  const definition: StudyDefinition = { ...study.toJSON(), ...changes };
  if (changes.mechanism !== undefined) {
    delete definition.clipping;
    if (study.rowNorm === Math.sqrt(study.columns.length)) delete definition.rowNorm;
  }
  return defineStudy(definition);
}

function clippingsFor({ federation, mechanism, unit }: Study): Clipping[] {
  return clippingsOf(mechanism.name, unit, federation.mode);
}

/** The study with another clipping. Private centring has no row norm. */
function withClipping(study: Study, clipping: Clipping): Study {
  const definition: StudyDefinition = { ...study.toJSON(), clipping };
  if (clipping === 'centred') delete definition.rowNorm;
  return defineStudy(definition);
}

function clippingOf(
  core: Core,
  { mechanism, covariance }: Forecast,
  candidates: readonly Study[],
  options: AdviseOptions,
): Pick<Choice, 'clipping' | 'clippings'> {
  const study = candidates.find((candidate) => candidate.mechanism.name === mechanism.name);
  const clipping = study?.clipping ?? 'fixed';
  // A stated radius is that of all ways.
  const others =
    study === undefined || options.rowNorm !== undefined
      ? []
      : clippingsFor(study).filter((other) => other !== clipping);
  const errorOf = (own: Study): number => quick(core, own, options).covariance.error;
  const clippings = [
    { clipping, error: covariance.error },
    ...others.flatMap((other) =>
      study === undefined ? [] : [{ clipping: other, error: errorOf(withClipping(study, other)) }],
    ),
  ];
  return { clipping, clippings: clippings.sort((a, b) => a.error - b.error) };
}

function modesOf(
  core: Core,
  study: Study,
  sites: number,
  { rowNorm, ...options }: AdviseOptions,
): ModeComparison | null {
  const { federation, mechanism, unit } = study;
  const canSplit = MECHANISM_FACTS[mechanism.name].federations.includes('split');
  if (sites < 2 || unit !== 'row' || !canSplit || rowNorm !== undefined) return null;
  const { honest = usualHonest(sites) } = federation;
  const split: Federation =
    federation.mode === 'split' && federation.sites === sites
      ? federation
      : { mode: 'split', sites, honest: Math.min(sites, honest), dropouts: 0 };
  const of = (own: Federation): ClippingChoice => {
    const definition: StudyDefinition = { ...study.toJSON(), federation: own };
    delete definition.clipping;
    delete definition.rowNorm;
    const changed = defineStudy(definition);
    const { error } = quick(core, changed, { ...options, sites }).covariance;
    return { clipping: changed.clipping, error };
  };
  const errors = { independent: of({ mode: 'independent', sites }), split: of(split) };
  const ratio = errors.split.error / errors.independent.error;
  return {
    better: ratio >= 1 ? 'independent' : 'split',
    factor: ratio >= 1 ? ratio : 1 / ratio,
    ...errors,
  };
}

function momentsChoice(
  study: Study,
  forecast: Forecast,
  all: readonly Forecast[],
): Omit<Choice, 'clipping' | 'clippings'> {
  const [best] = all;
  const { error } = forecast.covariance;
  const relative = error / (best?.covariance.error ?? error);
  return {
    mechanism: forecast.mechanism.name,
    content: 'moments',
    error,
    relative,
    guarantee: forecast.guarantee,
    why: [
      promise(forecast.guarantee),
      forecast === best ? accuracy(study, forecast, all[1]) : comparison(relative, best),
      arithmetic(forecast.guarantee),
      ...(MECHANISM_FACTS[forecast.mechanism.name].psd
        ? ['the released matrix is positive definite as it is']
        : []),
    ].join('; '),
  };
}

function comparison(relative: number, best: Forecast | undefined): string {
  const name = best?.mechanism.name ?? '';
  return relative < NEGLIGIBLE_RATIO
    ? `about the error of ${name}`
    : `${show(relative)} times the error of ${name}`;
}

function promise({ epsilon, delta }: Guarantee): string {
  return delta === 0
    ? `pure epsilon ${show(epsilon)}, without a delta`
    : `epsilon ${show(epsilon)} with delta ${show(delta)}`;
}

function accuracy(study: Study, forecast: Forecast, second: Forecast | undefined): string {
  const count = study.features.length;
  const features = `${count} ${count === 1 ? 'feature' : 'features'}`;
  if (second === undefined) return 'the only mechanism for second moments under this budget';
  const factor = second.covariance.error / forecast.covariance.error;
  const { name } = second.mechanism;
  if (factor < NEGLIGIBLE_RATIO) return `the smallest error for ${features}, about that of ${name}`;
  return `the smallest error for ${features}: ${name} has ${show(factor)} times as much`;
}

function arithmetic({ numerics }: Guarantee): string {
  return numerics === 'exact'
    ? 'proved for the integers that it computes with'
    : 'proved for real numbers, but computed in floating point';
}

function directionsChoice(core: Core, candidate: Study, best: Forecast): Choice {
  const guarantee = pickGuarantee(unwrap(core.describe(specOf(candidate))));
  const { sites } = best;
  const together =
    sites > 1
      ? `cannot be summed across ${sites} releases`
      : 'cannot be summed with other releases';
  return {
    mechanism: candidate.mechanism.name,
    content: 'components',
    error: null,
    relative: null,
    clipping: candidate.clipping,
    clippings: [],
    guarantee,
    why: `${promise(guarantee)}; releases directions only, which ${together}; its error depends on the data; ${arithmetic(guarantee)}`,
  };
}

/** The changes that help, most effective first. */
function levers(core: Core, study: Study, options: AdviseOptions): Lever[] {
  if (contentOf(study.mechanism) !== 'moments') return [];
  const now = quick(core, study, options);
  const { epsilon, delta } = study.privacy;
  const isAlone = study.federation.mode === 'independent';
  const found: Lever[] = [];
  const consider = (change: string, other: Study, changed: AdviseOptions): void => {
    const { error } = quick(core, other, changed).covariance;
    found.push({ change, error, factor: error / now.covariance.error });
  };
  const privacy = (changes: object): Study =>
    variant(study, { privacy: { epsilon, delta, ...changes } });

  consider('twice the epsilon', privacy({ epsilon: 2 * epsilon }), options);
  if (delta > 0 && 10 * delta < 1) {
    consider('ten times the delta', privacy({ delta: 10 * delta }), options);
  }
  if (study.unit === 'row') {
    consider('twice the rows in the same number of releases', study, {
      ...options,
      rows: 2 * now.rows,
    });
    if (now.sites > 1 && isAlone) {
      consider('the same rows in one release', study, { ...options, sites: 1 });
    }
  } else {
    const doubled = { ...options, rows: 2 * now.rows, sites: 2 * now.sites };
    consider('twice the participants', study, doubled);
  }
  if (options.rowNorm === undefined) {
    for (const clipping of clippingsFor(study)) {
      if (clipping === study.clipping) continue;
      consider(CLIPPING_WORDS[clipping], withClipping(study, clipping), options);
    }
  }
  if (options.rowNorm === undefined && study.clipping === 'fixed') {
    const halves: number[] = [];
    for (let i = 0; i < 6; i++) halves.push((halves[i - 1] ?? study.rowNorm) * Math.SQRT1_2);
    const errors = halves.map((rowNorm) => ({
      rowNorm,
      error: quick(core, study, { ...options, rowNorm }).covariance.error,
    }));
    const shortest = errors.reduce((a, b) => (b.error < a.error ? b : a));
    found.push({
      change: `rowNorm ${show(shortest.rowNorm)} instead of ${show(study.rowNorm)}: longer rows are shortened`,
      error: shortest.error,
      factor: shortest.error / now.covariance.error,
    });
  }
  return found.filter(({ factor }) => factor <= MAX_FACTOR).sort((a, b) => a.factor - b.factor);
}
