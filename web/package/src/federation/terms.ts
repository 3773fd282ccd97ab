import { checker, type Check } from '../check.js';
import { PrivateMomentsError, type ErrorCode } from '../errors.js';
import { count, plural } from '../report/counts.js';
import type { Clipping, Federation, FederationMode, Mechanism, MechanismName } from '../types.js';

export const FEDERATION_MODES: readonly FederationMode[] = [
  'independent',
  'split',
  'ring',
  'correlated',
];

/** Messages, and with them a roster, are made for no more than so many. */
export const MOST_SITES = 2 ** 30;
const MOST_SITES_THAT_MEET = 1000;
/** Shares are points over 256 elements. */
const MOST_WITH_SHARES = 255;
const MOST_RATIO = 1e6;

/** Mechanisms whose noise can be shared among sites, by mode. */
const SHAREABLE: Readonly<Record<Exclude<FederationMode, 'independent'>, readonly string[]>> = {
  split: ['gaussian', 'two-sided-wishart'],
  ring: ['gaussian', 'two-sided-wishart'],
  correlated: ['gaussian'],
};

/** A federation whose releases are summed behind masks. */
export type MaskedFederation = Exclude<Federation, { mode: 'independent' }>;

/** How many sites may be missing from a sum. */
export function dropoutsOf(federation: MaskedFederation): number {
  return federation.mode === 'correlated' ? 0 : federation.dropouts;
}

/** No role completes a sum of fewer releases than this; independent ones can be read one by one. */
export function leastSummed(federation: Federation): number {
  return federation.mode === 'independent' ? 1 : federation.sites - dropoutsOf(federation);
}

/** The fewest honest releases in a sum, as everyone missing may be honest. They have all of the noise. */
export function honestInSum(federation: MaskedFederation): number {
  return federation.honest - dropoutsOf(federation);
}

/**
 * Who may collude, and what must hold for the promise of a sum: the words after "This holds if".
 * Guarantees, consent texts, pages and reports all have them from here.
 * @throws PrivateMomentsError `invalid-federation`, also for releases that are not summed behind masks.
 */
export function collusionTerms(federation: MaskedFederation): string {
  const terms = readFederation(federation);
  if (terms.mode === 'independent') {
    const message = 'independent releases rest on nobody: there is nothing to collude about';
    return fail(IN_STUDY.code, `${IN_STUDY.prefix}mode`, message);
  }
  const { mode, sites, honest } = terms;
  const collector = mode === 'split' ? 'the analyst' : 'the coordinator';
  const who =
    honest === sites
      ? `all ${count(sites)} sites are honest`
      : `at least ${count(honest)} of the ${count(sites)} sites ${honest === 1 ? 'is' : 'are'} honest`;
  const apart = mode === 'split' ? ' and the analyst and the helper never share files' : '';
  const colluders = sites - honest;
  const others =
    colluders === 0
      ? `no participant, real or made up, may collude with ${collector} or with others`
      : `up to ${plural(colluders, 'participant')}, real or made up, may collude with ${collector}${colluders === 1 ? '' : ' and with each other'}`;
  const least = leastSummed(terms);
  const sum = least === sites ? 'exactly' : `at least ${count(least)} of the`;
  return `${who}${apart}: ${others}, and a sum has ${sum} ${plural(sites, 'release')}`;
}

/** Reads the numbers of a federation: where they stand, and the code of what is wrong with them. */
export interface TermsAt {
  code: ErrorCode;
  /** Before the name of a field, as in `federation.sites`. */
  prefix: string;
}

const IN_STUDY: TermsAt = { code: 'invalid-federation', prefix: 'federation.' };

/** @throws PrivateMomentsError `invalid-federation` with the field at fault. */
export function readFederation(value: unknown): Federation {
  if (value === undefined) return { mode: 'independent' };
  const check = checker(IN_STUDY.code);
  const keys = ['sites', 'honest', 'dropouts', 'threshold', 'ratio', 'calibration'];
  const mode = check.oneOf(
    check.object(value, 'federation', ['mode'], keys).mode,
    'federation.mode',
    FEDERATION_MODES,
  );
  switch (mode) {
    case 'independent':
      return readIndependent(value, check);
    case 'split': {
      const given = check.object(value, 'federation', ['mode', 'sites', 'honest'], ['dropouts']);
      return { mode, ...readSplitTerms({ dropouts: 0, ...given }, IN_STUDY) };
    }
    case 'ring': {
      const optional = ['dropouts', 'threshold'];
      const given = check.object(value, 'federation', ['mode', 'sites', 'honest'], optional);
      return { mode, ...readRingTerms(given, IN_STUDY) };
    }
    case 'correlated': {
      const optional = ['ratio', 'calibration'];
      const given = check.object(value, 'federation', ['mode', 'sites', 'honest'], optional);
      return {
        mode,
        ...readSites(given, IN_STUDY, MOST_SITES_THAT_MEET),
        ratio: readRatio(given.ratio, check),
        calibration:
          given.calibration === undefined
            ? 'joint'
            : check.oneOf(given.calibration, 'federation.calibration', ['joint', 'paper']),
      };
    }
  }
}

/** Whether the noise of a mechanism is whole in the sum of the releases of a study. */
export function isShareable({ mode }: Federation, mechanism: MechanismName): boolean {
  return mode === 'independent' || SHAREABLE[mode].includes(mechanism);
}

/**
 * What is summed must be noise that can be shared, and nothing may leave beside the masked sums.
 * @throws PrivateMomentsError `invalid-mechanism` or `invalid-clipping`.
 */
export function requireShareable(
  federation: Federation,
  mechanism: Mechanism,
  clipping: Clipping,
): void {
  if (federation.mode === 'independent') return;
  if (!isShareable(federation, mechanism.name)) {
    const names = SHAREABLE[federation.mode];
    const message = `with federation ${federation.mode} the mechanism must be ${names.join(' or ')}`;
    fail('invalid-mechanism', 'mechanism.name', message);
  }
  if (clipping === 'adaptive') {
    const message = `adaptive clipping would tell counts of each site by itself: with federation ${federation.mode} use fixed`;
    fail('invalid-clipping', 'clipping', message);
  }
}

type Given = Record<string, unknown>;

function readIndependent(value: unknown, check: Check): Federation {
  const given = check.object(value, 'federation', ['mode'], ['sites', 'honest']);
  const count = (key: 'sites' | 'honest', least: number): number | undefined =>
    given[key] === undefined
      ? undefined
      : check.wholeNumber(given[key], `federation.${key}`, least);
  const sites = count('sites', 1);
  const honest = count('honest', 0);
  if (sites !== undefined && honest !== undefined) requireHonest(sites, honest, IN_STUDY);
  return {
    mode: 'independent',
    ...(sites === undefined ? {} : { sites }),
    ...(honest === undefined ? {} : { honest }),
  };
}

/**
 * Sites and those of them who are honest: 1 <= honest <= sites.
 * @throws PrivateMomentsError with the code and the field of the caller.
 */
export function readSites(
  given: Given,
  at: TermsAt,
  most: number,
): { sites: number; honest: number } {
  const check = checker(at.code);
  const sites = check.wholeNumber(given.sites, `${at.prefix}sites`, 2, most);
  const honest = check.wholeNumber(given.honest, `${at.prefix}honest`, 1);
  requireHonest(sites, honest, at);
  return { sites, honest };
}

/**
 * Of `split`: a sum of all but `dropouts` must hold an honest release, and another.
 * @throws PrivateMomentsError with the code and the field of the caller.
 */
export function readSplitTerms(
  given: Given,
  at: TermsAt,
): { sites: number; honest: number; dropouts: number } {
  const { sites, honest } = readSites(given, at, MOST_SITES);
  const dropouts = readDropouts(given, at);
  const most = Math.min(honest - 1, sites - 2);
  if (dropouts > most) {
    const message = `without ${plural(dropouts, 'site')} a sum may hold no honest release, or one release alone: set ${at.prefix}dropouts to ${count(most)}${most === 0 ? '' : ' or less'}, or raise ${at.prefix}honest`;
    fail(at.code, `${at.prefix}dropouts`, message);
  }
  return { sites, honest, dropouts };
}

/**
 * Of `ring`. `threshold` members must answer before masks come off. Any two groups of so many must have
 * an honest member in common, who answers for one set only, whatever the coordinator does:
 * 2 threshold > 2 sites - honest. Then all who collude are fewer than `threshold` too. And as many must be
 * left when `dropouts` are missing. Of these two what is left out follows from the other; without both
 * everybody must send and answer.
 * @throws PrivateMomentsError with the code and the field of the caller.
 */
export function readRingTerms(
  given: Given,
  at: TermsAt,
): { sites: number; honest: number; dropouts: number; threshold: number } {
  const { sites, honest } = readSites(given, at, MOST_SITES_THAT_MEET);
  const least = sites - Math.ceil(honest / 2) + 1;
  const ring = `a ring of ${count(sites)} sites of which ${count(honest)} ${honest === 1 ? 'is' : 'are'} honest`;
  const answering = given.threshold === undefined ? undefined : readThreshold(given, at, sites);
  if (answering !== undefined && answering < least) {
    const message = `in ${ring} two groups of ${count(answering)} may have no honest site in common, and could answer for two sums: set ${at.prefix}threshold to ${count(least)} or more, or raise ${at.prefix}honest`;
    fail(at.code, `${at.prefix}threshold`, message);
  }
  const dropouts =
    given.dropouts === undefined ? sites - (answering ?? sites) : readDropouts(given, at);
  const most = sites - least;
  if (dropouts > most) {
    const message = `${ring} can do without ${most === 0 ? 'none' : `at most ${count(most)}`}: set ${at.prefix}dropouts to ${count(most)}${most === 0 ? '' : ' or less'}, or raise ${at.prefix}honest`;
    fail(at.code, `${at.prefix}dropouts`, message);
  }
  const threshold = answering ?? sites - dropouts;
  if (threshold > sites - dropouts) {
    const message = `${at.prefix}threshold cannot exceed sites less dropouts, ${count(sites - dropouts)}: no more are sure to be there`;
    fail(at.code, `${at.prefix}threshold`, message);
  }
  if (threshold < sites && sites > MOST_WITH_SHARES) {
    const message = `with more than ${MOST_WITH_SHARES} sites all must answer, as secrets are shared among no more: set ${at.prefix}threshold to ${count(sites)} and ${at.prefix}dropouts to 0`;
    fail(at.code, `${at.prefix}threshold`, message);
  }
  return { sites, honest, dropouts, threshold };
}

function readThreshold(given: Given, { code, prefix }: TermsAt, sites: number): number {
  return checker(code).wholeNumber(given.threshold, `${prefix}threshold`, 2, sites);
}

function readDropouts(given: Given, { code, prefix }: TermsAt): number {
  return checker(code).wholeNumber(given.dropouts, `${prefix}dropouts`, 0);
}

function requireHonest(sites: number, honest: number, { code, prefix }: TermsAt): void {
  if (honest <= sites) return;
  fail(code, `${prefix}honest`, `${prefix}honest cannot exceed ${prefix}sites`);
}

function readRatio(value: unknown, check: Check): number {
  if (value === undefined) return 1;
  const ratio = check.number(value, 'federation.ratio');
  if (ratio > 0 && ratio <= MOST_RATIO) return ratio;
  const message = `federation.ratio must lie above 0 and not above ${MOST_RATIO}`;
  return fail('invalid-federation', 'federation.ratio', message);
}

function fail(code: ErrorCode, field: string, message: string): never {
  throw new PrivateMomentsError(code, message, { field });
}
